"""A program that forks: each process has a connection and a heartbeat of its own, in the same session."""

from __future__ import annotations

import os
import traceback
import unittest
from typing import Any, Callable

import package_path  # noqa: F401
from both_clients import PATIENCE, ServedTest

from signet_client import SignetError


@unittest.skipUnless(hasattr(os, "fork"), "no fork on this system")
class ForkedProcess(ServedTest):
    def in_child(self, act: Callable[[], Any]) -> str:
        """What it returns in a new process, or the code of its error."""
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                try:
                    text = str(act())
                except SignetError as error:
                    text = error.code
                except BaseException:
                    text = traceback.format_exc()
                os.write(writer, text.encode("utf-8"))
            finally:
                os._exit(0)
        os.close(writer)
        with open(reader, encoding="utf-8") as file:
            text = file.read()
        os.waitpid(pid, 0)
        return text

    def test_uses_a_connection_of_its_own(self) -> None:
        client = self.client()
        client.license("KEY")
        self.assertEqual(self.in_child(lambda: client.variable("news")), "of the app")
        self.assertEqual(client.variable("news"), "of the app")
        # The old process goes on with the first one.
        self.assertEqual(self.server.connections, 2)

    def test_signs_in_with_a_session_of_its_own(self) -> None:
        client = self.client()
        client.init()
        self.assertEqual(self.in_child(lambda: client.license("KEY").username), "alice")
        client.license("KEY-2")
        client.heartbeat()
        tokens = [headers["X-Signet-Session"] for name, _, headers in self.server.received if name == "license"]
        self.assertEqual(len(set(tokens)), 2)

    def test_does_not_wait_for_a_thread_of_the_old_process(self) -> None:
        client = self.client(timeout=PATIENCE)
        client.license("KEY")
        with client._turn, client._core.exchange._verifier._accepting:
            self.assertEqual(self.in_child(lambda: client.variable("news")), "of the app")

    def test_goes_on_with_the_heartbeat(self) -> None:
        client = self.client(heartbeat_interval=0.02)
        client.license("KEY")
        schedule = client._core.signed_in.schedule

        def is_heard_again() -> bool:
            before = schedule._heard_at
            self.eventually(lambda: schedule._heard_at > before)
            return client.is_valid()  # type: ignore[no-any-return]

        self.assertEqual(self.in_child(is_heard_again), "True")


if __name__ == "__main__":
    unittest.main()
