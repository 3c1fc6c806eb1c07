"""How ``Client`` waits: in the calling thread, never longer than the limit, and for as short as another thread asks."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from concurrent.futures import wait
from typing import Any, Callable, Generator, List, Optional, TypeVar

from .limit import Limit, Step
from .pipe import Pipe
from .resolve import Address, new_socket, resolve

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
        for count, address in zip(range(len(addresses), 0, -1), addresses):
            try:
                return self._connect_to(address, limit, limit.left() / count)
            except OSError:
                self.close()
                if count == 1:
                    raise

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

    def _connect_to(self, address: Address, limit: Limit, seconds: float) -> None:
        self._socket = new_socket(address[0])
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_WRITE)
        gives_up_at = time.monotonic() + seconds
        code = self._socket.connect_ex(address[1])
        if code not in _IS_CONNECTING:
            raise OSError(code, os.strerror(code))
        while not self._selector.select(min(limit.left(), SLICE_SECONDS)):
            if time.monotonic() >= gives_up_at:
                raise TimeoutError("the connection timed out")
        code = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code != 0:
            raise OSError(code, os.strerror(code))

    def _wait(self, events: int, limit: Limit) -> None:
        assert self._selector is not None
        self._selector.modify(self._connected(), events)
        while not self._selector.select(min(limit.left(), SLICE_SECONDS)):
            pass

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionError("the connection is closed")
        return self._socket


def _addresses(host: str, port: int, limit: Limit) -> List[Address]:
    future = resolve(host, port)
    while not future.done():
        wait([future], min(limit.left(), SLICE_SECONDS))
    return future.result()
