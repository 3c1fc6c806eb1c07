"""A host with several addresses, of which some lead nowhere. What hangs here hangs forever."""

from __future__ import annotations

import asyncio
import errno
import socket
import unittest
from typing import Any, Sequence
from unittest import mock

import package_path  # noqa: F401
from both_clients import PATIENCE, ServedTest, for_both
from raw_server import Peer, RawServer

from signet_client.asynchronous import Asynchronous
from signet_client.asynchronous import run_within
from signet_client.blocking import Blocking, run
from signet_client.connection import Connection
from signet_client.limit import Limit
from signet_client.server_address import server_address

FOREVER = 86_400.0
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK"


def answer(peer: Peer) -> None:
    peer.request()
    peer.send(ANSWER)


@for_both
class Addresses(ServedTest):
    def setUp(self) -> None:
        super().setUp()
        self.answering = RawServer(answer).__enter__()
        self.addCleanup(self.answering.__exit__, None, None, None)

    def found(self, addresses: Sequence[Any], seconds: float = FOREVER) -> bytes:
        """What a call to a host with these addresses gets."""
        limit = Limit(seconds)
        address = server_address(
            "http://licenses.example.com", ssl_fingerprint="auto", proxy=None, ca_file=None, allow_http=True
        )
        connection = Connection(address, Asynchronous() if self.is_async else Blocking())
        steps = connection.post("/", {}, b"")
        infos = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", each) for each in addresses]
        try:
            with mock.patch("socket.getaddrinfo", lambda *_, **__: infos):
                reply = asyncio.run(run_within(steps, limit)) if self.is_async else run(steps, limit)
        finally:
            connection.close()
        return reply.body

    def address(self, server: RawServer) -> Any:
        host, _, port = server.authority.partition(":")
        return host, int(port)

    def refusing(self) -> Any:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            return bound.getsockname()

    def silent(self) -> Any:
        """Of a full queue, which drops whoever else wants to connect."""
        listener = socket.socket()
        self.addCleanup(listener.close)
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = socket.socket()
            self.addCleanup(waiting.close)
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        return listener.getsockname()

    def long_head_start(self) -> None:
        for module in ("blocking", "asynchronous"):
            patch = mock.patch(f"signet_client.{module}.HEAD_START_SECONDS", FOREVER)
            patch.start()
            self.addCleanup(patch.stop)

    @unittest.skipUnless(hasattr(socket, "SO_REUSEPORT"), "elsewhere a full queue rejects connections")
    def test_silent_ones_hold_up_no_other(self) -> None:
        addresses = [self.silent(), self.silent(), self.address(self.answering)]
        call = self.in_background(lambda: self.found(addresses))
        self.eventually(call.is_done)
        self.assertEqual(call.code(), "accepted")

    @unittest.skipUnless(hasattr(socket, "SO_REUSEPORT"), "elsewhere a full queue rejects connections")
    def test_silent_ones_are_waited_for_no_longer_than_the_limit(self) -> None:
        addresses = [self.silent(), self.silent()]
        self.fails("NETWORK", lambda: self.found(addresses, seconds=0.5))

    def test_one_that_refuses_is_followed_by_the_next_at_once(self) -> None:
        self.long_head_start()
        self.assertEqual(self.found([self.refusing(), self.refusing(), self.address(self.answering)]), b"OK")

    def test_one_that_answers_is_the_only_one_tried(self) -> None:
        self.long_head_start()
        with RawServer(answer) as second:
            self.found([self.address(self.answering), self.address(second)])
            self.assertEqual((self.answering.connections, second.connections), (1, 0))

    def test_without_any_the_last_error_counts(self) -> None:
        error = self.fails("NETWORK", lambda: self.found([self.refusing(), self.refusing()]))
        self.assertIn(str(errno.ECONNREFUSED), str(error))
