"""The nouns of a report: plain data, which tables, files and the page are made of.

A *copy* is a document of a group of two or more that is not its canonical member, which is called
the *original* here. Lists hold the first so many by what they are about, unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from indexer.model import Ref, is_text
from mappings.errors import InputRefused
from query.tally import Every


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What to count by: dotted paths of fields, "" for none. Without a date field the time when a
    document was written counts. `every` of None is chosen by the times there are; `top`: rows of
    each list. Raises InputRefused for what is no name of a field.
    """

    date_field: str = ""
    source_field: str = ""
    kind_field: str = ""
    every: Every | None = None
    top: int = 20

    def __post_init__(self) -> None:
        for name in ("date_field", "source_field", "kind_field"):
            if not is_text(getattr(self, name)):
                raise InputRefused(f"{name} holds half a surrogate pair, which no field has")


@dataclass(frozen=True, slots=True)
class CopyRate:
    """Copies among documents. `name`: the period, source or kind, None for those without one;
    `grouped`: documents in groups of two or more; `rate`: copies / documents."""

    name: str | None
    documents: int
    grouped: int
    copies: int
    rate: float

    @classmethod
    def of(cls, name: str | None, documents: int, grouped: int, copies: int) -> Self:
        return cls(name, documents, grouped, copies, copies / documents if documents else 0.0)


@dataclass(frozen=True, slots=True)
class SizeClass:
    """Groups of `least` to `most` members (None: any number), and the documents in them."""

    least: int
    most: int | None
    groups: int
    documents: int


@dataclass(frozen=True, slots=True)
class Original:
    """The canonical member of a group. `sources`: how many sources have a member; `time`: its own,
    in milliseconds since 1970. Both are None where no field was named for them."""

    group: str
    document: Ref
    title: str
    copies: int
    source: str | None
    sources: int | None
    time: int | None


@dataclass(frozen=True, slots=True)
class CopyFlow:
    """Who copies whom: `copies` documents of `copier` are copies of originals of `original`, from
    so many `groups`. A document with several sources counts for each."""

    copier: str | None
    original: str | None
    copies: int
    groups: int


@dataclass(frozen=True, slots=True)
class CopierSpeed:
    """How soon after originals of other sources a source has its first copy. `originals`: those it
    copied afterwards; `median` and `least` are over these, in seconds; `earlier`: those of which
    it has a copy with an earlier time than the original's."""

    source: str
    originals: int
    median: float | None
    least: float | None
    earlier: int


@dataclass(frozen=True, slots=True)
class Chain:
    """Documents each of which is a duplicate of the next, with no shorter way from the first to the
    last; of equal texts one is named. `texts`: how many different ones are connected in all;
    `groups`: in how many groups the documents named are."""

    documents: tuple[Ref, ...]
    texts: int
    groups: int


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence that many unrelated documents share; `text` is its beginning, "" where no document
    with it was found; `documents`: in which it is one of the longest sentences."""

    text: str
    documents: int


@dataclass(frozen=True, slots=True)
class PairCount:
    """Verified pairs that have these in common; `facts` is "differ", "same" or None where nobody
    looked, `decision` None where nobody decided."""

    verdict: str
    decision: str | None
    facts: str | None
    template: bool
    pairs: int


@dataclass(frozen=True, slots=True)
class SchemeCount:
    """How many verified pairs share a key of a scheme, and how many no key of any other one."""

    scheme: str
    pairs: int
    alone: int


@dataclass(frozen=True, slots=True)
class JobRun:
    """A run of a job; times as text, `ended` None while it is under way."""

    job: str
    state: str
    started: str
    ended: str | None
    error: str | None


class Fault(StrEnum):
    """What may be wrong with an index."""

    UNGROUPED = "ungrouped"  # no document was ever put into a group
    OTHER_PLAN = "other_plan"  # documents with stored values of another plan
    NO_PLAN = "no_plan"  # documents that dupdex did not write
    SIZES = "sizes"  # records of groups that say another size than there are members
    NO_ORIGINAL = "no_original"  # groups whose canonical member is not there
    OLD_PAIRS = "old_pairs"  # pairs verified under another plan
    NOT_LEARNED = "not_learned"  # an index with many documents and no boilerplate
    FAILED_RUN = "failed_run"  # jobs whose last run failed
    MANY_PAIRS = "many_pairs"  # too many pairs to look for chains


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault, and how many documents, groups, pairs or jobs have it."""

    fault: Fault
    count: int


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """`size` in bytes, None where the role may not ask; `group_policy` None where the index keeps
    no groups; `learned_from`: documents that boilerplate was learned from, `notices` how many
    sentences that are."""

    store: str
    version: str
    documents: int
    size: int | None
    plan: str
    schemes: tuple[str, ...]
    group_policy: str | None
    learned_from: int
    notices: int
    runs: tuple[JobRun, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ListLengths:
    """How many entries the lists would have without a limit; documents without a source or kind
    make one, too."""

    by_source: int
    by_kind: int
    most_copied: int
    flows: int
    fastest: int


@dataclass(frozen=True, slots=True)
class DuplicateReport:
    """All of it. `made`: when; `every`: the length of the periods of `over_time`, which has them
    all; `groups`: of two and more; `largest`: members of the largest."""

    index: str
    made: str
    options: ReportOptions
    every: Every
    total: CopyRate
    groups: int
    largest: int
    over_time: tuple[CopyRate, ...]
    by_source: tuple[CopyRate, ...]
    by_kind: tuple[CopyRate, ...]
    sizes: tuple[SizeClass, ...]
    most_copied: tuple[Original, ...]
    flows: tuple[CopyFlow, ...]
    fastest: tuple[CopierSpeed, ...]
    chains: tuple[Chain, ...]
    pairs: tuple[PairCount, ...]
    schemes: tuple[SchemeCount, ...]
    boilerplate: tuple[Notice, ...]
    lengths: ListLengths
    health: IndexHealth
