"""Whether an answer comes from the app's server and answers this very request."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .codes import SignetCode
from .errors import SignetError
from .public_keys import ed25519_public_key
from .signed_json import fields_of
from .wire import Request, decode_base64url, length_prefixed, reply_message, signed_bytes

REPLY_TOLERANCE_MS = 60_000
_CACHED_CERTIFICATES = 16
_MAX_ANNOUNCEMENTS = 4
_SIGNATURE_BYTES = 64
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


@dataclass(frozen=True)
class CertifiedKey:
    """A certificate, and the root key that signed it: the one it was read with, or one that this one announced."""

    certificate: Certificate
    root: Ed25519PublicKey


@dataclass(frozen=True)
class _Signed:
    payload: bytes
    signature: bytes

    def is_by(self, key: Ed25519PublicKey, purpose: str) -> bool:
        return _is_signed(key, self.signature, length_prefixed(purpose, self.payload))


def read_certificate(text: str, root: Ed25519PublicKey) -> CertifiedKey:
    """Follow the announcements of replaced root keys, verify the root's signature, then read. The caller checks time
    and serial."""
    *announcements, certificate = _signed_parts(text)
    for announcement in announcements:
        # Those for programs with an older key are not signed by this one.
        if announcement.is_by(root, "signet/v1/root"):
            root = _announced_root(announcement.payload)
    if not certificate.is_by(root, "signet/v1/key"):
        raise SignetError(
            SignetCode.UNKNOWN_KEY, "The server's key isn't certified for this app. Is verification_key right?"
        )
    try:
        return CertifiedKey(_certificate_of(fields_of(certificate.payload) or {}), root)
    except (ValueError, TypeError, KeyError) as error:
        raise SignetError(SignetCode.UNKNOWN_KEY, "The server's key certificate is of another version.") from error


def _signed_parts(text: str) -> List[_Signed]:
    """The announcements, and the certificate after them."""
    texts = text.split(".")
    if len(texts) % 2 == 0 and len(texts) <= 2 * (_MAX_ANNOUNCEMENTS + 1):
        parts = [decode_base64url(part) for part in texts]
        signed = [_Signed(payload or b"", signature or b"") for payload, signature in zip(parts[::2], parts[1::2])]
        if all(part.payload and len(part.signature) == _SIGNATURE_BYTES for part in signed):
            return signed
    raise SignetError(SignetCode.UNKNOWN_KEY, "The server's key certificate is malformed.")


def _announced_root(payload: bytes) -> Ed25519PublicKey:
    try:
        fields = fields_of(payload) or {}
        if type(fields["v"]) is not int or fields["v"] != 1 or not isinstance(fields["root"], str):
            raise ValueError("not a version 1 announcement")
        return ed25519_public_key(fields["root"])
    except (ValueError, KeyError) as error:
        raise SignetError(SignetCode.UNKNOWN_KEY, "The app's key was replaced by one that can't be used.") from error


def _certificate_of(fields: Dict[str, Any]) -> Certificate:
    kid, key = fields["kid"], fields["key"]
    numbers = [fields[name] for name in ("v", "serial", "notBefore", "notAfter")]
    if any(type(number) is not int or not 0 <= number <= _MAX_NUMBER for number in numbers) or numbers[0] != 1:
        raise ValueError("not a version 1 certificate")
    if not isinstance(kid, str) or not kid or not isinstance(key, str):
        raise ValueError("kid and key are text")
    return Certificate(kid, ed25519_public_key(key), key, *numbers[1:])


class _Trusted:
    """A root key, and what was read with it; what was read with an earlier one is never used again."""

    def __init__(self, root: Ed25519PublicKey) -> None:
        self.root = root
        self._read: Dict[str, CertifiedKey] = {}

    def certified(self, text: str) -> CertifiedKey:
        """The root's signature is verified once for each text."""
        known = self._read.get(text)
        if known is None:
            known = read_certificate(text, self.root)
            if len(self._read) >= _CACHED_CERTIFICATES:
                self._read.clear()
            self._read[text] = known
        return known


class Verifier:
    """Holds the root key, at first the pinned one, the certificates it has signed, and the highest serial accepted."""

    def __init__(self, root: Ed25519PublicKey, highest_serial: int = 0) -> None:
        self.highest_serial = highest_serial
        self._trusted = _Trusted(root)
        self._accepting = threading.Lock()

    def check(self, request: Request, reply: Reply, now: float) -> int:
        """Raise unless ``reply`` is the server's fresh answer to ``request``; return its time.

        ``now`` is the offset-corrected clock, unix milliseconds, like the time returned.
        """
        kid, time, signature_text, certificate_text = (
            reply.headers.get(f"x-signet-{name}", "") for name in ("key", "time", "signature", "certificate")
        )
        if not (kid and time and signature_text and certificate_text):
            raise SignetError(SignetCode.UNSIGNED_RESPONSE, _TOO_MANY if reply.status == 429 else _NOT_SIGNED)
        certified = self._trusted.certified(certificate_text)
        certificate = certified.certificate
        if certificate.kid != kid:
            raise SignetError(SignetCode.UNKNOWN_KEY, "The certificate is for another key.")
        signature = decode_base64url(signature_text)
        message = reply_message(request.app, kid, request.hash(), time, reply.status, reply.body)
        signed = signed_bytes(message, reply.headers.get("x-signet-path", ""))
        is_whole = signature is not None and signed is not None and _DIGITS.fullmatch(time)
        if not is_whole or not _is_signed(certificate.public_key, signature or b"", signed or b""):
            raise SignetError(SignetCode.BAD_SIGNATURE, "The answer was altered on its way, or answers another request.")
        server_time = int(time)
        if not certificate.not_before * 1000 <= server_time <= certificate.not_after * 1000:
            raise SignetError(SignetCode.UNKNOWN_KEY, "The server signs with a key that is out of its time.")
        with self._accepting:
            if certificate.serial < self.highest_serial - 1:
                raise SignetError(SignetCode.UNKNOWN_KEY, "The server signs with a key that was replaced.")
            if abs(server_time - now) > REPLY_TOLERANCE_MS and not _is_clock_error(reply):
                raise StaleReply(server_time)
            self._follow(certified.root, certificate_text)
            self.highest_serial = max(self.highest_serial, certificate.serial)
        return server_time

    def after_fork(self) -> None:
        """A thread of the old process may have held the lock."""
        self._accepting = threading.Lock()

    def _follow(self, root: Ed25519PublicKey, certificate_text: str) -> None:
        """From the first reply under an announced root key on, the keys before it count no more."""
        if root is self._trusted.root:
            return
        # Another reply may have moved the root while this one was checked.
        newest = self._trusted.certified(certificate_text).root
        if newest is not self._trusted.root:
            self._trusted = _Trusted(newest)


def _is_signed(key: Ed25519PublicKey, signature: bytes, message: bytes) -> bool:
    try:
        key.verify(signature, message)
        return True
    except InvalidSignature:
        return False


def _is_clock_error(reply: Reply) -> bool:
    """The one answer whose time may be far from ours: it is how we learn the server's clock."""
    return reply.status == 400 and (fields_of(reply.body) or {}).get("code") == SignetCode.CLOCK_SKEW
