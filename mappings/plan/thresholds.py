"""Thresholds of the verdicts. They change answers, never stored values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of the verdicts; see `query.verify.verdict` for the definitions."""

    near: float = 0.40
    short: int = 300  # letters and digits up to which edits are compared as well
    short_near: float = 0.85
    partial: float = 0.18
    shared: int = 30
    gram: int = 4
    passage: int = 12
    spaced_gram: int = 8
    word_gram: int = 2
    word_passage: int = 5
    word_partial: float = 0.35
    word_shared: int = 12
    hamming: int = 3
    simhash_only: int = (
        12  # differing bits up to which a shared simhash key alone justifies a comparison
    )
    dna_tolerance: int = 6  # total of levels by which two windows of initials may differ
    run: int = 20  # units from which a shared run counts as evidence by itself
    covered: float = 0.18  # share of the shorter text in such runs from which it is a partial copy,
    covered_units: int = 60  # and the units they must cover
    passage_share: float = 0.09  # the same where the runs are a long passage by themselves,
    passage_units: int = 80  # of so many units
    word_passage_share: float = 0.12  # and in scripts with spaces,
    word_passage_units: int = 96  # in words
    revised: float = 0.12  # share of a text in scripts with spaces from which it is a revised copy,
    revised_units: int = 30  # when so many words of it
    revised_runs: int = 6  # stand in so many runs of `word_passage` words or more
    unrelated: int = 8  # unrelated documents with a sentence from which it is boilerplate
    hot: int = 300  # a key in more documents than this has no vote in a full lookup
