"""Numbers with what they count, in words."""

from __future__ import annotations

from typing import Final

_IRREGULAR: Final = {"copy": "copies", "entry": "entries"}


def counted(number: int, noun: str) -> str:
    """`1 document`, `1,234 documents`."""
    return f"{number:,} {noun if number == 1 else _IRREGULAR.get(noun, f'{noun}s')}"
