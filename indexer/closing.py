"""What a `with` block closes."""

from __future__ import annotations

from typing import Self


class Closing:
    """Something with a `close` method; a `with` block calls it at its end."""

    __slots__ = ()

    def close(self) -> None:
        """Release what is held."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
