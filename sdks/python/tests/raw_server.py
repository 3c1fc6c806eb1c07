"""A server on a real socket that speaks exactly the bytes that a test tells it to."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Callable, List, Optional, Type

Script = Callable[["Peer"], None]


class Peer:
    """One connection, from the server's side."""

    def __init__(self, connection: socket.socket, is_over: threading.Event) -> None:
        self.connection = connection
        self.is_over = is_over

    def request(self) -> bytes:
        """Headers and body of the next request; empty if there is none."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.connection.recv(65536)
            if not more:
                return b""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lengths = [line[15:] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        while lengths and len(body) < int(lengths[0]):
            body += self.connection.recv(65536)
        return head + b"\r\n\r\n" + body

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def drip(self, data: bytes, then: bytes) -> None:
        """``data``, and then ``then`` again and again, in small bits, for as long as anybody listens."""
        self.send(data)
        while not self.is_over.wait(0.01):
            self.send(then)

    def hang(self) -> None:
        self.is_over.wait(60)


class RawServer:
    """Each connection runs ``script`` in a thread; what it raises closes the connection."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.is_over = threading.Event()
        self.connections = 0
        self.errors: List[BaseException] = []

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "RawServer":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.is_over.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                self._script(Peer(connection, self.is_over))
            except OSError:
                pass
