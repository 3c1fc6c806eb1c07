"""Whether an answer comes from the app's server and answers this very request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .codes import SignetCode
from .errors import SignetError
from .public_keys import ed25519_public_key
from .signed_json import fields_of
from .wire import Request, decode_base64url, length_prefixed, reply_message, signed_bytes

REPLY_TOLERANCE_MS = 60_000
_CACHED_CERTIFICATES = 16
#: The largest that every language can hold exactly.
_MAX_NUMBER = 2**53 - 1
_DIGITS = re.compile(r"[0-9]{1,15}")
_NOT_SIGNED = "The answer is not signed. Are server_url, owner_id and app_name right, and is nothing in between?"
_TOO_MANY = "The server has too many requests to answer this one. Try again in a minute."


@dataclass(frozen=True)
class Reply:
    """An answer as received, not verified yet. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Certificate:
    """Says, signed by the root key, that ``public_key`` signs for the app between two epoch seconds."""

    kid: str
    public_key: Ed25519PublicKey
    key: str
    serial: int
    not_before: int
    not_after: int


class StaleReply(SignetError):
    """Validly signed, but not now by our clock; ``server_time`` is what it says, unix milliseconds."""

    def __init__(self, server_time: int) -> None:
        super().__init__(SignetCode.STALE_RESPONSE, "The server's answer is not of now. Is this computer's clock right?")
        self.server_time = server_time


def read_certificate(text: str, root: Ed25519PublicKey) -> Certificate:
    """Verify the root's signature, then read. The caller checks time and serial."""
    payload_text, _, signature_text = text.partition(".")
    payload, signature = decode_base64url(payload_text), decode_base64url(signature_text)
    if not payload or signature is None or len(signature) != 64:
        raise SignetError(SignetCode.UNKNOWN_KEY, "The server's key certificate is malformed.")
    try:
        root.verify(signature, length_prefixed("signet/v1/key", payload))
    except InvalidSignature:
        raise SignetError(
            SignetCode.UNKNOWN_KEY, "The server's key isn't certified for this app. Is verification_key right?"
        ) from None
    try:
        return _certificate_of(fields_of(payload) or {})
    except (ValueError, TypeError, KeyError) as error:
        raise SignetError(SignetCode.UNKNOWN_KEY, "The server's key certificate is of another version.") from error


def _certificate_of(fields: Dict[str, Any]) -> Certificate:
    kid, key = fields["kid"], fields["key"]
    numbers = [fields[name] for name in ("v", "serial", "notBefore", "notAfter")]
    if any(type(number) is not int or not 0 <= number <= _MAX_NUMBER for number in numbers) or numbers[0] != 1:
        raise ValueError("not a version 1 certificate")
    if not isinstance(kid, str) or not kid or not isinstance(key, str):
        raise ValueError("kid and key are text")
    return Certificate(kid, ed25519_public_key(key), key, *numbers[1:])


@dataclass
class Verifier:
    """Holds the pinned root key, the certificates it has signed, and the highest serial accepted."""

    root: Ed25519PublicKey
    highest_serial: int = 0
    _cache: Dict[str, Certificate] = field(default_factory=dict, repr=False)

    def check(self, request: Request, reply: Reply, now: float) -> int:
        """Raise unless ``reply`` is the server's fresh answer to ``request``; return its time.

        ``now`` is the offset-corrected clock, unix milliseconds, like the time returned.
        """
        kid, time, signature_text, certificate_text = (
            reply.headers.get(f"x-signet-{name}", "") for name in ("key", "time", "signature", "certificate")
        )
        if not (kid and time and signature_text and certificate_text):
            raise SignetError(SignetCode.UNSIGNED_RESPONSE, _TOO_MANY if reply.status == 429 else _NOT_SIGNED)
        certificate = self._certificate(certificate_text)
        if certificate.kid != kid:
            raise SignetError(SignetCode.UNKNOWN_KEY, "The certificate is for another key.")
        signature = decode_base64url(signature_text)
        message = reply_message(request.app, kid, request.hash(), time, reply.status, reply.body)
        signed = signed_bytes(message, reply.headers.get("x-signet-path", ""))
        is_whole = signature is not None and signed is not None and _DIGITS.fullmatch(time)
        if not is_whole or not _is_signed(certificate, signature or b"", signed or b""):
            raise SignetError(SignetCode.BAD_SIGNATURE, "The answer was altered on its way, or answers another request.")
        server_time = int(time)
        if not certificate.not_before * 1000 <= server_time <= certificate.not_after * 1000:
            raise SignetError(SignetCode.UNKNOWN_KEY, "The server signs with a key that is out of its time.")
        if certificate.serial < self.highest_serial - 1:
            raise SignetError(SignetCode.UNKNOWN_KEY, "The server signs with a key that was replaced.")
        if abs(server_time - now) > REPLY_TOLERANCE_MS and not _is_clock_error(reply):
            raise StaleReply(server_time)
        self.highest_serial = max(self.highest_serial, certificate.serial)
        return server_time

    def _certificate(self, text: str) -> Certificate:
        certificate = self._cache.get(text)
        if certificate is None:
            certificate = read_certificate(text, self.root)
            if len(self._cache) >= _CACHED_CERTIFICATES:
                self._cache.clear()
            self._cache[text] = certificate
        return certificate


def _is_signed(certificate: Certificate, signature: bytes, message: bytes) -> bool:
    try:
        certificate.public_key.verify(signature, message)
        return True
    except InvalidSignature:
        return False


def _is_clock_error(reply: Reply) -> bool:
    """The one answer whose time may be far from ours: it is how we learn the server's clock."""
    return reply.status == 400 and (fields_of(reply.body) or {}).get("code") == SignetCode.CLOCK_SKEW
