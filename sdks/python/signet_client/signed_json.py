"""The JSON in a body whose signature was verified."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Optional

_MAX_DEPTH = 64
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def fields_of(body: bytes) -> Optional[Dict[str, Any]]:
    """The object in ``body``; ``None`` if there is none."""
    if _is_deep(body):
        return None
    try:
        fields = json.loads(body.decode("utf-8"), parse_constant=_reject)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _is_deep(body: bytes) -> bool:
    """Counted first: a parser can run out of stack."""
    if body.count(b"[") + body.count(b"{") <= _MAX_DEPTH:
        return False
    depth = 0
    for match in _TOKEN.finditer(body):
        token = match.group()
        if token in b"[{":
            depth += 1
            if depth > _MAX_DEPTH:
                return True
        elif token in b"]}":
            depth -= 1
    return False


def _reject(name: str) -> None:
    """``NaN`` and ``Infinity`` are not JSON."""
    raise ValueError(name)
