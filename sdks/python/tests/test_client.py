"""What a program gets from each call of the client, against an honest server."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import unittest
from datetime import datetime, timezone
from typing import Any, List

import package_path  # noqa: F401
from both_clients import ServedTest, for_both
from fake_server import USER
from opening import raw

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from signet_client import App, SignetError, hardware_id


@for_both
class ClientCalls(ServedTest):
    def test_creating_a_client_sends_nothing(self) -> None:
        self.client()
        self.assertEqual(self.server.connections, 0)

    def test_init_sends_version_and_sdk_and_receives_the_app(self) -> None:
        self.assertEqual(self.client().init(), App("My App", "1.0"))
        name, fields, headers = self.server.received[0]
        self.assertEqual((name, fields), ("init", {"version": "1.0", "sdk": "python/0.1.0"}))
        self.assertEqual(headers["X-Signet-App"], "Ab3dE6gH1j/My%20App")
        self.assertNotIn("X-Signet-Session", headers)

    def test_init_receives_the_webloader_link_and_accepts_only_a_link(self) -> None:
        self.server.app["webloaderUrl"] = "https://example.com/loader"
        self.assertEqual(self.client().init().webloader_url, "https://example.com/loader")
        self.server.app["webloaderUrl"] = ["https://example.com/loader"]
        self.fails("MALFORMED_REPLY", self.client().init)

    def test_each_sign_in_calls_init_and_sends_its_fields(self) -> None:
        hwid = hardware_id("Ab3dE6gH1j")
        client = self.client()
        client.license("KEY")
        client.login("alice", "pässword")
        client.register("bob", "secret", "KEY-2", email="bob@example.com")
        client.register("eve", "secret", "KEY-3")
        sent = [(name, fields) for name, fields, _ in self.server.received if name not in ("init", "logout")]
        register = {"username": "bob", "password": "secret", "licenseKey": "KEY-2", "email": "bob@example.com"}
        self.assertEqual(
            sent,
            [
                ("license", {"key": "KEY", "hwid": hwid}),
                ("login", {"username": "alice", "password": "pässword", "hwid": hwid}),
                ("register", {**register, "hwid": hwid}),
                ("register", {"username": "eve", "password": "secret", "licenseKey": "KEY-3", "hwid": hwid}),
            ],
        )
        nonces = [headers["X-Signet-Nonce"] for _, _, headers in self.server.received]
        self.assertEqual(len(set(nonces)), len(nonces))
        self.assertEqual({headers["User-Agent"] for _, _, headers in self.server.received}, {"signet-python/0.1.0"})

    def test_the_session_is_typed(self) -> None:
        session = self.client().license("KEY")
        self.assertEqual((session.username, session.email), ("alice", None))
        self.assertEqual(session.user.created_at, datetime(2023, 11, 14, 22, 13, 20, tzinfo=timezone.utc))
        self.assertEqual([(s.level, s.name, s.expires_at) for s in session.subscriptions], [(2, "Pro", None)])
        left = (session.expires_at - datetime.now(timezone.utc)).total_seconds()
        self.assertTrue(3500 < left <= 3600)

    def test_an_empty_email_is_none(self) -> None:
        changed = {"success": True, "message": "", "expiresAt": 4_000_000_000, "user": {**USER, "email": ""}}
        client = self.client()
        client.init()
        self.server.tamper = lambda request, reply: self.server.signed(request, 200, changed)
        self.assertIsNone(client.license("KEY").email)

    def test_heartbeat_and_logout(self) -> None:
        client = self.client()
        self.fails("SESSION_REQUIRED", client.heartbeat)
        client.license("KEY")
        self.assertEqual(client.heartbeat().username, "alice")
        self.assertTrue(client.is_valid())
        client.logout()
        self.assertFalse(client.is_valid())
        self.assertEqual(self.server.calls(), ["init", "license", "heartbeat", "logout"])

    def test_a_rejection_keeps_its_code_message_and_details(self) -> None:
        self.server.reject["init"] = (403, "VERSION_OUTDATED")
        self.server.extra = {"downloadUrl": "https://example.com/new.zip"}
        error = self.fails("VERSION_OUTDATED", self.client().init)
        self.assertEqual(str(error), "VERSION_OUTDATED: No: VERSION_OUTDATED")
        self.assertEqual((error.status, error.request_id), (403, "req-1"))
        self.assertEqual(error.download_url, "https://example.com/new.zip")
        self.assertTrue(error.is_signed)
        self.assertFalse(error.is_temporary)

    def test_a_rejected_sign_in_can_be_retried_in_the_same_session(self) -> None:
        client = self.client()
        self.server.reject["license"] = (404, "LICENSE_NOT_FOUND")
        self.fails("LICENSE_NOT_FOUND", lambda: client.license("TYPO"))
        self.server.reject.clear()
        client.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license", "license"])

    def test_a_session_that_expired_before_sign_in_is_reopened_once(self) -> None:
        client = self.client()
        client.init()
        self.server.forget_sessions()
        client.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license", "init", "license"])

    def test_is_valid_ends_with_the_session(self) -> None:
        self.server.session_seconds = -1
        client = self.client()
        client.license("KEY")
        self.assertFalse(client.is_valid())

    def test_a_wrong_clock_is_corrected_by_the_server_once(self) -> None:
        for ahead in (90.0, -90.0, 3600.0, -86_400.0):
            self.server.clock_ahead_seconds = ahead
            self.server.received.clear()
            client = self.client()
            client.license("KEY")
            client.heartbeat()
            self.assertTrue(client.is_valid())
            self.assertEqual(self.server.calls(), ["init", "init", "license", "heartbeat"])

    def test_a_clock_that_changes_while_running_is_corrected_too(self) -> None:
        client = self.client()
        client.license("KEY")
        for ahead in (90.0, 7200.0):
            self.server.clock_ahead_seconds = ahead
            client.heartbeat()
        self.assertEqual(self.server.calls(), ["init", "license", *["heartbeat"] * 4])

    def test_a_server_that_always_rejects_the_clock_is_not_retried_forever(self) -> None:
        self.server.reject["init"] = (400, "CLOCK_SKEW")
        self.fails("CLOCK_SKEW", self.client().init)
        self.assertEqual(self.server.calls(), ["init", "init"])

    def test_a_late_reply_to_register_is_not_retried(self) -> None:
        client = self.client()
        client.init()
        self.server.clock_ahead_seconds = 90.0
        self.fails("STALE_RESPONSE", lambda: client.register("bob", "secret", "KEY"))
        self.assertEqual(self.server.calls(), ["init", "register"])

    def test_sealed_requests_are_opened_only_by_the_server(self) -> None:
        seen: List[bytes] = []
        self.server.tamper = lambda request, reply: seen.append(request.body) or reply
        self.client(seal_requests=True).login("alice", "correct horse")
        self.assertEqual(self.server.received[1][1]["password"], "correct horse")
        self.assertNotIn(b"correct", seen[1])

    def test_hash_check(self) -> None:
        given = "AB" * 32
        self.client(hash_check=given).init()
        self.assertEqual(self.server.received[0][1]["hash"], given.lower())
        main = sys.modules["__main__"].__file__
        self.client(hash_check=True).init()
        assert main is not None
        with open(main, "rb") as file:
            self.assertEqual(self.server.received[1][1]["hash"], hashlib.sha256(file.read()).hexdigest())

    def test_one_connection_is_reused(self) -> None:
        client = self.client()
        client.license("KEY")
        client.heartbeat()
        self.assertEqual(self.server.connections, 1)

    def test_a_dropped_idle_connection_is_reopened_once(self) -> None:
        client = self.client()
        self.server.drop_after_each = True
        client.license("KEY")
        client.heartbeat()
        self.assertEqual(self.server.connections, 3)
        self.server.tamper = lambda request, reply: None
        self.server.received.clear()
        self.fails("NETWORK", client.heartbeat)
        self.assertLessEqual(len(self.server.received), 2)
        self.assertTrue(client.is_valid())

    def test_an_unreachable_server(self) -> None:
        client = self.client(server_url="http://127.0.0.1:9")
        self.assertTrue(self.fails("NETWORK", client.init).is_temporary)

    def test_many_threads_share_one_client(self) -> None:
        client = self.client()
        client.license("KEY")
        failures: List[BaseException] = []

        def work() -> None:
            try:
                for _ in range(10):
                    client.heartbeat()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(self.server.calls().count("heartbeat"), 80)

    def test_the_context_manager_logs_out(self) -> None:
        with self.client() as client:
            client.license("KEY")
        self.assertEqual(self.server.calls(), ["init", "license", "logout"])

    def test_text_that_cannot_be_sent_is_a_signet_error(self) -> None:
        self.fails("MALFORMED_REQUEST", lambda: self.client().license("\ud800"))
        for value in (float("nan"), float("inf"), object(), {1, 2}):
            self.fails("MALFORMED_REQUEST", lambda: self.client().call_webhook("wh_1", {"x": value}))
        for params in (5, 0, "text", ["a", 1], [("a", 1)]):
            self.fails("MALFORMED_REQUEST", lambda: self.client().call_webhook("wh_1", params))
        self.assertEqual(set(self.server.calls()), {"init"})

    def test_a_client_with_invalid_settings_is_rejected(self) -> None:
        key = raw(Ed25519PrivateKey.generate())
        for change in (
            {"owner_id": "short"},
            {"owner_id": None},
            {"app_name": ""},
            {"app_name": "\ud800"},
            {"verification_key": ""},
            {"verification_key": key[:-1]},
            {"verification_key": "AQ" + "A" * 41},
            {"verification_key": None},
            {"sealing_key": "A" * 43},
            {"sealing_key": key + "="},
            {"hash_check": "abc"},
            {"hash_check": None},
            {"ssl_fingerprint": "auto,auto"},
            {"ssl_fingerprint": ""},
            {"ssl_fingerprint": []},
            {"ssl_fingerprint": None},
            {"ssl_fingerprint": "00" * 32},
            {"server_url": "ftp://example.com"},
            {"server_url": "example.com"},
            {"server_url": "https://example.com/path"},
            {"server_url": "https://example.com:port"},
            {"server_url": "https://user@example.com"},
            {"server_url": None},
            {"heartbeat_interval": -1},
            {"heartbeat_interval": float("nan")},
            {"heartbeat_interval": True},
            {"version": ""},
            {"hwid": ""},
            {"language": "de"},
            {"language": None},
            {"on_lost": "stop"},
            {"server_url": "https://example.com\n"},
            {"server_url": "https://exämple.com"},
            {"server_url": "https://example.com?"},
            {"server_url": "https://example.com:0"},
            {"server_url": "http://signet.example.com"},
            {"server_url": "http://192.168.0.7"},
            {"server_url": "http://127.0.0.1.example.com"},
            {"server_url": "http://localhost.example.com"},
            {"ca_file": "/nowhere"},
            {"server_url": "https://example.com", "ca_file": "/nowhere"},
            {"server_url": "https://example.com", "ca_file": __file__},
            {"proxy": "proxy.example.com"},
            {"proxy": "https://proxy.example.com"},
            {"proxy": "socks5://proxy.example.com"},
            {"proxy": "http://proxy.example.com/path"},
            {"grace": -1},
            {"timeout": "5"},
        ):
            with self.subTest(change):
                error = self.fails("INVALID_CONFIGURATION", lambda: self.client(**change))
                self.assertFalse(error.is_signed or error.is_temporary)

    def test_http_to_another_computer_needs_to_be_allowed(self) -> None:
        self.client(server_url="http://signet.example.com", allow_http=True)
        for host in ("localhost", "127.0.0.1", "127.9.9.9", "[::1]", "app.localhost"):
            self.client(server_url=f"http://{host}:8080")

    def test_no_heartbeat_interval_is_no_heartbeat(self) -> None:
        for interval in (None, 0):
            self.assertIsNone(self.client(heartbeat_interval=interval)._settings.heartbeat_interval)

    def test_log_works_before_and_after_signing_in(self) -> None:
        client = self.client()
        client.log("starting")
        client.license("KEY")
        client.log("running")
        sent = [(name, fields) for name, fields, _ in self.server.received if name in ("init", "log")]
        self.assertEqual([name for name, _ in sent], ["init", "log", "log"])
        self.assertEqual([fields for name, fields in sent if name == "log"], [{"message": "starting"}, {"message": "running"}])
        self.assertTrue(client.is_valid())

    def test_a_webhook_is_called_with_its_parameters_unchanged(self) -> None:
        client = self.client()
        answer = client.call_webhook("wh_1", {"text": "Olá 🦊", "n": [1, None]})
        self.assertEqual((answer.status, json.loads(answer.body)), (202, {"text": "Olá 🦊", "n": [1, None]}))
        self.assertEqual(client.call_webhook("wh_1").body, "{}")

    def test_variables_upgrade_and_password(self) -> None:
        client = self.client()
        self.assertEqual(client.variable("motd"), "of the app")
        for call in (lambda: client.user_variable("theme"), lambda: client.upgrade("KEY")):
            with self.assertRaises(SignetError) as raised:
                call()
            self.assertEqual(raised.exception.code, "SESSION_REQUIRED")
        client.license("KEY")
        with self.assertRaises(SignetError) as raised:
            client.user_variable("theme")
        self.assertEqual(raised.exception.code, "VARIABLE_NOT_FOUND")
        self.assertTrue(client.is_valid())
        client.set_user_variable("theme", "dark")
        self.assertEqual(client.user_variable("theme"), "dark")
        self.assertEqual(client.upgrade("MORE").username, "alice")
        client.change_password("old", "new")
        sent = {name: fields for name, fields, _ in self.server.received}
        self.assertEqual(sent["upgrade"], {"licenseKey": "MORE"})
        self.assertEqual(sent["change-password"], {"password": "old", "newPassword": "new"})

    def test_a_forgotten_password_is_reported_without_signing_in(self) -> None:
        self.assertIsNone(self.client().request_password_reset("alice"))
        self.assertEqual(self.server.calls(), ["init", "request-password-reset"])
        self.assertEqual(self.server.received[-1][1], {"username": "alice"})


if __name__ == "__main__":
    unittest.main()
