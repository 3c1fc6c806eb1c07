"""What an error says to the program and to the customer."""

from __future__ import annotations

import json
import unittest
from typing import Any

import package_path  # noqa: F401
from both_clients import ServedTest, for_both
from package_path import SDK_FOLDER

from signet_client import SignetCode, SignetError
from signet_client.codes import MESSAGES, VERDICTS


class Verdicts(unittest.TestCase):
    def test_the_status_comes_before_the_code_and_the_server_before_this_client(self) -> None:
        for code, status, verdict, is_temporary in (
            ("LICENSE_BANNED", 403, "lost", False),
            ("LICENSE_BANNED", 429, "temporary", True),
            ("LICENSE_BANNED", 500, "temporary", True),
            ("LICENSE_NOT_FOUND", 404, "request", False),
            ("A_CODE_OF_TOMORROW", 403, "request", False),
            ("A_CODE_OF_TOMORROW", 503, "temporary", True),
            ("NONCE_REUSED", 409, "temporary", True),
            ("NETWORK", 403, "request", False),
            ("NETWORK", 0, "unverified", True),
            ("FINGERPRINT_MISMATCH", 0, "unverified", True),
            ("SESSION_REQUIRED", 0, "request", False),
            ("MALFORMED_REPLY", 0, "temporary", True),
            ("INVALID_CONFIGURATION", 0, "request", False),
        ):
            with self.subTest(f"{code} {status}"):
                error = SignetError(code, "", status=status)
                self.assertEqual((error.verdict, error.is_temporary, error.is_signed), (verdict, is_temporary, status != 0))

    def test_the_codes_are_those_that_all_clients_share(self) -> None:
        shared = json.loads((SDK_FOLDER.parent / "codes.json").read_text(encoding="utf-8"))["codes"]
        self.assertEqual(VERDICTS, {code: entry["verdict"] for code, entry in shared.items()})
        self.assertEqual(MESSAGES, {code: entry["message"] for code, entry in shared.items()})
        self.assertEqual([code.value for code in SignetCode], list(shared))

    def test_a_code_is_plain_text_that_equals_its_constant(self) -> None:
        error = SignetError(SignetCode.NETWORK, "No way.")
        self.assertIs(type(error.code), str)
        self.assertEqual(error.code, SignetCode.NETWORK)
        self.assertEqual(f"{error} {error.code}", "NETWORK: No way. NETWORK")

    def test_the_time_to_wait_is_a_positive_finite_number(self) -> None:
        for value, expected in ((5, 5.0), (0.5, 0.5), (0, None), (-1, None), ("5", None), (True, None), (10**400, None)):
            self.assertEqual(SignetError("X", "", status=429, details={"retryAfterSeconds": value}).retry_after, expected)


@for_both
class CustomerMessages(ServedTest):
    def message(self, code: str = "LICENSE_BANNED", **changes: Any) -> str:
        self.server.reject["license"] = (403, code)
        client = self.client(**changes)
        error = self.fails(code, lambda: client.license("KEY"))
        self.assertEqual(error.message, f"No: {code}")
        return error.customer_message

    def test_in_the_language_of_the_client(self) -> None:
        self.assertEqual(self.message(), MESSAGES["LICENSE_BANNED"]["en"])
        for language, short in (("pt", "pt"), ("pt-BR", "pt"), ("es_419", "es"), ("EN", "en")):
            self.assertEqual(self.message(language=language), MESSAGES["LICENSE_BANNED"][short])

    def test_a_code_of_a_newer_server_has_a_general_one(self) -> None:
        self.assertEqual(self.message("A_CODE_OF_TOMORROW", language="es"), MESSAGES["INTERNAL_ERROR"]["es"])

    def test_your_own_come_first(self) -> None:
        own = {"LICENSE_BANNED": "Write to us."}
        self.assertEqual(self.message(messages=own), "Write to us.")
        self.assertEqual(self.message("USER_BANNED", messages=own), MESSAGES["USER_BANNED"]["en"])
        self.assertEqual(self.message(messages=lambda error: f"{error.code}!"), "LICENSE_BANNED!")
        self.assertEqual(self.message(messages=lambda error: None, language="pt"), MESSAGES["LICENSE_BANNED"]["pt"])

    def test_errors_of_the_client_and_those_of_callbacks_too(self) -> None:
        heard = []
        client = self.client(language="es", on_lost=lambda error: heard.append(error.customer_message))
        self.assertEqual(self.fails("SESSION_REQUIRED", client.heartbeat).customer_message, MESSAGES["SESSION_REQUIRED"]["es"])
        client.license("KEY")
        self.server.reject["heartbeat"] = (403, "USER_BANNED")
        self.fails("USER_BANNED", client.heartbeat)
        self.eventually(lambda: heard == [MESSAGES["USER_BANNED"]["es"]])


if __name__ == "__main__":
    unittest.main()
