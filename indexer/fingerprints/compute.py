"""The fingerprints of texts under a plan: all keys are made here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from indexer.fingerprints import exact
from indexer.fingerprints.meant_keys import STEP, meant_texts, with_keys_of
from indexer.fingerprints.registry import enabled
from indexer.fingerprints.scheme import Terms
from indexer.model import Fingerprint
from indexer.text import Prepared, Streams, prepare, prepare_all, spaced_rows
from indexer.text.table import DROP, load
from mappings.contract import Field
from mappings.errors import TextRefused
from mappings.plan import Plan

_EMPTY: Final = Fingerprint("", 0, 0, {})


def fingerprint_of(text: str, plan: Plan) -> Fingerprint:
    """Fingerprint one text. Pure and deterministic for one plan.

    Raises TextRefused when the text is empty or longer than the plan allows.
    """
    check_text(text, plan)
    return fingerprints_of([text], plan)[0]


def check_text(text: str, plan: Plan) -> None:
    """Raise TextRefused, saying what to do, for a text that cannot be fingerprinted."""
    if not isinstance(text, str):
        raise TextRefused(f"the text is of type {type(text).__name__}, not a string")
    if len(text) > plan.max_characters:
        raise TextRefused(
            f"the text has {len(text):,} characters, the plan allows {plan.max_characters:,}; "
            "split it, or raise max_characters in a plan of your own"
        )
    start = text.lstrip()[:1]
    is_dropped = bool(start) and _is_dropped(start, plan.table, plan.steps)
    if not start or (is_dropped and not prepare(text, plan).text().strip()):
        raise TextRefused("the text is empty; give it at least one visible character")


@lru_cache(maxsize=4_096)
def _is_dropped(character: str, version: str, steps: tuple[str, ...]) -> bool:
    return bool(load(version, steps).target[ord(character)] == DROP)


def fingerprints_of(texts: Sequence[str], plan: Plan) -> list[Fingerprint]:
    """Fingerprint texts together, with the same values as each alone; call `check_text` first.

    A batch of about 30,000 characters is fastest; memory grows with the batch.
    """
    given = fingerprints_of_prepared(prepare_all(texts, plan), plan)
    if STEP in plan.steps:
        meant, owners = meant_texts(texts)
        others = fingerprints_of_prepared(prepare_all(meant, plan), plan) if meant else ()
        for owner, other in zip(owners, others, strict=True):
            given[owner] = with_keys_of(given[owner], other)
    return given


def fingerprints_of_prepared(prepared: Prepared, plan: Plan) -> list[Fingerprint]:
    """The same for texts already prepared, which have no keys of what they may mean."""
    out = [_EMPTY] * len(prepared)
    syllables: list[int] = []
    words: list[int] = []
    empty: list[int] = []  # emoji, punctuation: can only be equal or not
    lengths, is_spaced = prepared.folded.lengths.tolist(), spaced_rows(prepared).tolist()
    for row, (length, spaced) in enumerate(zip(lengths, is_spaced, strict=True)):
        (empty if not length else words if spaced else syllables).append(row)
    for rows, spaced in ((syllables, False), (words, True)):
        if rows:
            streams = Streams(prepared.select(np.array(rows)), plan, spaced)
            for row, fingerprint in zip(rows, _fingerprints(streams), strict=True):
                out[row] = fingerprint
    if empty:
        texts = exact.text_hashes(prepared.select(np.array(empty)), plan.exact.digest)
        for row, text in zip(empty, texts, strict=True):
            out[row] = Fingerprint(text, 0, 0, {Field.TEXT_HASH: (text,)})
    return out


def _fingerprints(streams: Streams) -> Iterator[Fingerprint]:
    """The fingerprints of texts of one kind."""
    keys: dict[Field, list[Terms]] = {}
    simhashes: Sequence[int] = ()
    for field, scheme in enabled(streams.plan).items():
        values = scheme.values(streams)
        keys[field] = scheme.terms(values)
        if field is Field.SIMHASH_KEYS:
            simhashes = values
    lengths = streams.prepared.literal.folded.lengths.tolist()
    for row, (value, length) in enumerate(zip(simhashes, lengths, strict=True)):
        row_keys = {name: terms[row] for name, terms in keys.items()}
        yield Fingerprint(row_keys[Field.TEXT_HASH][0], value, length, row_keys)
