"""A call ends when its time is up or somebody ends it, whatever the other side does. What hangs here hangs forever."""

from __future__ import annotations

import asyncio
import socket
import threading
import unittest
from contextlib import ExitStack
from typing import Any, Callable
from unittest import mock

import package_path  # noqa: F401
from both_clients import PATIENCE, ServedTest, for_both
from raw_server import Peer, RawServer

from signet_client import SignetError
from signet_client.blocking import Blocking, run
from signet_client.connection import Connection
from signet_client.limit import Silence, heard
from signet_client.server_address import server_address

HEAD = b"HTTP/1.1 200 OK\r\n"
FOREVER = 86_400.0
SHORT = 0.2


def answering(data: bytes, then: bytes) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        peer.request()
        peer.drip(data, then)

    return script


@for_both
class Deadline(ServedTest):
    def raw(self, script: Callable[[Peer], None]) -> RawServer:
        server = RawServer(script).__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        return server

    def ends(self, server_url: str, **changes: Any) -> SignetError:
        error = self.fails("NETWORK", self.client(server_url=server_url, timeout=SHORT, **changes).init)
        self.assertTrue(error.is_temporary)
        return error

    def test_a_server_that_never_answers(self) -> None:
        self.ends(f"http://{self.raw(lambda peer: peer.hang()).authority}")

    def test_headers_that_never_end(self) -> None:
        self.ends(f"http://{self.raw(answering(HEAD, b'x')).authority}")
        self.ends(f"http://{self.raw(answering(HEAD, b'X-A: b' + bytes([13, 10]))).authority}")

    def test_a_body_that_never_ends(self) -> None:
        self.ends(f"http://{self.raw(answering(HEAD + b'Content-Length: 100000' + bytes([13, 10, 13, 10]), b' ')).authority}")
        chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
        self.ends(f"http://{self.raw(answering(chunked, b'1' + bytes([13, 10]) + b' ' + bytes([13, 10]))).authority}")
        self.ends(f"http://{self.raw(answering(chunked + b'0' + bytes([13, 10]), b'X-A: b' + bytes([13, 10]))).authority}")

    def test_a_tls_handshake_that_never_ends(self) -> None:
        self.ends(f"https://{self.raw(lambda peer: peer.hang()).authority}")

    def test_a_proxy_that_never_opens_the_tunnel(self) -> None:
        proxy = f"http://{self.raw(lambda peer: peer.hang()).authority}"
        self.ends("https://signet.example.com", proxy=proxy)

    @unittest.skipUnless(hasattr(socket, "SO_REUSEPORT"), "elsewhere a full queue rejects connections")
    def test_a_connection_that_is_never_accepted(self) -> None:
        with ExitStack() as stack:
            listener = stack.enter_context(socket.socket())
            listener.bind(("127.0.0.1", 0))
            listener.listen(0)
            for _ in range(4):
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(listener.getsockname())
            self.ends(f"http://127.0.0.1:{listener.getsockname()[1]}")

    def test_a_name_that_is_never_resolved(self) -> None:
        release = threading.Event()
        self.addCleanup(release.set)
        with mock.patch("socket.getaddrinfo", lambda *_, **__: release.wait(60) and []):
            self.ends("https://signet.example.com")

    def test_waiting_for_another_call(self) -> None:
        client = self.client(timeout=SHORT)
        client.init()
        if self.is_async:
            lock = client.inner._lock
            asyncio.run_coroutine_threadsafe(lock.acquire(), client.loop).result(PATIENCE)
            self.fails("NETWORK", client.init)
            client.loop.call_soon_threadsafe(lock.release)
        else:
            with client._turn:
                self.fails("NETWORK", client.init)
        client.init()

    def test_all_tries_together_have_one_deadline(self) -> None:
        """Each answer alone comes in time; a server that always wants another clock would go on twice."""
        pause = threading.Event()
        client = self.client(timeout=0.8)
        self.server.tamper = lambda request, reply: (pause.wait(0.5), reply)[1]
        self.server.reject["init"] = (400, "CLOCK_SKEW")
        self.fails("NETWORK", client.init)

    def test_a_rate_limit_is_raised_at_once_with_the_time_to_wait(self) -> None:
        for status in (429, 503):
            self.server.reject["init"] = (status, "RATE_LIMITED")
            self.server.extra = {"retryAfterSeconds": 3600}
            error = self.fails("RATE_LIMITED", self.client().init)
            self.assertEqual((error.retry_after, error.status, error.is_temporary), (3600, status, True))
        self.assertEqual(self.server.calls(), ["init", "init"])

    def test_the_client_works_again_afterwards(self) -> None:
        client = self.client(timeout=1.0)
        client.license("KEY")
        self.server.hang_on.add("heartbeat")
        self.fails("NETWORK", client.heartbeat)
        self.server.hang_on.clear()
        client.heartbeat()

    def test_a_file_fails_after_silence_and_leaves_nothing(self) -> None:
        self.server.files["file"] = bytes(100_000)
        client = self.client(timeout=SHORT)
        release = threading.Event()
        self.addCleanup(release.set)
        self.server.file_on_the_wire = lambda data: data if release.wait(60) else data
        self.fails("NETWORK", lambda: client.download("file", "/tmp/signet-nothing"))
        self.assertEqual(len(self.server.ranges), 0)


