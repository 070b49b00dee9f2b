"""Other packages on the same corpus, in the settings their own guides use, on the raw text.

They are optional: one that is not installed is named and passed over.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from dupdex.evaluation.methods import Judge, Method
from dupdex.evaluation.truth import Pair, ordered
from dupdex.location import Location
from indexer.model import Document
from query.stores.elastic.more_like_this import more_like_this

HASHES: Final = 128
WIDTH: Final = 5
INSTALL: Final = "pip install 'dupdex[bench]'"

Documents = Sequence[Document]


@dataclass(frozen=True, slots=True)
class Peer:
    """A method of another package. `find` gives pairs, each in any order and more than once."""

    package: str
    name: str
    setting: str
    find: Callable[[Documents], Iterable[tuple[str, str]]]


def peer_methods(
    documents: Documents, judge: Judge, location: Location | None, step: Callable[[], None]
) -> Iterator[Method | str]:
    """The pairs that each peer finds; for a package that is missing, a line with the reason."""
    absent: set[str] = set()
    for peer in PEERS:
        try:
            name = f"{peer.name} {version(peer.package)}"
            pairs = _pairs(peer.find(documents))
        except (PackageNotFoundError, ImportError):
            if peer.package not in absent:
                yield f"{peer.package} is not installed; {INSTALL}"
            absent.add(peer.package)
        else:
            yield judge.method(name, peer.setting, pairs)
        step()
    if location is not None and location.is_server:
        yield judge.method(
            "more_like_this",
            "Elasticsearch's defaults, the 50 best hits of each text",
            _pairs(more_like_this(documents, location.elastic)),
        )
    else:
        yield "more_like_this was not asked: it needs a server; give --store URL"
    step()
    yield "other packages read the text as it is: only dupdex folds script, width, case and marks"


def _pairs(hits: Iterable[tuple[str, str]]) -> set[Pair]:
    return {ordered(left, right) for left, right in hits if left != right}


def _shingles(text: str, width: int) -> list[str]:
    return [text[at : at + width] for at in range(max(1, len(text) - width + 1))]


def _datasketch(documents: Documents) -> Iterator[tuple[str, str]]:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=0.5, num_perm=HASHES)
    for document in documents:
        minhash = MinHash(num_perm=HASHES)
        minhash.update_batch([part.encode("utf-8") for part in {*_shingles(document.text, WIDTH)}])
        for other in index.query(minhash):
            yield document.id, other
        index.insert(document.id, minhash)


def _rensa(documents: Documents) -> Iterator[tuple[str, str]]:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=0.8, num_perm=HASHES, num_bands=16)
    for number, document in enumerate(documents):
        minhash = RMinHash(num_perm=HASHES, seed=42)
        minhash.update(_shingles(document.text, 4))
        for other in index.query(minhash):
            yield document.id, documents[other].id
        index.insert(number, minhash)


def _simhash(documents: Documents) -> Iterator[tuple[str, str]]:
    from simhash import Simhash, SimhashIndex

    quiet = logging.getLogger("dupdex.simhash")
    quiet.disabled = True  # it warns of every bucket of more than 200
    index = SimhashIndex([], k=3, log=quiet)
    for number, document in enumerate(documents):
        simhash = Simhash(document.text)
        for other in index.get_near_dups(simhash):
            yield document.id, documents[int(other)].id
        index.add(f"{number}", simhash)


def _gaoya_minhash(documents: Documents) -> Iterator[tuple[str, str]]:
    from gaoya.minhash import MinHashStringIndex

    index = MinHashStringIndex(32, 0.5, 32, 4, None, "char", True, (WIDTH, WIDTH))
    for number, document in enumerate(documents):
        for other in index.query(document.text):
            yield document.id, documents[other].id
        index.insert_document(number, document.text)


def _gaoya_simhash(documents: Documents) -> Iterator[tuple[str, str]]:
    from gaoya.simhash import SimHashStringIndex

    index = SimHashStringIndex(64, 6, 3, "char", True, (WIDTH, WIDTH))
    for number, document in enumerate(documents):
        for other in index.query(document.text):
            yield document.id, documents[other].id
        index.insert_document(number, document.text)


PEERS: Final = (
    Peer(
        "datasketch",
        "datasketch",
        f"MinHash of {HASHES} over character {WIDTH}-grams, LSH at 0.5, its answers as they are",
        _datasketch,
    ),
    Peer(
        "rensa",
        "rensa",
        f"RMinHash of {HASHES} over character 4-grams, 16 bands, its answers as they are",
        _rensa,
    ),
    Peer("simhash", "simhash", "64 bits over its own 4-grams, at most 3 differ", _simhash),
    Peer(
        "gaoya",
        "gaoya minhash",
        f"32 bands of 4 over character {WIDTH}-grams, Jaccard >= 0.5",
        _gaoya_minhash,
    ),
    Peer(
        "gaoya",
        "gaoya simhash",
        f"64 bits over character {WIDTH}-grams, at most 3 differ",
        _gaoya_simhash,
    ),
)
