"""The background thread that keeps asking whether the program may go on."""

from __future__ import annotations

import random
import threading
import time
from typing import Callable, Optional

from .errors import SignetError

FIRST_RETRY_SECONDS = 2.0
JITTER = 0.1


class Heartbeat:
    """Calls ``beat`` at an interval until the server refuses or nothing is heard for too long.

    ``beat`` raises ``SignetError``. ``on_lost`` is called once, from this thread, with the error that
    ended it; never after ``stop``.
    """

    def __init__(
        self,
        beat: Callable[["Heartbeat"], None],
        on_lost: Callable[["Heartbeat", SignetError], None],
        *,
        interval: float,
        grace: float,
    ) -> None:
        self._beat = beat
        self._on_lost = on_lost
        self._interval = interval
        self._grace = grace
        self._stopped = threading.Event()
        self._last_success = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="signet-heartbeat", daemon=True)

    def start(self) -> None:
        """Begin; the first beat comes after one interval."""
        self._thread.start()

    def stop(self) -> None:
        """End without a word. Does not wait: a beat under way is ignored."""
        self._stopped.set()

    @property
    def is_overdue(self) -> bool:
        """Whether the last good answer is older than interval and grace allow, even if the thread hangs."""
        return time.monotonic() - self._last_success > self._interval * (1 + JITTER) + self._grace

    def note_success(self) -> None:
        """The server was heard, by this thread or another."""
        self._last_success = time.monotonic()

    def _run(self) -> None:
        delay = self._with_jitter(self._interval)
        retry = FIRST_RETRY_SECONDS
        silent_since: Optional[float] = None
        while not self._stopped.wait(delay):
            try:
                self._beat(self)
            except SignetError as error:
                now = time.monotonic()
                silent_since = now if silent_since is None else silent_since
                if error.is_refusal or now - silent_since >= self._grace:
                    if not self._stopped.is_set():
                        self._on_lost(self, error)
                    return
                left = self._grace - (now - silent_since)
                pause = max(self._with_jitter(min(retry, self._interval)), error.retry_after or 0.0)
                delay = min(pause, left)
                retry *= 2
            else:
                silent_since = None
                retry = FIRST_RETRY_SECONDS
                delay = self._with_jitter(self._interval)

    def _with_jitter(self, seconds: float) -> float:
        """Spread over +-10 %, so that programs started together do not beat together."""
        return seconds * random.uniform(1 - JITTER, 1 + JITTER)
