"""When a signed-in program asks next whether it may go on. Both kinds of clients wait by this schedule."""

from __future__ import annotations

import random
import time
from typing import Optional

from .codes import SignetCode
from .errors import SignetError, network_error

FIRST_RETRY_SECONDS = 2.0
JITTER = 0.1
#: Pauses are waited for in parts, so that the end of the computer's sleep is noticed.
PART_SECONDS = 10.0
_SLEEP_SECONDS = 5.0


class Schedule:
    """Never gives up: what can't be heard now is asked for again. Times are seconds of a monotonic clock."""

    def __init__(self, interval: float, grace: float, now: float) -> None:
        self._interval = interval
        self._allowed = interval * (1 + JITTER) + grace
        self._retry = FIRST_RETRY_SECONDS
        self._heard_at = now
        self._next_at = now + _with_jitter(interval)
        self._last_error: Optional[SignetError] = None
        self._is_interrupted = False

    def is_overdue(self, now: float) -> bool:
        """Whether the last verified success is older than interval and grace allow."""
        return now - self._heard_at > self._allowed

    def left(self, now: float) -> float:
        """Seconds until that is so."""
        return self._heard_at + self._allowed - now

    def is_due(self, now: float) -> bool:
        return now >= self._next_at

    def pause(self, now: float) -> float:
        """Seconds until the next heartbeat, or until the silence is too long."""
        overdue_at = self._heard_at + self._allowed
        until = self._next_at if self._is_interrupted or now > overdue_at else min(self._next_at, overdue_at)
        return max(until - now, 0.0)

    def heard(self, now: float) -> bool:
        """A verified success, of any call; returns whether it ends an interruption."""
        was_interrupted, self._is_interrupted = self._is_interrupted, False
        self._heard_at = now
        self._next_at = now + _with_jitter(self._interval)
        self._retry = FIRST_RETRY_SECONDS
        self._last_error = None
        return was_interrupted

    def failed(self, error: SignetError, now: float) -> None:
        """A heartbeat without a verdict: again after 2 s, 4, 8 … up to the interval, or when the server allows it."""
        self._last_error = error
        self._next_at = now + max(_with_jitter(min(self._retry, self._interval)), error.retry_after or 0.0)
        self._retry = min(self._retry * 2, self._interval)

    def ask_now(self, now: float) -> None:
        """After sleep, nobody knows what happened meanwhile."""
        self._next_at = now

    def interruption(self, now: float) -> Optional[SignetError]:
        """The reason, once, when the silence has become too long."""
        if self._is_interrupted or not self.is_overdue(now):
            return None
        self._is_interrupted = True
        return self._last_error or SignetError(SignetCode.NETWORK, "The server was not heard in time.")


class SleepWatch:
    """Notices that the computer slept: the clock on the wall went on and the monotonic one did not."""

    def __init__(self) -> None:
        self._gap = time.time() - time.monotonic()

    def has_slept(self) -> bool:
        """Since the last question."""
        gap, before = time.time() - time.monotonic(), self._gap
        self._gap = gap
        return gap - before > _SLEEP_SECONDS


def heartbeat_error(error: Exception) -> SignetError:
    """Any error of a heartbeat: one that died of a surprise would leave the program without any."""
    return error if isinstance(error, SignetError) else network_error(error)


def _with_jitter(seconds: float) -> float:
    """Spread over ±10 %, so that programs started together don't ask together."""
    return seconds * random.uniform(1 - JITTER, 1 + JITTER)
