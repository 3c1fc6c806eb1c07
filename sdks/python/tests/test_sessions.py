"""Which session a call is made in, how it is renewed, and which errors end it."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple
from unittest import mock

import package_path  # noqa: F401
from both_clients import ServedTest, for_both

from signet_client import SignetError
from signet_client.codes import VERDICTS
from signet_client.verify import Reply

IN_SESSION: Dict[str, Callable[[Any], Any]] = {
    "variable": lambda client: client.variable("x"),
    "user-variable": lambda client: client.user_variable("x"),
    "set-user-variable": lambda client: client.set_user_variable("x", "y"),
    "log": lambda client: client.log("x"),
    "call-webhook": lambda client: client.call_webhook("x"),
    "download": lambda client: client.download("x", "/nowhere/x"),
    "change-password": lambda client: client.change_password("x", "y"),
}
ABOUT_INPUT: Dict[str, Callable[[Any], Any]] = {
    "upgrade": lambda client: client.upgrade("KEY"),
    "license": lambda client: client.license("KEY"),
    "login": lambda client: client.login("x", "y"),
    "register": lambda client: client.register("x", "y", "KEY"),
    "request-password-reset": lambda client: client.request_password_reset("x"),
}
ENDING = [code for code, verdict in VERDICTS.items() if verdict == "lost"]
NOT_ENDING = ["LICENSE_NOT_FOUND", "INVALID_CREDENTIALS", "VPN_BLOCKED", "NOT_SIGNED_IN", "A_CODE_OF_TOMORROW"]


class SignedInTest(ServedTest):
    def setUp(self) -> None:
        super().setUp()
        self.lost: List[SignetError] = []

    def signed_in(self, **changes: Any) -> Any:
        client = self.client(**{"on_lost": self.lost.append, **changes})
        client.license("KEY")
        self.server.received.clear()
        return client

    def tokens(self, name: str) -> List[Any]:
        return [headers.get("X-Signet-Session") for call, _, headers in self.server.received if call == name]


@for_both
class SignIn(SignedInTest):
    def test_a_wrong_key_leaves_the_session_of_whoever_is_signed_in(self) -> None:
        client = self.signed_in()
        client.heartbeat()
        for status, code in ((404, "LICENSE_NOT_FOUND"), (403, "LICENSE_BANNED"), (401, "SESSION_ENDED"), (503, "X")):
            self.server.reject["license"] = (status, code)
            self.fails(code, lambda: client.license("TYPO"))
            self.assertTrue(client.is_valid())
        self.server.reject.clear()
        self.server.tamper = lambda request, reply: Reply(200, {}, reply.body)
        self.fails("UNSIGNED_RESPONSE", lambda: client.license("TYPO"))
        self.server.tamper = lambda request, reply: reply
        client.heartbeat()
        self.assertEqual(client.session.username, "alice")
        self.assertEqual(len(set(self.tokens("heartbeat"))), 1)
        self.assertEqual(self.tokens("logout"), [])
        self.assertEqual(self.lost, [])

    def test_a_new_sign_in_uses_a_new_session_and_logs_the_old_one_out(self) -> None:
        client = self.signed_in()
        client.heartbeat()
        client.login("alice", "secret")
        client.heartbeat()
        old, new = self.tokens("heartbeat")
        self.assertNotEqual(old, new)
        self.assertEqual(self.tokens("login"), [new])
        self.eventually(lambda: self.tokens("logout") == [old])
        client.close()
        self.eventually(lambda: self.server.open_sessions() == 0)

    def test_a_silent_logout_of_the_old_session_delays_nobody(self) -> None:
        client = self.signed_in()
        self.server.hang_on.add("logout")
        client.license("KEY")
        client.heartbeat()
        self.assertTrue(client.is_valid())
        self.server.is_over.set()

    def test_init_while_signed_in_is_for_the_next_sign_in(self) -> None:
        client = self.signed_in()
        client.heartbeat()
        client.init()
        client.heartbeat()
        self.assertEqual(len(set(self.tokens("heartbeat"))), 1)
        client.license("KEY")
        self.assertEqual(self.server.calls().count("init"), 1)

    def test_after_an_answer_that_cannot_be_verified_the_session_is_not_used_again(self) -> None:
        client = self.client()
        client.init()
        self.server.tamper = lambda request, reply: Reply(200, {}, reply.body)
        self.fails("UNSIGNED_RESPONSE", lambda: client.license("KEY"))
        self.server.tamper = lambda request, reply: reply
        client.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license", "init", "license"])

    def test_after_a_sign_in_that_was_cancelled_the_session_is_not_used_again(self) -> None:
        client = self.client()
        client.init()
        self.server.hang_on.add("license")
        sign_in = self.in_background(lambda: client.license("KEY"))
        self.eventually(lambda: "license" in self.server.calls())
        client.cancel()
        self.assertEqual(sign_in.code(), "CANCELLED")
        self.server.hang_on.clear()
        client.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license", "init", "license"])

    def test_logging_out_during_a_sign_in_leaves_nobody_signed_in(self) -> None:
        client = self.client(on_lost=self.lost.append)
        client.init()
        release = threading.Event()
        self.addCleanup(release.set)
        self.server.tamper = lambda request, reply: (release.wait(60), reply)[1]
        sign_in = self.in_background(lambda: client.license("KEY"))
        self.eventually(lambda: "license" in self.server.calls())
        logout = self.in_background(client.logout)
        self.eventually(lambda: client._core._opened is None)
        release.set()
        self.assertEqual((sign_in.code(), logout.code()), ("accepted", "accepted"))
        self.assertEqual(self.server.open_sessions(), 0)
        self.assertIsNone(client.session)
        self.assertFalse(client.is_valid())

    def test_a_session_that_is_gone_is_opened_again_only_once(self) -> None:
        for code in ("SESSION_EXPIRED", "SESSION_ENDED", "SESSION_REQUIRED", "SESSION_REPLACED"):
            self.server.received.clear()
            self.server.reject["license"] = (401, code)
            client = self.client()
            client.init()
            self.fails(code, lambda: client.license("KEY"))
            self.assertEqual(self.server.calls(), ["init", "license", "init", "license"])
            self.fails(code, lambda: client.license("KEY"))
            self.assertEqual(self.server.calls()[4:], ["init", "license"])

    def test_keys_are_trimmed_in_every_call(self) -> None:
        client = self.client()
        client.license(" \u200bKEY\u00a0\r\n")
        client.register(" alice ", " secret ", "\ufeffKEY 2\u2060")
        client.upgrade("\tKEY\u00ad3\u202e")
        client.login("alice", " secret ", "KEY 4\u00a0")
        sent = [fields for _, fields, _ in self.server.received]
        self.assertEqual([fields["key"] for fields in sent if "key" in fields], ["KEY"])
        self.assertEqual([fields["licenseKey"] for fields in sent if "licenseKey" in fields], ["KEY 2", "KEY\u00ad3", "KEY 4"])
        self.assertEqual([fields["password"] for fields in sent if "password" in fields], [" secret "] * 2)


@for_both
class Renewal(SignedInTest):
    def test_a_verified_no_to_the_renewal_ends_the_session(self) -> None:
        for status, code in ((401, "SESSION_EXPIRED"), (403, "HWID_MISMATCH"), (403, "LICENSE_BANNED"), (400, "ODD")):
            self.lost.clear()
            client = self.signed_in(heartbeat_interval=3600.0)
            self.server.expire_sessions()
            self.server.reject["renew"] = (status, code)
            self.assertEqual(self.fails(code, client.heartbeat).status, status)
            self.assertFalse(client.is_valid())
            self.assertEqual(client.lost.code, code)
            self.fails(code, client.heartbeat)
            self.eventually(lambda: [error.code for error in self.lost] == [code])
            self.assertEqual(self.server.calls(), ["heartbeat", "renew"])
            self.server.reject.clear()

    def test_no_verifiable_answer_to_the_renewal_is_tried_again_with_the_next_call(self) -> None:
        client = self.signed_in(heartbeat_interval=3600.0)
        self.server.expire_sessions()
        for status, code in ((503, "MAINTENANCE"), (429, "RATE_LIMITED"), (500, "INTERNAL_ERROR")):
            self.server.reject["renew"] = (status, code)
            self.fails(code, client.heartbeat)
        self.server.reject.clear()
        self.server.tamper = lambda request, reply: reply if request.path.endswith("beat") else Reply(403, {}, b"{}")
        self.fails("UNSIGNED_RESPONSE", client.heartbeat)
        self.assertTrue(client.is_valid())
        self.assertIsNone(client.lost)
        self.server.tamper = lambda request, reply: reply
        client.heartbeat()
        self.assertEqual(self.lost, [])

    def test_an_expired_session_is_renewed_without_key_or_password_and_the_call_repeated(self) -> None:
        for call, act in {**IN_SESSION, **ABOUT_INPUT, "heartbeat": lambda client: client.heartbeat()}.items():
            if call in ("license", "login", "register"):
                continue
            with self.subTest(call):
                client = self.signed_in(hash_check="ab" * 32)
                client.set_user_variable("x", "y")
                client.heartbeat()
                [token] = self.tokens("heartbeat")
                self.server.received.clear()
                self.server.expire_sessions()
                if call == "download":
                    self.fails("DOWNLOAD_NOT_FOUND", lambda: act(client))
                else:
                    act(client)
                self.assertEqual(self.server.calls(), [call, "renew", call])
                self.assertEqual({headers.get("X-Signet-Session") for _, _, headers in self.server.received}, {token})
                sent = self.server.received[1][1]
                hwid = sent.pop("hwid")
                self.assertEqual((sent, len(hwid)), ({"version": "1.0", "hash": "ab" * 32}, 64))
                self.assertTrue(client.is_valid())

    def test_an_update_of_the_program_file_does_not_end_the_running_program(self) -> None:
        """What runs is still what was started."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.py"
            program.write_bytes(b"as started")
            with mock.patch.object(sys.modules["__main__"], "__file__", str(program)):
                client = self.client(hash_check=True)
                client.license("KEY")
                program.write_bytes(b"as updated")
                self.server.expire_sessions()
                client.heartbeat()
        hashes = [fields["hash"] for name, fields, _ in self.server.received if name in ("init", "renew")]
        self.assertEqual(hashes, [hashlib.sha256(b"as started").hexdigest()] * 2)

    def test_a_lost_answer_to_the_renewal_is_asked_for_again(self) -> None:
        client = self.signed_in()
        self.server.expire_sessions()
        self.server.drop_once.add("renew")
        client.heartbeat()
        self.assertEqual(self.server.calls(), ["heartbeat", "renew", "renew", "renew", "heartbeat"])
        first, again, new = [headers["X-Signet-Nonce"] for call, _, headers in self.server.received if call == "renew"]
        self.assertEqual(first, again)
        self.assertNotEqual(first, new)

    def test_a_session_that_expires_again_at_once_is_not_renewed_in_a_circle(self) -> None:
        client = self.signed_in()
        self.server.reject["variable"] = (401, "SESSION_EXPIRED")
        self.fails("SESSION_EXPIRED", lambda: client.variable("x"))
        self.assertEqual(self.server.calls(), ["variable", "renew", "variable"])
        self.assertTrue(client.is_valid())
        self.server.reject["heartbeat"] = (401, "SESSION_EXPIRED")
        self.fails("SESSION_EXPIRED", client.heartbeat)
        self.assertFalse(client.is_valid())

    def test_a_session_without_a_user_is_opened_again_instead(self) -> None:
        client = self.client()
        client.log("before")
        self.server.expire_sessions()
        client.log("after")
        self.assertEqual(self.server.calls(), ["init", "log", "log", "init", "log"])


