"""One call: build the request, send it, believe the answer only when everything fits."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, Mapping, Optional

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from .errors import CLOCK_SKEW, MALFORMED_REPLY, NONCE_REUSED, STALE_RESPONSE, SignetError
from .sealing import seal
from .transport import Transport
from .verify import REPLY_TOLERANCE_MS, Reply, StaleReply, Verifier, fields_of
from .version import __version__
from .wire import Request, new_nonce, sealing_context

PATH_PREFIX = "/api/1.0/client/"
SDK = f"python/{__version__}"
_HARMLESS_TWICE = frozenset({"init", "heartbeat", "variable", "user-variable", "download"})


class Exchange:
    """Holds what is the same for every call of one client, and the server's clock once it is known."""

    def __init__(
        self,
        *,
        app: str,
        transport: Transport,
        verifier: Verifier,
        seal_to: Optional[X25519PublicKey],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._app = app
        self._transport = transport
        self._verifier = verifier
        self._seal_to = seal_to
        self._clock = clock
        self._offset_ms = 0.0

    def now_ms(self) -> float:
        """This computer's clock, corrected by what the server said about its own."""
        return self._clock() * 1000 + self._offset_ms

    def call(self, name: str, fields: Mapping[str, Any], session: Optional[str]) -> Dict[str, Any]:
        """The fields of a verified yes; ``SignetError`` for a verified no and for anything unverified."""
        try:
            body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        except (TypeError, ValueError) as error:
            raise SignetError("MALFORMED_REQUEST", f"This cannot be sent: {error}.") from error
        try:
            return self._ask(name, body, session)
        except StaleReply:
            # The offset is now right. Asking again is left out where it could redeem a key twice over.
            if name not in _HARMLESS_TWICE:
                raise
        except SignetError as error:
            # The server had taken the first of the same bytes sent twice; what it answered is gone.
            is_lost = error.code == NONCE_REUSED and name in _HARMLESS_TWICE
            if error.code != CLOCK_SKEW and not is_lost:
                raise
        return self._ask(name, body, session)

    def close(self) -> None:
        """Drop the connection."""
        self._transport.close()

    def _ask(self, name: str, body: bytes, session: Optional[str]) -> Dict[str, Any]:
        request = self._request(PATH_PREFIX + name, body, session)
        started, started_ms = time.monotonic(), self._clock() * 1000
        reply = self._transport.post(request.path, self._headers(request), request.body)
        took_ms = (time.monotonic() - started) * 1000
        if took_ms > REPLY_TOLERANCE_MS:
            raise SignetError(STALE_RESPONSE, "The server's answer was held back for more than a minute.")
        try:
            server_time = self._verifier.check(request, reply, self.now_ms())
        except StaleReply as error:
            self._offset_ms = error.server_time - (started_ms + took_ms / 2)
            raise
        return self._answer(reply, server_time - (started_ms + took_ms / 2))

    def _answer(self, reply: Reply, offset_ms: float) -> Dict[str, Any]:
        fields = fields_of(reply.body)
        if fields is None or not isinstance(fields.get("success"), bool):
            raise SignetError(MALFORMED_REPLY, "The server's signed answer is not of this protocol.")
        if fields["success"] is True and reply.status == 200:
            return fields
        code, message = fields.get("code"), fields.get("message")
        if not isinstance(code, str) or not isinstance(message, str):
            raise SignetError(MALFORMED_REPLY, "The server's signed refusal gives no reason.", status=reply.status)
        if code == CLOCK_SKEW:
            self._offset_ms = offset_ms
        details = {key: value for key, value in fields.items() if key not in ("success", "code", "message")}
        raise SignetError(code, message, status=reply.status, details=details)

    def _request(self, path: str, body: bytes, session: Optional[str]) -> Request:
        nonce, now = new_nonce(), str(int(self.now_ms()))
        if self._seal_to is not None:
            body = seal(self._seal_to, body, sealing_context(path, self._app, nonce, now, session))
        return Request(path, self._app, nonce, now, session, body)

    def _headers(self, request: Request) -> Dict[str, str]:
        headers = {
            "Content-Type": "application/json" if self._seal_to is None else "application/octet-stream",
            "User-Agent": f"signet-{SDK}",
            "X-Signet-App": request.app,
            "X-Signet-Nonce": request.nonce,
            "X-Signet-Time": request.time,
        }
        if request.session is not None:
            headers["X-Signet-Session"] = request.session
        return headers
