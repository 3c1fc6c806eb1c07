"""Every case of sdks/vectors."""

from __future__ import annotations

import unittest

from package_path import SDK_FOLDER, vectors
from vector_cases import CHECKS, checks_of, data

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from signet_client.public_keys import x25519_public_key
from signet_client.sealing import seal
from signet_client.wire import sealing_context

FOLDER = SDK_FOLDER.parent / "vectors"


class Vectors(unittest.TestCase):
    def test_every_case(self) -> None:
        """The replies of the vectors that all clients share are judged as they say (R-CLI-12)."""
        passed = 0
        for name, check in checks_of(FOLDER):
            with self.subTest(name):
                check()
                passed += 1
        self.assertGreater(passed, 500)

    def test_every_file_is_there_and_the_cases_tell_apart(self) -> None:
        self.assertEqual(sorted(path.name for path in FOLDER.glob("*.json")), sorted(CHECKS))
        self.assertGreaterEqual(len({case["outcome"] for case in vectors("replies.json")["cases"]}), 5)

    def test_no_two_sealed_bodies_are_alike(self) -> None:
        file = vectors("sealed-bodies.json")
        key = x25519_public_key(file["recipientPublicKey"])
        aad = sealing_context("/", "a", "n", "1", None)
        self.assertNotEqual(seal(key, b"{}", aad), seal(key, b"{}", aad))
        fixed = X25519PrivateKey.from_private_bytes(b"2" * 32)
        self.assertEqual(seal(key, b"{}", aad, ephemeral=fixed), seal(key, b"{}", aad, ephemeral=fixed))
        self.assertEqual(len(data(file["cases"][0]["sealed"])) - 48, len(data(file["cases"][0]["body"])))


if __name__ == "__main__":
    unittest.main()
