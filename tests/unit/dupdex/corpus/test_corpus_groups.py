"""A corpus grouped by its keys, against every pair judged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.corpus import template_pairs
from dupdex.corpus.corpus_groups import CorpusGroups, Work, fields_of, group_corpus
from dupdex.corpus.gathering import Wanted
from dupdex.groups.partition import stars
from dupdex.index import Index
from dupdex.location import Location
from dupdex.scratch import scratch_folder
from indexer.grouping import Grouping, Policy
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome
from mappings.errors import InputRefused
from mappings.plan import STANDARD, Plan
from query.answers import Verdict
from query.facts.differ import Compared, compare
from query.facts.fact_reading import Reading
from query.pair import PairJudge
from query.questions import EVERYTHING
from query.telling_pair import compared
from tests.texts import (
    CHARACTERS,
    LAW,
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    MIXED,
    ORCHARD,
    TEA,
    chinese,
)

POOL = (
    METRO,
    METRO_HOMOPHONES,
    METRO_TRADITIONAL,
    METRO[:150],
    METRO.replace("地铁", "轻轨"),
    METRO[:90] + chinese(200, 4),
    MIXED,
    LIBRARY,
    LIBRARY.replace("a", "а"),
    ORCHARD,
    ORCHARD + " Nothing else is known.",
    TEA,
    "丨".join(TEA),
    "".join(f"&#{ord(each)};" for each in TEA),
    f"\u202e{METRO[::-1]}",
    "好",
    "好的",
    "😀",
)


FIRST = Grouping()


def named(texts: Sequence[str]) -> list[Document]:
    return [Document(f"d{at:04}", text, {"text": text}) for at, text in enumerate(texts)]


def grouped(
    documents: Sequence[Document],
    grouping: Grouping = FIRST,
    shared: int | None = None,
    schemes: Sequence[str] = (),
    workers: int = 1,
    plan: Plan = STANDARD,
) -> CorpusGroups:
    refused: list[Outcome] = []
    wanted = Wanted(plan, fields_of(plan, schemes), grouping, shared)
    with scratch_folder() as folder:
        return group_corpus(documents, wanted, Work(folder, workers), refused.append)


def memberships(found: CorpusGroups) -> list[list[str]]:
    return [sorted(member.id for member in group.members) for group in found.groups]


def by_every_pair(documents: Sequence[Document]) -> list[list[str]]:
    """Groups by what the judge says of all pairs, none of them left out."""
    judge = PairJudge(STANDARD)
    edges = []
    for one, other in combinations(documents, 2):
        if compared(judge, one.text, other.text).verdict in (Verdict.EXACT, Verdict.NEAR):
            edges.append((one.id, other.id))
    return [list(star.members) for star in stars(edges)]


@LAW
@given(st.lists(st.sampled_from(POOL), min_size=1, max_size=12))
def test_groups_are_those_of_every_pair_judged(texts: list[str]) -> None:
    documents = named(texts)
    assert sorted(memberships(grouped(documents))) == sorted(by_every_pair(documents))


@LAW
@given(st.lists(st.sampled_from(POOL), min_size=2, max_size=12), st.randoms())
def test_the_order_of_the_input_changes_no_group(texts: list[str], rng: random.Random) -> None:
    documents = named(texts)
    shuffled = rng.sample(documents, len(documents))
    longest = Grouping(Policy.LONGEST)
    first, second = grouped(documents, longest), grouped(shuffled, longest)
    assert sorted(memberships(first)) == sorted(memberships(second))
    assert {each.group for each in first.groups} == {each.group for each in second.groups}


def edited(text: str, every: int, seed: int) -> str:
    choose = random.Random(seed)
    letters = list(text)
    for at in range(seed % every, len(letters), every):
        letters[at] = choose.choice(CHARACTERS)
    return "".join(letters)


def letters(count: int, seed: int) -> str:
    """A sentence of random characters, of which there are many, without a mark inside."""
    return "".join(map(chr, random.Random(seed).choices(range(0x4E00, 0x5A00), k=count))) + "。"


def test_long_texts_pass_the_screen_that_passes_over_those_that_share_sentences() -> None:
    sentences = [letters(40, seed) for seed in range(150)]
    choose = random.Random(5)
    originals = ["".join(choose.sample(sentences, 20)) for _ in range(30)]
    texts = [*originals, *(edited(text, every, 7) for text in originals for every in (10, 20))]
    found = grouped(named(texts))
    assert sorted(memberships(found)) == sorted(by_every_pair(named(texts)))
    assert [group.size for group in found.groups] == [3] * 30
    assert found.report.candidates > 1_000
    assert found.report.judged < found.report.candidates / 2


def test_exact_copies_cost_no_pairs() -> None:
    found = grouped(named([METRO, LIBRARY] * 300))
    assert [group.size for group in found.groups] == [300, 300]
    assert (found.report.candidates, found.report.exact) == (0, 598)
    assert found.kept.tolist() == [0, 1]


def test_very_many_near_copies_are_one_group() -> None:
    few = replace(STANDARD, thresholds=replace(STANDARD.thresholds, hot=20))
    texts = [METRO[:at] + "某" + METRO[at + 1 :] for at in range(60)]
    found = grouped(named(texts), plan=few)
    assert found.report.frequent_keys > 10
    (group,) = found.groups
    assert group.size == len(texts)


def test_copies_in_great_number_have_few_of_their_facts_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = []

    def counted(one: Reading, other: Reading) -> Compared:
        compared.append(1)
        return compare(one, other)

    monkeypatch.setattr(template_pairs, "compare", counted)
    count = 150
    texts = [METRO[:at] + "某" + METRO[at + 1 :] for at in range(count)]
    found = grouped(named(texts))
    assert [group.size for group in found.groups] == [count]
    assert found.report.templates == 0
    assert 0 < len(compared) <= 2 * template_pairs.SOME * count < count * (count - 1) / 2


def test_one_prologue_makes_no_group() -> None:
    prologue = chinese(100, 1) + "。"
    found = grouped(named([prologue + chinese(400, seed) for seed in range(2, 60)]))
    assert found.groups == []
    assert len(found.kept) == 58


FORECAST = (
    "{city}市气象台{day}日发布天气预报：今天白天{sky}，最高气温{high}度，夜间{sky}转阴，最低气温"
    "{low}度，风力{wind}级。请市民根据天气变化及时增减衣物，注意出行安全，谨防感冒。"
)


def test_fillings_of_a_form_are_left_out_as_a_sweep_marks_them(tmp_path: Path) -> None:
    choose = random.Random(3)
    skies = ["晴", "多云", "小雨", "大雨", "雾", "小雪"]
    cities = ["北京", "上海", "广州", "重庆", "南京", "武汉", "成都", "杭州", "青岛", "大连"]
    texts = [
        FORECAST.format(
            city=cities[at % 10],
            day=at % 28 + 1,
            sky=choose.choice(skies),
            high=20 + at % 17,
            low=5 + at % 13,
            wind=1 + at % 6,
        )
        for at in range(40)
    ]
    documents = named([*texts, texts[0].replace("请", "敬请")])
    found = grouped(documents)
    with Index.create(Location(tmp_path), IndexMeta(STANDARD, ("text",))) as index:
        assert all(outcome.reason == "" for outcome in index.add_iter(documents))
        pairs = [pair for pair in index.sweep(EVERYTHING) if pair.match.verdict is Verdict.NEAR]
    edges = [(pair.first.id, pair.second.id) for pair in pairs if not pair.match.template]
    assert found.report.templates == len(pairs) - len(edges) > 300
    assert sorted(memberships(found)) == sorted(list(star.members) for star in stars(edges))


def test_members_say_how_similar_they_are_to_the_canonical_one() -> None:
    found = grouped(named([METRO, METRO + "！", METRO_HOMOPHONES, TEA]))
    (group,) = found.groups
    assert (group.group, group.canonical, group.size) == ("d0000", "d0000", 3)
    same, marked, homophones = group.members
    assert (same.similarity, same.verdict) == (1.0, Verdict.EXACT)
    assert (marked.similarity, marked.verdict) == (1.0, Verdict.EXACT)
    assert homophones.verdict is Verdict.NEAR
    assert homophones.similarity > 0.4
    assert found.kept.tolist() == [0, 3]
    assert found.report.bytes_saved == sum(
        len(t.encode()) for t in (METRO + "！", METRO_HOMOPHONES)
    )


def test_the_canonical_member_is_chosen_by_a_policy() -> None:
    texts = [METRO, METRO + "再见", METRO[:-10]]
    bodies = [{"day": "2024-03-01", "by": "a"}, {"day": "2024-01-01", "by": "b"}, {"by": "c"}]
    documents = [
        Document(str(at), text, {"text": text, **body})
        for at, (text, body) in enumerate(zip(texts, bodies, strict=True))
    ]
    for grouping, chosen in (
        (Grouping(), "0"),
        (Grouping(Policy.LONGEST), "1"),
        (Grouping(Policy.EARLIEST, "day"), "1"),
        (Grouping(Policy.AUTHORITY, "by", ("c", "a")), "2"),
    ):
        (group,) = grouped(documents, grouping).groups
        assert group.canonical == chosen


def test_an_id_that_comes_twice_is_two_documents() -> None:
    found = grouped([Document("x", METRO), Document("x", METRO), Document("x", TEA)])
    (group,) = found.groups
    assert [member.id for member in group.members] == ["x", "x"]
    assert found.kept.tolist() == [0, 2]


def test_two_groups_never_have_one_id() -> None:
    found = grouped([Document("x", text) for text in (METRO, METRO, TEA, TEA)])
    assert sorted(group.group for group in found.groups) == ["x", "x~2"]


def test_keys_can_be_trusted() -> None:
    line = letters(40, 1)
    texts = [line + chinese(300, 2), line + chinese(300, 3), chinese(300, 4)]
    assert grouped(named(texts)).groups == []
    (group,) = grouped(named(texts), shared=1, schemes=["sentences"]).groups
    assert group.size == 2
    assert group.members[1].similarity == pytest.approx(0.2)
    assert grouped(named(texts), shared=2, schemes=["sentences"]).groups == []


def test_two_processes_find_the_same() -> None:
    texts = [edited(chinese(800, seed), 20, seed + at) for seed in range(30) for at in range(4)]
    assert grouped(named(texts), workers=2).groups == grouped(named(texts)).groups


def test_a_document_that_cannot_be_compared_is_refused_alone(tmp_path: Path) -> None:
    refused: list[Outcome] = []
    documents = [Document("a", METRO), Document("b", " "), Document("c", METRO)]
    wanted = Wanted(STANDARD, fields_of(STANDARD), Grouping())
    found = group_corpus(documents, wanted, Work(tmp_path), refused.append)
    assert [outcome.document.id for outcome in refused] == ["b"]
    assert memberships(found) == [["a", "c"]]


def test_no_documents_no_groups() -> None:
    found = grouped([])
    assert (found.groups, found.report.documents, found.kept.tolist()) == ([], 0, [])


def test_a_policy_needs_its_field() -> None:
    with pytest.raises(InputRefused, match="needs the name of a field"):
        Grouping(Policy.EARLIEST)
