"""All kinds and strengths, in one table."""

from __future__ import annotations

from functools import partial
from typing import Final

from scripts.mutations import layout, noise, revisions, word_edits
from scripts.mutations.hard import TEMPLATES
from scripts.mutations.mutation import Mutation

SHARES: Final = (0.3, 0.5, 0.7)
"""How much of a text made of two comes from the first."""

PARTIAL: Final = "partial"
FACTS: Final = "hardneg_facts"
SHORT: Final = "short_edit"
SHORT_NEGATIVES: Final = "hardneg_short"

MUTATIONS: Final[dict[str, dict[str, Mutation]]] = {
    "exact": {"0": noise.exact},
    "ws_punct": {f"{p}": partial(noise.spaces_and_marks, rate=p) for p in (0.3, 1.0)},
    "s2t": {"s2t": partial(word_edits.traditional, configuration="s2t")},
    "s2twp": {"s2twp": partial(word_edits.traditional, configuration="s2twp")},
    "homophone_pct": {f"{p}": partial(word_edits.homophones, percent=p) for p in (2, 5, 10, 20)},
    "synonym_p": {f"{p}": partial(word_edits.synonyms, probability=p) for p in (0.5, 1.0)},
    "edit_every_n": {f"{n}": partial(noise.edits, every=n) for n in (200, 100, 50, 20, 10)},
    "sent_reorder": {
        "0.3": partial(layout.reordered, share=0.3),
        "all": partial(layout.reordered, share=1),
    },
    "trunc_tail_keep": {f"{p}": partial(layout.without_tail, keep=p) for p in (0.9, 0.7, 0.5)},
    "trunc_head_keep": {f"{p}": partial(layout.without_head, keep=p) for p in (0.9, 0.7, 0.5)},
    "boilerplate": {
        where: partial(layout.furnished, where=where) for where in ("head", "foot", "both", "ads")
    },
    "gb2312_replace": {
        "simp": noise.gb2312,
        "trad": lambda text, rng: noise.gb2312(
            word_edits.traditional(text, rng, "s2t") or text, rng
        ),
    },
    "gbk_byte_loss_every_n": {f"{n}": partial(noise.gbk_byte_loss, every=n) for n in (1000, 200)},
    "utf8_byte_damage_every_n": {
        f"{n}": partial(noise.utf8_byte_damage, every=n) for n in (300, 60)
    },
    "repost_combo": {"1": layout.reposted},
}
"""Mutations of one whole text, label 1, by kind and strength."""

SHORT_EDITS: Final[dict[str, Mutation]] = {
    f"{name}_{percent}": partial(noise.edits_of_one_sort, sort=name[0], percent=percent)
    for name in ("substitute", "insert", "delete")
    for percent in (2, 5, 10)
}
"""Mutations of a short text, label 1, by strength."""

REVISIONS: Final[dict[str, dict[str, Mutation]]] = {
    "pasted": {f"{p}": partial(revisions.pasted, share=p) for p in (0.3, 0.5, 0.8)},
    "lightly_revised": {
        f"{p}": partial(revisions.lightly_revised, rate=p) for p in (0.1, 0.15, 0.2, 0.25)
    },
    "heavily_revised": {
        f"{p}": partial(revisions.heavily_revised, rate=p) for p in (0.2, 0.25, 0.3, 0.35)
    },
}
"""What becomes of an English source, label 2, by kind and strength."""

OWN_WORDS: Final = "hardneg_own_words"

KINDS: Final = (*MUTATIONS, *REVISIONS, OWN_WORDS, PARTIAL, FACTS, *TEMPLATES, SHORT)
"""All that can be asked for."""
