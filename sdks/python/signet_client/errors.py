"""The one exception of this package."""

from __future__ import annotations

from typing import Any, Dict, Optional

UNSIGNED_RESPONSE = "UNSIGNED_RESPONSE"
BAD_SIGNATURE = "BAD_SIGNATURE"
UNKNOWN_KEY = "UNKNOWN_KEY"
STALE_RESPONSE = "STALE_RESPONSE"
MALFORMED_REPLY = "MALFORMED_REPLY"
NETWORK = "NETWORK"
SSL_FINGERPRINT_MISMATCH = "SSL_FINGERPRINT_MISMATCH"
INVALID_CONFIGURATION = "INVALID_CONFIGURATION"
HWID_UNAVAILABLE = "HWID_UNAVAILABLE"
PROGRAM_NOT_FOUND = "PROGRAM_NOT_FOUND"
FILE_CORRUPT = "FILE_CORRUPT"
FILE_NOT_WRITTEN = "FILE_NOT_WRITTEN"

SESSION_REQUIRED = "SESSION_REQUIRED"
SESSION_EXPIRED = "SESSION_EXPIRED"
SESSION_ENDED = "SESSION_ENDED"
CLOCK_SKEW = "CLOCK_SKEW"
NONCE_REUSED = "NONCE_REUSED"

SESSION_IS_GONE = frozenset({SESSION_REQUIRED, SESSION_EXPIRED, SESSION_ENDED})
"""Refusals that only a new ``init`` cures."""

NO_WORD_FROM_SERVER = frozenset(
    {NETWORK, SSL_FINGERPRINT_MISMATCH, UNSIGNED_RESPONSE, BAD_SIGNATURE, UNKNOWN_KEY, STALE_RESPONSE}
)
"""Failures that say nothing about the license: whoever answered was not proven to be the server."""

WORTH_ANOTHER_TRY = NO_WORD_FROM_SERVER | {NONCE_REUSED, CLOCK_SKEW}
"""A background heartbeat goes on through these until its grace is used up."""


class SignetError(Exception):
    """Something that stands between the program and a yes.

    ``code`` is stable and meant for programs, ``message`` is meant for people. ``status`` is the HTTP
    status of a signed refusal and 0 for everything that happened on this side; ``details`` holds the
    other fields of a signed refusal.
    """

    def __init__(
        self, code: str, message: str, *, status: int = 0, details: Optional[Dict[str, Any]] = None
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.status = status
        self.details: Dict[str, Any] = details or {}

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @property
    def is_refusal(self) -> bool:
        """Whether the server itself said no, in a signed answer that will not change by asking again."""
        is_passing = self.status == 429 or self.status >= 500
        return self.status != 0 and not is_passing and self.code not in WORTH_ANOTHER_TRY

    @property
    def retry_after(self) -> Optional[float]:
        """How many seconds the server asks to wait."""
        value = self.details.get("retryAfterSeconds")
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(value) if is_number and value > 0 else None

    @property
    def request_id(self) -> Optional[str]:
        """What the app's owner can look this refusal up by."""
        return self._text("requestId")

    @property
    def download_url(self) -> Optional[str]:
        """Where the newer version is, when the code is ``VERSION_OUTDATED`` and the owner set a link."""
        return self._text("downloadUrl")

    def _text(self, name: str) -> Optional[str]:
        value = self.details.get(name)
        return value if isinstance(value, str) else None