@for_both
class Ending(ServedTest):
    def hanging(self, call: str, act: Callable[[Any], Any]) -> Any:
        client = self.client(timeout=FOREVER)
        client.license("KEY")
        self.server.hang_on.add(call)
        outcome = self.in_background(lambda: act(client))
        self.eventually(lambda: call in self.server.calls())
        return client, outcome

    def test_a_cancelled_call_ends_and_the_session_goes_on(self) -> None:
        client, outcome = self.hanging("heartbeat", lambda client: client.heartbeat())
        waiting = self.in_background(lambda: client.variable("x"))
        client.cancel()
        self.assertEqual(outcome.code(), "CANCELLED")
        if waiting.code() != "CANCELLED":
            self.assertEqual(waiting.code(), "accepted")
        self.server.hang_on.clear()
        client.heartbeat()
        self.assertTrue(client.is_valid())

    def test_close_ends_calls_under_way_and_logs_out(self) -> None:
        client, outcome = self.hanging("variable", lambda client: client.variable("x"))
        client.close()
        self.assertEqual(outcome.code(), "CANCELLED")
        self.assertEqual(self.server.open_sessions(), 0)
        self.assertFalse(client.is_valid())
        self.assertFalse(self.server.is_over.is_set())

    def test_close_returns_when_the_logout_hangs_too(self) -> None:
        client, outcome = self.hanging("variable", lambda client: client.variable("x"))
        self.server.hang_on.add("logout")
        client.close()
        self.assertEqual(outcome.code(), "CANCELLED")
        self.assertFalse(client.is_valid())
        self.server.is_over.set()

    def test_close_ends_a_download(self) -> None:
        self.server.files["file"] = bytes(1000)
        client = self.client(timeout=FOREVER)
        started, release = threading.Event(), threading.Event()
        self.addCleanup(release.set)
        self.server.file_on_the_wire = lambda data: (started.set(), release.wait(60), data)[2]
        outcome = self.in_background(lambda: client.download("file", "/tmp/signet-nothing"))
        self.assertTrue(started.wait(60))
        client.close()
        self.assertEqual(outcome.code(), "CANCELLED")

    def test_close_twice_and_use_again(self) -> None:
        client = self.client()
        client.close()
        client.license("KEY")
        client.close()
        client.close()
        self.assertEqual(self.server.calls(), ["init", "license", "logout"])
        client.license("KEY")
        self.assertTrue(client.is_valid())

    def test_a_session_that_nobody_signed_in_to_is_closed_too(self) -> None:
        client = self.client()
        client.init()
        client.close()
        self.assertEqual(self.server.open_sessions(), 0)

    def test_an_unreachable_server_does_not_hold_up_logging_out(self) -> None:
        client, outcome = self.hanging("variable", lambda client: client.variable("x"))
        client.cancel()
        self.assertEqual(outcome.code(), "CANCELLED")
        self.server.__exit__(None, None, None)
        client.close()
        self.fails("SESSION_REQUIRED", client.heartbeat)


class SilenceOfFiles(unittest.TestCase):
    def test_a_slow_file_is_received_while_it_comes(self) -> None:
        """Longer than the deadline in all, but never silent for that long."""
        data = bytes(range(256)) * 40

        def script(peer: Peer) -> None:
            peer.request()
            peer.send(HEAD + b"Content-Length: %d\r\n\r\n" % len(data))
            for at in range(0, len(data), 1024):
                peer.is_over.wait(0.1)
                peer.send(data[at : at + 1024])

        server = RawServer(script).__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        address = server_address(
            f"http://{server.authority}", ssl_fingerprint="auto", proxy=None, ca_file=None, allow_http=False
        )

        def receive() -> Any:
            connection, received = Connection(address, Blocking()), b""
            yield from connection.get("/", {})
            while True:
                more = yield from connection.read()
                if not more:
                    connection.close()
                    return received
                yield heard
                received += more

        self.assertEqual(run(receive(), Silence(0.6)), data)


if __name__ == "__main__":
    unittest.main()
