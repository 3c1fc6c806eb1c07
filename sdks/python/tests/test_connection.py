"""One connection to the server: reused, opened again when it was closed, and through proxies."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
import threading
import unittest
from typing import Any, List
from unittest import mock

import package_path  # noqa: F401
from both_clients import ServedTest, for_both
from raw_server import Peer, RawServer

from signet_client.server_address import Proxy, ServerAddress, server_address


def address_of(server_url: str, **changes: Any) -> ServerAddress:
    options = {"ssl_fingerprint": "auto", "proxy": "auto", "ca_file": None, "allow_http": True, **changes}
    return server_address(server_url, **options)


@for_both
class Reconnecting(ServedTest):
    def raw(self, script: Any) -> RawServer:
        server = RawServer(script).__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        return server

    def relay(self, request: bytes) -> bytes:
        """What the fake server answers."""
        with socket.create_connection(self.server.url[7:].split(":")) as upstream:
            upstream.sendall(request)
            data = b""
            while b"\r\n\r\n" not in data:
                data += upstream.recv(65536)
            length = int(re.findall(rb"Content-Length: (\d+)", data)[0])
            while len(data.partition(b"\r\n\r\n")[2]) < length:
                data += upstream.recv(65536)
            return data

    def test_the_very_same_bytes_are_sent_once_more_only_over_a_kept_connection(self) -> None:
        seen: List[bytes] = []

        def script(peer: Peer) -> None:
            for _ in range(2):
                seen.append(peer.request())
                if len(seen) in (2, 3):
                    return
                peer.send(self.relay(seen[-1]))

        client = self.client(server_url=f"http://{self.raw(script).authority}")
        client.init()
        self.fails("NETWORK", client.init)
        self.assertEqual(len(seen), 3)
        self.assertEqual(seen[1], seen[2])
        self.assertNotEqual(seen[0], seen[1])

    def test_an_answer_that_began_is_not_asked_for_again(self) -> None:
        seen: List[bytes] = []

        def script(peer: Peer) -> None:
            while True:
                seen.append(peer.request())
                if len(seen) == 2:
                    return peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
                peer.send(self.relay(seen[-1]))

        client = self.client(server_url=f"http://{self.raw(script).authority}")
        client.init()
        self.fails("NETWORK", client.init)
        self.assertEqual(len(seen), 2)
        client.init()

    def test_a_connection_that_is_reset_in_the_middle_of_an_answer_is_not_tried_again(self) -> None:
        seen: List[bytes] = []

        def script(peer: Peer) -> None:
            while True:
                seen.append(peer.request())
                if len(seen) == 2:
                    peer.send(b"HTTP/1.1 200 OK\r\n")
                    # Until the client has read the beginning: a reset discards what it has not.
                    peer.is_over.wait(0.2)
                    peer.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                peer.send(self.relay(seen[-1]))

        client = self.client(server_url=f"http://{self.raw(script).authority}")
        client.init()
        self.fails("NETWORK", client.init)
        self.assertEqual(len(seen), 2)

    def test_an_answer_followed_by_another_ends_the_connection(self) -> None:
        """Else a server could answer before it is asked."""

        def script(peer: Peer) -> None:
            while True:
                request = peer.request()
                if not request:
                    return
                peer.send(self.relay(request) + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        server = self.raw(script)
        client = self.client(server_url=f"http://{server.authority}")
        client.init()
        client.init()
        self.assertEqual(server.connections, 2)

    def test_neither_compression_nor_cookies(self) -> None:
        client = self.client()
        self.server.extra_headers = {"Set-Cookie": "a=b"}
        client.license("KEY")
        client.heartbeat()
        for _, _, headers in self.server.received:
            self.assertEqual(headers["Accept-Encoding"], "identity")
            self.assertNotIn("Cookie", headers)

    def test_an_http_proxy_gets_the_whole_address_and_its_password(self) -> None:
        seen: List[bytes] = []

        def script(peer: Peer) -> None:
            seen.append(peer.request())
            first, _, rest = seen[-1].partition(b"\r\n")
            path = first.split(b" ")[1].replace(b"http://signet.example.com:81", b"")
            peer.send(self.relay(b"POST " + path + b" HTTP/1.1\r\n" + rest))

        client = self.client(
            server_url="http://signet.example.com:81",
            allow_http=True,
            proxy=f"http://me:p%40ss@{self.raw(script).authority}",
        )
        client.init()
        self.assertTrue(seen[0].startswith(b"POST http://signet.example.com:81/api/1.0/client/init HTTP/1.1\r\n"))
        password = base64.b64encode(b"me:p@ss")
        self.assertIn(b"\r\nProxy-Authorization: Basic " + password + b"\r\n", seen[0])
        self.assertIn(b"\r\nHost: signet.example.com:81\r\n", seen[0])

    def test_https_goes_through_a_tunnel_and_the_proxy_sees_nothing_of_the_request(self) -> None:
        seen: List[bytes] = []
        hello = threading.Event()

        def script(peer: Peer) -> None:
            seen.append(peer.request())
            peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            seen.append(peer.connection.recv(65536))
            hello.set()

        client = self.client(
            server_url="https://signet.example.com", proxy=f"http://me:secret@{self.raw(script).authority}"
        )
        self.fails("NETWORK", client.init)
        self.assertTrue(hello.wait(60))
        self.assertTrue(seen[0].startswith(b"CONNECT signet.example.com:443 HTTP/1.1\r\nHost: signet.example.com:443\r\n"))
        self.assertIn(b"Proxy-Authorization: Basic", seen[0])
        self.assertEqual(seen[1][:1], b"\x16", "a TLS handshake")

    def test_a_proxy_that_rejects_is_a_network_error(self) -> None:
        for answer in (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", b"", b"HTTP/1.1 302 Found\r\n\r\n"):

            def script(peer: Peer, answer: bytes = answer) -> None:
                peer.request()
                peer.send(answer)

            proxy = f"http://{self.raw(script).authority}"
            self.fails("NETWORK", self.client(server_url="https://signet.example.com", proxy=proxy).init)


class WhichProxy(unittest.TestCase):
    def proxy(self, server_url: str, proxy: Any = "auto", **environment: str) -> Any:
        names = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy")
        clean = {name: value for name, value in os.environ.items() if name not in names}
        with mock.patch.dict(os.environ, {**clean, **environment}, clear=True):
            return address_of(server_url, proxy=proxy).proxy

    def test_the_environment_is_followed_unless_told_otherwise(self) -> None:
        url = "https://signet.example.com"
        self.assertIsNone(self.proxy(url))
        expected = Proxy("proxy.test", 3128, None)
        self.assertEqual(self.proxy(url, HTTPS_PROXY="http://proxy.test:3128"), expected)
        self.assertEqual(self.proxy(url, https_proxy="proxy.test:3128"), expected)
        self.assertIsNone(self.proxy(url, HTTP_PROXY="http://proxy.test:3128"))
        self.assertEqual(self.proxy("http://signet.example.com", http_proxy="http://proxy.test:3128"), expected)
        self.assertIsNone(self.proxy(url, proxy=None, HTTPS_PROXY="http://proxy.test:3128"))
        self.assertEqual(self.proxy(url, proxy="http://proxy.test:3128", HTTPS_PROXY="http://other.test"), expected)

    def test_this_computer_and_exceptions_are_reached_directly(self) -> None:
        for url in ("https://localhost", "http://127.0.0.1:8080", "https://[::1]"):
            self.assertIsNone(self.proxy(url, HTTPS_PROXY="http://proxy.test", http_proxy="http://proxy.test"))
        for exceptions in ("example.com", ".example.com", "a.test, signet.example.com", "*", "EXAMPLE.com"):
            self.assertIsNone(self.proxy("https://signet.example.com", HTTPS_PROXY="http://p", NO_PROXY=exceptions))
        for others in ("net.example.com", "example.com.test", "ample.com", ","):
            self.assertIsNotNone(self.proxy("https://signet.example.com", HTTPS_PROXY="http://p", NO_PROXY=others))


class Authority(unittest.TestCase):
    def test_the_host_header_names_only_an_unusual_port(self) -> None:
        for url, expected in (
            ("https://signet.example.com", "signet.example.com"),
            ("https://signet.example.com:443/", "signet.example.com"),
            ("HTTPS://Signet.Example.com:80", "signet.example.com:80"),
            ("http://[::1]:8080", "[::1]:8080"),
            ("http://127.0.0.1", "127.0.0.1"),
        ):
            self.assertEqual(address_of(url).authority, expected)


if __name__ == "__main__":
    unittest.main()
