"""License keys as customers paste them."""

from __future__ import annotations

_WHITE_SPACE = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
_INVISIBLE = (
    (0xAD, 0xAD),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x2069),
    (0xFEFF, 0xFEFF),
)
_IGNORED = "".join(chr(code) for first, last in _WHITE_SPACE + _INVISIBLE for code in range(first, last + 1))


def trim_key(key: str) -> str:
    """Without the white space, line ends, and invisible characters at both ends."""
    return key.strip(_IGNORED)
