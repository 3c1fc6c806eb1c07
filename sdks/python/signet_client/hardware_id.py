"""A stable name for this machine, on Linux, macOS and Windows.

It is advisory: it comes from the customer's machine, and whoever controls that machine can change it.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import uuid
from typing import Optional

from .errors import HWID_UNAVAILABLE, SignetError
from .wire import length_prefixed

_LINUX_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")


def hardware_id(salt: str = "") -> str:
    """64 hex characters that stay the same on this machine. Another ``salt`` gives unrelated ones.

    The salt keeps the operating system's own identifier from leaving the machine, and keeps two
    sellers from finding out that they share a customer.
    """
    machine = machine_identifier()
    if machine is None:
        raise SignetError(HWID_UNAVAILABLE, "This machine has no lasting identifier to bind a licence to.")
    return hashlib.sha256(length_prefixed("signet/v1/hwid", salt, machine)).hexdigest()


def machine_identifier() -> Optional[str]:
    """The operating system's identifier of this installation, else that of its network card."""
    if sys.platform == "win32":
        found = _windows_guid()
    elif sys.platform == "darwin":
        found = _macos_uuid()
    else:
        found = _linux_machine_id()
    cleaned = (found or "").strip().lower()
    # Images are shipped with "uninitialized" or zeros, the same on every copy.
    if len(re.sub("[^0-9a-f]", "", cleaned)) >= 16 and len(set(cleaned) - {"-"}) > 1:
        return cleaned
    return _network_card()


def _linux_machine_id() -> Optional[str]:
    for path in _LINUX_FILES:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read(128).strip()
        except (OSError, ValueError):
            continue
        if re.fullmatch("[0-9a-fA-F]{32}", text):
            return text
    return None


def _macos_uuid() -> Optional[str]:
    try:
        result = subprocess.run(
            ["/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"],
            capture_output=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_ioreg(result.stdout.decode("utf-8", "replace"))


def parse_ioreg(text: str) -> Optional[str]:
    """The ``IOPlatformUUID`` in what ``ioreg`` prints."""
    match = re.search(r'"IOPlatformUUID"\s*=\s*"([0-9A-Fa-f-]{36})"', text)
    return match.group(1) if match else None


def _windows_guid() -> Optional[str]:
    if sys.platform != "win32":
        return None
    import winreg

    try:
        # A 32-bit Python would otherwise read another registry view, without this value.
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography", 0, access) as key:
            value = winreg.QueryValueEx(key, "MachineGuid")[0]
    except OSError:
        return None
    return value if isinstance(value, str) else None


def _network_card() -> Optional[str]:
    """A burnt-in address only: ``getnode`` makes up a random one, and virtual cards change theirs."""
    node = uuid.getnode()
    first_byte = node >> 40
    is_made_up = bool(first_byte & 0b11)  # multicast bit (random), locally administered bit (virtual)
    return None if is_made_up or node == 0 else f"mac:{node:012x}"
