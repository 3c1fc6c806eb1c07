"""A stable name for this machine, on Linux, macOS, and Windows.

It is advisory: it comes from the customer's machine, and whoever controls that machine can change it.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from typing import Optional

from .codes import SignetCode
from .errors import SignetError
from .wire import length_prefixed

_LINUX_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")
_MIN_DIGITS = 16


def hardware_id(owner_id: str) -> str:
    """64 hex characters that stay the same on this machine, and differ for each owner.

    The owner's ID keeps the operating system's own identifier from leaving the machine, and keeps two sellers from
    finding out that they share a customer.
    """
    return hardware_id_of(owner_id, machine_id() or "")


def hardware_id_of(owner_id: str, machine_id: str) -> str:
    """The hardware ID of a machine whose identifier is known; ``HWID_UNAVAILABLE`` if that identifies nothing."""
    cleaned = machine_id.strip().lower()
    if not _is_unique(cleaned):
        raise SignetError(SignetCode.HWID_UNAVAILABLE, "This machine has no permanent identifier to bind a license to.")
    return hashlib.sha256(length_prefixed("signet/v1/hwid", owner_id, cleaned)).hexdigest()


def _is_unique(cleaned: str) -> bool:
    """Images are shipped with "uninitialized" or zeros, the same on every copy."""
    digits = re.sub("[^0-9a-f]", "", cleaned)
    return not (len(digits) < _MIN_DIGITS or len(set(digits)) == 1)


def machine_id() -> Optional[str]:
    """The operating system's identifier of this installation, as it writes it."""
    if sys.platform == "win32":
        return _windows_guid()
    if sys.platform == "darwin":
        return _macos_uuid()
    return _linux_machine_id()


def _linux_machine_id() -> Optional[str]:
    for path in _LINUX_FILES:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read(128).strip()
        except (OSError, ValueError):
            continue
        if _is_unique(text.lower()):
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
