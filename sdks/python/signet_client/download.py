"""Files of an app: fetched over a connection of their own, believed only by their signed SHA-256."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Callable, Mapping, Union

from .errors import FILE_CORRUPT, FILE_NOT_WRITTEN, MALFORMED_REPLY, NETWORK, SignetError
from .session import text_of
from .transport import Transport

FilePath = Union[str, "os.PathLike[str]"]

_MAX_TRIES = 5
_URL = re.compile(r"/api/1\.0/download/[\w.~?=&%-]{1,500}", re.ASCII)


@dataclass(frozen=True)
class DownloadedFile:
    """A file that stands at ``path``, with the bytes that the server has signed for."""

    path: str
    #: As the owner uploaded it. Made by somebody else, so no path to write to.
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
        raise SignetError(MALFORMED_REPLY, "The server's signed answer lacks a proper file.")
    return FileOffer(text_of(fields, "fileName"), size, sha256, url)


def download_file(ask: Callable[[], FileOffer], transport: Transport, path: FilePath) -> DownloadedFile:
    """Write the file to ``path``, whole and with the signed bytes, or leave everything there as it was."""
    offer = ask()
    try:
        target = os.path.abspath(os.fspath(path))
        partial = f"{target}.{secrets.token_hex(6)}.part"
        try:
            with open(partial, "xb") as file:
                offer = _Receiver(ask, transport, file).receive(offer)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, target)
        finally:
            with suppress(OSError):
                os.remove(partial)
    except (OSError, TypeError, ValueError) as error:
        raise SignetError(FILE_NOT_WRITTEN, f"The file cannot be written: {error}") from error
    return DownloadedFile(target, offer.file_name, offer.size, offer.sha256)


class _Receiver:
    """Takes in one file, going on where a connection broke off."""

    def __init__(self, ask: Callable[[], FileOffer], transport: Transport, file: BinaryIO) -> None:
        self._ask = ask
        self._transport = transport
        self._file = file
        self._start_over()

    def receive(self, offer: FileOffer) -> FileOffer:
        """Gives the offer whose bytes are in the file now; the owner may have replaced it meanwhile."""
        tries = 1
        while True:
            try:
                self._receive_rest(offer)
                break
            except SignetError as error:
                if error.code != NETWORK or self._received == 0 or tries == _MAX_TRIES:
                    raise
            tries += 1
            # The address has an end, and a file that was replaced has other bytes.
            again = self._ask()
            if again.sha256 != offer.sha256:
                self._start_over()
            offer = again
        if self._hash.hexdigest() != offer.sha256:
            raise _corrupt()
        return offer

    def _receive_rest(self, offer: FileOffer) -> None:
        with self._transport.open_file(offer.url, start=self._received, etag=offer.sha256) as answer:
            if answer.start != self._received:
                self._start_over()
            for chunk in answer.chunks:
                self._received += len(chunk)
                if self._received > offer.size:
                    raise _corrupt()
                self._hash.update(chunk)
                self._file.write(chunk)
        if self._received < offer.size:
            raise SignetError(NETWORK, "The file was cut short.")

    def _start_over(self) -> None:
        self._received = 0
        self._hash = hashlib.sha256()
        self._file.seek(0)
        self._file.truncate()


def _corrupt() -> SignetError:
    return SignetError(FILE_CORRUPT, "The file isn't the one that the server has signed for.")
