"""One kept-alive HTTP connection to the server, from the standard library."""

from __future__ import annotations

import hashlib
import http.client
import re
import socket
import ssl
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Dict, FrozenSet, Iterable, Iterator, Mapping, Optional, Union
from urllib.parse import urlsplit

from .errors import INVALID_CONFIGURATION, NETWORK, SSL_FINGERPRINT_MISMATCH, SignetError
from .verify import Reply

MAX_REPLY_BYTES = 1024 * 1024
_CHUNK_BYTES = 64 * 1024
_DROPPED = (ConnectionError, http.client.BadStatusLine, ssl.SSLEOFError, ssl.SSLZeroReturnError)


def read_fingerprints(value: Union[str, Iterable[str]]) -> FrozenSet[str]:
    """``"auto"`` is the empty set; otherwise hex SHA-256, colons allowed, a list or comma-separated."""
    if value == "auto":
        return frozenset()
    try:
        texts = value.split(",") if isinstance(value, str) else list(value)
        prints = frozenset(text.strip().replace(":", "").lower() for text in texts)
    except (TypeError, AttributeError):
        prints = frozenset()
    if not prints or not all(re.fullmatch("[0-9a-f]{64}", text) for text in prints):
        raise SignetError(
            INVALID_CONFIGURATION, 'ssl_fingerprint is "auto" or the hex SHA-256 of the server\'s certificate.'
        )
    return prints


class _PinnedConnection(http.client.HTTPSConnection):
    """Refuses, before anything is sent, a certificate that is not one of the expected."""

    def __init__(self, host: str, port: Optional[int], timeout: float, fingerprints: FrozenSet[str]) -> None:
        super().__init__(host, port, timeout=timeout, context=ssl.create_default_context())
        self._fingerprints = fingerprints

    def connect(self) -> None:
        super().connect()
        if not self._fingerprints:
            return
        certificate = self.sock.getpeercert(binary_form=True)
        if certificate is None or hashlib.sha256(certificate).hexdigest() not in self._fingerprints:
            self.close()
            raise SignetError(SSL_FINGERPRINT_MISMATCH, "The server shows another certificate than ssl_fingerprint.")


@dataclass(frozen=True)
class FileAnswer:
    """The bytes of a file as they come in; nothing about them is proven."""

    #: The first byte's place in the file.
    start: int
    chunks: Iterator[bytes]


class Transport:
    """Posts bytes, returns the answer as it came. Not thread-safe: the client holds a lock around it."""

    def __init__(self, server_url: str, fingerprints: FrozenSet[str], timeout: float) -> None:
        try:
            url = urlsplit(server_url)
            host, port = url.hostname, url.port
        except (ValueError, TypeError, AttributeError):
            raise SignetError(INVALID_CONFIGURATION, "server_url is no URL.") from None
        if not host or url.scheme not in ("http", "https") or url.path not in ("", "/"):
            raise SignetError(INVALID_CONFIGURATION, "server_url is like https://signet.example.com, without a path.")
        if url.query or url.fragment or url.username is not None:
            raise SignetError(INVALID_CONFIGURATION, "server_url holds no more than scheme, host and port.")
        if fingerprints and url.scheme == "http":
            raise SignetError(INVALID_CONFIGURATION, "ssl_fingerprint needs an https:// server_url.")
        self._timeout = timeout
        self._fingerprints = fingerprints
        self._is_encrypted = url.scheme == "https"
        self._host, self._port = host, port
        self._connection = self._new_connection()

    def post(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Send once; a second time only when an idle connection turned out to be gone.

        The second time sends the same nonce, so a server that had taken the first refuses it rather
        than acting twice.
        """
        was_open = self._connection.sock is not None
        try:
            return self._exchange(path, headers, body)
        except _DROPPED as error:
            if not was_open:
                raise _network_error(error) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _network_error(error) from error
        try:
            return self._exchange(path, headers, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _network_error(error) from error

    @contextmanager
    def open_file(self, path: str, *, start: int, etag: str) -> Iterator[FileAnswer]:
        """The bytes of a file from ``start`` on, or all of them where the server gives no part.

        Over a connection of its own and without a lock, so that heartbeats go on meanwhile.
        """
        headers = {"If-Range": f'"{etag}"', "Range": f"bytes={start}-"} if start > 0 else {}
        connection = self._new_connection()
        try:
            try:
                connection.request("GET", path, headers=headers)
                response = connection.getresponse()
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise _network_error(error) from error
            is_rest = response.status == 206 and (response.getheader("Content-Range") or "").startswith(f"bytes {start}-")
            if response.status != 200 and not is_rest:
                raise SignetError(NETWORK, f"The server answers {response.status} instead of the file.")
            yield FileAnswer(start if is_rest else 0, _chunks_of(response))
        finally:
            connection.close()

    def close(self) -> None:
        """Drop the connection; the next ``post`` opens another."""
        self._connection.close()

    def _new_connection(self) -> http.client.HTTPConnection:
        if self._is_encrypted:
            return _PinnedConnection(self._host, self._port, self._timeout, self._fingerprints)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _exchange(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        # A timeout of the socket ends silence only; this ends an answer that comes byte by byte.
        deadline = threading.Timer(self._timeout * 2, self._abort)
        deadline.daemon = True
        deadline.start()
        finished = False
        try:
            self._connection.request("POST", path, body=body, headers=dict(headers))
            response = self._connection.getresponse()
            data = response.read(MAX_REPLY_BYTES + 1)
            if len(data) > MAX_REPLY_BYTES:
                raise SignetError(NETWORK, "The answer is larger than any answer of a Signet server.")
            if response.length:
                raise ConnectionError("the answer was cut short")
            finished = True
            return Reply(response.status, _single_headers(response), data)
        finally:
            deadline.cancel()
            if not finished:
                self._connection.close()

    def _abort(self) -> None:
        connected = self._connection.sock
        if connected is not None:
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def _chunks_of(response: http.client.HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            chunk = response.read(_CHUNK_BYTES)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _network_error(error) from error
        if not chunk:
            return
        yield chunk


def _single_headers(response: http.client.HTTPResponse) -> Dict[str, str]:
    """Names in lower case; one that comes twice is joined, which no check accepts."""
    headers: Dict[str, str] = {}
    for name, value in response.getheaders():
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return headers


def _network_error(error: Exception) -> SignetError:
    reason = str(error) or type(error).__name__
    return SignetError(NETWORK, f"The server cannot be reached: {reason}")
