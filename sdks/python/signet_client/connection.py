"""One kept-alive HTTP/1.1 connection to the server. Both kinds of clients run its steps."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Dict, Mapping, Optional

from .codes import SignetCode
from .errors import SignetError, network_error
from .http_reply import Head, ProtocolError, ReplyReader
from .limit import Steps
from .pipe import Channel, Waiting
from .server_address import Proxy, ServerAddress
from .verify import Reply

MAX_REPLY_BYTES = 1024 * 1024


class _Dropped(Exception):
    """The other side closed the connection before it said anything."""


class Connection:
    """Posts bytes and returns the answer as it came. One call at a time."""

    def __init__(self, address: ServerAddress, waiting: Waiting) -> None:
        self._address = address
        self._waiting = waiting
        self._channel: Optional[Channel] = None
        self._reader: Optional[ReplyReader] = None

    def post(self, path: str, headers: Mapping[str, str], body: bytes) -> Steps[Reply]:
        """Sends once; a second time only if an idle connection turned out to be closed.

        The second time sends the same nonce, so a server that got the first rejects it instead of doing it twice.
        """
        request = self._request("POST", path, headers, body)
        try:
            if self._channel is not None:
                try:
                    return (yield from self._exchange(request))
                except _Dropped:
                    self.close()
            return (yield from self._exchange(request))
        except (OSError, ValueError, _Dropped) as error:
            raise network_error(error) from error

    def get(self, path: str, headers: Mapping[str, str]) -> Steps[Head]:
        """The beginning of an answer; ``read`` gives the rest."""
        try:
            return (yield from self._ask(self._request("GET", path, headers, b"")))
        except (OSError, ValueError, _Dropped) as error:
            self.close()
            raise network_error(error) from error

    def read(self) -> Steps[bytes]:
        """The next bytes of the body; none at its end."""
        assert self._reader is not None
        try:
            return (yield from self._reader.read())
        except (OSError, ValueError) as error:
            self.close()
            raise network_error(error) from error

    def close(self) -> None:
        """Drops the connection; the next call opens another."""
        if self._channel is not None:
            self._channel.close()
        self._channel = self._reader = None

    def _exchange(self, request: bytes) -> Steps[Reply]:
        is_kept = False
        try:
            head: Head = yield from self._ask(request)
            body = bytearray()
            while True:
                data: bytes = yield from self.read()
                if not data:
                    break
                body += data
                if len(body) > MAX_REPLY_BYTES:
                    raise ProtocolError("the answer is larger than any answer of a Signet server")
            is_kept = head.keeps_alive and self._reader is not None and not self._reader.has_more
            return Reply(head.status, head.headers, bytes(body))
        finally:
            if not is_kept:
                self.close()

    def _ask(self, request: bytes) -> Steps[Head]:
        if self._channel is None:
            yield from self._open()
        assert self._channel is not None
        self._reader = ReplyReader(self._channel.receive)
        try:
            yield from self._channel.send(request)
            head = yield from self._reader.head()
        except ConnectionError as error:
            if self._reader.has_begun:
                raise
            raise _Dropped(str(error)) from error
        if head is None:
            raise _Dropped("the connection was closed")
        return head

    def _open(self) -> Steps[None]:
        address, proxy = self._address, self._address.proxy
        pipe = self._waiting.new_pipe()
        self._channel = Channel(pipe)
        try:
            yield partial(pipe.connect, (proxy or address).host, (proxy or address).port)
            if address.tls is None:
                return
            if proxy is not None:
                yield from self._open_tunnel(self._channel, proxy)
            certificate = yield from self._channel.start_tls(address.tls, address.host)
            if address.fingerprints and hashlib.sha256(certificate).hexdigest() not in address.fingerprints:
                message = "The server shows another certificate than ssl_fingerprint."
                raise SignetError(SignetCode.FINGERPRINT_MISMATCH, message)
        except BaseException:
            self.close()
            raise

    def _open_tunnel(self, channel: Channel, proxy: Proxy) -> Steps[None]:
        host = f"[{self._address.host}]" if ":" in self._address.host else self._address.host
        target = f"{host}:{self._address.port}"
        headers = {"Host": target, **_authorization(proxy)}
        yield from channel.send(_bytes_of(f"CONNECT {target} HTTP/1.1", headers))
        head = yield from ReplyReader(channel.receive).head()
        if head is None or head.status != 200:
            raise ProtocolError(f"the proxy answers {head.status if head else 'nothing'}")

    def _request(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        complete = {"Host": self._address.authority, "Accept-Encoding": "identity", **headers}
        if method == "POST":
            complete["Content-Length"] = str(len(body))
        target, proxy = path, self._address.proxy
        if proxy is not None and self._address.tls is None:
            target = f"http://{self._address.authority}{path}"
            complete.update(_authorization(proxy))
        return _bytes_of(f"{method} {target} HTTP/1.1", complete) + body


def _authorization(proxy: Proxy) -> Dict[str, str]:
    return {} if proxy.authorization is None else {"Proxy-Authorization": proxy.authorization}


def _bytes_of(first_line: str, headers: Mapping[str, str]) -> bytes:
    lines = [first_line, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii")
