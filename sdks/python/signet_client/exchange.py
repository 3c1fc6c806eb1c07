"""One call: build the request, send it, believe the answer only if everything fits."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from .codes import SignetCode
from .connection import Connection
from .errors import SignetError
from .limit import Steps
from .sealing import seal
from .signed_json import fields_of
from .verify import REPLY_TOLERANCE_MS, Reply, StaleReply, Verifier
from .version import __version__
from .wire import Request, new_nonce, sealing_context

SDK = f"python/{__version__}"
_PATH_PREFIX = "/api/1.0/client/"
_REPEATABLE = frozenset({"init", "renew", "heartbeat", "variable", "user-variable", "download"})


class Exchange:
    """What is the same for every call of one client, and the server's clock once it is known."""

    def __init__(
        self,
        *,
        app: str,
        verifier: Verifier,
        seal_to: Optional[X25519PublicKey],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._app = app
        self._verifier = verifier
        self._seal_to = seal_to
        self._clock = clock
        self._offset_ms = 0.0

    def now_ms(self) -> float:
        """This computer's clock, corrected by what the server said about its own."""
        return self._clock() * 1000 + self._offset_ms

    def call(
        self, connection: Connection, name: str, fields: Mapping[str, Any], session: Optional[str]
    ) -> Steps[Dict[str, Any]]:
        """The fields of a verified yes; ``SignetError`` for a verified no and for anything unverified.

        Asks once more if the clocks differed, and once more if the answer was lost and the call can be repeated.
        """
        body = _body_of(fields)
        may_correct_clock, may_repeat = True, name in _REPEATABLE
        while True:
            try:
                return (yield from self._ask(connection, name, body, session))
            except StaleReply:
                # The offset is now right. Another call could redeem a key twice.
                if not (may_correct_clock and name in _REPEATABLE):
                    raise
                may_correct_clock = False
            except SignetError as error:
                if error.code == SignetCode.CLOCK_SKEW and may_correct_clock:
                    may_correct_clock = False
                elif error.code == SignetCode.NONCE_REUSED and may_repeat:
                    # The server got the first of the same bytes sent twice; that answer is gone.
                    may_repeat = False
                else:
                    raise

    def tell(self, connection: Connection, name: str, session: str) -> Steps[None]:
        """Says something whose answer matters to nobody."""
        yield from connection.post(*self._request(name, b"{}", session)[1])

    def after_fork(self) -> None:
        """In the new process: its threads are other ones."""
        self._verifier.after_fork()

    def _ask(self, connection: Connection, name: str, body: bytes, session: Optional[str]) -> Steps[Dict[str, Any]]:
        request, parts = self._request(name, body, session)
        started, started_ms = time.monotonic(), self._clock() * 1000
        reply: Reply = yield from connection.post(*parts)
        took_ms = (time.monotonic() - started) * 1000
        if took_ms > REPLY_TOLERANCE_MS:
            raise SignetError(SignetCode.STALE_RESPONSE, "The server's answer took more than a minute.")
        try:
            server_time = self._verifier.check(request, reply, self.now_ms())
        except StaleReply as error:
            self._offset_ms = error.server_time - (started_ms + took_ms / 2)
            raise
        try:
            return answer_of(reply)
        except SignetError as error:
            if error.code == SignetCode.CLOCK_SKEW:
                self._offset_ms = server_time - (started_ms + took_ms / 2)
            raise

    def _request(
        self, name: str, body: bytes, session: Optional[str]
    ) -> Tuple[Request, Tuple[str, Dict[str, str], bytes]]:
        path, nonce, now = _PATH_PREFIX + name, new_nonce(), str(int(self.now_ms()))
        if self._seal_to is not None:
            body = seal(self._seal_to, body, sealing_context(path, self._app, nonce, now, session))
        headers = {
            "Content-Type": "application/json" if self._seal_to is None else "application/octet-stream",
            "User-Agent": f"signet-{SDK}",
            "X-Signet-App": self._app,
            "X-Signet-Nonce": nonce,
            "X-Signet-Time": now,
        }
        if session is not None:
            headers["X-Signet-Session"] = session
        return Request(path, self._app, nonce, now, session, body), (path, headers, body)


def _body_of(fields: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise SignetError(SignetCode.MALFORMED_REQUEST, f"This cannot be sent: {error}.") from error


def answer_of(reply: Reply) -> Dict[str, Any]:
    """The fields of a success; only status 200 and ``"success": true`` are one."""
    fields = fields_of(reply.body)
    if fields is None or not isinstance(fields.get("success"), bool):
        raise SignetError(SignetCode.MALFORMED_REPLY, "The server's signed answer is not of this protocol.")
    if fields["success"] is True and reply.status == 200:
        return fields
    code, message = fields.get("code"), fields.get("message")
    if fields["success"] is True or not isinstance(code, str) or not code or not isinstance(message, str):
        raise SignetError(SignetCode.MALFORMED_REPLY, "The server's signed answer has no error and is no success.")
    details = {key: value for key, value in fields.items() if key not in ("success", "code", "message")}
    raise SignetError(code, message, status=reply.status, details=details)
