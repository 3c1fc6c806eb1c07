"""How long a call may take, and the two ways to wait within it."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Generator, TypeVar

from .codes import SignetCode
from .errors import SignetError

T = TypeVar("T")


class TimeIsUp(SignetError):
    """The limit is over, or the silence has been too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(SignetCode.NETWORK, f"The server did not answer within {seconds:g} s.")


class Limit:
    """A deadline for everything that a call does. ``is_cancelled`` ends it early."""

    def __init__(self, seconds: float, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        self._seconds = seconds
        self._is_cancelled = is_cancelled
        self._ends_at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds; raises ``CANCELLED`` or, once there are none, ``TimeIsUp``."""
        if self._is_cancelled():
            raise SignetError(SignetCode.CANCELLED, "The call was cancelled.")
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise TimeIsUp(self._seconds)
        return left

    def heard(self) -> None:
        """Data of a file is waited for from now on."""

    def pause(self) -> None:
        """Nothing is waited for that could be silent, until ``heard``."""


class Cancellation(Limit):
    """No deadline: only ``is_cancelled`` ends what a call does."""

    def __init__(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        super().__init__(math.inf, is_cancelled)


class Silence(Limit):
    """A deadline that starts again whenever data of a file arrives."""

    def heard(self) -> None:
        self._ends_at = time.monotonic() + self._seconds

    def pause(self) -> None:
        self._ends_at = math.inf


#: One thing to wait for. It gets the limit and returns a result (``Client``) or an awaitable of it (``AsyncClient``).
Step = Callable[[Limit], Any]
#: What a client does, without saying how it waits: it yields steps, gets their results, and returns a T.
Steps = Generator[Step, Any, T]


def heard(limit: Limit) -> None:
    """The step of a file's data."""
    limit.heard()


def pause(limit: Limit) -> None:
    """The step before work that isn't the server's."""
    limit.pause()
