"""What takes much memory to read is refused before it is read."""

from __future__ import annotations

import resource
import time

import pytest

from dupdex.gateway.enrich.splicing import without_members
from dupdex.gateway.guard.json_bodies import decoded
from dupdex.gateway.json_size import check_values
from mappings.errors import InputRefused


def peak() -> int:
    """In MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@pytest.mark.parametrize("unit", [b"[],", b"1,", b'{"a":1},'])
def test_many_values_are_refused_unread(unit: bytes) -> None:
    before, content = peak(), b"[" + unit * 2_000_000 + b"1]"
    with pytest.raises(InputRefused, match="values"):
        check_values(content)
    with pytest.raises(InputRefused, match="values"):
        decoded(content)
    assert peak() - before < 100


def test_commas_in_a_text_are_no_values() -> None:
    check_values(b'{"a":"' + b", [{" * 1_000_000 + b'"}')
    assert decoded(b'{"a":"' + b", [{" * 300_000 + b'"}')


def test_a_text_without_end_takes_no_longer_than_another() -> None:
    began = time.monotonic()
    with pytest.raises(InputRefused):
        decoded(b'"\\' * 200_000)
    assert time.monotonic() - began < 2


def test_a_long_text_takes_no_memory_of_its_own() -> None:
    content = b'{"a":"' + b"a" * 10_000_000 + b'","b":1}'
    before = peak()
    assert without_members(content, "b".__eq__).endswith(b'"}')
    assert decoded(content)["b"] == 1
    assert peak() - before < 200
