"""The server's side of sealing and signing, for the tests."""

from __future__ import annotations

import json
from typing import Any, Dict

import package_path  # noqa: F401
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from signet_client.sealing import ENCAPSULATED_BYTES, INFO, key_schedule, raw_public_bytes
from signet_client.wire import encode_base64url, length_prefixed


def open_sealed(recipient: X25519PrivateKey, sealed: bytes, aad: bytes) -> bytes:
    """Raises for anything that was not sealed to this key with this aad."""
    encapsulated, ciphertext = sealed[:ENCAPSULATED_BYTES], sealed[ENCAPSULATED_BYTES:]
    dh = recipient.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    key, nonce = key_schedule(dh, encapsulated, raw_public_bytes(recipient.public_key()), INFO)
    return AESGCM(key).decrypt(nonce, ciphertext, aad)


def raw(key: Ed25519PrivateKey) -> str:
    """The public half in base64url."""
    return encode_base64url(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def certificate(root: Ed25519PrivateKey, key: Ed25519PrivateKey, **changes: Any) -> str:
    """What a server sends as X-Signet-Certificate."""
    fields: Dict[str, Any] = {"v": 1, "kid": "k1", "key": raw(key), "serial": 1, "notBefore": 0, "notAfter": 4102444800}
    return _signed(root, "signet/v1/key", {**fields, **changes})


def announcement(root: Ed25519PrivateKey, replacement: Ed25519PrivateKey) -> str:
    """What stands before the certificate, and a dot between, once ``root`` was replaced."""
    return _signed(root, "signet/v1/root", {"v": 1, "root": raw(replacement)})


def _signed(root: Ed25519PrivateKey, purpose: str, fields: Dict[str, Any]) -> str:
    payload = json.dumps(fields, separators=(",", ":")).encode()
    return f"{encode_base64url(payload)}.{encode_base64url(root.sign(length_prefixed(purpose, payload)))}"
