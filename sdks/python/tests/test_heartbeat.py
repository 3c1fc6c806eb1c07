"""The background heartbeat: silent while all is well, and heard exactly once when it is not."""

from __future__ import annotations

import threading
import unittest
from typing import Any, List, Optional
from unittest import mock

import package_path  # noqa: F401
from both_clients import PATIENCE, ServedTest, for_both

from signet_client import SignetError
from signet_client.heartbeat import Schedule, SleepWatch
from signet_client.verify import Reply


@for_both
class BackgroundHeartbeat(ServedTest):
    def setUp(self) -> None:
        super().setUp()
        self.events: List[str] = []
        self.beats = threading.Semaphore(0)
        self.server.tamper = self.count

    def count(self, request: Any, reply: Any) -> Any:
        if request.path.endswith("/heartbeat"):
            self.beats.release()
        return reply

    def signed_in(self, **changes: Any) -> Any:
        settings = {
            "heartbeat_interval": 0.02,
            "on_lost": lambda error: self.events.append(f"lost {error.code}"),
            "on_interrupted": lambda error: self.events.append(f"interrupted {error.code}"),
            "on_resumed": lambda: self.events.append("resumed"),
            **changes,
        }
        client = self.client(**settings)
        client.license("KEY")
        return client

    def wait_for_beats(self, count: int) -> None:
        for _ in range(count):
            self.assertTrue(self.beats.acquire(timeout=PATIENCE))

    def wait_for(self, *events: str) -> None:
        self.eventually(lambda: len(self.events) >= len(events))
        self.assertEqual(self.events, list(events))

    def test_sends_heartbeats_while_valid(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(5)
        self.assertTrue(client.is_valid())
        self.assertEqual(self.events, [])

    def test_a_rejection_is_reported_once_and_stops_the_heartbeat(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(2)
        self.server.reject["heartbeat"] = (403, "USER_BANNED")
        self.wait_for("lost USER_BANNED")
        self.assertFalse(client.is_valid())
        self.assertEqual(client.lost.code, "USER_BANNED")
        received = len(self.server.received)
        self.fails("USER_BANNED", client.heartbeat)
        self.assertFalse(threading.Event().wait(0.2))
        self.assertEqual(len(self.server.received), received)
        self.assertEqual(self.events, ["lost USER_BANNED"])

    def test_without_a_callback_is_valid_still_turns_false(self) -> None:
        client = self.signed_in(on_lost=None)
        self.server.reject["heartbeat"] = (401, "SESSION_ENDED")
        self.eventually(lambda: not client.is_valid())
        self.assertEqual(client.lost.code, "SESSION_ENDED")

    def test_an_outage_within_the_grace_period_is_tolerated(self) -> None:
        client = self.signed_in(grace=600.0)
        answers: List[Any] = []
        failures = threading.Semaphore(0)

        def fail_thrice(request: Any, reply: Any) -> Any:
            failures.release()
            if len(answers) < 3:
                answers.append(reply)
                bad = [None, Reply(502, {}, b"bad gateway"), Reply(200, reply.headers, b"{}")]
                return bad[len(answers) - 1]
            return reply

        self.server.tamper = fail_thrice
        for _ in range(5):
            self.assertTrue(failures.acquire(timeout=PATIENCE))
        self.assertTrue(client.is_valid())
        self.assertEqual(self.events, [])

    def test_a_long_outage_interrupts_and_never_loses_the_session(self) -> None:
        client = self.signed_in(grace=0.2)
        self.wait_for_beats(1)
        self.server.tamper = lambda request, reply: None
        self.wait_for("interrupted NETWORK")
        self.assertFalse(client.is_valid())
        self.assertIsNone(client.lost)
        received = len(self.server.received)
        self.eventually(lambda: len(self.server.received) > received + 3)
        self.assertEqual(self.events, ["interrupted NETWORK"])
        self.server.tamper = self.count
        self.wait_for("interrupted NETWORK", "resumed")
        self.assertTrue(client.is_valid())

    def test_an_interruption_is_reported_while_a_heartbeat_hangs(self) -> None:
        self.server.hang_on.add("heartbeat")
        client = self.signed_in(grace=0.2, timeout=86_400.0)
        self.wait_for("interrupted NETWORK")
        self.assertFalse(client.is_valid())
        self.assertEqual(self.server.calls().count("heartbeat"), 1)

    def test_after_a_standstill_the_answer_of_the_server_decides(self) -> None:
        client = self.signed_in(heartbeat_interval=1.0, grace=600.0)
        schedule = client._core.signed_in.schedule
        schedule._heard_at -= 86_400.0
        self.assertFalse(client.is_valid())
        self.eventually(client.is_valid)
        self.assertEqual(self.events, [])

    def test_a_forged_success_does_not_extend_the_session(self) -> None:
        client = self.signed_in(grace=0.2)
        self.server.tamper = lambda request, reply: Reply(200, {}, reply.body)
        self.wait_for("interrupted UNSIGNED_RESPONSE")
        self.assertFalse(client.is_valid())

    def test_a_temporary_error_does_not_extend_the_session_either(self) -> None:
        client = self.signed_in(grace=0.2)
        self.server.reject["heartbeat"] = (503, "MAINTENANCE")
        self.wait_for("interrupted MAINTENANCE")
        self.assertFalse(client.is_valid())
        self.server.reject.clear()
        self.wait_for("interrupted MAINTENANCE", "resumed")

    def test_other_answers_do_not_extend_it(self) -> None:
        client = self.signed_in(grace=0.2)
        self.server.reject["heartbeat"] = (503, "MAINTENANCE")

        def is_over() -> bool:
            client.variable("x")
            return not client.is_valid()

        self.eventually(is_over)

    def test_a_session_that_expired_in_sleep_goes_on_without_a_word(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(1)
        self.server.expire_sessions()
        self.eventually(lambda: "renew" in self.server.calls())
        self.wait_for_beats(4)
        self.assertTrue(client.is_valid())
        self.assertEqual(self.events, [])

    def test_a_renewal_that_is_rejected_is_reported_as_lost(self) -> None:
        self.server.reject["renew"] = (403, "SUBSCRIPTION_EXPIRED")
        self.signed_in()
        self.server.expire_sessions()
        self.wait_for("lost SUBSCRIPTION_EXPIRED")

    def test_a_hanging_server_makes_is_valid_false_before_the_heartbeat_ends(self) -> None:
        client = self.signed_in(grace=0.5, timeout=86_400.0)
        self.wait_for_beats(1)
        self.server.hang_on.add("heartbeat")
        self.eventually(lambda: not client.is_valid())
        self.assertIsNone(client.lost)

    def test_no_heartbeat_in_the_background_means_the_end_of_the_session_counts(self) -> None:
        self.server.session_seconds = 1
        client = self.signed_in(heartbeat_interval=None)
        self.eventually(lambda: not client.is_valid())
        self.server.session_seconds = 3600
        client.heartbeat()
        self.assertTrue(client.is_valid())
        self.assertEqual(self.server.calls(), ["init", "license", "heartbeat"])

    def test_logging_out_stops_it_without_a_callback(self) -> None:
        client = self.signed_in()
        self.wait_for_beats(1)
        client.logout()
        received = len(self.server.received)
        self.assertFalse(threading.Event().wait(0.2))
        self.assertEqual(len(self.server.received), received)
        self.assertEqual(self.events, [])

    def test_the_callback_can_use_the_client(self) -> None:
        made: List[Any] = []
        done = threading.Event()

        def close(error: SignetError) -> None:
            made[0].close()
            done.set()

        async def close_async(error: SignetError) -> None:
            await made[0].inner.close()
            done.set()

        made.append(self.client(heartbeat_interval=0.02, on_lost=close_async if self.is_async else close))
        made[0].license("KEY")
        self.server.reject["heartbeat"] = (403, "LICENSE_BANNED")
        self.assertTrue(done.wait(PATIENCE))

    def test_a_callback_that_fails_stops_nothing(self) -> None:
        def fail(error: Optional[SignetError] = None) -> None:
            self.events.append("failed")
            raise RuntimeError("a bug of the program")

        if self.is_async:
            loop_errors: List[Any] = []
            client = self.client(heartbeat_interval=0.02, grace=0.1, on_interrupted=fail, on_resumed=fail)
            client.loop.set_exception_handler(lambda loop, context: loop_errors.append(context))
        else:
            client = self.client(heartbeat_interval=0.02, grace=0.1, on_interrupted=fail, on_resumed=fail)
        with self.assertLogs("signet_client", "ERROR") as logged:
            client.license("KEY")
            self.server.reject["heartbeat"] = (503, "MAINTENANCE")
            self.eventually(lambda: len(self.events) == 1)
            self.server.reject.clear()
            self.eventually(lambda: len(self.events) == 2 and client.is_valid())
            self.eventually(lambda: len(logged.records) == 2)
        if self.is_async:
            self.assertEqual(loop_errors, [])

    def test_a_loss_found_by_any_call_is_reported_once(self) -> None:
        client = self.signed_in(heartbeat_interval=3600.0)
        self.server.reject["variable"] = (403, "USER_PAUSED")
        self.fails("USER_PAUSED", lambda: client.variable("x"))
        self.fails("USER_PAUSED", client.heartbeat)
        self.wait_for("lost USER_PAUSED")

    def test_signing_in_again_keeps_one_heartbeat(self) -> None:
        client = self.signed_in()
        client.license("KEY")
        client.license("KEY")
        self.server.received.clear()
        self.wait_for_beats(5)
        tokens = {headers["X-Signet-Session"] for name, _, headers in self.server.received if name == "heartbeat"}
        self.eventually(lambda: self.server.open_sessions() == 1)
        self.assertEqual(len(tokens), 1)
        self.assertTrue(client.is_valid())
        self.assertEqual(self.events, [])


class WhenToAsk(unittest.TestCase):
    def test_the_interval_is_spread_by_10_percent(self) -> None:
        pauses = [Schedule(60.0, 180.0, 0.0).pause(0.0) for _ in range(1000)]
        self.assertTrue(54.0 <= min(pauses) < 57.0 < 63.0 < max(pauses) <= 66.0)

    def test_failures_are_retried_after_2_4_8_seconds_up_to_the_interval(self) -> None:
        schedule = Schedule(60.0, 180.0, 0.0)
        error = SignetError("NETWORK", "")
        for expected in (2, 4, 8, 16, 32, 60, 60):
            schedule.failed(error, 100.0)
            self.assertAlmostEqual(schedule._next_at - 100.0, expected, delta=expected * 0.1 + 0.001)
        schedule.heard(200.0)
        self.assertGreaterEqual(schedule.pause(200.0), 54.0)
        schedule.failed(error, 300.0)
        self.assertAlmostEqual(schedule._next_at, 302.0, delta=0.21)

    def test_it_waits_as_long_as_the_server_asks(self) -> None:
        schedule = Schedule(1.0, 600.0, 0.0)
        schedule.failed(SignetError("RATE_LIMITED", "", status=429, details={"retryAfterSeconds": 37}), 10.0)
        self.assertFalse(schedule.is_due(46.9))
        self.assertTrue(schedule.is_due(47.0))

    def test_it_never_gives_up(self) -> None:
        schedule = Schedule(60.0, 180.0, 0.0)
        for hour in range(1, 1000):
            schedule.failed(SignetError("NETWORK", ""), hour * 3600.0)
            self.assertLessEqual(schedule.pause(hour * 3600.0), 66.0)

    def test_the_silence_is_too_long_after_interval_and_grace_and_said_once(self) -> None:
        schedule = Schedule(60.0, 180.0, 0.0)
        self.assertFalse(schedule.is_overdue(246.0))
        self.assertIsNone(schedule.interruption(246.0))
        self.assertTrue(schedule.is_overdue(246.1))
        schedule.failed(SignetError("BAD_SIGNATURE", ""), 240.0)
        error = schedule.interruption(246.1)
        assert error is not None
        self.assertEqual(error.code, "BAD_SIGNATURE")
        self.assertIsNone(schedule.interruption(300.0))
        self.assertTrue(schedule.heard(301.0))
        self.assertFalse(schedule.heard(302.0))
        self.assertIsNone(schedule.interruption(303.0))

    def test_the_end_of_the_grace_period_is_waited_for(self) -> None:
        schedule = Schedule(10.0, 5.0, 0.0)
        schedule.failed(SignetError("RATE_LIMITED", "", details={"retryAfterSeconds": 3600}), 12.0)
        self.assertAlmostEqual(schedule.pause(12.0), 4.0)
        schedule.interruption(16.1)
        self.assertGreater(schedule.pause(16.1), 3000)

    def test_after_sleep_it_asks_at_once(self) -> None:
        schedule = Schedule(60.0, 180.0, 0.0)
        schedule.ask_now(1.0)
        self.assertTrue(schedule.is_due(1.0))
        with mock.patch("signet_client.heartbeat.time") as clock:
            clock.time.return_value, clock.monotonic.return_value = 1000.0, 50.0
            watch = SleepWatch()
            clock.time.return_value, clock.monotonic.return_value = 1010.0, 60.0
            self.assertFalse(watch.has_slept())
            clock.time.return_value = 30_000.0
            self.assertTrue(watch.has_slept())
            self.assertFalse(watch.has_slept())
            clock.time.return_value = 20_000.0
            self.assertFalse(watch.has_slept())


@for_both
class Sleep(ServedTest):
    def test_the_heartbeat_asks_when_the_computer_wakes(self) -> None:
        slept = threading.Event()
        with mock.patch.object(SleepWatch, "has_slept", lambda watch: slept.is_set() and not slept.clear()), mock.patch(
            f"signet_client.{'async_client' if self.is_async else 'background'}.PART_SECONDS", 0.02
        ):
            client = self.client(heartbeat_interval=3600.0)
            client.license("KEY")
            slept.set()
            self.eventually(lambda: "heartbeat" in self.server.calls())
            client.close()


if __name__ == "__main__":
    unittest.main()
