"""Every case of sdks/vectors."""

from __future__ import annotations

import unittest

from package_path import vectors
from opening import open_sealed

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from signet_client.errors import UNKNOWN_KEY, SignetError
from signet_client.public_keys import ed25519_public_key, x25519_public_key
from signet_client.sealing import seal
from signet_client.verify import Reply, Verifier, read_certificate
from signet_client.wire import Request, decode_base64url, sealing_context


def data(text: str) -> bytes:
    decoded = decode_base64url(text)
    assert decoded is not None
    return decoded


class Vectors(unittest.TestCase):
    def test_request_hash(self) -> None:
        for case in vectors("request-hash.json")["cases"]:
            with self.subTest(case["name"]):
                parts = [case[name] for name in ("path", "app", "nonce", "time", "session")]
                self.assertEqual(Request(*parts, data(case["body"])).hash().hex(), case["hash"])

    def test_certificates(self) -> None:
        file = vectors("certificates.json")
        root = ed25519_public_key(file["rootPublicKey"])
        for case in file["cases"]:
            with self.subTest(case["name"]):
                if case["fields"] is None:
                    with self.assertRaises(SignetError) as raised:
                        read_certificate(case["certificate"], root)
                    self.assertEqual(raised.exception.code, UNKNOWN_KEY)
                    continue
                read = read_certificate(case["certificate"], root)
                names = {"kid": read.kid, "key": read.key, "serial": read.serial}
                times = {"notBefore": read.not_before, "notAfter": read.not_after}
                self.assertEqual({**names, **times}, case["fields"])

    def test_public_keys(self) -> None:
        readers = {"ed25519": ed25519_public_key, "x25519": x25519_public_key}
        for case in vectors("public-keys.json")["cases"]:
            with self.subTest(case["curve"] + " " + case["name"]):
                if case["usable"]:
                    readers[case["curve"]](case["publicKey"])
                else:
                    with self.assertRaises(ValueError):
                        readers[case["curve"]](case["publicKey"])

    def test_replies(self) -> None:
        """The replies of the vectors that all clients share are judged as they say (R-CLI-12)."""
        file = vectors("replies.json")
        sent = file["request"]
        parts = [sent[name] for name in ("path", "app", "nonce", "time", "session")]
        request = Request(*parts, data(sent["body"]))
        outcomes = set()
        for case in file["cases"]:
            with self.subTest(case["name"]):
                verifier = Verifier(ed25519_public_key(file["rootPublicKey"]), case["highestSerial"])
                headers = {name.lower(): value for name, value in case["headers"].items()}
                outcome = "accepted"
                try:
                    verifier.check(request, Reply(case["status"], headers, data(case["body"])), file["now"])
                except SignetError as error:
                    outcome = error.code
                self.assertEqual(outcome, case["outcome"])
                outcomes.add(outcome)
        self.assertEqual(len(outcomes), 5)

    def test_sealed_bodies(self) -> None:
        file = vectors("sealed-bodies.json")
        recipient = X25519PrivateKey.from_private_bytes(bytes.fromhex(file["recipientKey"]))
        ephemeral = X25519PrivateKey.from_private_bytes(bytes.fromhex(file["ephemeralKey"]))
        public_key = x25519_public_key(file["recipientPublicKey"])
        for case in file["cases"]:
            with self.subTest(case["name"]):
                aad = sealing_context(*(case[name] for name in ("path", "app", "nonce", "time", "session")))
                if case["body"] is None:
                    with self.assertRaises(Exception):
                        open_sealed(recipient, data(case["sealed"]), aad)
                    continue
                plain = data(case["body"])
                self.assertEqual(seal(public_key, plain, aad, ephemeral=ephemeral), data(case["sealed"]))
                self.assertEqual(open_sealed(recipient, data(case["sealed"]), aad), plain)
                self.assertNotEqual(seal(public_key, plain, aad), seal(public_key, plain, aad))


if __name__ == "__main__":
    unittest.main()
