"""The SHA-256 of the program file, for the server's hash check.

Advisory like the hardware ID: a changed program can send the hash of the unchanged one.
"""

from __future__ import annotations

import hashlib
import re
import sys
from typing import Optional, Union

from .codes import SignetCode
from .errors import SignetError, invalid

HashCheck = Union[bool, str]


def check_setting(hash_check: HashCheck) -> HashCheck:
    """``True``, ``False``, or a hex SHA-256 (returned in lower case); anything else raises."""
    if isinstance(hash_check, bool):
        return hash_check
    if isinstance(hash_check, str) and re.fullmatch("[0-9a-fA-F]{64}", hash_check):
        return hash_check.lower()
    raise invalid("hash_check is True, False, or a hex SHA-256.")


def program_hash(hash_check: HashCheck) -> Optional[str]:
    """What to send as ``hash``; ``None`` for nothing."""
    if isinstance(hash_check, str):
        return hash_check
    return _hash_of_running_program() if hash_check else None


def _hash_of_running_program() -> str:
    frozen = bool(getattr(sys, "frozen", False))
    path = sys.executable if frozen else getattr(sys.modules.get("__main__"), "__file__", None)
    if not path:
        raise SignetError(SignetCode.PROGRAM_NOT_FOUND, "hash_check=True needs a program file; there is none here.")
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        raise SignetError(SignetCode.PROGRAM_NOT_FOUND, f"The program file cannot be read: {error}") from error
    return digest.hexdigest()
