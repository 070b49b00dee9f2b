"""All fingerprints of texts under one plan: the only way keys are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import mmh3
import numpy as np
import numpy.typing as npt

from indexer.fingerprints import exact, minhash, passages, sentences, simhash
from indexer.hashing import HashRows, shingle_rows, spell
from indexer.model import Fingerprint
from indexer.prepare import Prepared, Streams, prepare, prepare_all, spaced_rows
from indexer.prepare.table import DROP, Kind, Table, load
from indexer.ragged import ragged
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import Plan


def fingerprint_of(text: str, plan: Plan) -> Fingerprint:
    """Fingerprint one text. Pure and deterministic for one plan.

    Raises InputRefused when the text is empty or longer than the plan allows.
    """
    check_text(text, plan)
    return fingerprints_of([text], plan)[0]


def check_text(text: str, plan: Plan) -> None:
    """Raises InputRefused when a text cannot be fingerprinted, saying what to do."""
    if len(text) > plan.max_characters:
        raise InputRefused(
            f"the text has {len(text):,} characters, the plan allows {plan.max_characters:,}; "
            "split it, or raise max_characters in a plan of your own"
        )
    start = text.lstrip()[:1]
    if not start or (_is_dropped(start, plan) and not prepare(text, plan).text().strip()):
        raise InputRefused("the text is empty; give it at least one visible character")


def _is_dropped(character: str, plan: Plan) -> bool:
    return bool(load(plan.table, plan.steps).target[ord(character)] == DROP)


def fingerprints_of(texts: Sequence[str], plan: Plan) -> list[Fingerprint]:
    """Fingerprint texts together, with the values each has alone; `check_text` them first.

    A batch of about 30,000 characters is fastest; memory grows with the batch.
    """
    return fingerprints_of_prepared(prepare_all(texts, plan), plan)


def fingerprints_of_prepared(prepared: Prepared, plan: Plan) -> list[Fingerprint]:
    """The same for texts already prepared."""
    hashes = exact.text_hashes(prepared)
    lengths = prepared.folded.lengths
    out = [Fingerprint(text, 0, 0, {Field.TEXT_HASH: (text,)}) for text in hashes]
    is_spaced = spaced_rows(prepared)
    for spaced in (False, True):
        rows = np.flatnonzero((is_spaced == spaced) & (lengths > 0))
        if len(rows):
            streams = Streams(prepared.select(rows), plan, spaced)
            own = [hashes[row] for row in rows]
            for row, made in zip(rows.tolist(), _fingerprints(streams, own), strict=True):
                out[row] = made
    return out


def _fingerprints(streams: Streams, hashes: Sequence[str]) -> Iterator[Fingerprint]:
    plan = streams.plan
    characters = character_shingles(streams)
    values = simhash.simhashes(*_simhash_features(streams, characters))
    bands = minhash.key_values(characters, plan.minhash)
    unit_bands = minhash.key_values(unit_shingles(streams), plan.syllable_minhash)
    smallest = passages.key_values(passage_shingles(streams), plan.passages)
    longest = sentences.key_values(streams.prepared, plan.sentences)
    blocks = simhash.block_keys(values, plan.simhash)
    texts = iter(spell(np.concatenate((bands.ravel(), unit_bands.ravel(), smallest.values))))
    minhash_keys = [tuple(islice(texts, plan.minhash.bands)) for _ in hashes]
    syllable_keys = [tuple(islice(texts, plan.syllable_minhash.bands)) for _ in hashes]
    sentence_texts = iter(spell(np.array([v for row in longest for v in row], np.uint64)))
    for row, text_hash in enumerate(hashes):
        passage_keys = islice(texts, int(smallest.lengths[row]))
        yield Fingerprint(
            text_hash,
            int(values[row]),
            int(streams.characters.lengths[row]),
            {
                Field.TEXT_HASH: (text_hash,),
                Field.SIMHASH_KEYS: blocks[row],
                Field.MINHASH_KEYS: minhash_keys[row],
                Field.SYLLABLE_KEYS: syllable_keys[row],
                Field.PASSAGE_KEYS: tuple(dict.fromkeys(passage_keys)),
                Field.SENTENCES: tuple(islice(sentence_texts, len(longest[row]))),
            },
        )


def character_shingles(streams: Streams) -> HashRows:
    """Shingles of letters and digits; longer ones in spaced scripts, whose alphabets are small."""
    part = streams.plan.minhash
    width = part.spaced_shingle if streams.spaced else part.shingle
    return shingle_rows(streams.characters, width, part.seed)


def unit_shingles(streams: Streams) -> HashRows:
    """Shingles of syllables (of words in spaced scripts)."""
    part = streams.plan.syllable_minhash
    width = part.spaced_shingle if streams.spaced else part.shingle
    return shingle_rows(streams.units, width, part.seed)


def passage_shingles(streams: Streams) -> HashRows:
    """Long shingles of syllables (of words in spaced scripts), in text order."""
    part = streams.plan.passages
    width = part.spaced_shingle if streams.spaced else part.shingle
    return shingle_rows(streams.units, width, part.seed)


def _simhash_features(
    streams: Streams, characters: HashRows
) -> tuple[HashRows, npt.NDArray[np.int64] | None]:
    """Words weighted 1 + floor(log2(count)); in a plan without words, character shingles."""
    plan = streams.plan
    if plan.words == "none":
        return characters, None
    vocabulary = _vocabulary(plan.simhash.seed, streams.prepared.table)
    rows, weights = [], []
    for row in range(len(streams.prepared)):
        counts = Counter(streams.words(row))
        hashes = np.fromiter(map(vocabulary.__getitem__, counts), np.uint64, len(counts))
        levels = np.fromiter(map(int.bit_length, counts.values()), np.int64, len(counts))
        word = hashes != 0
        rows.append(hashes[word])
        weights.append(levels[word])
    return ragged(rows), np.concatenate(weights)


class _Vocabulary(dict[str, int]):
    """Hashes of words seen so far; 0 for what is no word. Emptied when it grows too large."""

    LIMIT = 1 << 18

    def __init__(self, seed: int, table: Table) -> None:
        super().__init__()
        self.seed, self.table = seed, table

    def __missing__(self, word: str) -> int:
        if len(self) >= self.LIMIT:
            self.clear()
        value = 0
        if self.table.kind[ord(word[0])] != Kind.OTHER:
            value = mmh3.hash64(word.encode("utf-8"), self.seed, True, signed=False)[0]
        self[word] = value
        return value


_VOCABULARIES: dict[tuple[int, int], _Vocabulary] = {}


def _vocabulary(seed: int, table: Table) -> _Vocabulary:
    key = (seed, id(table))
    if key not in _VOCABULARIES:
        _VOCABULARIES[key] = _Vocabulary(seed, table)
    return _VOCABULARIES[key]
