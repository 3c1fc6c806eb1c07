"""The program that sdks/conformance drives, with both clients."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest
from typing import Any, Dict, List

import package_path  # noqa: F401
from fake_server import FakeServer
from package_path import SDK_FOLDER


class ConformanceProgram(unittest.TestCase):
    def run_it(self, options: List[str], asks: List[Dict[str, Any]]) -> Dict[int, Any]:
        """The answers by their number, of a program that gets one request after the other's answer."""
        answers: Dict[int, Any] = {}
        command = [sys.executable, str(SDK_FOLDER / "tests" / "conformance_program.py"), *options]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            assert program.stdin is not None and program.stdout is not None
            for number, ask in enumerate(asks):
                program.stdin.write(json.dumps({"id": number, **ask}) + "\n")
                program.stdin.flush()
                line = json.loads(program.stdout.readline())
                while "event" in line:
                    line = json.loads(program.stdout.readline())
                answers[line.pop("id")] = line
            program.stdin.close()
            self.assertEqual(program.wait(60), 0)
        return answers

    def test_it_answers_as_the_contract_says(self) -> None:
        for options in ([], ["--async"]):
            with self.subTest(options), FakeServer() as server:
                server.hang_on.add("variable")
                given = server.arguments()
                create = {
                    "do": "create",
                    "ownerId": given["owner_id"],
                    "appName": given["app_name"],
                    "version": given["version"],
                    "serverUrl": given["server_url"],
                    "verificationKey": given["verification_key"],
                    "sealingKey": given["sealing_key"],
                    "heartbeatInterval": None,
                }
                nested = {"id": 0, "do": "variable", "name": "x"}
                answers = self.run_it(
                    options,
                    [
                        create,
                        {"do": "license", "key": " KEY "},
                        {"do": "valid"},
                        {"do": "cancel", "after": 0.1, "call": nested},
                        {"do": "message", "code": "LICENSE_BANNED", "language": "pt"},
                        {"do": "no such thing"},
                        {**create, "ownerId": "x"},
                        {"do": "init"},
                    ],
                )
                session = answers[1]["result"]
                self.assertEqual(session["subscriptions"], [{"level": 2, "name": "Pro", "expiresAt": None}])
                self.assertEqual((session["username"], type(session["expiresAt"])), ("alice", int))
                self.assertEqual(answers[2], {"ok": True, "result": {"valid": True}})
                self.assertEqual(answers[3]["code"], "CANCELLED")
                self.assertIn("licença", answers[4]["result"]["message"])
                self.assertEqual(answers[5]["code"], "UNSUPPORTED")
                self.assertEqual(answers[6]["code"], "INVALID_CONFIGURATION")
                self.assertEqual(answers[7]["code"], "PROGRAM_FAILED")


if __name__ == "__main__":
    unittest.main()
