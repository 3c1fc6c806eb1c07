"""Sealed request bodies: HPKE (RFC 9180) base mode, X25519, HKDF-SHA256, AES-256-GCM.

Written from primitives because ``cryptography`` has its own HPKE only in its newest releases, and
without associated data.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Optional, Tuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

INFO = b"signet/v1/request"
ENCAPSULATED_BYTES = 32
_KEM = b"KEM\x00\x20"
_SUITE = b"HPKE\x00\x20\x00\x01\x00\x02"


def seal(
    recipient: X25519PublicKey,
    plain: bytes,
    aad: bytes,
    *,
    info: bytes = INFO,
    ephemeral: Optional[X25519PrivateKey] = None,
) -> bytes:
    """Encapsulated key, ciphertext, tag. ``ephemeral`` is for test vectors: each key serves once."""
    ephemeral = ephemeral or X25519PrivateKey.generate()
    encapsulated = raw_public_bytes(ephemeral.public_key())
    key, nonce = key_schedule(ephemeral.exchange(recipient), encapsulated, raw_public_bytes(recipient), info)
    return encapsulated + AESGCM(key).encrypt(nonce, plain, aad)


def key_schedule(dh: bytes, encapsulated: bytes, recipient: bytes, info: bytes) -> Tuple[bytes, bytes]:
    """AES key and nonce of the first and only message of a context (RFC 9180 §4.1 and §5.1)."""
    shared = _expand(_KEM, _extract(_KEM, b"", b"eae_prk", dh), b"shared_secret", encapsulated + recipient, 32)
    context = b"\x00" + _extract(_SUITE, b"", b"psk_id_hash", b"") + _extract(_SUITE, b"", b"info_hash", info)
    secret = _extract(_SUITE, shared, b"secret", b"")
    return _expand(_SUITE, secret, b"key", context, 32), _expand(_SUITE, secret, b"base_nonce", context, 12)


def raw_public_bytes(key: X25519PublicKey) -> bytes:
    """The 32 bytes of a public key."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _extract(suite: bytes, salt: bytes, label: bytes, secret: bytes) -> bytes:
    return _hmac(salt, b"HPKE-v1" + suite + label + secret)


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, length: int) -> bytes:
    """LabeledExpand for at most 32 bytes: a single block of HKDF-Expand."""
    return _hmac(key, length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info + b"\x01")[:length]


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()
