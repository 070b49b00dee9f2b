"""The nouns of the read side.

text | id -> Request -> CandidatePage -> Match list (+ Completeness) = Answer
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from msgspec import Struct

from indexer.fingerprints.simhash import hamming
from indexer.model import Body, Fingerprint, Keys
from indexer.model import Ref as Ref
from mappings.contract import Field

FREQUENT_ONLY: Final = 1_000
"""How many documents that share frequent keys only are candidates, where all candidates are asked
for. Such are the copies of a text with very many copies, and all that have one boilerplate line."""

CUT_FROM: Final = 10
"""In an index of at least this many times `max_df` documents, a limited lookup leaves out documents
that share frequent keys only. In a smaller one, rarity tells little."""

SAME_TEXT: Final = 1.5
"""The score of an equal text, however many there are, as a multiple of the least score that is
enough; not an integer, as simhash keys make."""

Term = tuple[Field, str]

Filter = Mapping[str, Any]
"""One Elasticsearch query clause; the embedded store understands {"term": {field: value}}."""


class Request(Struct, frozen=True):
    """What a store is asked: the terms of one text.

    `limit` bounds the candidates wanted, best first; None asks for all the store can give.
    `exclude`: the document that is no candidate. `max_df`: the df above which a key is frequent
    and alone makes no candidate. `simhash`: that of the text; documents that share simhash keys
    only may be left out when they differ from it in more than `simhash_only` bits. None keeps them
    all. One that differs in at most `hamming` bits is a near duplicate by that. `texts`: how many
    of the best candidates will be read, None for all; a store may send these along, and need not
    list others that nothing can be told of. `plan_id`: only documents of this plan, while an index
    moves to another one.
    """

    keys: Keys
    limit: int | None = 50
    filters: tuple[Filter, ...] = ()
    exclude: Ref | None = None
    max_df: int = 300
    simhash: int | None = None
    simhash_only: int = 0
    hamming: int = 0
    texts: int | None = 0
    plan_id: str | None = None

    @property
    def is_narrowed(self) -> bool:
        """Whether not every document may be a candidate."""
        return bool(self.filters) or self.plan_id is not None

    def met_by_chance(self, candidate: Candidate) -> bool:
        """Whether equal simhash blocks are all that is shared, and the simhashes are far apart:
        texts of such candidates are not read."""
        if self.simhash is None or not candidate.simhash_only:
            return False
        return hamming(self.simhash, candidate.simhash) > self.simhash_only


class Candidate(Struct, frozen=True, gc=False):
    """A stored document that shares a term; `score` is higher for rarer shared terms.

    `index`: the one it is in, by its own name even where an alias was opened.
    `simhash_only`: it shares block keys of the simhash and nothing else (but frequent terms); only
    where a limit chooses which candidates are read does it say so of all.
    """

    id: str
    index: str
    score: float
    text_hash: str
    simhash: int
    simhash_only: bool = False

    @property
    def ref(self) -> Ref:
        return Ref(self.index, self.id)


class CandidatePage(Struct, frozen=True):
    """Candidates, best first. `truncated`: there are more that share a term.

    `frequent`: keys in too many documents to have a vote; alone they bring FREQUENT_ONLY documents.
    `rare_only`: documents were left out because all they share, taken together, is no rarer than
    one key in `max_df` documents; where all are such, those that share two keys are candidates. On
    a full page `truncated` says that there are more, whatever the reason. `documents`: those that
    came along with the candidates; the others have to be read. `others`: what is stored of further
    documents that came along. `later_only`: candidates before the asked document are left out, as
    they have asked for it themselves. `unlisted`: how many more candidates there are that would not
    be read, and of which the stored values decide nothing.
    """

    candidates: tuple[Candidate, ...]
    truncated: bool = False
    frequent: tuple[Term, ...] = ()
    rare_only: bool = False
    documents: Mapping[Ref, Stored] = {}
    others: Mapping[Ref, Fingerprint] = {}
    later_only: bool = False
    unlisted: int = 0


class Stored(Struct, frozen=True, gc=False):
    """A document as the store returns it: the user's fields, the text, what was stored of it."""

    id: str
    index: str
    body: Body
    text: str
    plan_id: str
    fingerprint: Fingerprint | None

    @property
    def ref(self) -> Ref:
        """What names the document."""
        return Ref(self.index, self.id)


class CandidateReader(Protocol):
    """The read side of a store, as lookup needs it."""

    @property
    def at_once(self) -> int:
        """How many requests are answered together while others are judged; 0 for a store that
        gains nothing by that, and answers all of them."""
        ...

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request, in order, in one round trip where the store can."""
        ...

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        """The stored documents, as candidates name them; absent ones are left out."""
        ...

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        """The same one by one, in any order: what they weigh bounds how many are held at once."""
        ...

    def frequencies(self, keys: Keys) -> Mapping[Term, int]:
        """In how many documents each term is."""
        ...

    def stored_ids(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that stored documents have."""
        ...


