"""What goes wrong outside the protocol: no thread left, an error that nobody expected, a callback that exits."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import unittest
from typing import Any, List
from unittest import mock

import package_path  # noqa: F401
from both_clients import PATIENCE, ServedTest, for_both

from signet_client import SignetError
from signet_client.connection import Connection


def no_thread() -> Any:
    return mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("can't start new thread"))


@for_both
class Surprise(ServedTest):
    def test_an_unexpected_error_ends_no_heartbeat(self) -> None:
        has_failed, has_asked_again = threading.Event(), threading.Event()
        post = Connection.post

        def fail_once(connection: Connection, path: str, *rest: Any) -> Any:
            if not path.endswith("/heartbeat"):
                return post(connection, path, *rest)
            if not has_failed.is_set():
                has_failed.set()
                raise RuntimeError("a surprise")
            has_asked_again.set()
            return post(connection, path, *rest)

        with mock.patch.object(Connection, "post", fail_once):
            self.client(heartbeat_interval=0.02).license("KEY")
            self.assertTrue(has_asked_again.wait(PATIENCE))

    def test_asking_again_after_a_loss_keeps_no_frames(self) -> None:
        client = self.client()
        client.license("KEY")
        self.server.reject["heartbeat"] = (403, "USER_BANNED")
        lengths: List[int] = []
        for _ in range(5):
            # Not assertRaises, which drops the traceback.
            try:
                client.heartbeat()
            except SignetError as error:
                lengths.append(len(traceback.extract_tb(error.__traceback__)))
        self.assertEqual(len(lengths), 5)
        self.assertEqual(len(set(lengths[1:])), 1, lengths)


class WithoutThreads(ServedTest):
    def test_a_host_cannot_be_looked_up(self) -> None:
        client = self.client()
        with no_thread():
            self.fails("NETWORK", client.init)
        client.init()

    def test_a_sign_in_without_a_heartbeat_is_an_error_and_holds_up_nobody(self) -> None:
        client = self.client(heartbeat_interval=60.0)
        client.init()
        with no_thread():
            self.fails("INTERNAL_ERROR", lambda: client.license("KEY"))
        client.license("KEY")
        self.assertTrue(client._heartbeat._thread.is_alive())

    def test_a_session_that_was_left_ends_by_itself(self) -> None:
        client = self.client()
        client.license("KEY")
        client.init()
        with no_thread():
            client.license("KEY")
        client.heartbeat()

    def test_an_event_is_delivered_once_there_is_a_thread(self) -> None:
        lost = threading.Event()
        client = self.client(on_lost=lambda error: lost.set())
        client.license("KEY")
        self.server.reject["variable"] = (403, "USER_BANNED")
        with no_thread():
            self.fails("USER_BANNED", lambda: client.variable("news"))
        self.fails("USER_BANNED", client.heartbeat)
        self.server.reject.clear()
        client.init()
        self.assertTrue(lost.wait(PATIENCE))


class AnotherThread(ServedTest):
    def test_that_logs_out_at_the_end_of_a_call_breaks_nothing(self) -> None:
        client = self.client(heartbeat_interval=60.0)
        client.license("KEY")
        reads = iter([client._heartbeat])
        # After the first look, the logout has stopped it.
        with mock.patch.object(type(client), "_heartbeat", new_callable=mock.PropertyMock, create=True) as heartbeat:
            heartbeat.side_effect = lambda *_: next(reads, None)
            self.assertEqual(client.variable("news"), "of the app")


class ExitInCallback(ServedTest):
    def test_holds_back_no_later_event(self) -> None:
        interrupted, lost = threading.Event(), threading.Event()

        def interrupt(error: SignetError) -> None:
            interrupted.set()
            sys.exit(1)

        with self.assertLogs("signet_client", logging.ERROR):
            client = self.client(
                heartbeat_interval=0.02,
                grace=0.02,
                on_interrupted=interrupt,
                on_lost=lambda error: lost.set(),
            )
            client.license("KEY")
            self.server.reject["heartbeat"] = (503, "MAINTENANCE")
            self.assertTrue(interrupted.wait(PATIENCE))
            self.server.reject["heartbeat"] = (403, "USER_BANNED")
            self.assertTrue(lost.wait(PATIENCE))


if __name__ == "__main__":
    unittest.main()
