"""Reads the two public keys of an app, and rejects those that verify or protect nothing."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from .wire import decode_base64url

_P = 2**255 - 19
_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
_SQRT_MINUS_ONE = pow(2, (_P - 1) // 4, _P)
_Y_OF_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER_Y = frozenset({0, 1, _P - 1, _Y_OF_ORDER_8, _P - _Y_OF_ORDER_8})
_TRIAL_KEY = X25519PrivateKey.from_private_bytes(b"\x01" * 32)


def ed25519_public_key(text: str) -> Ed25519PublicKey:
    """A key to check signatures with; ``ValueError`` unless it is a proper point in its one spelling."""
    data = _thirty_two_bytes(text)
    if not _is_usable_point(data):
        raise ValueError("not a usable Ed25519 public key")
    return Ed25519PublicKey.from_public_bytes(data)


def x25519_public_key(text: str) -> X25519PublicKey:
    """A key to seal requests to; ``ValueError`` if its secrets would be known to everyone, or it has another spelling."""
    data = _thirty_two_bytes(text)
    key = X25519PublicKey.from_public_bytes(data)
    if int.from_bytes(data, "little") >= _P:
        raise ValueError("not a usable X25519 public key")
    _TRIAL_KEY.exchange(key)  # raises ValueError for a point of small order
    return key


def _thirty_two_bytes(text: str) -> bytes:
    data = decode_base64url(text)
    if data is None or len(data) != 32:
        raise ValueError("a public key is 32 bytes in base64url, 43 characters")
    return data


def _is_usable_point(data: bytes) -> bool:
    """RFC 8032 §5.1.3, plus: under a key of small order anyone can make signatures."""
    value = int.from_bytes(data, "little")
    sign, y = value >> 255, value & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER_Y:
        return False
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if (v * x * x - u) % _P != 0:
        x = x * _SQRT_MINUS_ONE % _P
    return (v * x * x - u) % _P == 0 and not (x == 0 and sign == 1)
