"""A file is what the server has signed for, or it isn't there."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import package_path  # noqa: F401
from both_clients import ServedTest, for_both
from raw_server import Peer, RawServer
from test_connection import address_of

from signet_client import SignetError
from signet_client.connection import Connection
from signet_client.verify import Reply
from signet_client.wire import Request

DATA = os.urandom(300_000)


def _redirected(authority: str) -> Any:
    """``Connection.get``, from another server."""
    get = Connection.get

    def get_there(connection: Connection, path: str, headers: Any) -> Any:
        connection._address = address_of(f"http://{authority}")
        return get(connection, path, headers)

    return get_there


@for_both
class Download(ServedTest):
    def setUp(self) -> None:
        super().setUp()
        self.server.files["file"] = DATA
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.asking = self.client()
        quickly = mock.patch("signet_client.download_attempts._PARTS_OF_TIMEOUT", 3000)
        quickly.start()
        self.addCleanup(quickly.stop)

    def leaves_nothing(self, code: str, file_id: str = "file") -> SignetError:
        """Nothing of it is left, and what was there stays."""
        target = self.folder / "setup.exe"
        target.write_bytes(b"the old one")
        error = self.fails(code, lambda: self.asking.download(file_id, target))
        self.assertEqual([(each.name, each.read_bytes()) for each in self.folder.iterdir()], [("setup.exe", b"the old one")])
        return error

    @unittest.skipUnless(os.name == "posix", "no such permissions on this system")
    def test_a_file_keeps_the_permissions_of_the_one_that_it_replaces(self) -> None:
        target = self.folder / "setup.bin"
        target.write_bytes(b"the old one")
        for mode in (0o750, 0o600):
            target.chmod(mode)
            self.asking.download("file", target)
            self.assertEqual((target.read_bytes(), target.stat().st_mode & 0o777), (DATA, mode))

    def test_replaces_an_existing_file_with_the_signed_bytes(self) -> None:
        for path in (self.folder / "a.bin", str(self.folder / "b.bin")):
            Path(path).write_bytes(b"the old one")
            file = self.asking.download("file", path)
            self.assertEqual((file.path, file.file_name, file.size), (str(path), "setup.exe", len(DATA)))
            self.assertEqual(Path(path).read_bytes(), DATA)
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_writes_an_empty_file(self) -> None:
        self.server.files["empty"] = b""
        self.asking.download("empty", self.folder / "empty")
        self.assertEqual((self.folder / "empty").read_bytes(), b"")

    def test_discards_bytes_that_do_not_match_the_signed_hash(self) -> None:
        for tamper in (lambda data: data[:-1] + b"x", lambda data: data + b"x", lambda data: bytes(len(data))):
            self.server.file_on_the_wire = tamper
            self.leaves_nothing("FILE_CORRUPT")
        self.assertEqual(self.server.ranges, [None] * 3)

    def test_stops_at_the_signed_size(self) -> None:
        """Else a server could fill the disk."""
        sent = []

        def script(peer: Peer) -> None:
            peer.request()
            peer.send(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in range(1000):
                peer.send(bytes(1 << 17))
                sent.append(1)

        with RawServer(script) as endless:
            with mock.patch.object(Connection, "get", _redirected(endless.authority)):
                self.leaves_nothing("FILE_CORRUPT")
        self.assertLess(len(sent), 1000)

    def test_a_transfer_that_goes_silent_is_resumed(self) -> None:
        self.asking = self.client(timeout=1)
        self.server.silent_after = [100_000, 150_000]
        self.asking.download("file", self.folder / "a.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), DATA)
        self.assertEqual(self.server.ranges, [None, "bytes=100000-", "bytes=150000-"])

    def test_a_transfer_that_is_silent_each_time_fails(self) -> None:
        self.asking = self.client(timeout=0.3)

        def script(peer: Peer) -> None:
            peer.request()
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(DATA) + DATA[:1000])
            peer.hang()

        with RawServer(script) as silent, mock.patch.object(Connection, "get", _redirected(silent.authority)):
            self.leaves_nothing("NETWORK")
            self.assertEqual(silent.connections, 5)

    def test_a_shorter_file_counts_as_truncated(self) -> None:
        self.server.file_on_the_wire = lambda data: data[:-1]
        self.leaves_nothing("NETWORK")

    def test_resumes_where_the_connection_broke(self) -> None:
        self.server.cut_files_after = [100_000, 200_000]
        self.asking.download("file", self.folder / "a.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), DATA)
        self.assertEqual(self.server.ranges, [None, "bytes=100000-", "bytes=200000-"])

    def test_a_connection_that_breaks_after_the_last_byte_harms_nothing(self) -> None:
        """As from a proxy that sends chunks; there is nothing left to ask for."""

        def script(peer: Peer) -> None:
            is_first = b"Range:" not in peer.request()
            chunk = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(DATA), DATA)
            peer.send(b"HTTP/1.1 200 OK\r\n" + chunk if is_first else b"HTTP/1.1 416 X\r\nContent-Length: 0\r\n\r\n")

        with RawServer(script) as server, mock.patch.object(Connection, "get", _redirected(server.authority)):
            self.asking.download("file", self.folder / "a.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), DATA)

    def test_starts_over_when_the_file_was_replaced_in_the_meantime(self) -> None:
        other = os.urandom(200_000)
        self.server.cut_files_after = [100_000]

        def replaced(data: bytes) -> bytes:
            self.server.files["file"] = other
            return data

        self.server.file_on_the_wire = replaced
        file = self.asking.download("file", self.folder / "a.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), other)
        self.assertEqual(file.size, len(other))

    def test_waits_out_a_temporary_error_and_raises_one_that_lasts(self) -> None:
        self.server.cut_files_after = [100_000]
        errors = iter([None, (503, "MAINTENANCE"), (429, "RATE_LIMITED")])

        def reject(request: Request, reply: Reply) -> Reply:
            error = next(errors, None) if request.path.endswith("/download") else None
            if error is None:
                return reply
            status, code = error
            return self.server.signed(request, status, {"success": False, "message": "Later", "code": code})

        self.server.tamper = reject
        self.asking.download("file", self.folder / "a.bin")
        self.assertEqual(self.server.calls().count("download"), 4)
        (self.folder / "a.bin").unlink()
        self.server.extra = {"retryAfterSeconds": 61}
        self.server.reject["download"] = (503, "MAINTENANCE")
        self.leaves_nothing("MAINTENANCE")
        self.assertEqual(self.server.calls().count("download"), 5)

    def test_is_cancelled_between_two_attempts(self) -> None:
        for end in ("cancel", "close"):
            self.server.reject["download"] = (503, "MAINTENANCE")
            self.server.extra = {"retryAfterSeconds": 60}
            before = self.server.calls().count("download")
            outcome = self.in_background(lambda: self.asking.download("file", self.folder / "a.bin"))
            self.eventually(lambda: self.server.calls().count("download") > before)
            getattr(self.asking, end)()
            self.assertEqual(outcome.code(), "CANCELLED")
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_gives_up_after_repeated_interruptions(self) -> None:
        self.server.cut_files_after = list(range(1000, 100_000, 1000))
        self.leaves_nothing("NETWORK")
        self.assertEqual(len(self.server.ranges), 5)

    def test_a_failed_file_request_writes_nothing(self) -> None:
        for status, attempts in ((302, 1), (401, 1), (404, 1), (416, 1), (429, 5), (503, 5)):
            self.server.file_status = status
            self.server.ranges.clear()
            self.leaves_nothing("NETWORK")
            self.assertEqual(len(self.server.ranges), attempts, status)

    def test_a_rejection_keeps_the_error_of_the_server(self) -> None:
        error = self.leaves_nothing("DOWNLOAD_NOT_FOUND", "nothing")
        self.assertTrue(error.is_signed)
        self.server.reject["download"] = (403, "NOT_SIGNED_IN")
        self.leaves_nothing("NOT_SIGNED_IN")

    def test_rejects_another_address_or_a_file_without_a_hash(self) -> None:
        urls = ("https://example.com/x", "//example.com/x", "/elsewhere", "/api/1.0/download/a\r\nb", "/api/1.0/download/../x", 5)
        for extra in [*({"url": url} for url in urls), {"sha256": "x"}, {"size": -1}, {"size": True}, {"fileName": None}]:
            self.server.extra = extra
            self.leaves_nothing("MALFORMED_REPLY")
        self.assertEqual(self.server.ranges, [])

    def test_a_path_that_cannot_be_written_is_a_signet_error(self) -> None:
        for path in (self.folder / "nowhere" / "x", self.folder, "a\0b", 5):
            self.fails("FILE_NOT_WRITTEN", lambda: self.asking.download("file", path))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_heartbeats_continue_during_a_download(self) -> None:
        self.asking.license("KEY")
        beats = []

        def beat(data: bytes) -> bytes:
            beats.append(self.asking.heartbeat())
            return data

        # From the server's thread, while the program waits for the bytes.
        self.server.file_on_the_wire = beat
        self.asking.download("file", self.folder / "a.bin")
        self.assertEqual(len(beats), 1)


if __name__ == "__main__":
    unittest.main()
