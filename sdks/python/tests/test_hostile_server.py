"""A server that is not the app's, or a wire that is not honest, never gets a yes past the client."""

from __future__ import annotations

import json
import unittest
from dataclasses import replace
from typing import Callable, Optional

import package_path  # noqa: F401
from fake_server import USER, FakeServer
from opening import certificate

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from signet_client import SignetError
from signet_client.verify import Reply
from signet_client.wire import Request

Tamper = Callable[[Request, Reply], Optional[Reply]]
WELCOME = {"success": True, "message": "Welcome", "user": USER, "expiresAt": 4_000_000_000}


class HostileServer(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FakeServer().__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)
        self.client = self.server.client()
        self.addCleanup(self.client.close)

    def refuses(self, code: str, tamper: Tamper) -> None:
        """After an honest init, ``tamper`` works on the answer to license: the client must raise ``code``."""
        self.server.tamper = lambda request, reply: reply
        self.client.init()
        self.server.tamper = tamper
        with self.assertRaises(SignetError) as raised:
            self.client.license("KEY")
        self.assertEqual(raised.exception.code, code)
        self.assertFalse(self.client.is_valid())
        self.assertIsNone(self.client.session)

    def test_a_genuine_reply_is_accepted(self) -> None:
        self.client.license("KEY")
        self.assertTrue(self.client.is_valid())

    def test_unsigned_replies(self) -> None:
        body = json.dumps(WELCOME).encode()
        self.refuses("UNSIGNED_RESPONSE", lambda request, reply: Reply(200, {}, body))
        for name in ("key", "time", "signature", "certificate"):
            header = f"x-signet-{name}"
            rest = lambda reply: {key: value for key, value in reply.headers.items() if key != header}  # noqa: E731
            self.refuses("UNSIGNED_RESPONSE", lambda request, reply: replace(reply, headers=rest(reply)))

    def test_an_unsigned_rejection_is_not_trusted_either(self) -> None:
        body = b'{"success":false,"message":"no","code":"LICENSE_BANNED","requestId":"r"}'
        self.refuses("UNSIGNED_RESPONSE", lambda request, reply: Reply(403, {}, body))
        self.refuses("UNSIGNED_RESPONSE", lambda request, reply: Reply(404, {}, b"not found"))

    def test_an_unsigned_429_says_nothing_about_the_license(self) -> None:
        body = b'{"success":false,"message":"","code":"RATE_LIMITED","retryAfterSeconds":60}'
        self.refuses("UNSIGNED_RESPONSE", lambda request, reply: Reply(429, {"retry-after": "60"}, body))

    def test_altered_replies(self) -> None:
        self.refuses("BAD_SIGNATURE", lambda request, reply: replace(reply, body=reply.body.replace(b"Pro", b"Max")))
        self.refuses("BAD_SIGNATURE", lambda request, reply: replace(reply, body=reply.body + b" "))
        self.refuses("BAD_SIGNATURE", lambda request, reply: replace(reply, status=201))

    def test_a_rejection_turned_into_a_success(self) -> None:
        self.server.refuse["license"] = (403, "LICENSE_BANNED")
        self.refuses("BAD_SIGNATURE", lambda request, reply: replace(reply, status=200))
        body = json.dumps(WELCOME).encode()
        self.refuses("BAD_SIGNATURE", lambda request, reply: replace(reply, status=200, body=body))

    def test_replayed_replies(self) -> None:
        kept = []
        self.server.tamper = lambda request, reply: kept.append(reply) or reply
        self.client.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license"])
        self.refuses("BAD_SIGNATURE", lambda request, reply: kept[1])
        with self.server.client() as other:
            self.server.tamper = lambda request, reply: kept[0]
            with self.assertRaises(SignetError) as raised:
                other.init()
            self.assertEqual(raised.exception.code, "BAD_SIGNATURE")

    def test_replies_to_another_request(self) -> None:
        """Signed by the right key just now, but for another request."""
        for change in (
            {"path": "/api/1.0/client/heartbeat"},
            {"app": "Ab3dE6gH1j/Other"},
            {"nonce": "A" * 32},
            {"time": "1"},
            {"session": "A" * 43},
            {"session": None},
            {"body": b"{}"},
        ):
            moved = lambda request: replace(request, **change)  # noqa: E731
            self.refuses("BAD_SIGNATURE", lambda request, reply: self.server.signed(moved(request), 200, WELCOME))

    def test_replies_signed_without_the_private_key(self) -> None:
        stranger = Ed25519PrivateKey.generate()
        signed = self.server.signed
        self.refuses("BAD_SIGNATURE", lambda request, reply: signed(request, 200, WELCOME, key=stranger))
        own = certificate(stranger, stranger)
        self.refuses("UNKNOWN_KEY", lambda request, reply: signed(request, 200, WELCOME, key=stranger, certificate=own))
        self.refuses("UNKNOWN_KEY", lambda request, reply: signed(request, 200, WELCOME, certificate=own))
        self.refuses("UNKNOWN_KEY", lambda request, reply: signed(request, 200, WELCOME, kid="k2"))

    def test_an_expired_or_rolled_back_key(self) -> None:
        """A signing key that has ended, or one behind what was seen, signs nothing more (R-CLI-07)."""
        root, key = self.server.root, self.server.key
        old = certificate(root, key, notAfter=1_700_000_000)
        self.refuses("UNKNOWN_KEY", lambda request, reply: self.server.signed(request, 200, WELCOME, certificate=old))
        self.server.tamper = lambda request, reply: reply
        self.server.certificate = certificate(root, key, serial=5)
        self.client.init()
        for serial, is_fine in ((4, True), (3, False), (6, True), (4, False)):
            self.server.certificate = certificate(root, key, serial=serial)
            if is_fine:
                self.client.license("KEY")
                continue
            with self.assertRaises(SignetError) as raised:
                self.client.heartbeat()
            self.assertEqual(raised.exception.code, "UNKNOWN_KEY")

    def test_a_reply_of_another_time(self) -> None:
        for shift in (-61_000, 61_000, -3_600_000):
            self.client = self.server.client()
            self.addCleanup(self.client.close)
            late = lambda: self.server.now_ms() + shift  # noqa: E731
            self.refuses(
                "STALE_RESPONSE",
                lambda request, reply: self.server.signed(request, 200, WELCOME, server_time=late()),
            )

    def test_redirects_are_not_followed(self) -> None:
        with FakeServer() as elsewhere:
            headers = {"location": f"{elsewhere.url}/api/1.0/client/license"}
            self.refuses("UNSIGNED_RESPONSE", lambda request, reply: Reply(307, headers, b""))
            self.assertEqual(elsewhere.received, [])

    def test_an_endless_reply_is_cut_off(self) -> None:
        body = b" " * ((1 << 20) + 1)
        self.refuses("NETWORK", lambda request, reply: self.server.signed(request, 200, {}, body=body))

    def test_a_truncated_reply(self) -> None:
        cut = lambda reply: {**reply.headers, "Content-Length": str(len(reply.body) + 1)}  # noqa: E731
        self.server.drop_after_each = True
        self.refuses("NETWORK", lambda request, reply: replace(reply, headers=cut(reply)))

    def test_a_duplicated_header(self) -> None:
        twice = lambda reply: {**reply.headers, "X-Signet-Key": "k1"}  # noqa: E731
        self.refuses("UNKNOWN_KEY", lambda request, reply: replace(reply, headers=twice(reply)))

    def test_a_malformed_signed_reply(self) -> None:
        for body in (b"", b"[]", b"null", b"{}", b'{"success":"true"}', b'{"success":true}', b"\xff", b"[" * 50_000):
            self.refuses("MALFORMED_REPLY", lambda request, reply: self.server.signed(request, 200, {}, body=body))
        self.refuses("MALFORMED_REPLY", lambda request, reply: self.server.signed(request, 403, WELCOME))


if __name__ == "__main__":
    unittest.main()
