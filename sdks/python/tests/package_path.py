"""Lets the tests find the package without installing it. Import this first."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SDK_FOLDER = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SDK_FOLDER))


def vectors(name: str) -> Any:
    """One file of the cases that every SDK must pass."""
    return json.loads((SDK_FOLDER.parent / "vectors" / name).read_text(encoding="utf-8"))
