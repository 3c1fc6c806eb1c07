"""A client follows its root key's announcement of another one, with the first answer that passes all checks."""

from __future__ import annotations

import unittest
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional, Tuple
from unittest import mock

import package_path  # noqa: F401
from both_clients import ServedTest, for_both
from opening import announcement, certificate

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from signet_client import verify
from signet_client.verify import Verifier
from signet_client.wire import Request, new_nonce

SKEW = {"success": False, "message": "", "code": "CLOCK_SKEW"}


class Overtaken(Dict[str, str]):
    """Headers of an answer: between its certificate's check and its signature's, ``meanwhile`` happens, once."""

    def __init__(self, headers: Any, meanwhile: Callable[[], object]) -> None:
        super().__init__(headers)
        self._meanwhile: Optional[Callable[[], object]] = meanwhile

    def get(self, name: str, default: Any = None) -> Any:
        meanwhile = self._meanwhile
        if name == "x-signet-path" and meanwhile is not None:
            self._meanwhile = None
            meanwhile()
        return super().get(name, default)


class AnnouncedTest(ServedTest):
    """The root key was replaced by ``second``, perhaps by a thief with ``third``."""

    def setUp(self) -> None:
        super().setUp()
        self.root, self.key = self.server.root, self.server.key
        self.second, self.third = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
        self.earlier = self.server.certificate
        self.replaced = self.announced(self.second)

    def announced(self, replacement: Ed25519PrivateKey, **changes: Any) -> str:
        return f"{announcement(self.root, replacement)}.{certificate(replacement, self.key, **changes)}"


class Replacement(AnnouncedTest):
    def setUp(self) -> None:
        super().setUp()
        self.verifier = Verifier(self.root.public_key())

    def check(self, text: str, meanwhile: Callable[[], object] = lambda: None, **changes: Any) -> int:
        """An answer with this certificate."""
        request = Request("/api/1.0/client/heartbeat", "Ab3dE6gH1j/App", new_nonce(), "1", None, b"{}")
        reply = self.server.signed(request, changes.pop("status", 200), changes.pop("fields", {}), **changes)
        reply = replace(reply, headers=Overtaken({**reply.headers, "x-signet-certificate": text}, meanwhile))
        return self.verifier.check(request, reply, self.server.now_ms())

    def trusts(self, *texts: str) -> None:
        for text in texts:
            self.check(text)

    def rejects(self, *texts: str) -> None:
        for text in texts:
            self.fails("UNKNOWN_KEY", lambda: self.check(text))

    def test_the_earlier_root_counts_no_more_whatever_was_read_under_it(self) -> None:
        by_earlier = [self.earlier, certificate(self.root, self.key, serial=1_000_000), self.announced(self.third)]
        self.trusts(self.earlier, self.replaced)
        self.rejects(*by_earlier)
        self.trusts(self.replaced, certificate(self.second, self.key))
        self.rejects(*by_earlier)

    def test_an_answer_that_fails_a_check_moves_no_root(self) -> None:
        self.verifier.highest_serial = 3
        fine = certificate(self.root, self.key, serial=3)
        now = self.server.now_ms()
        cases: List[Tuple[str, str, str, Dict[str, Any]]] = [
            ("another kid", "UNKNOWN_KEY", self.announced(self.second, kid="k2", serial=3), {}),
            ("signature", "BAD_SIGNATURE", self.announced(self.second, serial=3), {"key": self.third}),
            ("digits", "BAD_SIGNATURE", self.announced(self.second, serial=3), {"server_time": 10**15}),
            ("its end", "UNKNOWN_KEY", self.announced(self.second, serial=3, notAfter=now // 1000 - 1), {}),
            ("its start", "UNKNOWN_KEY", self.announced(self.second, serial=3, notBefore=now // 1000 + 100), {}),
            ("serial", "UNKNOWN_KEY", self.announced(self.second, serial=1), {}),
            ("old", "STALE_RESPONSE", self.announced(self.second, serial=3), {"server_time": now - 70_000}),
        ]
        for name, code, text, changes in cases:
            with self.subTest(name):
                self.fails(code, lambda: self.check(text, **changes))
                self.trusts(fine)
                self.rejects(certificate(self.second, self.key, serial=3))

    def test_an_accepted_error_moves_it_also_one_about_the_clock(self) -> None:
        self.check(self.replaced, status=400, fields=SKEW, server_time=self.server.now_ms() - 3_600_000)
        self.rejects(self.earlier)
        self.trusts(certificate(self.second, self.key))

    def test_an_answer_of_the_earlier_root_that_was_overtaken_is_not_accepted(self) -> None:
        for text in (self.earlier, self.announced(self.third)):
            with self.subTest(text):
                self.verifier = Verifier(self.root.public_key())
                self.fails("UNKNOWN_KEY", lambda: self.check(text, lambda: self.check(self.replaced)))
                self.rejects(text)
                self.trusts(self.replaced, certificate(self.second, self.key))

    def test_an_overtaken_answer_raises_no_serial(self) -> None:
        high = certificate(self.root, self.key, serial=9)
        self.fails("UNKNOWN_KEY", lambda: self.check(high, lambda: self.check(self.replaced)))
        self.trusts(self.replaced)

    def test_answers_with_the_same_announcement_can_overtake_each_other(self) -> None:
        self.check(self.replaced, lambda: self.check(self.replaced))
        self.check(self.replaced, lambda: self.check(self.announced(self.second, serial=2)))
        self.rejects(self.earlier)

    def test_an_answer_can_be_overtaken_by_the_next_replacement(self) -> None:
        twice = f"{announcement(self.root, self.second)}.{announcement(self.second, self.third)}"
        newest = f"{twice}.{certificate(self.third, self.key)}"
        self.fails("UNKNOWN_KEY", lambda: self.check(self.replaced, lambda: self.check(newest)))
        self.rejects(self.earlier, self.replaced)
        self.trusts(newest, certificate(self.third, self.key))

    def test_a_slow_answer_with_a_newer_announcement_moves_on(self) -> None:
        twice = f"{announcement(self.root, self.second)}.{announcement(self.second, self.third)}"
        newest = f"{twice}.{certificate(self.third, self.key)}"
        self.check(newest, lambda: self.check(self.replaced))
        self.rejects(self.earlier, self.replaced)
        self.trusts(newest, certificate(self.third, self.key))

    def test_signatures_of_roots_are_checked_once_for_each_text_and_root(self) -> None:
        with mock.patch.object(verify, "read_certificate", wraps=verify.read_certificate) as reading:
            self.trusts(self.earlier, self.earlier, self.replaced, self.replaced, self.replaced)
        self.assertEqual(reading.call_count, 3)


@for_both
class ReplacementInUse(AnnouncedTest):
    def test_a_program_in_use_follows_and_stays_with_the_new_root(self) -> None:
        client = self.client()
        client.license("KEY")
        self.server.certificate = self.replaced
        client.heartbeat()
        self.server.certificate = self.earlier
        self.fails("UNKNOWN_KEY", client.heartbeat)
        self.server.certificate = certificate(self.second, self.key)
        client.heartbeat()
        self.assertTrue(client.is_valid())
        self.assertIsNone(client.lost)

    def test_an_answer_that_took_more_than_a_minute_moves_no_root(self) -> None:
        client = self.client()
        self.server.certificate = self.replaced
        with mock.patch("signet_client.exchange.REPLY_TOLERANCE_MS", 0):
            self.fails("STALE_RESPONSE", client.init)
        self.server.certificate = self.earlier
        client.init()


if __name__ == "__main__":
    unittest.main()
