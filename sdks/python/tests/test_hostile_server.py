"""A server that is not the app's, or a wire that is not honest, never gets a yes past the client."""

from __future__ import annotations

import json
import unittest
from dataclasses import replace
from typing import Callable, Optional
from unittest import mock

import package_path  # noqa: F401
from both_clients import ServedTest, for_both
from fake_server import USER, FakeServer
from opening import certificate

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from signet_client.signed_json import fields_of
from signet_client.verify import Reply
from signet_client.wire import Request

Tamper = Callable[[Request, Reply], Optional[Reply]]
WELCOME = {"success": True, "message": "Welcome", "user": USER, "expiresAt": 4_000_000_000}


@for_both
class HostileServer(ServedTest):
    def setUp(self) -> None:
        super().setUp()
        self.asking = self.client()

    def rejects(self, code: str, tamper: Tamper) -> None:
        """After an honest init, ``tamper`` works on the answer to license: the client must raise ``code``."""
        self.server.tamper = lambda request, reply: reply
        self.asking.init()
        self.server.tamper = tamper
        self.fails(code, lambda: self.asking.license("KEY"))
        self.assertFalse(self.asking.is_valid())
        self.assertIsNone(self.asking.session)

    def test_a_genuine_reply_is_accepted(self) -> None:
        self.asking.license("KEY")
        self.assertTrue(self.asking.is_valid())

    def test_unsigned_replies(self) -> None:
        body = json.dumps(WELCOME).encode()
        self.rejects("UNSIGNED_RESPONSE", lambda request, reply: Reply(200, {}, body))
        for name in ("key", "time", "signature", "certificate"):
            header = f"x-signet-{name}"
            rest = lambda reply: {key: value for key, value in reply.headers.items() if key != header}  # noqa: E731
            self.rejects("UNSIGNED_RESPONSE", lambda request, reply: replace(reply, headers=rest(reply)))

    def test_an_unsigned_rejection_is_not_trusted_either(self) -> None:
        body = b'{"success":false,"message":"no","code":"LICENSE_BANNED","requestId":"r"}'
        self.rejects("UNSIGNED_RESPONSE", lambda request, reply: Reply(403, {}, body))
        self.rejects("UNSIGNED_RESPONSE", lambda request, reply: Reply(404, {}, b"not found"))

    def test_an_unsigned_429_says_nothing_about_the_license(self) -> None:
        body = b'{"success":false,"message":"","code":"RATE_LIMITED","retryAfterSeconds":60}'
        self.rejects("UNSIGNED_RESPONSE", lambda request, reply: Reply(429, {"retry-after": "60"}, body))

    def test_altered_replies(self) -> None:
        self.rejects("BAD_SIGNATURE", lambda request, reply: replace(reply, body=reply.body.replace(b"Pro", b"Max")))
        self.rejects("BAD_SIGNATURE", lambda request, reply: replace(reply, body=reply.body + b" "))
        self.rejects("BAD_SIGNATURE", lambda request, reply: replace(reply, status=201))

    def test_a_rejection_turned_into_a_success(self) -> None:
        self.server.reject["license"] = (403, "LICENSE_BANNED")
        self.rejects("BAD_SIGNATURE", lambda request, reply: replace(reply, status=200))
        body = json.dumps(WELCOME).encode()
        self.rejects("BAD_SIGNATURE", lambda request, reply: replace(reply, status=200, body=body))

    def test_replayed_replies(self) -> None:
        kept = []
        self.server.tamper = lambda request, reply: kept.append(reply) or reply
        self.asking.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license"])
        self.asking = self.client()
        self.rejects("BAD_SIGNATURE", lambda request, reply: kept[1])
        self.server.tamper = lambda request, reply: kept[0]
        self.fails("BAD_SIGNATURE", self.client().init)

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
            self.rejects("BAD_SIGNATURE", lambda request, reply: self.server.signed(moved(request), 200, WELCOME))

    def test_replies_signed_without_the_private_key(self) -> None:
        stranger = Ed25519PrivateKey.generate()
        signed = self.server.signed
        self.rejects("BAD_SIGNATURE", lambda request, reply: signed(request, 200, WELCOME, key=stranger))
        own = certificate(stranger, stranger)
        self.rejects("UNKNOWN_KEY", lambda request, reply: signed(request, 200, WELCOME, key=stranger, certificate=own))
        self.rejects("UNKNOWN_KEY", lambda request, reply: signed(request, 200, WELCOME, certificate=own))
        self.rejects("UNKNOWN_KEY", lambda request, reply: signed(request, 200, WELCOME, kid="k2"))

    def test_an_expired_or_rolled_back_key(self) -> None:
        """A signing key that has ended, or one behind what was seen, signs nothing more (R-CLI-07)."""
        root, key = self.server.root, self.server.key
        old = certificate(root, key, notAfter=1_700_000_000)
        self.rejects("UNKNOWN_KEY", lambda request, reply: self.server.signed(request, 200, WELCOME, certificate=old))
        self.server.tamper = lambda request, reply: reply
        self.server.certificate = certificate(root, key, serial=5)
        self.asking.init()
        for serial, is_fine in ((4, True), (3, False), (6, True), (4, False)):
            self.server.certificate = certificate(root, key, serial=serial)
            if is_fine:
                self.asking.license("KEY")
                continue
            self.fails("UNKNOWN_KEY", self.asking.heartbeat)

    def test_a_reply_of_another_time(self) -> None:
        for shift in (-61_000, 61_000, -3_600_000):
            self.asking = self.client()
            late = lambda: self.server.now_ms() + shift  # noqa: E731
            self.rejects(
                "STALE_RESPONSE",
                lambda request, reply: self.server.signed(request, 200, WELCOME, server_time=late()),
            )

    def test_a_reply_that_took_more_than_a_minute(self) -> None:
        with mock.patch("signet_client.exchange.REPLY_TOLERANCE_MS", 0):
            self.fails("STALE_RESPONSE", self.client().init)

    def test_a_clock_error_of_another_status_is_not_exempt_from_the_time(self) -> None:
        error = {"success": False, "message": "", "code": "CLOCK_SKEW"}
        old = self.server.now_ms() - 3_600_000
        self.rejects(
            "STALE_RESPONSE", lambda request, reply: self.server.signed(request, 403, error, server_time=old)
        )

    def test_json_is_read_to_a_depth_that_every_client_can_read(self) -> None:
        for depth, is_read in ((63, True), (64, False)):
            body = b'{"x":%s1%s}' % (b"[" * depth, b"]" * depth)
            self.assertEqual(fields_of(body) is not None, is_read)
        self.assertIsNotNone(fields_of(b'{"x":"%s"}' % (b'\\"[' * 100)))
        self.assertIsNotNone(fields_of(b'{"x":[%s]}' % b",".join([b"[]"] * 100)))

    def test_redirects_are_not_followed(self) -> None:
        with FakeServer() as elsewhere:
            headers = {"location": f"{elsewhere.url}/api/1.0/client/license"}
            self.rejects("UNSIGNED_RESPONSE", lambda request, reply: Reply(307, headers, b""))
            self.assertEqual(elsewhere.received, [])

    def test_an_endless_reply_is_cut_off(self) -> None:
        body = b" " * ((1 << 20) + 1)
        self.rejects("NETWORK", lambda request, reply: self.server.signed(request, 200, {}, body=body))

    def test_a_truncated_reply(self) -> None:
        cut = lambda reply: {**reply.headers, "Content-Length": str(len(reply.body) + 1)}  # noqa: E731
        self.server.drop_after_each = True
        self.rejects("NETWORK", lambda request, reply: replace(reply, headers=cut(reply)))

    def test_a_duplicated_header(self) -> None:
        twice = lambda reply: {**reply.headers, "X-Signet-Key": "k1"}  # noqa: E731
        self.rejects("UNKNOWN_KEY", lambda request, reply: replace(reply, headers=twice(reply)))

    def test_a_malformed_signed_reply(self) -> None:
        for body in (b"", b"[]", b"null", b"{}", b'{"success":"true"}', b'{"success":true}', b"\xff", b"[" * 50_000):
            self.rejects("MALFORMED_REPLY", lambda request, reply: self.server.signed(request, 200, {}, body=body))
        self.rejects("MALFORMED_REPLY", lambda request, reply: self.server.signed(request, 403, WELCOME))


if __name__ == "__main__":
    unittest.main()
