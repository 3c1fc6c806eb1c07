"""How ``Client`` waits: in the calling thread, never longer than the limit, and for as short as another thread asks."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from concurrent.futures import wait
from typing import Any, Callable, Generator, List, Optional, Sequence, TypeVar

from .limit import Limit, Step
from .pipe import Pipe
from .resolve import HEAD_START_SECONDS, Address, new_socket, resolve

T = TypeVar("T")

#: How soon a thread that waits notices that its call was cancelled.
SLICE_SECONDS = 0.05
_MAX_BYTES = 256 * 1024
_IS_CONNECTING = (0, errno.EINPROGRESS, errno.EWOULDBLOCK)


def run(steps: Generator[Step, Any, T], limit: Limit) -> T:
    """Runs the steps one after another in this thread."""
    advance: Callable[[Any], Step] = steps.send
    given: Any = None
    while True:
        try:
            step = advance(given)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        try:
            given, advance = step(limit), steps.send
        except BaseException as error:
            given, advance = error, steps.throw


class Blocking:
    """The steps of ``Client``."""

    def new_pipe(self) -> Pipe:
        return BlockingPipe()

    def compute(self, work: Callable[[], Any], limit: Limit) -> Any:
        limit.left()
        return work()

    def pause(self, seconds: float, limit: Limit) -> None:
        ends_at = time.monotonic() + seconds
        while time.monotonic() < ends_at:
            time.sleep(min(limit.left(), SLICE_SECONDS))


class BlockingPipe:
    """A socket that is waited for in slices, because no other thread can wake up a blocked one on every system."""

    def __init__(self) -> None:
        self._socket: Optional[socket.socket] = None
        self._selector: Optional[selectors.BaseSelector] = None

    def connect(self, host: str, port: int, limit: Limit) -> None:
        addresses = _addresses(host, port, limit)
        with _Attempts() as attempts:
            self._socket = attempts.first(addresses, limit)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_WRITE)

    def send(self, data: bytes, limit: Limit) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[self._connected().send(view) :]
            except (BlockingIOError, InterruptedError):
                self._wait(selectors.EVENT_WRITE, limit)

    def receive(self, limit: Limit) -> bytes:
        while True:
            self._wait(selectors.EVENT_READ, limit)
            try:
                return self._connected().recv(_MAX_BYTES)
            except (BlockingIOError, InterruptedError):
                continue

    def close(self) -> None:
        if self._selector is not None:
            self._selector.close()
        if self._socket is not None:
            self._socket.close()
        self._socket = self._selector = None

    def _wait(self, events: int, limit: Limit) -> None:
        assert self._selector is not None
        self._selector.modify(self._connected(), events)
        while not self._selector.select(min(limit.left(), SLICE_SECONDS)):
            pass

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionError("the connection is closed")
        return self._socket


class _Attempts:
    """Connections to the addresses of a host, each begun a moment after the one before."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> "_Attempts":
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._selector.get_map().values()):
            self._end(key.fileobj)
        self._selector.close()

    def first(self, addresses: Sequence[Address], limit: Limit) -> socket.socket:
        """The first one that is open; once all have failed, raises the error of the last."""
        waiting, begins_at = list(addresses), 0.0
        error = OSError("the host has no address")
        while waiting or self._selector.get_map():
            if waiting and time.monotonic() >= begins_at:
                begins_at = time.monotonic() + HEAD_START_SECONDS
                failure = self._begin(waiting.pop(0))
                if failure is not None:
                    error, begins_at = failure, 0.0
                    continue
            for key, _ in self._selector.select(min(limit.left(), SLICE_SECONDS)):
                made: Any = key.fileobj
                code = made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if code == 0:
                    self._selector.unregister(made)
                    return made  # type: ignore[no-any-return]
                self._end(made)
                error, begins_at = OSError(code, os.strerror(code)), 0.0
        raise error

    def _begin(self, address: Address) -> Optional[OSError]:
        try:
            made = new_socket(address[0])
        except OSError as error:
            # A family that the system doesn't have.
            return error
        self._selector.register(made, selectors.EVENT_WRITE)
        code = made.connect_ex(address[1])
        if code in _IS_CONNECTING:
            return None
        self._end(made)
        return OSError(code, os.strerror(code))

    def _end(self, made: Any) -> None:
        self._selector.unregister(made)
        made.close()


def _addresses(host: str, port: int, limit: Limit) -> List[Address]:
    future = resolve(host, port)
    while not future.done():
        wait([future], min(limit.left(), SLICE_SECONDS))
    return future.result()