@for_both
class Verdicts(SignedInTest):
    def outcome(self, call: str, act: Callable[[Any], Any], status: int, code: str) -> Tuple[bool, int]:
        self.lost.clear()
        client = self.signed_in()
        self.server.reject[call] = (status, code)
        self.fails(code, lambda: act(client))
        self.server.reject.clear()
        is_valid = client.is_valid()
        self.assertEqual(client.lost is None, is_valid)
        if not is_valid:
            self.eventually(lambda: len(self.lost) > 0)
        return is_valid, len(self.lost)

    def test_a_call_in_the_session_ends_it_only_with_certain_codes(self) -> None:
        self.assertEqual(len(ENDING), 13)
        for call, act in IN_SESSION.items():
            for code in ENDING if call in ("variable", "download") else ENDING[::4]:
                with self.subTest(f"{call} {code}"):
                    self.assertEqual(self.outcome(call, act, 403, code), (False, 1))
        for code in NOT_ENDING:
            with self.subTest(code):
                self.assertEqual(self.outcome("variable", IN_SESSION["variable"], 403, code), (True, 0))

    def test_answers_about_what_was_typed_do_not_end_it(self) -> None:
        for call, act in ABOUT_INPUT.items():
            with self.subTest(call):
                self.assertEqual(self.outcome(call, act, 403, "LICENSE_BANNED"), (True, 0))
        for code in ("SESSION_ENDED", "SESSION_REPLACED"):
            self.assertEqual(self.outcome("upgrade", ABOUT_INPUT["upgrade"], 401, code), (False, 1))

    def test_any_signed_no_to_a_heartbeat_ends_it(self) -> None:
        for code in [*ENDING, *NOT_ENDING, "NETWORK", "UNSIGNED_RESPONSE"]:
            with self.subTest(code):
                self.assertEqual(self.outcome("heartbeat", lambda client: client.heartbeat(), 403, code), (False, 1))

    def test_temporary_errors_end_nothing(self) -> None:
        for status, code in ((429, "RATE_LIMITED"), (503, "LICENSE_BANNED"), (409, "NONCE_REUSED"), (400, "CLOCK_SKEW")):
            for call, act in (("heartbeat", lambda client: client.heartbeat()), ("variable", IN_SESSION["variable"])):
                with self.subTest(f"{call} {code}"):
                    self.assertEqual(self.outcome(call, act, status, code), (True, 0))

    def test_a_malformed_answer_ends_nothing(self) -> None:
        client = self.signed_in()
        self.server.tamper = lambda request, reply: self.server.signed(request, 403, {"success": False})
        self.assertTrue(self.fails("MALFORMED_REPLY", client.heartbeat).is_temporary)
        self.assertTrue(client.is_valid())

    def test_a_program_that_lost_its_session_can_sign_in_again(self) -> None:
        client = self.signed_in()
        self.server.reject["heartbeat"] = (401, "SESSION_REPLACED")
        self.fails("SESSION_REPLACED", client.heartbeat)
        self.server.reject.clear()
        client.license("KEY")
        self.assertTrue(client.is_valid())
        self.assertIsNone(client.lost)
        self.assertEqual(self.tokens("logout"), [])

    def test_an_upgrade_revives_a_session_whose_subscription_expired(self) -> None:
        client = self.signed_in(heartbeat_interval=0.05)
        self.server.reject["heartbeat"] = (403, "SUBSCRIPTION_EXPIRED")
        self.eventually(lambda: len(self.lost) == 1)
        self.assertFalse(client.is_valid())
        for status, code in ((404, "LICENSE_NOT_FOUND"), (403, "SUBSCRIPTION_EXPIRED"), (503, "MAINTENANCE")):
            self.server.reject["upgrade"] = (status, code)
            self.fails(code, lambda: client.upgrade("TYPO"))
            self.assertFalse(client.is_valid())
            self.assertEqual(client.lost.code, "SUBSCRIPTION_EXPIRED")
        self.server.reject.clear()
        self.server.received.clear()
        self.assertEqual(client.upgrade("MORE").username, "alice")
        self.assertTrue(client.is_valid())
        self.assertIsNone(client.lost)
        self.eventually(lambda: self.server.calls().count("heartbeat") > 1)
        self.assertEqual(set(self.server.calls()), {"upgrade", "heartbeat"})
        self.assertEqual(len(self.lost), 1)

    def test_an_upgrade_revives_no_session_that_ended_otherwise(self) -> None:
        for code in ("USER_BANNED", "LICENSE_BANNED", "SUBSCRIPTION_PAUSED", "SESSION_REPLACED"):
            client = self.signed_in()
            self.server.reject["heartbeat"] = (403, code)
            self.fails(code, client.heartbeat)
            self.fails(code, lambda: client.upgrade("MORE"))
            self.assertNotIn("upgrade", self.server.calls())
            self.server.reject.clear()

    def test_a_login_without_a_license_key_sends_none(self) -> None:
        client = self.client()
        client.login("alice", "secret")
        self.assertNotIn("licenseKey", self.server.received[-1][1])

    def _codes_of_heartbeat_and_logout(self, client: Any) -> Tuple[str, str]:
        """Of a heartbeat whose answer comes after the logout has begun."""
        release = threading.Event()
        self.addCleanup(release.set)
        self.server.tamper = lambda request, reply: (release.wait(60), reply)[1]
        heartbeat = self.in_background(client.heartbeat)
        self.eventually(lambda: "heartbeat" in self.server.calls())
        logout = self.in_background(client.logout)
        self.eventually(lambda: client.session is None)
        release.set()
        return heartbeat.code(), logout.code()

    def test_a_no_that_comes_after_logging_out_is_reported_to_nobody(self) -> None:
        client = self.signed_in()
        self.server.reject["heartbeat"] = (403, "USER_BANNED")
        self.assertEqual(self._codes_of_heartbeat_and_logout(client), ("USER_BANNED", "accepted"))
        self.assertFalse(threading.Event().wait(0.1))
        self.assertEqual(self.lost, [])

    def test_a_yes_that_comes_after_logging_out_is_reported_to_nobody(self) -> None:
        resumed: List[bool] = []
        client = self.signed_in(heartbeat_interval=3600, on_resumed=lambda: resumed.append(True))
        client._core.signed_in.schedule._is_interrupted = True
        self.assertEqual(self._codes_of_heartbeat_and_logout(client), ("accepted", "accepted"))
        self.assertFalse(threading.Event().wait(0.1))
        self.assertEqual(resumed, [])

    def test_logging_out_of_a_session_that_is_gone_is_no_error(self) -> None:
        for code in ("SESSION_EXPIRED", "SESSION_ENDED", "SESSION_REPLACED"):
            client = self.signed_in()
            self.server.reject["logout"] = (401, code)
            client.logout()
            self.assertFalse(client.is_valid())
        client = self.signed_in()
        self.server.reject["logout"] = (503, "MAINTENANCE")
        self.fails("MAINTENANCE", client.logout)
        self.assertFalse(client.is_valid())
        self.assertIsNone(client.session)


if __name__ == "__main__":
    unittest.main()
