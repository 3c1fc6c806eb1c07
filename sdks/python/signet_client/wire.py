"""The bytes of the client protocol. docs/protocol.md says the same in words."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Optional, Union
from urllib.parse import quote

Part = Union[str, bytes]

_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")
_RESPONSE_DOMAIN = b"signet/v1/response"
_ROOT_DOMAIN = b"signet/v1/replies"
_STEP_BYTES = 33
_MAX_STEPS = 16


def length_prefixed(*parts: Part) -> bytes:
    """Each part after its length as 4 big-endian bytes; text as UTF-8."""
    out = bytearray()
    for part in parts:
        data = part.encode("utf-8") if isinstance(part, str) else part
        out += len(data).to_bytes(4, "big")
        out += data
    return bytes(out)


def encode_base64url(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_base64url(text: str) -> Optional[bytes]:
    """The bytes, or ``None`` for every spelling but the one that these bytes encode to."""
    if not _BASE64URL.fullmatch(text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if encode_base64url(data) == text else None


def app_header(owner_id: str, app_name: str) -> str:
    """``X-Signet-App``: the name percent-encoded as JavaScript's ``encodeURIComponent`` does."""
    return f"{owner_id}/{quote(app_name, safe=chr(39) + '!*()~')}"


def new_nonce() -> str:
    """24 random bytes, 32 characters: nobody ever sends the same one twice."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Request:
    """One request as it goes out; ``time`` is unix milliseconds in decimal."""

    path: str
    app: str
    nonce: str
    time: str
    session: Optional[str]
    body: bytes

    def hash(self) -> bytes:
        """``H``: 32 bytes that stand for the whole request."""
        session = _session_part(self.session)
        return hashlib.sha256(
            length_prefixed("POST", self.path, self.app, self.nonce, self.time, session, self.body)
        ).digest()


def sealing_context(path: str, app: str, nonce: str, time: str, session: Optional[str]) -> bytes:
    """What a sealed body is bound to, so that it opens in no other request."""
    return length_prefixed(path, app, nonce, time, _session_part(session))


def _session_part(session: Optional[str]) -> bytes:
    """How a session stands in what is hashed or sealed: as the SHA-256 of its token, or as nothing."""
    return hashlib.sha256(session.encode("utf-8")).digest() if session else b""


def reply_message(app: str, kid: str, request_hash: bytes, server_time: str, status: int, body: bytes) -> bytes:
    """The bytes that stand for a reply under the server's signature."""
    body_hash = hashlib.sha256(body).digest()
    return length_prefixed(_RESPONSE_DOMAIN, app, kid, request_hash, server_time, str(status), body_hash)


def signed_bytes(message: bytes, path: str) -> Optional[bytes]:
    """What is signed for all replies of a group: the root that ``path`` (``X-Signet-Path``, empty when the
    reply was signed alone) leads to from ``message``; ``None`` when it is no path."""
    steps = decode_base64url(path)
    if steps is None or len(steps) % _STEP_BYTES != 0 or len(steps) > _MAX_STEPS * _STEP_BYTES:
        return None
    root = hashlib.sha256(b"\x00" + message).digest()
    for at in range(0, len(steps), _STEP_BYTES):
        side, sibling = steps[at], steps[at + 1 : at + _STEP_BYTES]
        if side > 1:
            return None
        root = hashlib.sha256(b"\x01" + (sibling + root if side == 0 else root + sibling)).digest()
    return length_prefixed(_ROOT_DOMAIN, root)
