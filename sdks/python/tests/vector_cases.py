"""Every case of sdks/vectors as a check that raises if this client fails it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import package_path  # noqa: F401
from opening import open_sealed

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from signet_client import SignetError, hardware_id_of, trim_key
from signet_client.exchange import answer_of
from signet_client.public_keys import ed25519_public_key, x25519_public_key
from signet_client.sealing import seal
from signet_client.settings import app_of_settings
from signet_client.verify import Reply, Verifier, read_certificate
from signet_client.wire import Request, decode_base64url, encode_base64url, sealing_context

Case = Dict[str, Any]
Check = Tuple[str, Callable[[], None]]


def expect(actual: object, expected: object) -> None:
    if actual != expected or type(actual) is not type(expected):
        raise AssertionError(f"{actual!r} is not {expected!r}")


def data(text: str) -> bytes:
    decoded = decode_base64url(text)
    assert decoded is not None
    return decoded


def code_of(act: Callable[[], object]) -> Optional[str]:
    """``None`` without an error."""
    try:
        act()
        return None
    except SignetError as error:
        return error.code


def request_hash(file: Any, case: Case) -> None:
    parts = [case[name] for name in ("path", "app", "nonce", "time", "session")]
    expect(Request(*parts, data(case["body"])).hash().hex(), case["hash"])


def certificate(file: Any, case: Case) -> None:
    root = ed25519_public_key(file["rootPublicKey"])
    if case["fields"] is None:
        return expect(code_of(lambda: read_certificate(case["certificate"], root)), "UNKNOWN_KEY")
    certified = read_certificate(case["certificate"], root)
    read = certified.certificate
    names = {"kid": read.kid, "key": read.key, "serial": read.serial}
    expect({**names, "notBefore": read.not_before, "notAfter": read.not_after}, case["fields"])
    expect(text_of(certified.root), case.get("root", file["rootPublicKey"]))


def text_of(key: Ed25519PublicKey) -> str:
    return encode_base64url(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def public_key(file: Any, case: Case) -> None:
    read = ed25519_public_key if case["curve"] == "ed25519" else x25519_public_key
    try:
        read(case["publicKey"])
        expect(True, case["usable"])
    except ValueError:
        expect(False, case["usable"])


def reply(file: Any, case: Case) -> None:
    sent = file["request"]
    request = Request(*(sent[name] for name in ("path", "app", "nonce", "time", "session")), data(sent["body"]))
    verifier = Verifier(ed25519_public_key(file["rootPublicKey"]), case["highestSerial"])
    headers = {name.lower(): value for name, value in case["headers"].items()}
    received = Reply(case["status"], headers, data(case["body"]))
    expect(code_of(lambda: verifier.check(request, received, file["now"])) or "accepted", case["outcome"])


def sealed_body(file: Any, case: Case) -> None:
    recipient = X25519PrivateKey.from_private_bytes(bytes.fromhex(file["recipientKey"]))
    aad = sealing_context(*(case[name] for name in ("path", "app", "nonce", "time", "session")))
    if case["body"] is None:
        try:
            open_sealed(recipient, data(case["sealed"]), aad)
        except Exception:
            return
        raise AssertionError("this opens")
    ephemeral = X25519PrivateKey.from_private_bytes(bytes.fromhex(file["ephemeralKey"]))
    key, plain = x25519_public_key(file["recipientPublicKey"]), data(case["body"])
    expect(seal(key, plain, aad, ephemeral=ephemeral), data(case["sealed"]))
    expect(open_sealed(recipient, data(case["sealed"]), aad), plain)


def answer(file: Any, case: Case) -> None:
    try:
        answer_of(Reply(case["status"], {}, data(case["body"])))
    except SignetError as error:
        expect(error.code, case["outcome"])
        expect(error.is_temporary, case["isTemporary"])
        assert error.retry_after == case["retryAfter"], error.retry_after
        expect(error.request_id, case["requestId"])
        expect(error.download_url, case["downloadUrl"])
    else:
        expect("yes", case["outcome"])


def app_name(file: Any, case: Case) -> None:
    if "utf16" not in case:
        return expect(app_of_settings(file["ownerId"], case["appName"]), case["header"])
    text = "".join(map(chr, case["utf16"]))
    expect(code_of(lambda: app_of_settings(file["ownerId"], text)), "INVALID_CONFIGURATION")


def hardware(file: Any, case: Case) -> None:
    try:
        found: Optional[str] = hardware_id_of(case["ownerId"], case["machineId"])
    except SignetError as error:
        expect(error.code, "HWID_UNAVAILABLE")
        found = None
    expect(found, case["hwid"])


def key(file: Any, case: Case) -> None:
    expect(trim_key(case["typed"]), case["sent"])


CHECKS: Dict[str, Callable[[Any, Case], None]] = {
    "announcements.json": certificate,
    "answers.json": answer,
    "app-names.json": app_name,
    "certificates.json": certificate,
    "hardware-ids.json": hardware,
    "keys.json": key,
    "public-keys.json": public_key,
    "replies.json": reply,
    "request-hash.json": request_hash,
    "sealed-bodies.json": sealed_body,
}


def checks_of(folder: Path) -> Iterator[Check]:
    """All of them; a file that this client doesn't know is a check that fails."""
    for path in sorted(folder.glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        check = CHECKS.get(path.name, _unknown)
        for case in [*file["cases"], *file.get("rejected", [])]:
            yield f"{path.name}: {case['name']}", partial(check, file, case)


def _unknown(file: Any, case: Case) -> None:
    raise AssertionError("this client doesn't know these vectors")
