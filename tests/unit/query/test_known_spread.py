"""What a lookup has seen, and upper bounds of document frequencies: never below the truth, and none
where a page is cut.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from indexer.model import Fingerprint
from mappings.contract import Field
from query import known_spread
from query.answers import Candidate, CandidatePage, Ref, Request
from query.known_spread import KnownSpread

_ASKED = {Field.PASSAGE_KEYS: ("a", "b", "c"), Field.SENTENCES: ("s",)}


def _print(*passages: str, sentences: tuple[str, ...] = ()) -> Fingerprint:
    return Fingerprint("h", 0, 9, {Field.PASSAGE_KEYS: passages, Field.SENTENCES: sentences})


def _page(size: int) -> CandidatePage:
    return CandidatePage(tuple(Candidate(str(at), "i", 1.0, "h", 0) for at in range(size)))


def _ref(at: int) -> Ref:
    return Ref("i", str(at))


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcz")), st.booleans()), max_size=12))
def test_no_frequency_is_higher_than_its_bound(stored: list[tuple[set[str], bool]]) -> None:
    spread = KnownSpread(_page(len(stored)), Request(_ASKED))
    for at, (passages, is_read) in enumerate(stored):
        spread.note(_ref(at), _print(*sorted(passages)) if is_read else None)
    for term in "abc":
        truth = sum(term in passages for passages, _ in stored)
        assert spread.may_be_in({Field.PASSAGE_KEYS: (term,)}, truth)
        assert spread.may_mostly_be_in({Field.PASSAGE_KEYS: (term,)}, truth)


def test_what_was_read_tells_the_frequency() -> None:
    spread = KnownSpread(_page(3), Request(_ASKED))
    for at, passages in enumerate(("a", "a", "ab")):
        spread.note(_ref(at), _print(*passages))
    assert spread.may_be_in({Field.PASSAGE_KEYS: ("a",)}, 3)
    assert not spread.may_be_in({Field.PASSAGE_KEYS: ("a", "b")}, 2)
    assert not spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("b", "c"), Field.SENTENCES: ()}, 2)


def test_an_unread_candidate_may_have_every_key() -> None:
    spread = KnownSpread(_page(3), Request(_ASKED))
    spread.note(_ref(0), _print("b"))
    assert spread.may_be_in({Field.PASSAGE_KEYS: ("a",)}, 2)
    assert not spread.may_be_in({Field.PASSAGE_KEYS: ("a",)}, 3)


def test_what_came_along_is_known_and_counts_once() -> None:
    page = replace(_page(3), others={_ref(1): _print("a"), _ref(2): _print("b")})
    spread = KnownSpread(page, Request(_ASKED))
    assert spread.may_be_in({Field.PASSAGE_KEYS: ("a",)}, 2)
    assert not spread.may_be_in({Field.PASSAGE_KEYS: ("a",)}, 3)
    for at, passages in enumerate(("c", "a", "b")):  # those that came along are read, too
        spread.note(_ref(at), _print(*passages))
    for term in "abc":
        assert spread.may_be_in({Field.PASSAGE_KEYS: (term,)}, 1)
        assert not spread.may_be_in({Field.PASSAGE_KEYS: (term,)}, 2)


def test_documents_that_share_a_passage_are_kept_in_mind_up_to_so_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that came along and those that were read, each once, also where a page is cut."""
    page = replace(_page(9), others={_ref(8): _print("a")}, truncated=True)
    asked = Request(_ASKED)
    prints = [_print("z"), _print("b", "x"), _print(sentences=("s",)), _print("c")]
    for most in (3, 9):
        monkeypatch.setattr(known_spread, "_SEEN", most)
        spread = KnownSpread(page, asked)
        for at, each in zip((0, 8, 1, 2, 3), (prints[0], _print("a"), *prints[1:]), strict=True):
            spread.note(_ref(at), each)
        assert spread.seen == [_print("a"), *prints[1:]][:most]


@pytest.mark.parametrize(("but", "may"), [(0.0, False), (1 / 3, False), (0.6, True), (1.0, True)])
def test_some_of_what_is_shared_may_be_rare(but: float, may: bool) -> None:
    spread = KnownSpread(_page(3), Request(_ASKED))
    for at, passages in enumerate(("a", "ab", "a")):
        spread.note(_ref(at), _print(*passages))
    assert spread.may_be_in({Field.PASSAGE_KEYS: ("a", "b")}, 3, but) is may
    assert not spread.may_be_in({Field.PASSAGE_KEYS: ("b", "c")}, 3, but)


def test_what_the_store_counted_goes_before_a_bound() -> None:
    spread = KnownSpread(replace(_page(1), truncated=True), Request(_ASKED))
    spread.learn({(Field.PASSAGE_KEYS, "a"): 7})
    assert spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("a",)}, 7)
    assert not spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("a",)}, 8)
    assert spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("a", "b")}, 8)


def test_the_excluded_document_counts() -> None:
    spread = KnownSpread(_page(0), Request(_ASKED, exclude=Ref("i", "self")))
    assert spread.may_be_in({Field.SENTENCES: ("s",)}, 1)
    assert not spread.may_be_in({Field.SENTENCES: ("s",)}, 2)


def test_nothing_is_known_of_keys_that_were_not_asked_for() -> None:
    spread = KnownSpread(_page(0), Request({Field.PASSAGE_KEYS: ("a",)}))
    assert spread.may_be_in({Field.SENTENCES: ("s",)}, 1_000)
    assert spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("a", "b")}, 1_000)


@pytest.mark.parametrize(
    ("page", "request_"),
    [
        (replace(_page(1), truncated=True), Request(_ASKED)),
        (replace(_page(1), rare_only=True), Request(_ASKED)),
        (replace(_page(1), frequent=((Field.SENTENCES, "s"),)), Request(_ASKED)),
        (_page(1), Request(_ASKED, filters=({"term": {"source": "x"}},))),
        (_page(1), Request(_ASKED, exclude=Ref("", "in any index"))),
    ],
)
def test_a_page_that_leaves_documents_out_tells_nothing(
    page: CandidatePage, request_: Request
) -> None:
    spread = KnownSpread(page, request_)
    spread.note(_ref(0), _print())
    assert spread.may_be_in(_ASKED, 1_000)
    assert spread.may_mostly_be_in(_ASKED, 1_000)


def test_of_forms_that_are_no_passage_nothing_is_known() -> None:
    spread = KnownSpread(_page(2), Request(_ASKED))
    assert not spread.may_mostly_be_in({Field.PASSAGE_KEYS: ("a",)}, 8)
    assert spread.may_mostly_be_in({Field.LOOSE_KEYS: ("w",)}, 8)
    assert not spread.may_mostly_be_in({Field.MINHASH_KEYS: ("m",)}, 8)


@pytest.mark.parametrize(("passages", "known"), [(2, True), (30, False)])
def test_loose_windows_of_short_texts_are_counted(passages: int, known: bool) -> None:
    """Of longer ones they are hardly ever all that is shared."""
    keys = {Field.PASSAGE_KEYS: tuple(map(str, range(passages))), Field.LOOSE_KEYS: ("w", "v")}
    spread = KnownSpread(_page(9), Request(keys))
    for at in range(9):
        loose = {Field.LOOSE_KEYS: ("w", "v") if at else ("w",)}
        spread.note(_ref(at), Fingerprint("h", 0, 9, loose))
    assert spread.may_mostly_be_in({Field.LOOSE_KEYS: ("w",)}, 9)
    assert spread.may_mostly_be_in({Field.LOOSE_KEYS: ("v",)}, 9) is not known
