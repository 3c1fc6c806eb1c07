"""The constructor's arguments, checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from .errors import Messages, MessageSource, SignetError, invalid
from .program_hash import HashCheck, check_setting
from .public_keys import ed25519_public_key, x25519_public_key
from .server_address import ServerAddress, server_address
from .wire import app_header

OnError = Callable[[SignetError], Any]
OnResumed = Callable[[], Any]


@dataclass(frozen=True)
class Settings:
    """``app`` is the value of ``X-Signet-App``; no heartbeat interval means no heartbeat in the background."""

    owner_id: str
    app: str
    version: str
    address: ServerAddress
    verification_key: Ed25519PublicKey
    sealing_key: X25519PublicKey
    hash_check: HashCheck
    heartbeat_interval: Optional[float]
    grace: float
    timeout: float
    seal_requests: bool
    hwid: Optional[str]
    messages: Messages
    callbacks: Mapping[str, Optional[Callable[..., Any]]]


def read_settings(
    *,
    owner_id: str,
    app_name: str,
    version: str,
    verification_key: str,
    sealing_key: str,
    hash_check: HashCheck,
    heartbeat_interval: Optional[float],
    grace: float,
    timeout: float,
    seal_requests: bool,
    hwid: Optional[str],
    language: str,
    messages: Optional[MessageSource],
    on_lost: Optional[OnError],
    on_interrupted: Optional[OnError],
    on_resumed: Optional[OnResumed],
    **network: Any,
) -> Settings:
    """``INVALID_CONFIGURATION`` for anything that can't work."""
    if not isinstance(owner_id, str) or not re.fullmatch("[A-Za-z0-9]{10}", owner_id):
        raise invalid("owner_id is 10 letters and digits.")
    if not isinstance(version, str) or not version:
        raise invalid("version is the program's version, as text.")
    if hwid is not None and (not isinstance(hwid, str) or not hwid):
        raise invalid("hwid is text, or None for hardware_id().")
    callbacks = {"lost": on_lost, "interrupted": on_interrupted, "resumed": on_resumed}
    if not all(callback is None or callable(callback) for callback in callbacks.values()):
        raise invalid("on_lost, on_interrupted, and on_resumed are functions.")
    if heartbeat_interval is not None and heartbeat_interval != 0:
        _check_seconds("heartbeat_interval", heartbeat_interval)
    _check_seconds("timeout", timeout)
    _check_seconds("grace", grace)
    return Settings(
        owner_id=owner_id,
        app=app_of_settings(owner_id, app_name),
        version=version,
        address=server_address(**network),
        verification_key=_key("verification_key", ed25519_public_key, verification_key),
        sealing_key=_key("sealing_key", x25519_public_key, sealing_key),
        hash_check=check_setting(hash_check),
        heartbeat_interval=heartbeat_interval or None,
        grace=grace,
        timeout=timeout,
        seal_requests=seal_requests,
        hwid=hwid,
        messages=Messages(_language(language), messages),
        callbacks=callbacks,
    )


def app_of_settings(owner_id: str, app_name: str) -> str:
    """``X-Signet-App``."""
    try:
        if app_name:
            return app_header(owner_id, app_name)
    except (TypeError, UnicodeEncodeError):
        pass
    raise invalid("app_name is the app's name, as text.")


def _key(name: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except (TypeError, ValueError) as error:
        raise invalid(f"{name} is damaged: {error}.") from error


def _language(language: str) -> str:
    """``pt`` of ``pt-BR``."""
    short = re.split("[-_]", language)[0].lower() if isinstance(language, str) else ""
    if short in Messages.LANGUAGES:
        return short
    raise invalid("language is en, pt, or es.")


def _check_seconds(name: str, seconds: object) -> None:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= 86_400:
        raise invalid(f"{name} is a number of seconds above 0, at most a day.")
