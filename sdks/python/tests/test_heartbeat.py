"""The background heartbeat: silent while all is well, and heard exactly once when it is not."""

from __future__ import annotations

import threading
import unittest
from typing import Any, List

import package_path  # noqa: F401
from fake_server import FakeServer

from signet_client import SignetError
from signet_client.heartbeat import Heartbeat

PATIENCE = 30.0


class BackgroundHeartbeat(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FakeServer().__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)
        self.heard: List[SignetError] = []
        self.lost = threading.Event()
        self.beats = threading.Semaphore(0)
        self.server.tamper = self.count

    def count(self, request: Any, reply: Any) -> Any:
        if request.path.endswith("/heartbeat"):
            self.beats.release()
        return reply

    def on_lost(self, error: SignetError) -> None:
        self.heard.append(error)
        self.lost.set()

    def signed_in(self, **changes: Any) -> Any:
        settings = {"heartbeat_interval": 0.02, "on_lost": self.on_lost, **changes}
        client = self.server.client(**settings)
        self.addCleanup(client.close)
        client.license("KEY")
        return client

    def wait_for_beats(self, count: int) -> None:
        for _ in range(count):
            self.assertTrue(self.beats.acquire(timeout=PATIENCE))

    def test_sends_heartbeats_while_valid(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(5)
        self.assertTrue(client.is_valid())
        self.assertEqual(self.heard, [])

    def test_a_rejection_is_reported_once_and_stops_the_heartbeat(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(2)
        self.server.refuse["heartbeat"] = (403, "USER_BANNED")
        self.assertTrue(self.lost.wait(PATIENCE))
        self.assertFalse(client.is_valid())
        self.assertEqual(client.lost.code, "USER_BANNED")
        received = len(self.server.received)
        self.assertFalse(threading.Event().wait(0.2))
        self.assertEqual(len(self.server.received), received)
        self.assertEqual([error.code for error in self.heard], ["USER_BANNED"])

    def test_without_a_callback_is_valid_still_turns_false(self) -> None:
        client = self.signed_in(on_lost=None)
        self.server.refuse["heartbeat"] = (401, "SESSION_EXPIRED")
        for thread in threading.enumerate():
            if thread.name == "signet-heartbeat":
                thread.join(PATIENCE)
        self.assertFalse(client.is_valid())
        self.assertEqual(client.lost.code, "SESSION_EXPIRED")

    def test_an_outage_within_the_grace_period_is_tolerated(self) -> None:
        client = self.signed_in(grace=60.0)
        failures = threading.Semaphore(0)

        def fail_thrice(request: Any, reply: Any) -> Any:
            failures.release()
            if len(answers) < 3:
                answers.append(reply)
                bad = [None, type(reply)(502, {}, b"bad gateway"), type(reply)(200, reply.headers, b"{}")]
                return bad[len(answers) - 1]
            return self.count(request, reply)

        answers: List[Any] = []
        self.server.tamper = fail_thrice
        for _ in range(5):
            self.assertTrue(failures.acquire(timeout=PATIENCE))
        self.assertTrue(client.is_valid())
        self.assertEqual(self.heard, [])

    def test_an_outage_beyond_the_grace_period_loses_the_session(self) -> None:
        client = self.signed_in(grace=0.2)
        self.wait_for_beats(1)
        self.server.tamper = lambda request, reply: None
        self.assertTrue(self.lost.wait(PATIENCE))
        self.assertEqual([error.code for error in self.heard], ["NETWORK"])
        self.assertFalse(client.is_valid())

    def test_a_forged_success_does_not_extend_the_session(self) -> None:
        client = self.signed_in(grace=0.2)
        self.server.tamper = lambda request, reply: type(reply)(200, {}, reply.body)
        self.assertTrue(self.lost.wait(PATIENCE))
        self.assertEqual([error.code for error in self.heard], ["UNSIGNED_RESPONSE"])
        self.assertFalse(client.is_valid())

    def test_a_hanging_server_makes_is_valid_false_without_the_thread(self) -> None:
        client = self.signed_in(grace=1.5)
        self.wait_for_beats(1)
        hang = threading.Event()
        self.addCleanup(hang.set)
        self.server.tamper = lambda request, reply: hang.wait(PATIENCE) and reply
        self.assertTrue(client.is_valid())
        deadline = threading.Event()
        for _ in range(1000):
            if not client.is_valid():
                break
            deadline.wait(0.02)
        self.assertFalse(client.is_valid())
        self.assertEqual(self.heard, [])
        hang.set()

    def test_logging_out_stops_it_without_a_callback(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(1)
        client.logout()
        for thread in threading.enumerate():
            if thread.name == "signet-heartbeat":
                thread.join(PATIENCE)
                self.assertFalse(thread.is_alive())
        self.assertEqual(self.heard, [])

    def test_the_callback_can_use_the_client(self) -> None:
        client: Any = None
        done = threading.Event()

        def close(error: SignetError) -> None:
            client.close()
            done.set()

        client = self.signed_in(on_lost=close)
        self.server.refuse["heartbeat"] = (403, "LICENSE_BANNED")
        self.assertTrue(done.wait(PATIENCE))

    def test_signing_in_again_keeps_one_heartbeat_thread(self) -> None:
        client = self.signed_in()
        client.license("KEY")
        client.license("KEY")
        self.wait_for_beats(3)
        alive = [thread for thread in threading.enumerate() if thread.name == "signet-heartbeat"]
        for thread in alive[:-1]:
            thread.join(PATIENCE)
        self.assertEqual(sum(thread.is_alive() for thread in alive), 1)
        self.assertTrue(client.is_valid())


class Pauses(threading.Event):
    """Lets every pause pass at once, and writes down how long it was; ends after so many."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.lengths: List[float] = []

    def wait(self, timeout: Any = None) -> bool:
        self.lengths.append(timeout)
        return len(self.lengths) > self.count


class AskedToWait(unittest.TestCase):
    def test_the_heartbeat_waits_as_long_as_a_signed_429_asks(self) -> None:
        lost: List[SignetError] = []

        def beat(heartbeat: Heartbeat) -> None:
            raise SignetError("RATE_LIMITED", "Later.", status=429, details={"retryAfterSeconds": 37})

        heartbeat = Heartbeat(beat, lambda heartbeat, error: lost.append(error), interval=1.0, grace=600.0)
        pauses = Pauses(3)
        heartbeat._stopped = pauses
        heartbeat._run()
        self.assertEqual([round(length) for length in pauses.lengths[1:]], [37, 37, 37])
        self.assertEqual(lost, [])

    def test_a_temporary_rejection_is_not_final(self) -> None:
        for status, code, is_final in [(429, "SERVER_BUSY", False), (503, "DATABASE_UNAVAILABLE", False)]:
            self.assertEqual(SignetError(code, "", status=status).is_refusal, is_final)
        self.assertTrue(SignetError("LICENSE_BANNED", "", status=403).is_refusal)
        self.assertIsNone(SignetError("LICENSE_BANNED", "", status=403, details={"retryAfterSeconds": True}).retry_after)


if __name__ == "__main__":
    unittest.main()
