"""HTTPS: the ordinary checks always, the fingerprint in addition."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import http.server
import ipaddress
import os
import ssl
import tempfile
import threading
import unittest
from typing import Any, Tuple
from unittest import mock

import package_path  # noqa: F401

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from both_clients import for_both

from signet_client import SignetError
from signet_client.asynchronous import Asynchronous
from signet_client.asynchronous import run as run_async
from signet_client.blocking import Blocking, run
from signet_client.connection import Connection
from signet_client.limit import Limit
from signet_client.server_address import server_address


class Echo(http.server.BaseHTTPRequestHandler):
    requests = 0

    def do_POST(self) -> None:
        Echo.requests += 1
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@for_both
class Tls(unittest.TestCase):
    is_async = False

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.stranger, _ = cls.certificate(os.path.join(folder.name, "stranger.pem"))
        cls.file, cls.fingerprint = cls.certificate(os.path.join(folder.name, "server.pem"))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cls.file)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        cls.server.socket = context.wrap_socket(cls.server.socket, server_side=True)
        cls.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=cls.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)

    @staticmethod
    def certificate(path: str) -> Tuple[str, str]:
        """A key and a certificate for 127.0.0.1 in a file; its path, and its fingerprint."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
        now = datetime.datetime(2024, 1, 1)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now)
            .not_valid_after(now + datetime.timedelta(days=36_500))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(key, hashes.SHA256())
        )
        with open(path, "wb") as file:
            file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            file.write(certificate.public_bytes(Encoding.PEM))
        return path, hashlib.sha256(certificate.public_bytes(Encoding.DER)).hexdigest()

    def post(self, fingerprint: Any, trust: bool = True, **changes: Any) -> bytes:
        Echo.requests = 0
        url = f"https://127.0.0.1:{self.server.server_address[1]}"
        trusted = {"SSL_CERT_FILE": self.file} if trust else {}
        options = {"ca_file": None, "proxy": "auto", "allow_http": False, **changes}
        with mock.patch.dict(os.environ, trusted):
            address = server_address(url, ssl_fingerprint=fingerprint, **options)
        connection = Connection(address, Asynchronous() if self.is_async else Blocking())
        self.addCleanup(connection.close)
        replies = []
        for _ in range(2):
            steps = connection.post("/", {}, b"hello" * 50_000)
            replies.append(asyncio.run(run_async(steps, Limit(30))) if self.is_async else run(steps, Limit(30)))
            if self.is_async:
                connection.close()
        return bytes(replies[1].body[:5])

    def rejected(self, code: str, fingerprint: object, trust: bool = True, **changes: Any) -> None:
        with self.assertRaises(SignetError) as raised:
            self.post(fingerprint, trust, **changes)
        self.assertEqual(raised.exception.code, code)
        self.assertEqual(Echo.requests, 0, "the request must not have left")

    def test_auto_needs_only_a_trusted_certificate(self) -> None:
        self.assertEqual(self.post("auto"), b"hello")
        self.rejected("NETWORK", "auto", trust=False)

    def test_the_fingerprint_in_any_usual_format(self) -> None:
        colons = ":".join(self.fingerprint[at : at + 2] for at in range(0, 64, 2)).upper()
        for spelling in (self.fingerprint, colons, f"{'00' * 32}, {colons}", ["11" * 32, self.fingerprint]):
            self.assertEqual(self.post(spelling), b"hello")

    def test_another_certificate_is_rejected_before_anything_is_sent(self) -> None:
        self.rejected("FINGERPRINT_MISMATCH", "00" * 32)
        self.rejected("FINGERPRINT_MISMATCH", ["00" * 32, "11" * 32])

    def test_a_certificate_authority_of_your_own(self) -> None:
        self.assertEqual(self.post("auto", trust=False, ca_file=self.file), b"hello")
        self.assertEqual(self.post(self.fingerprint, trust=False, ca_file=self.file), b"hello")
        self.rejected("NETWORK", "auto", trust=True, ca_file=self.stranger)

    def test_a_certificate_for_another_name(self) -> None:
        url = f"https://localhost:{self.server.server_address[1]}"
        address = server_address(url, ssl_fingerprint="auto", ca_file=self.file, proxy=None, allow_http=False)
        with self.assertRaises(SignetError) as raised:
            run(Connection(address, Blocking()).post("/", {}, b"hello"), Limit(30))
        self.assertEqual(raised.exception.code, "NETWORK")
        self.assertIn("localhost", raised.exception.message)

    def test_the_fingerprint_does_not_replace_the_ordinary_checks(self) -> None:
        self.rejected("NETWORK", self.fingerprint, trust=False)


if __name__ == "__main__":
    unittest.main()
