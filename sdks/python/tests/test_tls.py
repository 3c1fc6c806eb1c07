"""HTTPS: the ordinary checks always, the fingerprint in addition."""

from __future__ import annotations

import datetime
import hashlib
import http.server
import ipaddress
import os
import ssl
import tempfile
import threading
import unittest
from unittest import mock

import package_path  # noqa: F401

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from signet_client import SignetError
from signet_client.transport import Transport, read_fingerprints


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


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = os.path.join(folder.name, "server.pem")
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
        with open(cls.file, "wb") as file:
            file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            file.write(certificate.public_bytes(Encoding.PEM))
        cls.fingerprint = hashlib.sha256(certificate.public_bytes(Encoding.DER)).hexdigest()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cls.file)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        cls.server.socket = context.wrap_socket(cls.server.socket, server_side=True)
        cls.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=cls.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)

    def post(self, fingerprint: object, trust: bool = True) -> bytes:
        Echo.requests = 0
        url = f"https://127.0.0.1:{self.server.server_address[1]}"
        trusted = {"SSL_CERT_FILE": self.file} if trust else {}
        with mock.patch.dict(os.environ, trusted):
            transport = Transport(url, read_fingerprints(fingerprint), 5.0)  # type: ignore[arg-type]
        self.addCleanup(transport.close)
        return transport.post("/", {}, b"hello").body

    def refused(self, code: str, fingerprint: object, trust: bool = True) -> None:
        with self.assertRaises(SignetError) as raised:
            self.post(fingerprint, trust)
        self.assertEqual(raised.exception.code, code)
        self.assertEqual(Echo.requests, 0, "the request must not have left")

    def test_auto_needs_only_a_trusted_certificate(self) -> None:
        self.assertEqual(self.post("auto"), b"hello")
        self.refused("NETWORK", "auto", trust=False)

    def test_the_fingerprint_in_any_usual_format(self) -> None:
        colons = ":".join(self.fingerprint[at : at + 2] for at in range(0, 64, 2)).upper()
        for spelling in (self.fingerprint, colons, f"{'00' * 32}, {colons}", ["11" * 32, self.fingerprint]):
            self.assertEqual(self.post(spelling), b"hello")

    def test_another_certificate_is_rejected_before_anything_is_sent(self) -> None:
        self.refused("SSL_FINGERPRINT_MISMATCH", "00" * 32)
        self.refused("SSL_FINGERPRINT_MISMATCH", ["00" * 32, "11" * 32])

    def test_the_fingerprint_does_not_replace_the_ordinary_checks(self) -> None:
        self.refused("NETWORK", self.fingerprint, trust=False)


if __name__ == "__main__":
    unittest.main()
