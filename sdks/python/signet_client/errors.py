"""The one exception of this package, and what it says about the license."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, Union

from .codes import MESSAGES, VERDICTS, SignetCode

LOST = "lost"
REQUEST = "request"
TEMPORARY = "temporary"
UNVERIFIED = "unverified"

#: Only a new session helps.
SESSION_IS_GONE = frozenset(
    {SignetCode.SESSION_REQUIRED, SignetCode.SESSION_EXPIRED, SignetCode.SESSION_ENDED, SignetCode.SESSION_REPLACED}
)

_GENERAL = SignetCode.INTERNAL_ERROR.value

MessageSource = Union[Mapping[str, str], Callable[["SignetError"], Optional[str]]]


class Messages:
    """Sentences for customers, in one language; ``own`` ones come first."""

    LANGUAGES = ("en", "pt", "es")

    def __init__(self, language: str = "en", own: Optional[MessageSource] = None) -> None:
        self._language = language
        self._own = own

    def of(self, error: "SignetError") -> str:
        """The vendor's own sentence, else the one of sdks/codes.json; a newer server's code has a general one."""
        own = self._own.get(error.code) if isinstance(self._own, Mapping) else self._own and self._own(error)
        return own or MESSAGES.get(error.code, MESSAGES[_GENERAL])[self._language]


_ENGLISH = Messages()


class SignetError(Exception):
    """What stands between the program and a yes.

    ``code`` is stable and meant for programs: one of ``SignetCode``, or a newer server's. ``message`` is English and
    meant for logs; show ``customer_message`` to customers. ``status`` is the HTTP status of a signed error, and 0 for
    errors of this client. ``details`` has the other fields of a signed error.
    """

    def __init__(self, code: str, message: str, *, status: int = 0, details: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(str(code), message)
        self.code: str = str.__str__(code)
        self.message = message
        self.status = status
        self.details: Dict[str, Any] = details or {}
        self._messages = _ENGLISH

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def speak(self, messages: Messages) -> None:
        """Sets the language of ``customer_message``."""
        self._messages = messages

    @property
    def customer_message(self) -> str:
        """A sentence for the customer, in the client's language."""
        return self._messages.of(self)

    @property
    def verdict(self) -> str:
        """What this says about the license: ``lost``, ``request``, ``temporary``, or ``unverified``."""
        if self.status == 429 or self.status >= 500:
            return TEMPORARY
        known = VERDICTS.get(self.code, REQUEST)
        if self.status == 0:
            return REQUEST if known == LOST else known
        # A signed answer comes from the server, whatever its code says.
        return REQUEST if known == UNVERIFIED else known

    @property
    def is_temporary(self) -> bool:
        """Whether this says nothing about the license, so that asking again later can help."""
        return self.verdict in (TEMPORARY, UNVERIFIED)

    @property
    def is_signed(self) -> bool:
        """Whether the server itself said this."""
        return self.status != 0

    @property
    def retry_after(self) -> Optional[float]:
        """How many seconds the server asks to wait."""
        value = self.details.get("retryAfterSeconds")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return float(value) if 0 < value < 1e9 else None

    @property
    def request_id(self) -> Optional[str]:
        """By which the app's owner finds this error in the log."""
        return self._text("requestId")

    @property
    def download_url(self) -> Optional[str]:
        """Where the newer version is, if the code is ``VERSION_OUTDATED`` and the owner set a link."""
        return self._text("downloadUrl")

    def _text(self, name: str) -> Optional[str]:
        value = self.details.get(name)
        return value if isinstance(value, str) and value else None


def invalid(message: str) -> SignetError:
    """For an argument of the constructor."""
    return SignetError(SignetCode.INVALID_CONFIGURATION, message)


def network_error(error: BaseException) -> SignetError:
    """For anything that went wrong on the way to the server."""
    reason = str(error) or type(error).__name__
    return SignetError(SignetCode.NETWORK, f"The server cannot be reached: {reason}")
