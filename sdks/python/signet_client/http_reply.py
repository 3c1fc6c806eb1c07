"""Reads one HTTP/1.1 answer, within limits, from whatever receives bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, Optional

from .limit import Steps

MAX_HEAD_BYTES = 64 * 1024
_MAX_INTERIM = 8
_STATUS_LINE = re.compile(r"HTTP/1\.([01]) ([1-9][0-9]{2})(?: .*)?")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_IN_VALUE = re.compile(r"[\r\n\0]")
_LENGTH = re.compile(r"[0-9]{1,15}")
_CHUNK = re.compile(r"([0-9A-Fa-f]{1,8})(?:[ \t]*;.*)?")


class ProtocolError(ValueError):
    """What was received is no HTTP, or too much of it."""


@dataclass(frozen=True)
class Head:
    """Names of headers are in lower case; one that comes twice is joined by a comma, which no check accepts."""

    status: int
    headers: Dict[str, str]
    keeps_alive: bool


class ReplyReader:
    """``receive`` gives some bytes, and none at the end."""

    def __init__(self, receive: Callable[[], Steps[bytes]]) -> None:
        self._receive = receive
        self._buffer = bytearray()
        self._left: Optional[int] = None
        self._is_chunked = False
        self._is_done = False
        self.has_begun = False

    @property
    def has_more(self) -> bool:
        """Whether something follows the answer, so that the connection can't be used again."""
        return bool(self._buffer)

    def head(self) -> Steps[Optional[Head]]:
        """Status and headers; ``None`` if the connection ends before them."""
        for _ in range(_MAX_INTERIM):
            end = self._buffer.find(b"\r\n\r\n")
            while end < 0:
                if len(self._buffer) > MAX_HEAD_BYTES:
                    raise ProtocolError("the answer's headers are too large")
                if not (yield from self._more()):
                    if not self.has_begun:
                        return None
                    raise ProtocolError("the answer was cut short")
                end = self._buffer.find(b"\r\n\r\n")
            if end > MAX_HEAD_BYTES:
                raise ProtocolError("the answer's headers are too large")
            text = self._take(end + 4)[:-4].decode("latin-1")
            head = self._head_of(text)
            if head.status >= 200:
                return head
        raise ProtocolError("the answer doesn't begin")

    def read(self) -> Steps[bytes]:
        """The next bytes of the body; none at its end."""
        if self._is_chunked and self._left == 0 and not self._is_done:
            yield from self._next_chunk()
        if self._is_done or self._left == 0:
            return b""
        if not self._buffer and not (yield from self._more()):
            if self._left is None:
                return b""
            raise ProtocolError("the answer was cut short")
        size = len(self._buffer) if self._left is None else min(self._left, len(self._buffer))
        data = self._take(size)
        if self._left is not None:
            self._left -= size
            if self._is_chunked and self._left == 0 and (yield from self._line()) != "":
                raise ProtocolError("a chunk is longer than it says")
        return data

    def _head_of(self, text: str) -> Head:
        first, *lines = text.split("\r\n")
        status = _STATUS_LINE.fullmatch(first)
        if status is None:
            raise ProtocolError("the answer is not HTTP/1.1")
        headers: Dict[str, str] = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon or not _NAME.fullmatch(name) or _NOT_IN_VALUE.search(value):
                raise ProtocolError("the answer has a malformed header")
            name, value = name.lower(), value.strip(" \t")
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        number = int(status.group(2))
        self._read_framing(number, headers)
        is_bounded = self._is_chunked or self._left is not None
        keeps_alive = is_bounded and status.group(1) == "1" and "close" not in headers.get("connection", "").lower()
        return Head(number, headers, keeps_alive)

    def _read_framing(self, status: int, headers: Dict[str, str]) -> None:
        coding, length = headers.get("transfer-encoding"), headers.get("content-length")
        self._is_chunked, self._left = coding is not None, None
        if status < 200 or status in (204, 304):
            self._is_chunked, self._left = False, 0
        elif coding is not None:
            if coding.lower() != "chunked" or length is not None:
                raise ProtocolError("the answer has an unknown length")
            self._left = 0
        elif length is not None:
            if not _LENGTH.fullmatch(length):
                raise ProtocolError("the answer has an unknown length")
            self._left = int(length)

    def _next_chunk(self) -> Steps[None]:
        size = _CHUNK.fullmatch((yield from self._line()))
        if size is None:
            raise ProtocolError("the answer has a malformed chunk")
        self._left = int(size.group(1), 16)
        if self._left == 0:
            self._is_done = True
            trailer_bytes = 0
            while True:
                line = yield from self._line()
                if line == "":
                    return
                trailer_bytes += len(line)
                if trailer_bytes > MAX_HEAD_BYTES:
                    raise ProtocolError("the answer's headers are too large")

    def _line(self) -> Steps[str]:
        while True:
            end = self._buffer.find(b"\r\n")
            if end >= 0:
                return self._take(end + 2)[:-2].decode("latin-1")
            if len(self._buffer) > MAX_HEAD_BYTES or not (yield from self._more()):
                raise ProtocolError("the answer was cut short")

    def _more(self) -> Steps[bool]:
        data: bytes = yield from self._receive()
        self._buffer += data
        self.has_begun = self.has_begun or bool(data)
        return bool(data)

    def _take(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data
