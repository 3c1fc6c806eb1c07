"""The threads of ``Client``."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Callable, Deque, List

from .blocking import run
from .codes import SignetCode
from .core import Core, Event, SignedIn
from .errors import SignetError
from .heartbeat import PART_SECONDS, SleepWatch, heartbeat_error
from .limit import Limit
from .settings import Settings

_log = logging.getLogger("signet_client")


class HeartbeatThread:
    """Keeps asking for one sign-in until it is lost or ``stop`` is called."""

    def __init__(
        self,
        core: Core,
        signed_in: SignedIn,
        beat: Callable[["HeartbeatThread", SignedIn], None],
        report: Callable[[], None],
    ) -> None:
        self.signed_in = signed_in
        self._core = core
        self._beat = beat
        self._report = report
        self._stopped = threading.Event()
        self._is_watching = False
        self._thread = threading.Thread(target=self._run, name="signet-heartbeat", daemon=True)

    def start(self) -> None:
        """``INTERNAL_ERROR`` if the system gives no thread."""
        try:
            self._thread.start()
        except RuntimeError as error:
            message = f"The background heartbeat cannot be started: {error}"
            raise SignetError(SignetCode.INTERNAL_ERROR, message) from error

    def stop(self) -> None:
        """Doesn't wait: a heartbeat under way is ignored."""
        self._stopped.set()

    def is_stopped(self) -> bool:
        """Asked many times during a beat, so it also reports a silence that becomes too long meanwhile."""
        if self._is_watching:
            self._core.note_silence(self.signed_in)
            self._report()
        return self._stopped.is_set()

    def _run(self) -> None:
        schedule, watch = self.signed_in.schedule, SleepWatch()
        assert schedule is not None
        while self._core.is_current(self.signed_in):
            if self._stopped.wait(min(schedule.pause(time.monotonic()), PART_SECONDS)):
                return
            if watch.has_slept():
                schedule.ask_now(time.monotonic())
            if schedule.is_due(time.monotonic()):
                # After a standstill, the answer decides.
                self._is_watching = not schedule.is_overdue(time.monotonic())
                try:
                    self._beat(self, self.signed_in)
                except Exception as error:
                    schedule.failed(heartbeat_error(error), time.monotonic())
            self._core.note_silence(self.signed_in)
            self._report()


class QuietThreads:
    """Log out sessions whose end nobody waits for."""

    def __init__(self) -> None:
        self._threads: List[threading.Thread] = []

    def log_out(self, core: Core, token: str, limit: Limit) -> None:
        def tell() -> None:
            connection = core.new_connection()
            try:
                run(core.exchange.tell(connection, "logout", token), limit)
            except SignetError:
                pass
            finally:
                connection.close()

        thread = threading.Thread(target=tell, name="signet-logout", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            # The server ends the session by itself when it expires.
            return
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]

    def join(self, limit: Limit) -> None:
        """Waits until they are done, or the limit."""
        for thread in self._threads:
            try:
                thread.join(limit.left())
            except SignetError:
                return


class Notifier:
    """Calls the program's functions one after another, in a thread of their own, so that they can use the client."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._waiting: Deque[Event] = deque()
        self._is_running = False

    def deliver(self, events: Deque[Event]) -> None:
        """Takes the events out of ``events``."""
        with self._lock:
            while events:
                self._waiting.append(events.popleft())
            if self._waiting and not self._is_running:
                # Without a thread, the next delivery tries again.
                with suppress(RuntimeError):
                    threading.Thread(target=self._run, name="signet-callbacks", daemon=True).start()
                    self._is_running = True

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._is_running = False
                    return
                name, error = self._waiting.popleft()
            callback = self._settings.callbacks[name]
            if callback is None:
                continue
            try:
                if error is None:
                    callback()
                else:
                    error.speak(self._settings.messages)
                    callback(error)
            except BaseException:
                # sys.exit() too: it ends no program from here, and later events need this thread.
                _log.exception("The function for %r failed", name)
