"""Candidates: who is found, in what order, and what a page says about the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from mappings.contract import Field
from mappings.plan import CHARACTERS
from query.answers import CUT_FROM, FREQUENT_ONLY, Ref, Request, Verdict
from query.lookup import near_duplicates_all
from query.questions import Question
from tests.contract.stores import Store, ids_of, made, real
from tests.texts import chinese, english


def test_whoever_shares_a_term_is_found(store: Store) -> None:
    store.write(made("a", "t1", "t2"), made("b", "t2", "t3"), made("c", "t4"))
    assert sorted(store.ids("t1", "t2")) == ["a", "b"]
    assert store.ids("t3", "absent") == ["b"]
    assert store.ids("absent") == []
    assert store.ids() == []


def test_a_term_counts_in_its_own_field(store: Store) -> None:
    store.write(made("a", "t1"))
    (page,) = store.reader.candidates([Request({Field.MINHASH_KEYS: ("t1",)})])
    assert page.candidates == ()


def test_a_candidate_carries_what_was_stored(store: Store) -> None:
    record = made("a", "t1")
    store.write(record)
    (candidate,) = store.page("t1").candidates
    assert candidate.text_hash == record.fingerprint.text_hash
    assert candidate.simhash == record.fingerprint.simhash
    assert candidate.score > 0


def test_rare_terms_come_before_common_ones(store: Store) -> None:
    store.write(*(made(f"common-{n}", "common") for n in range(20)))
    store.write(made("rare", "rare"), made("both", "rare", "common"))
    page = store.page("common", "rare")
    assert ids_of(page.candidates)[:2] == ["both", "rare"]
    assert len(page.candidates) == 22
    scores = [candidate.score for candidate in page.candidates]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[1] > scores[2]


def test_more_shared_terms_come_first(store: Store) -> None:
    store.write(made("one", "t1"), made("three", "t1", "t2", "t3"), made("two", "t2", "t3"))
    assert store.ids("t1", "t2", "t3") == ["three", "two", "one"]


def test_the_asker_is_left_out(store: Store) -> None:
    store.write(made("a", "t1"), made("b", "t1"))
    assert store.ids("t1", exclude=Ref("", "a")) == ["b"]
    assert sorted(store.ids("t1", exclude=Ref("", "absent"))) == ["a", "b"]
    assert not store.page("t1", exclude=Ref("", "a"), limit=1).truncated


def test_what_was_not_stored_was_not_left_out(store: Store) -> None:
    text = "云溪市北岸的白鹭大桥今天上午正式通车，第一批车辆驶过大桥用了四分钟。"
    store.write(real("a", text), real("b", text))
    questions = [Question(text, name, Ref("", name)) for name in ("a", "absent", "\ud83d", "b")]
    answers = near_duplicates_all(questions, CHARACTERS, store.reader)
    assert [answer.left_out for answer in answers] == ["a", None, None, "b"]
    matches = [sorted(match.id for match in answer.matches) for answer in answers]
    assert matches == [["b"], ["a", "b"], ["a", "b"], ["a"]]


def test_which_document_is_left_out_goes_by_index_and_id(store: Store) -> None:
    store.write(made("a", "t1", text="很好"), made("b", "t1"))
    first = next(one for one in store.page("t1").candidates if one.id == "a")
    assert store.ids("t1", exclude=first.ref) == ["b"]
    assert sorted(store.ids("t1", exclude=Ref("elsewhere", "a"))) == ["a", "b"]
    stored = store.reader.documents([first.ref, Ref("elsewhere", "b")])
    assert [document.ref for document in stored.values()] == [first.ref]
    assert [(hit.index, hit.id) for hit in store.reader.search("很好").hits] == [(first.index, "a")]


def test_a_page_says_exactly_whether_there_is_more(store: Store) -> None:
    store.write(*(made(f"d{n}", "t1") for n in range(5)))
    for limit, truncated in ((4, True), (5, False), (6, False)):
        page = store.page("t1", limit=limit)
        assert len(page.candidates) == min(limit, 5)
        assert page.truncated is truncated


def test_frequent_terms_fill_a_page_behind_rare_ones(store: Store) -> None:
    store.write(*(made(f"common-{n}", "common") for n in range(10)))
    store.write(made("rare", "rare"))
    page = store.page("common", "rare", limit=4, max_df=3)
    assert page.candidates[0].id == "rare"
    assert len(page.candidates) == 4
    assert page.truncated
    page = store.page("common", "rare", limit=11, max_df=3)
    assert len(page.candidates) == 11
    assert not page.truncated


def test_in_a_large_index_what_shares_one_frequent_term_is_left_out(store: Store) -> None:
    store.write(*(made(f"common-{n}", "common", "two") for n in range(CUT_FROM * 3)))
    store.write(made("rare", "rare"), made("both", "rare", "common"))
    page = store.page("common", "rare", limit=40, max_df=3)
    assert ids_of(page.candidates) == ["both", "rare"]
    assert page.rare_only
    assert not page.truncated
    alone = store.page("common", limit=40, max_df=3)
    assert alone.candidates == ()
    assert alone.rare_only
    assert not store.page("rare", limit=40, max_df=3).candidates[0].simhash_only


@pytest.mark.parametrize("others", [0, 15])
def test_the_limit_is_the_frequency_whatever_else_is_stored(store: Store, others: int) -> None:
    """A store may score a term by the number of terms a field has; that must not move the cut."""
    max_df = 30
    store.write(
        *(
            made(
                f"{number:03}",
                *(f"{number}-{other}" for other in range(others)),
                *(["at"] if number < max_df else []),
                *(["above"] if number <= max_df else []),
                f"own-{number}",
            )
            for number in range(CUT_FROM * max_df)
        )
    )
    at, above, both = (
        store.page(*terms, limit=100, max_df=max_df)
        for terms in (["at"], ["above"], ["at", "above"])
    )
    assert len(at.candidates) == len(both.candidates) == max_df
    assert above.candidates == ()


def test_what_may_be_no_candidate_hides_none(store: Store) -> None:
    """The asker itself, and what filters leave out, share the rarest term."""
    copies = [
        made(f"copy-{n}", "one", "two", text_hash=f"hash-{n}", site="b")
        for n in range(CUT_FROM * 4)
    ]
    store.write(made("asker", "one", "two", text_hash="own", site="a"), *copies)
    keys = {Field.TEXT_HASH: ("own",), Field.PASSAGE_KEYS: ("one", "two")}
    asked = Request(keys, limit=5, max_df=3, exclude=Ref("", "asker"))
    filtered = Request(keys, limit=5, max_df=3, filters=({"term": {"site": "b"}},))
    for page in store.reader.candidates([asked, filtered]):
        assert len(page.candidates) == 5
        assert page.truncated


def test_copies_of_a_short_text_are_found_by_other_keys(store: Store) -> None:
    """A text of six letters has one passage."""
    keys = {Field.PASSAGE_KEYS: ("p",), Field.MINHASH_KEYS: ("m1", "m2")}
    plain = [made(f"{n}") for n in range(CUT_FROM * 4)]
    store.write(
        *(replace(each, fingerprint=structs.replace(each.fingerprint, keys=keys)) for each in plain)
    )
    (page,) = store.reader.candidates([Request(keys, limit=5, max_df=3)])
    assert len(page.candidates) == 5


@pytest.mark.parametrize("others", [0, CUT_FROM * 3])
def test_equal_texts_are_found_by_their_hash_alone(store: Store, others: int) -> None:
    """Emoji have no other key."""
    store.put(made(f"other-{n}", f"own-{n}") for n in range(others))
    store.write(*(made(f"same-{n}", text_hash="hash") for n in range(6)))
    (page,) = store.reader.candidates(
        [Request({Field.TEXT_HASH: ("hash",)}, limit=4, max_df=3, exclude=Ref("", "same-0"))]
    )
    assert len(page.candidates) == 4
    assert page.truncated


def test_in_an_index_full_of_copies_they_are_found(store: Store) -> None:
    store.write(*(made(f"copy-{n}", "one", "two", text_hash="same") for n in range(CUT_FROM * 4)))
    keys = {Field.TEXT_HASH: ("same",), Field.PASSAGE_KEYS: ("one", "two")}
    some, one = store.reader.candidates(
        [
            Request(keys, limit=5, max_df=3),
            Request({Field.PASSAGE_KEYS: ("one",)}, limit=5, max_df=3),
        ]
    )
    assert len(some.candidates) == 5
    assert some.truncated
    assert one.candidates == ()


@pytest.mark.parametrize("max_df", [3, 300])
@pytest.mark.parametrize("limit", [40, None])
def test_candidates_that_share_simhash_keys_only_are_known(
    store: Store, limit: int | None, max_df: int
) -> None:
    store.put(made(f"other-{n}", f"own-{n}") for n in range(CUT_FROM * 3))
    store.write(
        made("one block", simhash_keys=("~A1",)),
        made("two blocks", simhash_keys=("~A1", "~B2")),
        made("block and passage", "t1", simhash_keys=("~A1",)),
        made("passage", "t1"),
    )
    keys = {Field.SIMHASH_KEYS: ("~A1", "~B2", "~C3"), Field.PASSAGE_KEYS: ("t1",)}
    (page,) = store.reader.candidates([Request(keys, limit=limit, max_df=max_df)])
    assert {each.id: each.simhash_only for each in page.candidates} == {
        "one block": True,
        "two blocks": True,
        "block and passage": False,
        "passage": False,
    }


@pytest.mark.parametrize("texts", [0, None])
def test_all_without_a_limit_but_frequent_keys_have_no_vote(
    store: Store, texts: int | None
) -> None:
    store.write(*(made(f"common-{n}", "common") for n in range(8)))
    store.write(made("a", "rare"), made("b", "rare", "common"))
    assert store.reader.by_ids(["a"])  # so that it is known that documents are light
    page = store.page("common", "rare", limit=None, max_df=3, texts=texts)
    assert set(ids_of(page.candidates)[:2]) == {"a", "b"}
    # and those that share the frequent key only, up to FREQUENT_ONLY
    assert len(page.candidates) == 10
    assert page.frequent == ((Field.PASSAGE_KEYS, "common"),)
    assert not page.truncated
    page = store.page("common", "rare", limit=None, max_df=9, texts=texts)
    assert len(page.candidates) == 10
    assert page.frequent == ()


@pytest.mark.parametrize("texts", [0, None])
def test_others_than_the_candidates_make_a_key_frequent(store: Store, texts: int | None) -> None:
    """Filtered and excluded documents have keys, too."""
    store.write(*(made(f"news-{n}", "common", source="news") for n in range(3)))
    store.write(*(made(f"other-{n}", "common", source="other") for n in range(3)))
    assert store.reader.by_ids(["news-1"])  # so that it is known that documents are light
    news = ({"term": {"source": "news"}},)
    for max_df, options in (
        (2, {"filters": news}),
        (4, {"exclude": Ref("", "other-1")}),
        (4, {"exclude": Ref("", "absent")}),
    ):
        page = store.page("common", limit=None, max_df=max_df, texts=texts, **options)
        assert page.frequent == ((Field.PASSAGE_KEYS, "common"),)
    page = store.page("common", limit=None, max_df=6, texts=texts, exclude=Ref("", "absent"))
    assert page.frequent == ()


@pytest.mark.parametrize("texts", [0, None])
def test_copies_that_share_frequent_keys_only_are_not_lost(store: Store, texts: int | None) -> None:
    """A text with more copies than `max_df` makes all its own keys frequent."""
    store.write(*(made(f"copy-{n}", "one", "two") for n in range(8)))
    assert store.reader.by_ids(["copy-1"])  # so that it is known that documents are light
    page = store.page("one", "two", limit=None, max_df=3, texts=texts)
    assert len(page.candidates) == 8
    assert len(page.frequent) == 2
    assert not page.truncated


@pytest.mark.parametrize("texts", [0, None])
@pytest.mark.parametrize("further", [2, FREQUENT_ONLY + 20])
def test_more_that_share_frequent_keys_only_than_are_looked_at(
    store: Store, texts: int | None, further: int
) -> None:
    store.write(*(made(f"common-{n}", "common") for n in range(FREQUENT_ONLY + further)))
    store.write(made("rare", "rare"), made("both", "common", "rare"))
    assert store.reader.by_ids(["rare"])  # so that it is known that documents are light
    page = store.page("common", "rare", limit=None, max_df=3, texts=texts)
    assert FREQUENT_ONLY + 2 <= len(page.candidates) <= FREQUENT_ONLY + 3
    assert {"rare", "both"} <= set(ids_of(page.candidates))
    assert page.frequent == ((Field.PASSAGE_KEYS, "common"),)
    assert page.truncated


def test_equal_texts_are_never_too_many(store: Store) -> None:
    store.write(*(made(f"copy-{n}", "common", text_hash="same") for n in range(8)))
    keys = {Field.TEXT_HASH: ("same",), Field.PASSAGE_KEYS: ("common",)}
    every, some = store.reader.candidates(
        [Request(keys, limit=None, max_df=3), Request(keys, limit=5, max_df=3)]
    )
    assert len(every.candidates) == 8
    assert every.frequent == ((Field.PASSAGE_KEYS, "common"),)
    assert len(some.candidates) == 5
    assert some.truncated


def test_as_many_candidates_as_there_are(store: Store) -> None:
    store.put(made(f"d{n}", "t1") for n in range(1_500))
    page = store.page("t1", limit=None, max_df=2_000)
    assert len(set(ids_of(page.candidates))) == 1_500
    assert not page.truncated


def test_several_requests_at_once(store: Store) -> None:
    store.write(made("a", "t1"), made("b", "t2"))
    requests = [Request({Field.PASSAGE_KEYS: (term,)}) for term in ("t2", "none", "t1")]
    pages = store.reader.candidates(requests)
    assert [ids_of(page.candidates) for page in pages] == [["b"], [], ["a"]]


def test_a_novel_has_thousands_of_keys(store: Store) -> None:
    terms = tuple(f"k{n:05d}" for n in range(20_000))
    store.write(made("novel", *terms), made("excerpt", *terms[7_000:7_010]))
    page = store.page(*terms, exclude=Ref("", "novel"))
    assert ids_of(page.candidates) == ["excerpt"]
    assert store.ids(terms[-1]) == ["novel"]


def test_filters_hold_before_the_limit(store: Store) -> None:
    store.write(*(made(f"other-{n}", "t1", "t2", site="other.org") for n in range(5)))
    store.write(made("wanted", "t1", site="wanted.org"))
    clause = {"term": {"site": "wanted.org"}}
    page = store.page("t1", "t2", limit=1, filters=(clause,))
    assert ids_of(page.candidates) == ["wanted"]
    assert not page.truncated
    page = store.page("t1", limit=1, max_df=3, filters=(clause,))
    assert ids_of(page.candidates) == ["wanted"]


def test_filters_by_type(store: Store) -> None:
    store.write(
        made("a", "t1", site="新华网", year=2024, open=True, tags=["x", "y"], rate=1.5),
        made("b", "t1", site="人民网", year=2024, open=False, tags=["y"], rate=2.0),
        made("c", "t1", year=2023, source={"site": "新华网"}, people=[{"n": 1}, {"n": 2}]),
    )
    expected: list[tuple[dict[str, object], list[str]]] = [
        ({"site": "新华网"}, ["a"]),
        ({"site": {"value": "新华网"}}, ["a"]),
        ({"site": "新华"}, []),
        ({"year": 2024}, ["a", "b"]),
        ({"open": True}, ["a"]),
        ({"open": False}, ["b"]),
        ({"tags": "x"}, ["a"]),
        ({"tags": "y"}, ["a", "b"]),
        ({"rate": 2.0}, ["b"]),
        ({"source.site": "新华网"}, ["c"]),
        ({"people.n": 2}, ["c"]),
        ({"absent": "x"}, []),
    ]
    for term, ids in expected:
        assert sorted(store.ids("t1", filters=({"term": term},))) == ids, term


def test_filters_all_hold(store: Store) -> None:
    store.write(
        made("a", "t1", site="one", year=1), made("b", "t1", site="one", year=2), made("c", "t1")
    )
    clauses = ({"term": {"site": "one"}}, {"term": {"year": 2}})
    assert store.ids("t1", filters=clauses) == ["b"]


def test_rare_only_says_that_documents_were_left_out(store: Store) -> None:
    """Not that some might have been: a large index alone, or a frequent term, leaves out none."""
    many = CUT_FROM * 3
    store.put(made(f"plain-{n}", f"own-{n}") for n in range(many))
    store.put(made(f"both-{n}", "frequent", f"rare-{n % 2}", site="a") for n in range(6))
    store.put(made(f"two-{n}", "one", "other") for n in range(6))
    store.write(made("left out", "frequent", "more", site="b"), made("rare", "rare"))

    def says(*terms: str, limit: int = 40, **options: Any) -> bool:
        return store.page(*terms, limit=limit, max_df=3, **options).rare_only

    assert not says("own-1", "rare", "absent")  # none is frequent
    assert not says("one", "other")  # all share two frequent terms, and are given
    assert says("frequent")  # all of its documents
    assert says("frequent", "rare-0")
    assert says("one")
    without = ({"term": {"site": "a"}},)
    assert says("frequent", "rare-0", filters=without)
    assert not says("frequent", "rare-0", "rare-1", filters=without)
    assert not says("frequent", "rare-0", "rare-1", exclude=Ref("", "left out"))
    full = store.page("frequent", "rare-0", limit=2, max_df=3)  # `truncated` says so, of any reason
    assert full.truncated and not full.rare_only


def test_an_excerpt_that_is_mostly_english_is_found_in_its_chinese_page(store: Store) -> None:
    page = "\n".join((chinese(900, 1), english(90, 2), chinese(700, 3)))
    store.write(real("page", page), real("other", chinese(1_800, 4)))
    start = page.index("\n")
    asked = [Question(page[start - 20 : start + 400])]
    (answer,) = near_duplicates_all(asked, CHARACTERS, store.reader)
    assert [(match.id, match.verdict) for match in answer.matches] == [("page", Verdict.PARTIAL)]
