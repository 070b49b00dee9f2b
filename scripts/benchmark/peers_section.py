"""The same work, text to signature, by packages that others use for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from indexer.fingerprints import fingerprints_of, minhash, simhash
from indexer.text import Streams, prepare_all
from mappings.plan import CHARACTERS, STANDARD, MinhashPlan
from scripts.benchmark.fingerprints_section import Texts, on_one_core
from scripts.benchmark.machine import installed
from scripts.benchmark.measure import interleaved, timed
from scripts.benchmark.results import Line, Section
from scripts.benchmark.setting import Setting

_WIDTH: Final = 5
_SIZE: Final = 128
_WIDE: Final = replace(
    CHARACTERS,
    minhash=MinhashPlan(shingle=_WIDTH, spaced_shingle=_WIDTH, bands=32, rows=4, seed=1),
)

Sign = Callable[[Sequence[str]], object]
"""The signatures of a batch of texts."""


def measure(setting: Setting) -> Section:
    section = Section("peers", "Text to signature, beside other packages")
    texts = Texts([setting.corpus.text(n) for n in range(setting.size(1_000, 200))])
    signers = _ours()
    for name, make in _PEERS.items():
        found = installed(name)
        if found is None:
            section.notes.append(f"{name}: not installed (pip install -e '.[bench]')")
            continue
        signers |= {f"{name} {found}: {what}": sign for what, sign in make().items()}
    with on_one_core():
        runs = {name: timed(_signing(sign, texts)) for name, sign in signers.items()}
        for run in runs.values():
            run()
        times = interleaved(runs, setting.size(5, 2))
    ours = times["dupdex: all six schemes, with words"]
    for name, each in times.items():
        line = texts.line(name, each)
        more = {**line.more, "times as fast as all of dupdex": each.ratio_to(ours)}
        section.lines.append(Line(line.name, line.value, line.unit, None, more))
    section.notes.append(
        f"{texts.count:,} articles, one core; MinHash: {_SIZE} values over character "
        f"{_WIDTH}-grams, as each package makes them from a string; only dupdex normalises the "
        "text first (traditional script, width, case, punctuation)"
    )
    return section


def _signing(sign: Sign, texts: Texts) -> Callable[[], object]:
    return lambda: [sign(batch) for batch in texts.batches]


def _ours() -> dict[str, Sign]:
    def minhashes(batch: Sequence[str]) -> object:
        streams = Streams(prepare_all(batch, _WIDE), _WIDE, False)
        return minhash.signatures(streams.character_shingles(_WIDE.minhash), _SIZE)

    def simhashes(batch: Sequence[str]) -> object:
        streams = Streams(prepare_all(batch, _WIDE), _WIDE, False)
        return simhash.simhashes(streams.character_shingles(_WIDE.minhash))

    return {
        "dupdex: all six schemes, with words": lambda batch: fingerprints_of(batch, STANDARD),
        "dupdex: all six schemes, without words": lambda batch: fingerprints_of(batch, CHARACTERS),
        "dupdex: MinHash alone": minhashes,
        "dupdex: simhash of shingles alone": simhashes,
    }


def _shingles(text: str) -> list[str]:
    return [text[at : at + _WIDTH] for at in range(max(1, len(text) - _WIDTH + 1))]


def _datasketch() -> dict[str, Sign]:
    from datasketch import MinHash

    def sign(text: str) -> object:
        made = MinHash(num_perm=_SIZE)
        made.update_batch([part.encode("utf-8") for part in set(_shingles(text))])
        return made.digest()

    return {"MinHash": lambda batch: [sign(text) for text in batch]}


def _rensa() -> dict[str, Sign]:
    from rensa import RMinHash

    def sign(text: str) -> object:
        made = RMinHash(_SIZE, 42)
        made.update(_shingles(text))
        return made.digest()

    def together(batch: Sequence[str]) -> object:
        return RMinHash.digests_from_token_sets([_shingles(text) for text in batch], _SIZE, 42)

    return {
        "RMinHash": lambda batch: [sign(text) for text in batch],
        "RMinHash, in batches": together,
    }


def _simhash() -> dict[str, Sign]:
    from simhash import Simhash

    return {"Simhash, its own 4-grams": lambda batch: [Simhash(text).value for text in batch]}


def _gaoya() -> dict[str, Sign]:
    from gaoya.minhash import MinHashStringIndex
    from gaoya.simhash import SimHashStringIndex

    shingled = (_WIDTH, _WIDTH)
    sign = MinHashStringIndex(
        32, 0.5, 32, 4, None, "char", True, shingled
    ).minhash_index.tokenize_and_minhash
    small = SimHashStringIndex(64, 6, 3, "char", True, shingled).index.doc2signature
    return {
        "MinHash": lambda batch: [sign(text) for text in batch],
        "SimHash": lambda batch: [small(text) for text in batch],
    }


_PEERS: Final[dict[str, Callable[[], dict[str, Sign]]]] = {
    "datasketch": _datasketch,
    "rensa": _rensa,
    "simhash": _simhash,
    "gaoya": _gaoya,
}
