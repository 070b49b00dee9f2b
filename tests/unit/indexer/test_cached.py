"""Properties that are computed when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property as of_functools

from indexer.cached import cached_property


@dataclass(frozen=True)
class Square:
    side: int
    computed: list[int] = field(default_factory=list)

    @cached_property
    def area(self) -> int:
        """Of the square."""
        self.computed.append(self.side)
        return self.side**2


def test_a_property_is_computed_once() -> None:
    small, large = Square(2), Square(3)
    assert [small.area, large.area, small.area, large.area] == [4, 9, 4, 9]
    assert (small.computed, large.computed) == ([2], [3])
    assert vars(small)["area"] == 4


def test_a_class_has_the_property_itself() -> None:
    assert isinstance(Square.area, of_functools)
    assert Square.area.__doc__ == "Of the square."
