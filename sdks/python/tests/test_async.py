"""What only an event loop has: tasks that are cancelled, and many calls at once."""

from __future__ import annotations

import asyncio
import gc
import socket
import unittest
import warnings
from contextlib import contextmanager
from typing import Any, Coroutine, Iterator, List, Set

import package_path  # noqa: F401
from fake_server import FakeServer

from signet_client import AsyncClient, SignetError
from signet_client.asynchronous import AsynchronousPipe


class InAnEventLoop(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FakeServer().__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)

    def run_it(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run(work)

    @contextmanager
    def nothing_left_open(self) -> Iterator[None]:
        """Python warns of no socket."""
        with warnings.catch_warnings(record=True) as left_open:
            warnings.simplefilter("always")
            yield
            gc.collect()
        self.assertEqual([str(each.message) for each in left_open], [])

    def test_a_cancelled_task_ends_at_once_and_the_next_call_works(self) -> None:
        async def work() -> None:
            async with AsyncClient(**self.server.arguments(timeout=86_400.0)) as client:
                await client.license("KEY")
                self.server.hang_on.add("heartbeat")
                calls = [asyncio.ensure_future(client.heartbeat()), asyncio.ensure_future(client.variable("x"))]
                while "heartbeat" not in self.server.calls():
                    await asyncio.sleep(0.01)
                for call in calls:
                    call.cancel()
                results = await asyncio.gather(*calls, return_exceptions=True)
                self.assertEqual([type(result) for result in results], [asyncio.CancelledError] * 2)
                self.server.hang_on.clear()
                await client.heartbeat()
                self.assertTrue(client.is_valid())

        self.run_it(work())
        self.assertEqual(self.server.open_sessions(), 0)

    def test_closing_leaves_nothing_behind_in_the_event_loop(self) -> None:
        async def work() -> Set[Any]:
            client = AsyncClient(**self.server.arguments(heartbeat_interval=60))
            await client.license("KEY")
            self.server.hang_on.add("logout")
            await client.license("KEY")
            # The logout of the first session is under way.
            while "logout" not in self.server.calls():
                await asyncio.sleep(0.01)
            await client.close()
            return asyncio.all_tasks() - {asyncio.current_task()}

        self.assertEqual(self.run_it(work()), set())

    def test_a_connection_whose_call_is_cancelled_is_closed(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        addresses = [(socket.AF_INET, listener.getsockname())]

        async def cancelled_after(steps: int) -> None:
            pipe = AsynchronousPipe()
            connecting = asyncio.ensure_future(pipe.connect_first(addresses))
            for _ in range(steps):
                await asyncio.sleep(0)
            connecting.cancel()
            await asyncio.wait([connecting])
            pipe.close()

        with self.nothing_left_open():
            for steps in range(10):
                self.run_it(cancelled_after(steps))

    def test_wait_for_ends_a_call(self) -> None:
        async def work() -> None:
            client = AsyncClient(**self.server.arguments(timeout=86_400.0))
            self.server.hang_on.add("init")
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.init(), 0.1)

        self.run_it(work())

    def test_the_event_loop_goes_on_during_a_call(self) -> None:
        async def work() -> None:
            client = AsyncClient(**self.server.arguments(timeout=86_400.0))
            self.server.hang_on.add("init")
            call = asyncio.ensure_future(client.init())
            for _ in range(100):
                await asyncio.sleep(0)
            await client.close()
            with self.assertRaises(SignetError) as raised:
                await call
            self.assertEqual(raised.exception.code, "CANCELLED")

        self.run_it(work())

    def test_many_calls_at_once_go_out_one_after_another(self) -> None:
        async def work() -> None:
            async with AsyncClient(**self.server.arguments()) as client:
                await client.license("KEY")
                await asyncio.gather(*(client.heartbeat() for _ in range(20)))

        self.run_it(work())
        self.assertEqual(self.server.calls().count("heartbeat"), 20)
        self.assertEqual(self.server.connections, 1)

    def test_callbacks_can_be_coroutine_functions(self) -> None:
        heard: List[str] = []

        async def work() -> None:
            done = asyncio.Event()

            async def on_lost(error: SignetError) -> None:
                await asyncio.sleep(0)
                heard.append(error.code)
                done.set()

            client = AsyncClient(**self.server.arguments(on_lost=on_lost))
            await client.license("KEY")
            self.server.reject["heartbeat"] = (403, "USER_BANNED")
            with self.assertRaises(SignetError):
                await client.heartbeat()
            await done.wait()
            await client.close()

        self.run_it(work())
        self.assertEqual(heard, ["USER_BANNED"])

    def test_what_a_coroutine_function_raises_is_logged(self) -> None:
        async def work() -> None:
            async def on_lost(error: SignetError) -> None:
                raise RuntimeError("a bug of the program")

            client = AsyncClient(**self.server.arguments(on_lost=on_lost))
            await client.license("KEY")
            self.server.reject["heartbeat"] = (403, "USER_BANNED")
            with self.assertRaises(SignetError):
                await client.heartbeat()
            while not logged.records:
                await asyncio.sleep(0)
            await client.close()

        with self.assertLogs("signet_client", "ERROR") as logged:
            self.run_it(work())

    def test_a_program_that_does_not_close_ends_all_the_same(self) -> None:
        async def work() -> None:
            await AsyncClient(**self.server.arguments(heartbeat_interval=0.01)).license("KEY")

        with self.nothing_left_open():
            self.run_it(work())


if __name__ == "__main__":
    unittest.main()
