"""Where verdicts begin. Thresholds change answers, never stored values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where verdicts begin; see `query.verify.verdict` for the definitions."""

    near: float = 0.40
    short: int = 300  # letters and digits up to which two texts are compared by their edits, too
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
    simhash_only: int = 12  # differing bits up to which a simhash key alone is worth a comparison
    dna_tolerance: int = 6  # levels by which windows of initials may differ in all
    run: int = 20  # units of a run that is long enough to be a passage of its own
    covered: float = 0.18  # share of the shorter text in such runs that makes a partial copy,
    covered_units: int = 60  # and how much that must be
    unrelated: int = 8  # so many unrelated documents make a sentence boilerplate
    hot: int = 300  # a key in more documents than this has no vote in a full lookup
