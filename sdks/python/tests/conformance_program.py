"""Lets sdks/conformance drive this client: a JSON object per line in, one per line out.

    python tests/conformance_program.py [--async]

With ``--async`` the same requests go to ``AsyncClient``.
"""

from __future__ import annotations

import json
import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import package_path  # noqa: F401
from both_clients import Blocked
from vector_cases import checks_of

from signet_client import Client, Session, SignetError, hardware_id_of
from signet_client.errors import Messages

Fields = Dict[str, Any]

ARGUMENTS = {
    "ownerId": "owner_id",
    "appName": "app_name",
    "version": "version",
    "serverUrl": "server_url",
    "verificationKey": "verification_key",
    "sealingKey": "sealing_key",
    "programHash": "hash_check",
    "fingerprints": "ssl_fingerprint",
    "caFile": "ca_file",
    "sealRequests": "seal_requests",
    "timeout": "timeout",
    "heartbeatInterval": "heartbeat_interval",
    "grace": "grace",
    "hwid": "hwid",
    "allowHttp": "allow_http",
    "language": "language",
}


class Program:
    """One client at a time; each request in a thread of its own."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._client: Any = None
        self._printing = threading.Lock()
        self._doing: Dict[str, Callable[[Fields], Fields]] = {
            "create": self._create,
            "init": lambda _: _app_fields(self._client.init()),
            "license": lambda ask: _session_fields(self._client.license(ask["key"])),
            "login": lambda ask: _session_fields(
                self._client.login(ask["username"], ask["password"], ask.get("licenseKey"))
            ),
            "register": lambda ask: _session_fields(
                self._client.register(ask["username"], ask["password"], ask["licenseKey"], ask.get("email"))
            ),
            "upgrade": lambda ask: _session_fields(self._client.upgrade(ask["licenseKey"])),
            "heartbeat": lambda _: _session_fields(self._client.heartbeat()),
            "variable": lambda ask: {"value": self._client.variable(ask["name"])},
            "userVariable": lambda ask: {"value": self._client.user_variable(ask["name"])},
            "setUserVariable": lambda ask: self._client.set_user_variable(ask["name"], ask["value"]) or {},
            "log": lambda ask: self._client.log(ask["message"]) or {},
            "changePassword": lambda ask: self._client.change_password(ask["password"], ask["newPassword"]) or {},
            "requestPasswordReset": lambda ask: self._client.request_password_reset(ask["username"]) or {},
            "logout": lambda _: self._client.logout() or {},
            "close": lambda _: self._close(),
            "callWebhook": lambda ask: vars(self._client.call_webhook(ask["webhookId"], ask.get("params"))),
            "download": self._download,
            "valid": lambda _: {"valid": self._client.is_valid()},
            "hwid": lambda ask: {"hwid": hardware_id_of(ask["ownerId"], ask["machineId"])},
            "message": _message,
            "cancel": self._cancel,
            "vectors": _vectors,
        }

    def run(self) -> None:
        threads: List[threading.Thread] = []
        for line in sys.stdin:
            ask = json.loads(line)
            # A client must be there before the next request.
            if ask.get("do") == "create":
                self._answer(ask)
                continue
            threads = [thread for thread in threads if thread.is_alive()]
            threads.append(threading.Thread(target=self._answer, args=(ask,), daemon=True))
            threads[-1].start()
        self._close()

    def _answer(self, ask: Fields) -> None:
        act = self._doing.get(str(ask.get("do")))
        try:
            if act is None:
                raise SignetError("UNSUPPORTED", f"There is no {ask.get('do')}.")
            self._print({"id": ask["id"], "ok": True, "result": act(ask)})
        except SignetError as error:
            failure = {"code": error.code, "status": error.status, "message": error.message}
            retry = {} if error.retry_after is None else {"retryAfter": error.retry_after}
            self._print({"id": ask["id"], "ok": False, **failure, **retry})
        except Exception as error:
            self._print({"id": ask["id"], "ok": False, "code": "PROGRAM_FAILED", "message": repr(error)})

    def _print(self, line: Fields) -> None:
        with self._printing:
            print(json.dumps(line), flush=True)

    def _close(self) -> Fields:
        if self._client is not None:
            self._client.close()
        return {}

    def _create(self, ask: Fields) -> Fields:
        self._close()
        self._client = None
        given = {ours: ask[name] for name, ours in ARGUMENTS.items() if name in ask}
        self._client = self._make(
            **given,
            on_lost=lambda error: self._print({"event": "lost", "code": error.code}),
            on_interrupted=lambda error: self._print({"event": "interrupted", "code": error.code}),
            on_resumed=lambda: self._print({"event": "resumed"}),
        )
        return {}

    def _download(self, ask: Fields) -> Fields:
        file = self._client.download(ask["fileId"], ask["path"])
        return {"fileName": file.file_name, "size": file.size, "sha256": file.sha256}

    def _cancel(self, ask: Fields) -> Fields:
        timer = threading.Timer(ask["after"], self._client.cancel)
        timer.daemon = True
        timer.start()
        try:
            return self._doing[ask["call"]["do"]](ask["call"])
        finally:
            timer.cancel()
            # A cancel that has begun must not meet the next request.
            timer.join()


def _app_fields(app: Any) -> Fields:
    return {"name": app.name, "version": app.version}


def _session_fields(session: Session) -> Fields:
    subscriptions = [
        {"level": each.level, "name": each.name, "expiresAt": _seconds(each.expires_at)} for each in session.subscriptions
    ]
    return {"username": session.username, "expiresAt": _seconds(session.expires_at), "subscriptions": subscriptions}


def _seconds(time: Optional[datetime]) -> Optional[int]:
    return None if time is None else int(time.timestamp())


def _message(ask: Fields) -> Fields:
    return {"message": Messages(ask["language"]).of(SignetError(ask["code"], ""))}


def _vectors(ask: Fields) -> Fields:
    passed, failed = 0, []
    for name, check in checks_of(Path(ask["dir"])):
        try:
            check()
            passed += 1
        except Exception:
            failed.append(name)
    return {"passed": passed, "failed": failed}


if __name__ == "__main__":
    Program(Blocked if "--async" in sys.argv[1:] else Client).run()
