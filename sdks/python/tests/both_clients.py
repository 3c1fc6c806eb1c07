"""Tests of behavior run for both clients: each test class gets a twin whose clients are asynchronous."""

from __future__ import annotations

import asyncio
import sys
import threading
import unittest
from concurrent.futures import CancelledError, Future
from typing import Any, Callable, List, Type

import package_path  # noqa: F401
from fake_server import FakeServer

from signet_client import AsyncClient, Client, SignetError

#: However slow the machine is.
PATIENCE = 60.0


class Blocked:
    """An ``AsyncClient`` in an event loop of its own, with the methods of ``Client``."""

    def __init__(self, **arguments: Any) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.inner: AsyncClient = asyncio.run_coroutine_threadsafe(_made(arguments), self.loop).result()
        self._calls: List["Future[Any]"] = []
        #: A call that has reached the server is in the list.
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if not asyncio.iscoroutinefunction(found):
            return found

        def call(*args: Any, **options: Any) -> Any:
            with self._lock:
                future = asyncio.run_coroutine_threadsafe(found(*args, **options), self.loop)
                self._calls.append(future)
            try:
                return future.result(PATIENCE)
            except CancelledError:
                raise SignetError("CANCELLED", "The task was cancelled.") from None

        return call

    def stop(self) -> None:
        """Ends the event loop."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        self.loop.close()

    def cancel(self) -> None:
        with self._lock:
            calls = list(self._calls)
        for call in calls:
            call.cancel()

    def __enter__(self) -> "Blocked":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _made(arguments: Any) -> AsyncClient:
    return AsyncClient(**arguments)


class ServedTest(unittest.TestCase):
    """Has a fake server."""

    is_async = False

    def setUp(self) -> None:
        self.server = FakeServer().__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)

    def client(self, **changes: Any) -> Any:
        client = self.new_client(**self.server.arguments(**changes))
        if isinstance(client, Blocked):
            self.addCleanup(client.stop)
        self.addCleanup(client.close)
        return client

    def new_client(self, **arguments: Any) -> Any:
        return Blocked(**arguments) if self.is_async else Client(**arguments)

    def fails(self, code: str, act: Callable[[], Any]) -> SignetError:
        """Raises exactly this code."""
        with self.assertRaises(SignetError) as raised:
            act()
        self.assertEqual(raised.exception.code, code)
        return raised.exception

    def in_background(self, act: Callable[[], Any]) -> "Outcome":
        return Outcome(act)

    def eventually(self, condition: Callable[[], bool]) -> None:
        """Polls: nothing signals what is waited for."""
        pause = threading.Event()
        for _ in range(int(PATIENCE / 0.01)):
            if condition():
                return
            pause.wait(0.01)
        self.fail("This did not happen")


class Outcome:
    """What a call in a thread of its own came to."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._result: "Future[Any]" = Future()

        def run() -> None:
            try:
                self._result.set_result(act())
            except BaseException as error:
                self._result.set_exception(error)

        threading.Thread(target=run, daemon=True).start()

    def code(self) -> str:
        error = self._result.exception(PATIENCE)
        if error is None:
            return "accepted"
        if isinstance(error, SignetError):
            return error.code
        raise error

    def is_done(self) -> bool:
        return self._result.done()


def for_both(cls: Type[unittest.TestCase]) -> Type[unittest.TestCase]:
    """Adds the twin to the module."""
    twin = type(f"Async{cls.__name__}", (cls,), {"is_async": True, "__module__": cls.__module__})
    setattr(sys.modules[cls.__module__], twin.__name__, twin)
    return cls
