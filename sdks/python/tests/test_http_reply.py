"""What is HTTP, and how much of it, in whatever pieces it arrives."""

from __future__ import annotations

import unittest
from typing import Any, Dict, Generator, List, Optional, Tuple

import package_path  # noqa: F401

from signet_client.http_reply import MAX_HEAD_BYTES, Head, ProtocolError, ReplyReader

OK = b"HTTP/1.1 200 OK\r\n"


def read(data: bytes, piece: int = 1 << 20) -> Tuple[Optional[Head], bytes, ReplyReader]:
    """Reads an answer that arrives in pieces of so many bytes, and ends."""
    pieces = [data[at : at + piece] for at in range(0, len(data), piece)]

    def receive() -> Generator[Any, Any, bytes]:
        yield None
        return pieces.pop(0) if pieces else b""

    reader = ReplyReader(receive)

    def everything() -> Generator[Any, Any, Tuple[Optional[Head], bytes]]:
        head = yield from reader.head()
        body = b""
        while head is not None:
            more = yield from reader.read()
            if not more:
                break
            body += more
        return head, body

    steps = everything()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            head, body = done.value
            return head, body, reader


class HttpReply(unittest.TestCase):
    def test_anything_else_is_rejected(self) -> None:
        bad: Dict[str, bytes] = {
            "no HTTP": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
            "HTTP/2": b"HTTP/2 200\r\n\r\n",
            "a status of two digits": b"HTTP/1.1 99 X\r\n\r\n",
            "a status of four digits": b"HTTP/1.1 2000 X\r\n\r\n",
            "a status beginning with 0": b"HTTP/1.1 099 X\r\n\r\n",
            "a header without a colon": OK + b"X\r\n\r\n",
            "a header without a name": OK + b": x\r\n\r\n",
            "a space in a name": OK + b"X : x\r\n\r\n",
            "a folded header": OK + b"X: x\r\n y\r\n\r\n",
            "a bare line end in a value": OK + b"X: x\ny: z\r\n\r\n",
            "a negative length": OK + b"Content-Length: -1\r\n\r\n",
            "a length that is no number": OK + b"Content-Length: 0x5\r\n\r\n",
            "two lengths": OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            "a length and chunks": OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "an unknown coding": OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "a chunk of no size": OK + b"Transfer-Encoding: chunked\r\n\r\n\r\n",
            "a chunk of a negative size": OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
            "a chunk of a huge size": OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
            "a chunk longer than it says": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
            "only interim answers": b"HTTP/1.1 103 X\r\n\r\n" * 20,
            "an answer cut in its headers": OK + b"X: ",
            "an answer cut in its body": OK + b"Content-Length: 5\r\n\r\nhell",
            "chunks that don't end": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            "chunks cut in their trailer": OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n",
            "headers without end": OK + b"X: y\r\n" * 20_000,
            "one header without end": OK + b"X: " + b"y" * MAX_HEAD_BYTES + b"\r\n\r\n",
            "many spaces": OK + b"X:" + b" " * MAX_HEAD_BYTES + b"y\r\n\r\n",
            "a trailer without end": OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: y\r\n" * 20_000,
        }
        for name, data in bad.items():
            for piece in (1 << 20, 7):
                with self.subTest(name), self.assertRaises(ProtocolError):
                    read(data, piece)

    def test_not_more_than_64_kib_of_headers_is_read(self) -> None:
        chunked = OK + b"Transfer-Encoding: chunked\r\n\r\n"
        for data in (OK + b"X: y\r\n", OK + b"X: ", chunked + b"0\r\nX: y\r\n", chunked + b"1;"):
            receives = 0

            def receive() -> Generator[Any, Any, bytes]:
                nonlocal receives
                yield None
                receives += 1
                return data if receives == 1 else b"X: y\r\n" * 100 if data.endswith(b"\n") else b"y" * 600

            reader = ReplyReader(receive)

            def everything() -> Generator[Any, Any, None]:
                yield from reader.head()
                yield from reader.read()

            with self.subTest(data), self.assertRaises(ProtocolError):
                for _ in everything():
                    self.assertLess(receives, 300)

    def test_nothing_at_all_is_no_answer(self) -> None:
        head, _, reader = read(b"")
        self.assertIsNone(head)
        self.assertFalse(reader.has_begun)

    def test_bodies_by_length_by_chunks_and_by_the_end(self) -> None:
        chunked = b"Transfer-Encoding: Chunked\r\n\r\n5;x=y\r\nhello\r\n00A\r\n1234567890\r\n0\r\nX: y\r\n\r\n"
        good: List[Tuple[bytes, bytes, bool]] = [
            (OK + b"Content-Length: 5\r\n\r\nhello", b"hello", True),
            (OK + b"Content-Length: 0\r\n\r\n", b"", True),
            (OK + chunked, b"hello1234567890", True),
            (OK + b"\r\nhello", b"hello", False),
            (OK + b"Connection: close\r\nContent-Length: 5\r\n\r\nhello", b"hello", False),
            (b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello", False),
            (b"HTTP/1.1 204\r\nContent-Length: 9\r\n\r\n", b"", True),
            (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nhi", b"hi", True),
        ]
        for data, expected, keeps_alive in good:
            for piece in (1 << 20, 1, 3):
                with self.subTest(f"{data!r} in pieces of {piece}"):
                    head, body, reader = read(data, piece)
                    assert head is not None
                    self.assertEqual((body, head.keeps_alive, reader.has_more), (expected, keeps_alive, False))

    def test_what_follows_an_answer_is_seen(self) -> None:
        _, body, reader = read(OK + b"Content-Length: 2\r\n\r\nhi" + OK)
        self.assertEqual((body, reader.has_more), (b"hi", True))

    def test_names_of_headers_are_in_lower_case_and_twice_is_joined(self) -> None:
        head, _, _ = read(OK + b"X-A:  one \t\r\nx-a: two\r\nContent-Length: 0\r\n\r\n")
        assert head is not None
        self.assertEqual((head.status, head.headers["x-a"]), (200, "one, two"))


if __name__ == "__main__":
    unittest.main()
