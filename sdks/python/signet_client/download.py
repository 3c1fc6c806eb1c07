"""Files of an app: received over a connection of their own, believed only by their signed SHA-256."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Callable, Mapping, Union

from .codes import SignetCode
from .connection import Connection
from .download_attempts import Attempts, NotTheFile
from .errors import SignetError
from .limit import Step, Steps, heard, pause
from .pipe import Waiting
from .session import text_of

FilePath = Union[str, "os.PathLike[str]"]

_URL = re.compile(r"/api/1\.0/download/[\w.~?=&%-]{1,500}", re.ASCII)


@dataclass(frozen=True)
class DownloadedFile:
    """A file that stands at ``path``, with the bytes that the server has signed for."""

    path: str
    #: As the owner uploaded it. Untrusted text, so don't use it as a path.
    file_name: str
    #: Bytes.
    size: int
    #: Hexadecimal.
    sha256: str


@dataclass(frozen=True)
class FileOffer:
    """What the server says, signed, about a file, and where its bytes are for a minute."""

    file_name: str
    size: int
    sha256: str
    url: str


def file_offer_of(fields: Mapping[str, Any]) -> FileOffer:
    """The file in the reply to ``download``."""
    size, sha256, url = fields.get("size"), text_of(fields, "sha256"), text_of(fields, "url")
    if type(size) is not int or size < 0 or not re.fullmatch("[0-9a-f]{64}", sha256) or not _URL.fullmatch(url):
        raise SignetError(SignetCode.MALFORMED_REPLY, "The server's signed answer lacks a proper file.")
    return FileOffer(text_of(fields, "fileName"), size, sha256, url)


@dataclass(frozen=True)
class FileSource:
    """Where a file comes from."""

    #: The step that gets an offer.
    ask: Step
    new_connection: Callable[[], Connection]
    #: The step that runs others; their time is up after silence.
    until_silence: Callable[[Steps[None]], Step]
    waiting: Waiting
    #: Seconds.
    timeout: float


def download_file(source: FileSource, path: FilePath) -> Steps[DownloadedFile]:
    """Writes the file to ``path``, whole and with the signed bytes, or leaves everything there as it was."""
    attempts = Attempts(source.waiting, source.timeout)
    offer = yield from attempts.repeat(partial(_asked, source))
    try:
        target = os.path.abspath(os.fspath(path))
        partial_file = f"{target}.{secrets.token_hex(6)}.part"
        try:
            with open(partial_file, "xb", buffering=0) as file:
                _keep_permissions(target, file)
                offer = yield from _Receiver(source, attempts, file).receive(offer)
                yield partial(source.waiting.compute, partial(os.fsync, file.fileno()))
            os.replace(partial_file, target)
        finally:
            with suppress(OSError):
                os.remove(partial_file)
    except (OSError, TypeError, ValueError) as error:
        raise SignetError(SignetCode.FILE_NOT_WRITTEN, f"The file cannot be written: {error}") from error
    return DownloadedFile(target, offer.file_name, offer.size, offer.sha256)


def _keep_permissions(target: str, file: BinaryIO) -> None:
    """Those of the file that is replaced, on systems that have them: a program stays executable, a private file private."""
    if os.name == "posix" and os.path.exists(target):
        os.fchmod(file.fileno(), os.stat(target).st_mode & 0o777)


def _asked(source: FileSource) -> Steps[FileOffer]:
    return (yield source.ask)


class _Receiver:
    """Takes in one file, going on where a connection broke off."""

    def __init__(self, source: FileSource, attempts: Attempts, file: BinaryIO) -> None:
        self._source = source
        self._attempts = attempts
        self._file = file
        self._start_over()

    def receive(self, offer: FileOffer) -> Steps[FileOffer]:
        """Returns the offer whose bytes are in the file now; the owner may have replaced it meanwhile."""
        self._offer = offer
        is_fresh = True

        def attempt() -> Steps[None]:
            nonlocal is_fresh
            if not is_fresh:
                # The address expires, and a file that was replaced has other bytes.
                again = yield from _asked(self._source)
                if again.sha256 != self._offer.sha256:
                    self._start_over()
                self._offer = again
            is_fresh = False
            if self._received == self._offer.size > 0:
                # The connection broke after the last byte, and a server has no part to give beyond it.
                return
            yield self._source.until_silence(self._receive_rest(self._offer))

        yield from self._attempts.repeat(attempt)
        if self._hash.hexdigest() != self._offer.sha256:
            raise _corrupt()
        return self._offer

    def _receive_rest(self, offer: FileOffer) -> Steps[None]:
        connection, start = self._source.new_connection(), self._received
        headers = {"If-Range": f'"{offer.sha256}"', "Range": f"bytes={start}-"} if start > 0 else {}
        try:
            head = yield from connection.get(offer.url, headers)
            is_rest = head.status == 206 and head.headers.get("content-range", "").startswith(f"bytes {start}-")
            if head.status == 429 or head.status >= 500:
                raise SignetError(SignetCode.NETWORK, f"The server answers {head.status}.")
            if head.status != 200 and not is_rest:
                raise NotTheFile(head.status)
            if not is_rest:
                self._start_over()
            while True:
                data: bytes = yield from connection.read()
                if not data:
                    break
                # A write that goes on behind an attempt that was given up would mix its bytes with those of the next.
                yield pause
                yield from self._write(data, offer)
                yield heard
        finally:
            connection.close()
        if self._received < offer.size:
            raise SignetError(SignetCode.NETWORK, "The file was cut short.")

    def _write(self, data: bytes, offer: FileOffer) -> Steps[None]:
        self._received += len(data)
        if self._received > offer.size:
            raise _corrupt()
        yield partial(self._source.waiting.compute, partial(self._store, data))

    def _store(self, data: bytes) -> None:
        self._hash.update(data)
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]

    def _start_over(self) -> None:
        self._received = 0
        self._hash = hashlib.sha256()
        self._file.seek(0)
        self._file.truncate()


def _corrupt() -> SignetError:
    return SignetError(SignetCode.FILE_CORRUPT, "The file isn't the one that the server has signed for.")
