"""Documents are grouped as they are written: nothing counts as done before it is grouped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from indexer.model import Outcome, Ref, Status

AT_ONCE: Final = 200
"""Documents grouped together: one step of a `Grouper`."""


def grouped(
    outcomes: Iterable[Outcome], assign: Callable[[Sequence[Ref]], None]
) -> Iterator[Outcome]:
    """The outcomes of a writer, in order, each once its document is grouped as well.

    A run that ends in between takes its documents up again, as they have no outcome. When
    `outcomes` raises, those before are grouped and yielded first.
    """
    held: list[Outcome] = []
    remaining, broken = iter(outcomes), None
    while True:
        try:
            held.append(next(remaining))
        except StopIteration:
            break
        except Exception as error:  # not swallowed: raised once those before it are settled
            broken = error
            break
        if len(held) >= AT_ONCE:
            yield from _settled(held, assign)
            held = []
    yield from _settled(held, assign)
    if broken is not None:
        raise broken


def _settled(held: Sequence[Outcome], assign: Callable[[Sequence[Ref]], None]) -> Sequence[Outcome]:
    stored = [outcome.document.id for outcome in held if outcome.status is not Status.REJECTED]
    if stored:
        assign([Ref("", name) for name in dict.fromkeys(stored)])
    return held
