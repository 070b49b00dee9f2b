"""Groups of a corpus of files, without a store.

documents -> nodes with keys -> candidate pairs -> near duplicates -> stars -> canonical members
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dupdex.corpus.candidate_join import CandidateJoin, MemoryJoin
from dupdex.corpus.disk_join import DiskJoin, check_installed
from dupdex.corpus.gathering import Gathered, Nodes, Refused, Wanted, gather
from dupdex.corpus.judged_pairs import Judging, Pairs, Progress, judged
from dupdex.corpus.template_pairs import are_templates
from dupdex.groups.canonical import Member, canonical
from dupdex.groups.naming import new_id
from dupdex.groups.partition import Star, stars
from indexer.garbage import no_collections
from indexer.grouping import Grouping, Policy
from indexer.model import Document, Ref
from indexer.text.ragged import Positions, bounds_of
from mappings.contract import Field
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS
from query.answers import Verdict
from query.near_screen import NearScreen
from query.passage_terms import FIELDS


@dataclass(slots=True)  # a frozen one takes three times as long to make, and there are many
class GroupMember:
    """A document of a group. `similarity`: to the canonical member, and `verdict` about both."""

    id: str
    similarity: float
    verdict: Verdict


@dataclass(slots=True)
class Group:
    """Documents that belong together: `group`, its id; `canonical`, the id of the member that
    stands for it; `members` in the order of the input.
    """

    group: str
    canonical: str
    size: int
    members: tuple[GroupMember, ...]


@dataclass(slots=True)
class CorpusReport:
    """What was grouped. `copies`: documents beside the canonical ones, and `exact` those that equal
    another text; `candidates`: pairs that share a key, `judged` those whose texts were compared;
    `near` and `templates`: what these were. `frequent_keys`: keys in so many documents that they
    brought only the first of them together; `bytes_saved`: of text.
    """

    documents: int = 0
    groups: int = 0
    copies: int = 0
    exact: int = 0
    candidates: int = 0
    judged: int = 0
    near: int = 0
    templates: int = 0
    frequent_keys: int = 0
    bytes: int = 0
    bytes_saved: int = 0
    largest: list[tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CorpusGroups:
    """The groups of a corpus, and which of its documents are left without the copies."""

    groups: list[Group]
    kept: Positions
    corpus: Gathered
    report: CorpusReport

    def kept_lines(self) -> Iterator[bytes]:
        """The documents that are left, a line of JSON each, in the order of the input."""
        if self.corpus.documents is None:
            return
        left = np.zeros(len(self.corpus.ids), np.bool_)
        left[self.kept] = True
        for line, is_left in zip(self.corpus.documents.each(), left.tolist(), strict=True):
            if is_left:
                yield line


def _unseen(_steps: int, _total: int | None = None) -> None:
    """Nobody looks at the progress."""


@dataclass(frozen=True, slots=True)
class Work:
    """How it is done: in how many processes, in which folder, and whom to tell about it."""

    folder: Path
    workers: int = 1
    comparing: Progress = _unseen


def fields_of(plan: Plan, schemes: Sequence[str] = ()) -> frozenset[Field]:
    """The fields whose keys bring candidates: of the named schemes, or of all of the plan."""
    names = set(schemes or plan.schemes) & set(plan.schemes)
    return frozenset(SCHEME_FIELDS[name] for name in names) - {Field.TEXT_HASH}


def group_corpus(
    documents: Iterable[Document], wanted: Wanted, work: Work, refused: Refused
) -> CorpusGroups:
    """Group all documents; `refused` is given the outcome of each that cannot be compared.

    Of exact copies the first is compared. Two documents are in one group when both are near
    duplicates of the same one; partial copies and fillings of one form never join.
    """
    if wanted.memory is not None:
        check_installed()
    with no_collections(all_is_old=True):
        corpus = gather(documents, wanted, work.folder, work.workers, refused)
        report = CorpusReport(len(corpus.ids), bytes=int(corpus.sizes.sum()))
        pairs = _near_pairs(corpus.nodes, wanted, work, report)
        found = _stars(pairs, corpus.nodes)
        groups, kept = _Groups(corpus, pairs, wanted.grouping).made(found)
    report.groups, report.copies = len(groups), len(corpus.ids) - len(kept)
    report.bytes_saved = report.bytes - int(corpus.sizes[kept].sum())
    report.exact = len(corpus.ids) - len(corpus.nodes)
    by_size = sorted(groups, key=lambda group: (-group.size, group.group))
    report.largest = [(group.group, group.size) for group in by_size[:10]]
    return CorpusGroups(groups, kept, corpus, report)


def _near_pairs(nodes: Nodes, wanted: Wanted, work: Work, report: CorpusReport) -> Pairs:
    """The near duplicates that are no fillings of one form."""
    plan = wanted.plan
    if wanted.shared is not None or nodes.texts is None:
        with _joined(nodes, wanted, work, report) as joined:
            near = _trusted(joined, wanted.shared or 1, report)
    else:
        screen = NearScreen(plan, nodes.sketched, nodes.simhashes, nodes.lengths)
        with _joined(nodes, wanted, work, report) as joined:
            first, second = _candidates(joined, screen, work.workers, report)
            columns = joined.spread(FIELDS, plan.thresholds.unrelated)
        judging = Judging(plan, nodes.texts)
        work.comparing(0, len(first))
        pairs = judged(first, second, judging, work.workers, work.comparing)
        templates = are_templates(pairs, (first, second), judging, columns, work.workers)
        report.templates = int(np.count_nonzero(templates))
        near = pairs.kept(~templates)
    report.near = len(near)
    return near


@contextmanager
def _joined(
    nodes: Nodes, wanted: Wanted, work: Work, report: CorpusReport
) -> Iterator[CandidateJoin]:
    """The keys of the nodes, joined where they fit."""
    hot = wanted.plan.thresholds.hot
    if nodes.files is None or wanted.memory is None:
        entries = dict(nodes.entries)
        nodes.entries.clear()
        joined = MemoryJoin(entries, len(nodes), hot)
        report.frequent_keys = joined.frequent
        yield joined
        return
    with closing(
        DiskJoin(nodes.files, nodes.number, hot, work.folder, wanted.memory, work.workers)
    ) as on_disk:
        report.frequent_keys = on_disk.frequent
        yield on_disk


def _trusted(joined: CandidateJoin, least: int, report: CorpusReport) -> Pairs:
    """The pairs that share so many keys. Their similarity is the part of the keys of the text with
    fewer of them.
    """
    counts = joined.keys_of()
    parts = [Pairs.none()]
    for found in joined.pairs():
        kept = found.kept(found.shared >= least)
        fewer = np.minimum(counts[kept.first], counts[kept.second])
        parts.append(Pairs(kept.first, kept.second, kept.shared / fewer))
        report.candidates += len(found)
    return Pairs.joined(parts)


def _candidates(
    joined: CandidateJoin, screen: NearScreen, workers: int, report: CorpusReport
) -> tuple[Positions, Positions]:
    """The pairs that share a key and can be near duplicates."""
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for kept_first, kept_second, total in joined.screened(screen, workers):
        first.append(kept_first)
        second.append(kept_second)
        report.candidates += total
        report.judged += len(kept_first)
    return np.concatenate(first), np.concatenate(second)


def _stars(pairs: Pairs, nodes: Nodes) -> list[Star[int]]:
    """The groups of nodes, and nodes that are a group by themselves, as their texts come again."""
    edges = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    several = np.flatnonzero(nodes.sizes > 1)
    weights = dict(zip(several.tolist(), nodes.sizes[several].tolist(), strict=True))
    found = stars(edges, None, weights)
    in_one = {node for star in found for node in star.members}
    alone = (node for node in several.tolist() if node not in in_one)
    return [*found, *(Star(node, (node,), (node,)) for node in alone)]


class _Groups:
    """Stars of nodes as groups of documents."""

    def __init__(self, corpus: Gathered, pairs: Pairs, grouping: Grouping) -> None:
        self._corpus, self._grouping = corpus, grouping
        self._order: list[int] = np.argsort(corpus.node_of, kind="stable").tolist()
        self._bounds: list[int] = bounds_of(corpus.nodes.sizes).tolist()
        self._node_of: list[int] = corpus.node_of.tolist()
        keys = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
        self._similarity = dict(zip(keys, pairs.similarity.tolist(), strict=True))

    def made(self, found: Sequence[Star[int]]) -> tuple[list[Group], Positions]:
        """The groups in the order of their first members, and the documents that stay."""
        every = [(star, self._of(star.members)) for star in found]
        every.sort(key=lambda each: each[1][0])
        ids = self._corpus.ids
        groups, copies = [], []
        names: set[str] = set()
        for star, documents in every:
            own = [ids[at] for at in documents]
            name = min(own)
            if name in names:  # where ids come twice; to sort them all for that takes long
                name = new_id(sorted(own), names)
            names.add(name)
            chosen = self._canonical(star)
            copies += [at for at in documents if at != chosen]
            members = tuple(self._members(documents, self._node_of[chosen]))
            groups.append(Group(name, ids[chosen], len(members), members))
        return groups, np.delete(np.arange(len(ids)), copies)

    def _of(self, nodes: Sequence[int]) -> list[int]:
        """The documents of some nodes, in the order of the input."""
        order, bounds = self._order, self._bounds
        return sorted([at for node in nodes for at in order[bounds[node] : bounds[node + 1]]])

    def _canonical(self, star: Star[int]) -> int:
        """The document that stands for a group. References are numbers of documents, as an id may
        come twice."""
        if self._grouping.policy is Policy.FIRST:
            return min([self._order[self._bounds[node]] for node in star.common])
        lengths, values = self._corpus.nodes.lengths, self._corpus.values
        members: dict[Ref, Member] = {}
        for node in star.common:
            length = int(lengths[node])
            for at in self._of([node]):
                members[Ref("", str(at))] = Member(length, at, values[at] if values else None)
        return int(canonical(list(members), members, self._grouping, None).id)

    def _members(self, documents: Sequence[int], chosen: int) -> Iterator[GroupMember]:
        """The members of a group whose canonical one has the text of a node."""
        node_of, ids, similarity = self._node_of, self._corpus.ids, self._similarity
        for at in documents:
            node = node_of[at]
            if node == chosen:
                yield GroupMember(ids[at], 1.0, Verdict.EXACT)
            else:
                pair = (node, chosen) if node < chosen else (chosen, node)
                yield GroupMember(ids[at], similarity[pair], Verdict.NEAR)
