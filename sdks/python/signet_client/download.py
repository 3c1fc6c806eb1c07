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
from .errors import SignetError
from .limit import Step, Steps, TimeIsUp, heard
from .pipe import Waiting
from .session import text_of

FilePath = Union[str, "os.PathLike[str]"]

_MAX_TRIES = 5
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


def download_file(
    ask: Step, new_connection: Callable[[], Connection], waiting: Waiting, path: FilePath
) -> Steps[DownloadedFile]:
    """Writes the file to ``path``, whole and with the signed bytes, or leaves everything there as it was.

    ``ask`` is the step that gets an offer.
    """
    offer: FileOffer = yield ask
    yield heard
    try:
        target = os.path.abspath(os.fspath(path))
        partial_file = f"{target}.{secrets.token_hex(6)}.part"
        try:
            with open(partial_file, "xb", buffering=0) as file:
                offer = yield from _Receiver(ask, new_connection, waiting, file).receive(offer)
                yield partial(waiting.compute, partial(os.fsync, file.fileno()))
            os.replace(partial_file, target)
        finally:
            with suppress(OSError):
                os.remove(partial_file)
    except (OSError, TypeError, ValueError) as error:
        raise SignetError(SignetCode.FILE_NOT_WRITTEN, f"The file cannot be written: {error}") from error
    return DownloadedFile(target, offer.file_name, offer.size, offer.sha256)


class _Receiver:
    """Takes in one file, going on where a connection broke off."""

    def __init__(
        self, ask: Step, new_connection: Callable[[], Connection], waiting: Waiting, file: BinaryIO
    ) -> None:
        self._ask = ask
        self._new_connection = new_connection
        self._waiting = waiting
        self._file = file
        self._start_over()

    def receive(self, offer: FileOffer) -> Steps[FileOffer]:
        """Returns the offer whose bytes are in the file now; the owner may have replaced it meanwhile."""
        tries = 1
        while True:
            try:
                yield from self._receive_rest(offer)
                break
            except SignetError as error:
                is_cut = error.code == SignetCode.NETWORK and not isinstance(error, TimeIsUp)
                if not is_cut or self._received == 0 or tries == _MAX_TRIES:
                    raise
            tries += 1
            # The address expires, and a file that was replaced has other bytes.
            yield heard
            again: FileOffer = yield self._ask
            yield heard
            if again.sha256 != offer.sha256:
                self._start_over()
            offer = again
        if self._hash.hexdigest() != offer.sha256:
            raise _corrupt()
        return offer

    def _receive_rest(self, offer: FileOffer) -> Steps[None]:
        connection, start = self._new_connection(), self._received
        headers = {"If-Range": f'"{offer.sha256}"', "Range": f"bytes={start}-"} if start > 0 else {}
        try:
            head = yield from connection.get(offer.url, headers)
            is_rest = head.status == 206 and head.headers.get("content-range", "").startswith(f"bytes {start}-")
            if head.status != 200 and not is_rest:
                message = f"The server answers {head.status} instead of the file."
                raise SignetError(SignetCode.NETWORK, message)
            if not is_rest:
                self._start_over()
            while True:
                data: bytes = yield from connection.read()
                if not data:
                    break
                yield heard
                yield from self._write(data, offer)
        finally:
            connection.close()
        if self._received < offer.size:
            raise SignetError(SignetCode.NETWORK, "The file was cut short.")

    def _write(self, data: bytes, offer: FileOffer) -> Steps[None]:
        self._received += len(data)
        if self._received > offer.size:
            raise _corrupt()
        yield partial(self._waiting.compute, partial(self._store, data))

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
