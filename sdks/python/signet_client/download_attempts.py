"""How often a download is tried, and when again: as docs/protocol.md says, for all clients."""

from __future__ import annotations

import random
from functools import partial
from typing import Callable, TypeVar

from .codes import SignetCode
from .errors import TEMPORARY, SignetError
from .limit import Steps
from .pipe import Waiting

T = TypeVar("T")

_MAX_ATTEMPTS = 5
#: The waits are 1, 2, 4, and 8 parts of the timeout.
_PARTS_OF_TIMEOUT = 15
_MAX_RETRY_AFTER = 60


class NotTheFile(SignetError):
    """Something else stands where the bytes of a file should be, so that asking again doesn't help."""

    def __init__(self, status: int) -> None:
        super().__init__(SignetCode.NETWORK, f"The server answers {status} instead of the file.")


class Attempts:
    """The attempts of one download, which all of its steps share."""

    def __init__(self, waiting: Waiting, timeout: float) -> None:
        self._waiting = waiting
        self._timeout = timeout
        self._failed = 0

    def repeat(self, attempt: Callable[[], Steps[T]]) -> Steps[T]:
        """Raises what an attempt raised that was the last one, or that no other attempt helps."""
        while True:
            try:
                return (yield from attempt())
            except SignetError as error:
                self._failed += 1
                if self._failed == _MAX_ATTEMPTS or not _can_help(error):
                    raise
                seconds = max(self._pause(), error.retry_after or 0)
            yield partial(self._waiting.pause, seconds)

    def _pause(self) -> float:
        jitter = random.uniform(0.9, 1.1)
        return self._timeout / _PARTS_OF_TIMEOUT * 2 ** (self._failed - 1) * jitter  # type: ignore[no-any-return]


def _can_help(error: SignetError) -> bool:
    """Whether the server can be out of reach, or restarting."""
    if isinstance(error, NotTheFile):
        return False
    if not error.is_signed:
        return error.code in (SignetCode.NETWORK, SignetCode.UNSIGNED_RESPONSE)
    return error.verdict == TEMPORARY and (error.retry_after or 0) <= _MAX_RETRY_AFTER
