"""The hardware ID on each platform, read from what that platform really prints."""

from __future__ import annotations

import subprocess
import sys
import types
import unittest
from typing import Any, Optional
from unittest import mock

import package_path  # noqa: F401

from signet_client import SignetError, hardware_id, hardware_id_of

# The package exports the function under the same name, which hides the module.
module = sys.modules["signet_client.hardware_id"]
MACHINE_ID = "3f2b8c1d9e4a4b6f8d7c5e1a2b3c4d5e"
IOREG = f"""+-o Mac14,2  <class IOPlatformExpertDevice, id 0x100000118, registered, matched, active>
    {{
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
      "IOPlatformUUID" = "6A7C2B1F-0D3E-4F5A-9B8C-1D2E3F4A5B6C"
    }}
"""


def platform(name: str) -> Any:
    return mock.patch.object(sys, "platform", name)


def files(content: Optional[str]) -> Any:
    if content is None:
        return mock.patch("builtins.open", side_effect=FileNotFoundError)
    return mock.patch("builtins.open", mock.mock_open(read_data=content))


class HardwareId(unittest.TestCase):
    def test_is_64_hex_characters_and_stable_and_differs_by_salt(self) -> None:
        with platform("linux"), files(f"{MACHINE_ID}\n"):
            first, again, other = hardware_id("a"), hardware_id("a"), hardware_id("b")
        self.assertRegex(first, "^[0-9a-f]{64}$")
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertNotIn(MACHINE_ID, first)

    def test_linux_reads_machine_id(self) -> None:
        with platform("linux"), files(f"{MACHINE_ID.upper()}\n"):
            self.assertEqual(hardware_id("a"), hardware_id_of("a", MACHINE_ID))

    def test_linux_reads_the_other_file_if_the_first_one_identifies_nothing(self) -> None:
        contents = ["0" * 32 + "\n", f"{MACHINE_ID}\n"]
        opened = [mock.mock_open(read_data=content)() for content in contents]
        with platform("linux"), mock.patch("builtins.open", side_effect=opened):
            self.assertEqual(hardware_id("a"), hardware_id_of("a", MACHINE_ID))

    def test_a_machine_without_an_identifier_has_none_made_up(self) -> None:
        """Above all not from its network card, which changes with a dock, a VPN, or privacy settings."""
        for content in (None, "", "uninitialized\n", "0" * 32, "zz" * 16):
            with platform("linux"), files(content), mock.patch("uuid.getnode", return_value=0x001A2B3C4D5E):
                with self.assertRaises(SignetError) as raised:
                    hardware_id("a")
                self.assertEqual(raised.exception.code, "HWID_UNAVAILABLE")

    def test_macos_reads_the_platform_uuid(self) -> None:
        done = subprocess.CompletedProcess([], 0, stdout=IOREG.encode())
        with platform("darwin"), mock.patch("subprocess.run", return_value=done):
            self.assertEqual(hardware_id("a"), hardware_id_of("a", "6a7c2b1f-0d3e-4f5a-9b8c-1d2e3f4a5b6c"))
        for error in (FileNotFoundError(), subprocess.TimeoutExpired("ioreg", 10)):
            with platform("darwin"), mock.patch("subprocess.run", side_effect=error):
                self.assertIsNone(module.machine_id())

    def test_windows_reads_the_machine_guid_from_the_64_bit_view(self) -> None:
        registry = types.ModuleType("winreg")
        opened = mock.MagicMock()
        values = {
            "KEY_READ": 0x20019,
            "KEY_WOW64_64KEY": 0x100,
            "HKEY_LOCAL_MACHINE": 1,
            "OpenKey": opened,
            "QueryValueEx": mock.Mock(return_value=("D1E2F3A4-0000-4B5C-8D6E-7F8091A2B3C4", 1)),
        }
        for name, value in values.items():
            setattr(registry, name, value)
        with platform("win32"), mock.patch.dict(sys.modules, {"winreg": registry}):
            self.assertEqual(module.machine_id(), "D1E2F3A4-0000-4B5C-8D6E-7F8091A2B3C4")
        opened.assert_called_once_with(1, r"SOFTWARE\Microsoft\Cryptography", 0, 0x20119)


if __name__ == "__main__":
    unittest.main()
