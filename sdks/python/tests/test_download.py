"""A file is what the server has signed for, or it isn't there."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

import package_path  # noqa: F401
from fake_server import FakeServer

from signet_client import SignetError

DATA = os.urandom(300_000)


class Download(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FakeServer().__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)
        self.server.files["file"] = DATA
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.client = self.server.client()
        self.addCleanup(self.client.close)

    def fails(self, code: str, file_id: str = "file", **changes: Any) -> SignetError:
        """Nothing of it is left, and what was there stays."""
        target = self.folder / "setup.exe"
        target.write_bytes(b"the old one")
        with self.assertRaises(SignetError) as raised:
            self.client.download(file_id, target)
        self.assertEqual(raised.exception.code, code)
        self.assertEqual([(each.name, each.read_bytes()) for each in self.folder.iterdir()], [("setup.exe", b"the old one")])
        return raised.exception

    def test_replaces_an_existing_file_with_the_signed_bytes(self) -> None:
        for path in (self.folder / "a.bin", str(self.folder / "b.bin")):
            Path(path).write_bytes(b"the old one")
            file = self.client.download("file", path)
            self.assertEqual((file.path, file.file_name, file.size), (str(path), "setup.exe", len(DATA)))
            self.assertEqual(Path(path).read_bytes(), DATA)
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_writes_an_empty_file(self) -> None:
        self.server.files["empty"] = b""
        self.client.download("empty", self.folder / "empty")
        self.assertEqual((self.folder / "empty").read_bytes(), b"")

    def test_discards_bytes_that_do_not_match_the_signed_hash(self) -> None:
        for tamper in (lambda data: data[:-1] + b"x", lambda data: data + b"x", lambda data: bytes(len(data))):
            self.server.file_on_the_wire = tamper
            self.fails("FILE_CORRUPT")
        self.assertEqual(self.server.ranges, [None] * 3)

    def test_a_shorter_file_counts_as_truncated(self) -> None:
        self.server.file_on_the_wire = lambda data: data[:-1]
        self.fails("NETWORK")

    def test_resumes_where_the_connection_broke(self) -> None:
        self.server.cut_files_after = [100_000, 200_000]
        self.client.download("file", self.folder / "a.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), DATA)
        self.assertEqual(self.server.ranges, [None, "bytes=100000-", "bytes=200000-"])

    def test_starts_over_when_the_file_was_replaced_in_the_meantime(self) -> None:
        other = os.urandom(200_000)
        self.server.cut_files_after = [100_000]

        def replaced(data: bytes) -> bytes:
            self.server.files["file"] = other
            return data

        self.server.file_on_the_wire = replaced
        file = self.client.download("file", self.folder / "a.bin")
        self.assertEqual((self.folder / "a.bin").read_bytes(), other)
        self.assertEqual(file.size, len(other))

    def test_gives_up_after_repeated_interruptions(self) -> None:
        self.server.cut_files_after = list(range(1000, 100_000, 1000))
        self.fails("NETWORK")
        self.assertEqual(len(self.server.ranges), 5)

    def test_a_failed_file_request_writes_nothing(self) -> None:
        for status in (302, 401, 404, 500):
            self.server.file_status = status
            self.fails("NETWORK")

    def test_a_rejection_keeps_the_error_of_the_server(self) -> None:
        error = self.fails("DOWNLOAD_NOT_FOUND", "nothing")
        self.assertTrue(error.is_refusal)
        self.server.refuse["download"] = (403, "NOT_SIGNED_IN")
        self.fails("NOT_SIGNED_IN")

    def test_rejects_another_address_or_a_file_without_a_hash(self) -> None:
        urls = ("https://example.com/x", "//example.com/x", "/elsewhere", "/api/1.0/download/a\r\nb", "/api/1.0/download/../x", 5)
        for extra in [*({"url": url} for url in urls), {"sha256": "x"}, {"size": -1}, {"size": True}, {"fileName": None}]:
            self.server.extra = extra
            self.fails("MALFORMED_REPLY")
        self.assertEqual(self.server.ranges, [])

    def test_a_path_that_cannot_be_written_is_a_signet_error(self) -> None:
        for path in (self.folder / "nowhere" / "x", self.folder, "a\0b", 5):
            with self.assertRaises(SignetError) as raised:
                self.client.download("file", path)  # type: ignore[arg-type]
            self.assertEqual(raised.exception.code, "FILE_NOT_WRITTEN")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_heartbeats_continue_during_a_download(self) -> None:
        self.client.license("KEY")
        beats = []

        def beat(data: bytes) -> bytes:
            beats.append(self.client.heartbeat())
            return data

        # From the server's thread, while the program waits for the bytes.
        self.server.file_on_the_wire = beat
        self.client.download("file", self.folder / "a.bin")
        self.assertEqual(len(beats), 1)


if __name__ == "__main__":
    unittest.main()