class DocumentReader(CandidateReader, Protocol):
    """Reads documents by ids that people know, too."""

    def by_ids(self, ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
        """The stored documents of each id, in the order of their indices' names: more than one
        only behind an alias over several indices. Absent ids are left out.
        """
        ...


@dataclass(frozen=True, slots=True)
class Hit:
    """One full-text hit."""

    id: str
    index: str
    score: float
    body: Body


@dataclass(frozen=True, slots=True)
class Hits:
    """Full-text hits, best first, and how many there are in all."""

    hits: tuple[Hit, ...]
    total: int


@dataclass(frozen=True, slots=True)
class GroupHit:
    """The best hit of a group, and how many of its documents are hits."""

    hit: Hit
    group: str
    copies: int


@dataclass(frozen=True, slots=True)
class GroupHits:
    """Full-text hits, one a group, best first; how many documents and groups there are in all.
    `next`: the cursor of the next page, plain JSON; None on the last one.
    """

    hits: tuple[GroupHit, ...]
    documents: int
    groups: int
    next: Any = None


class Verdict(StrEnum):
    """What two texts are to each other; see `query.verify.verdict`."""

    EXACT = "exact"
    NEAR = "near"
    PARTIAL = "partial"


class Direction(StrEnum):
    """Which way a partial copy goes, read from the text that was asked about."""

    CONTAINS = "contains"  # the asked text contains the stored one
    CONTAINED_IN = "contained_in"  # the asked text is inside the stored one
    OVERLAPS = "overlaps"


class Decision(StrEnum):
    """What somebody decided about a pair of stored documents, whatever its verdict."""

    DUPLICATE = "duplicate"
    NOT_DUPLICATE = "not-duplicate"


class FactKind(StrEnum):
    """What sort of fact differs between near duplicates; dates are times of day, too."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


class FactDifference(Struct, frozen=True):
    """A fact of the asked text and what the stored text has in its place, both as written."""

    kind: FactKind
    asked: str
    stored: str


class Evidence(Struct, frozen=True):
    """Why a match is a match.

    `keys`: shared terms by field. `hamming`: bits between the simhashes, None where a stored text
    matches as it may be meant. `jaccard` and `syllable_jaccard`: of 4-grams, None when the verdict
    comes from stored values alone. `shared`: distinct long grams found in both.
    """

    keys: Keys = {}
    hamming: int | None = None
    jaccard: float | None = None
    syllable_jaccard: float | None = None
    shared: int | None = None
    verified: str = "text"  # or "stored"


class Located(Struct, frozen=True):
    """Where the common part stands: characters [start, stop) of either text as it was given."""

    asked: tuple[int, int]
    stored: tuple[int, int]


class Match(Struct, frozen=True):
    """One verified near duplicate: plain data that pickles, compares and outlives its texts.

    `index` is where the document lies, of which `id` is the id. `similarity` is in 0..1, a Jaccard
    similarity; estimated (`query.verify.estimate`) where the verdict comes from stored values
    alone. `share` is the part of the asked text found in the stored one, `stored_share` the part
    of the stored text found in the asked one (long grams, or long runs); both are None where no
    text was read. `direction`: of a partial copy, and of a near duplicate where one is an excerpt
    of the other. `facts_differ` are the first of `facts_total` facts that a near duplicate
    changes, in the order of the asked text; None when nobody looked (`Options.facts`, or no text
    was read). `located`: where a partial copy or an excerpt stands in either text, None for others
    and without `Options.located`. `document` holds the user's fields. `disguise`: what one of the
    texts was disguised by, as far as that was undone or told the verdict; nothing where no text was
    read. `template`: both are fillings of one form that many documents have
    (`query.verify.templates`); False when nobody looked for facts. `decided`: what somebody decided
    about the pair; one that is a duplicate by decision alone is a near one.
    """

    id: str
    index: str
    verdict: Verdict
    similarity: float
    share: float | None
    stored_share: float | None
    direction: Direction | None
    evidence: Evidence
    document: Body = {}
    facts_differ: tuple[FactDifference, ...] | None = None
    facts_total: int | None = None
    located: Located | None = None
    disguise: tuple[str, ...] = ()
    template: bool = False
    decided: Decision | None = None

    @property
    def ref(self) -> Ref:
        """What names the document."""
        return Ref(self.index, self.id)

    def rank(self) -> tuple[int, float, float, str, str]:
        """The place of a match in an answer, by comparison: exact, near, partial; then the more
        similar first.
        """
        order = (Verdict.EXACT, Verdict.NEAR, Verdict.PARTIAL).index(self.verdict)
        return order, -self.similarity, -(self.share or 0.0), self.id, self.index

    @property
    def is_estimate(self) -> bool:
        """Whether the similarity is an estimate, as no text was read."""
        return self.evidence.verified == "stored" and self.verdict is not Verdict.EXACT

    @property
    def strength(self) -> float:
        """What `Options.threshold` is held against: a partial copy counts by its share."""
        if self.verdict is Verdict.PARTIAL:
            return max(self.similarity, self.share or 0.0, self.stored_share or 0.0)
        return self.similarity


class Completeness(Struct, frozen=True):
    """What an answer covers: candidates found, judged from their text, judged from stored values
    alone, and left undecided, as their stored values say neither yes nor no.

    `truncated`: more documents share a key than were looked at. `frequent_keys`: keys of the asked
    text that had no vote. `rare_only`: documents that share frequent keys only were left out.
    `boilerplate`: letters and digits of the asked text that had no say. `widespread`: matches left
    out, as all they share is in many documents that are copies of neither text. `templates`:
    matches left out as fillings of one form. `guarantee`: what the key layout promises, in words.
    `decided`: matches left out as somebody decided that they are no duplicates.
    """

    candidates: int
    examined: int
    from_stored: int
    undecided: int
    truncated: bool
    frequent_keys: int
    rare_only: bool
    boilerplate: int
    widespread: int
    templates: int
    guarantee: str
    decided: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The matches of one text, best first, with their completeness.

    `id` is the name that the asked text was given; `left_out` the id of the stored document that
    was left out because the question asked for that, None when no document of that id is stored.
    `compared_seconds`: what the comparison of texts took.
    """

    matches: tuple[Match, ...]
    completeness: Completeness
    id: str | None = None
    left_out: str | None = None
    compared_seconds: float = field(default=0.0, compare=False, repr=False)
