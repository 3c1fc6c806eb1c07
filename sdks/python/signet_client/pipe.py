"""Bytes to and from one host, as the two kinds of clients wait for them, and the TLS on top."""

from __future__ import annotations

import ssl
from functools import partial
from typing import Any, Callable, Optional, Protocol

from .limit import Limit, Step, Steps


class Pipe(Protocol):
    """A TCP connection. Its methods are steps: blocking ones, or ones that return awaitables."""

    def connect(self, host: str, port: int, limit: Limit) -> Any: ...

    def send(self, data: bytes, limit: Limit) -> Any: ...

    def receive(self, limit: Limit) -> Any:
        """Some bytes; none at the end."""

    def close(self) -> None: ...


class Waiting(Protocol):
    """How a client waits."""

    def new_pipe(self) -> Pipe: ...

    def compute(self, work: Callable[[], Any], limit: Limit) -> Any:
        """The step of work on files and processes."""

    def pause(self, seconds: float, limit: Limit) -> Any:
        """The step of letting time pass."""


class Channel:
    """A pipe, encrypted or not."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._tls: Optional[ssl.SSLObject] = None
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()

    def start_tls(self, context: ssl.SSLContext, host: str) -> Steps[bytes]:
        """Encrypts from here on; returns the server's certificate."""
        tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        yield from self._run(tls.do_handshake)
        self._tls = tls
        return tls.getpeercert(binary_form=True) or b""

    def send(self, data: bytes) -> Steps[None]:
        if self._tls is None:
            yield partial(self._pipe.send, data)
            return
        self._tls.write(data)
        yield partial(self._pipe.send, self._outgoing.read())

    def receive(self) -> Steps[bytes]:
        """Some bytes; none at the end. Whether the end is too early is seen from the bytes before."""
        if self._tls is None:
            return (yield self._pipe.receive)
        try:
            return (yield from self._run(partial(self._tls.read, 65536)))
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""

    def close(self) -> None:
        self._pipe.close()

    def __del__(self) -> None:
        # A program may leave its client open.
        self.close()

    def _run(self, work: Callable[[], Any]) -> Steps[Any]:
        while True:
            is_waiting = False
            try:
                result = work()
            except ssl.SSLWantReadError:
                is_waiting, result = True, None
            if self._outgoing.pending:
                yield partial(self._pipe.send, self._outgoing.read())
            if not is_waiting:
                return result
            receive: Step = self._pipe.receive
            data: bytes = yield receive
            if data:
                self._incoming.write(data)
            else:
                self._incoming.write_eof()
