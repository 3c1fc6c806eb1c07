"""The example runs as its README says, as a program of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest

from package_path import SDK_FOLDER
from fake_server import FakeServer
from opening import raw

from signet_client.codes import MESSAGES
from signet_client.sealing import raw_public_bytes
from signet_client.wire import encode_base64url


class QuickStart(unittest.TestCase):
    def run_it(self, server: FakeServer) -> "subprocess.Popen[str]":
        snippet = f"""from signet_client import Client

client = Client(
    owner_id="Ab3dE6gH1j",
    app_name="My App",
    version="1.0",
    server_url="{server.url}",
    verification_key="{raw(server.root)}",
    sealing_key="{encode_base64url(raw_public_bytes(server.recipient.public_key()))}",
    hash_check=True,
    ssl_fingerprint="auto",
    heartbeat_interval=0.05,
)
"""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "snippet.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(snippet)
        return subprocess.Popen(
            [sys.executable, str(SDK_FOLDER / "examples" / "quick_start.py"), path],
            env={**os.environ, "PYTHONPATH": str(SDK_FOLDER)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def test_greets_then_runs_until_rejected(self) -> None:
        with FakeServer() as server:
            with self.run_it(server) as program:
                assert program.stdin is not None and program.stdout is not None
                program.stdin.write("KEY\n")
                program.stdin.flush()
                self.assertIn("Welcome, alice.", program.stdout.readline())
                self.assertEqual(program.stdout.readline(), "Pro (level 2), for life\n")
                self.assertIsNone(program.poll())
                server.reject["heartbeat"] = (403, "LICENSE_BANNED")
                rest, _ = program.communicate(timeout=60)
            self.assertEqual(rest, f"rejected: LICENSE_BANNED {MESSAGES['LICENSE_BANNED']['en']}\n")
            self.assertEqual(program.returncode, 3)

    def test_a_rejected_key_ends_it_at_once(self) -> None:
        with FakeServer() as server:
            server.reject["license"] = (404, "LICENSE_NOT_FOUND")
            with self.run_it(server) as program:
                out, _ = program.communicate("TYPO\n", timeout=60)
            self.assertTrue(out.endswith(f"rejected: LICENSE_NOT_FOUND {MESSAGES['LICENSE_NOT_FOUND']['en']}\n"), out)
            self.assertEqual(program.returncode, 3)


if __name__ == "__main__":
    unittest.main()
