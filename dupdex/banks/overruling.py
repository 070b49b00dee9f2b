"""Allow entries go before deny entries that say the same of a text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from dupdex.banks.bank_model import BankHit, BankKind
from query.answers import Verdict

COVERED: Final = 0.8
"""The least part of what a deny entry has in common with the text that the allow entry has, too."""


def overruled(hits: Sequence[BankHit]) -> list[bool]:
    """For each hit of a text, with its passages, whether it is a deny entry that an allow entry
    overrules: one that the text as a whole is a copy of, at least as good a one as of the deny
    entry, and that has what the deny entry has in common with the text.

    An allow entry that is a partial copy frees nothing, and no allow entry frees what was put
    beside its text.
    """
    allowing = [hit for hit in hits if frees(hit)]
    return [
        hit.kind is BankKind.DENY and any(_outdoes(allow, hit) for allow in allowing)
        for hit in hits
    ]


def frees(hit: BankHit) -> bool:
    """Whether the text as a whole is a copy of an allow entry."""
    return hit.kind is BankKind.ALLOW and hit.verdict is not Verdict.PARTIAL


def _outdoes(allow: BankHit, deny: BankHit) -> bool:
    if allow.verdict is Verdict.EXACT:
        return True
    return _closeness(allow) >= _closeness(deny) and _covered(allow, deny) >= COVERED


def _closeness(hit: BankHit) -> tuple[int, float]:
    order = (Verdict.PARTIAL, Verdict.NEAR, Verdict.EXACT)
    return order.index(hit.verdict), hit.similarity


def _covered(allow: BankHit, deny: BankHit) -> float:
    """The part of the characters of the text in the passages of one hit that are in those of the
    other."""
    free = set(chain.from_iterable(range(*each.asked) for each in allow.passages))
    wanted = set(chain.from_iterable(range(*each.asked) for each in deny.passages))
    return len(wanted & free) / len(wanted) if wanted else 0.0
