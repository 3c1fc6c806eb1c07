"""How ``AsyncClient`` waits: in the event loop. Cancelling a task ends its call at once."""

from __future__ import annotations

import asyncio
import inspect
import socket
from typing import Any, Awaitable, Callable, Coroutine, Dict, Generator, List, Optional, Sequence, TypeVar

from .errors import SignetError
from .limit import Limit, Step
from .pipe import Pipe
from .resolve import HEAD_START_SECONDS, Address, new_socket, resolve

T = TypeVar("T")
_MAX_BYTES = 256 * 1024


async def run(steps: Generator[Step, Any, T], limit: Limit) -> T:
    """Runs the steps one after another in this task."""
    advance: Callable[[Any], Step] = steps.send
    given: Any = None
    while True:
        try:
            step = advance(given)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        try:
            given, advance = step(limit), steps.send
            if inspect.isawaitable(given):
                given = await given
        except BaseException as error:
            given, advance = error, steps.throw


async def run_within(steps: Generator[Step, Any, T], limit: Limit) -> T:
    """Raises the limit's error once it is over. A cancellation of the calling task always comes through."""
    task = asyncio.ensure_future(run(steps, limit))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=limit.left())
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


class Calls:
    """Calls under way, each in a task of its own, which its limit or ``abort`` can cancel.

    Not with ``asyncio.wait_for``: before Python 3.12 it can swallow a cancellation of its caller.
    """

    def __init__(self) -> None:
        #: Why a task was cancelled, if not by the program.
        self._under_way: Dict["asyncio.Task[Any]", Optional[SignetError]] = {}

    async def run(self, work: Coroutine[Any, Any, T], limit: Limit) -> T:
        """Raises the limit's error once it is over."""
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        self._under_way[task] = None

        def check() -> None:
            nonlocal timer
            try:
                timer = loop.call_later(limit.left(), check)
            except SignetError as error:
                self._cancel(task, error)

        timer = loop.call_soon(check)
        try:
            return await task
        except asyncio.CancelledError:
            reason = self._under_way[task]
            if reason is None:
                raise
            raise reason from None
        finally:
            timer.cancel()
            del self._under_way[task]

    def abort(self, error: SignetError) -> None:
        """Lets all of them raise this."""
        for task in self._under_way:
            self._cancel(task, error)

    def _cancel(self, task: "asyncio.Task[Any]", error: SignetError) -> None:
        self._under_way[task] = self._under_way[task] or error
        task.cancel()


class Asynchronous:
    """The steps of ``AsyncClient``."""

    def new_pipe(self) -> Pipe:
        return AsynchronousPipe()

    def compute(self, work: Callable[[], Any], limit: Limit) -> Awaitable[Any]:
        return asyncio.get_running_loop().run_in_executor(None, work)

    def pause(self, seconds: float, limit: Limit) -> Awaitable[None]:
        return asyncio.sleep(seconds)


class AsynchronousPipe:
    """A socket in the event loop. Whoever waits for it is cancelled when the limit is over."""

    def __init__(self) -> None:
        self._socket: Optional[socket.socket] = None

    async def connect(self, host: str, port: int, limit: Limit) -> None:
        await self.connect_first(await asyncio.wrap_future(resolve(host, port)))

    async def connect_first(self, addresses: Sequence[Address]) -> None:
        """To the first one that is open of connections that begin one after the other; once all have failed, raises the
        error of the last."""
        waiting = list(addresses)
        attempts: "List[asyncio.Task[socket.socket]]" = []
        error: BaseException = OSError("the host has no address")
        try:
            while waiting or attempts:
                if waiting:
                    attempts.append(asyncio.ensure_future(_open(waiting.pop(0))))
                head_start = HEAD_START_SECONDS if waiting else None
                await asyncio.wait(attempts, timeout=head_start, return_when=asyncio.FIRST_COMPLETED)
                for attempt in [each for each in attempts if each.done()]:
                    attempts.remove(attempt)
                    failure = attempt.exception()
                    if failure is None:
                        # Kept before anything else is waited for: a cancellation there would lose it.
                        self._socket = attempt.result()
                        return
                    error = failure
            raise error
        finally:
            for attempt in attempts:
                # Also one that was opened in the same moment.
                attempt.add_done_callback(_close_late)
                attempt.cancel()
            if attempts:
                await asyncio.wait(attempts)

    async def send(self, data: bytes, limit: Limit) -> None:
        await asyncio.get_running_loop().sock_sendall(self._connected(), data)

    async def receive(self, limit: Limit) -> bytes:
        return await asyncio.get_running_loop().sock_recv(self._connected(), _MAX_BYTES)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _connected(self) -> socket.socket:
        if self._socket is None:
            raise ConnectionError("the connection is closed")
        return self._socket


def _close_late(attempt: "asyncio.Task[socket.socket]") -> None:
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().close()


async def _open(address: Address) -> socket.socket:
    made = new_socket(address[0])
    try:
        await asyncio.get_running_loop().sock_connect(made, address[1])
    except BaseException:
        made.close()
        raise
    return made
