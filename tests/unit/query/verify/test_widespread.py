"""Passages that many unrelated documents have make no match; those of copies do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.boilerplate import Boilerplate, sentence_keys
from indexer.model import Fingerprint, Keys
from indexer.text import prepare_all
from mappings.contract import Field
from mappings.plan import STANDARD
from query.answers import Term, Verdict
from query.grams import features_all
from query.lookup import EVERYTHING, Options, near_duplicates
from query.verify.widespread import (
    Seen,
    Suspect,
    holds_most,
    is_one_stretch,
    which_are_widespread,
)
from tests.texts import CHARACTERS, LAW, chinese, english
from tests.unit.query.memory import MemoryReader

UNRELATED = STANDARD.thresholds.unrelated
NOTICE = "".join(filter(str.isalnum, chinese(110, 99)))[:80]
"""One long sentence: among the longest of every document here."""

ASKED = f"{chinese(240, 1)}。{NOTICE}。"


def holders(count: int) -> dict[str, str]:
    """Documents with the notice, and nothing else in common."""
    return {f"holder-{n}": f"{chinese(300, 100 + n)}。{NOTICE}。" for n in range(count)}


def found(texts: dict[str, str], options: Options = EVERYTHING) -> tuple[set[str], int]:
    answer = near_duplicates(ASKED, STANDARD, MemoryReader(texts, STANDARD), options)
    return {match.id for match in answer.matches}, answer.completeness.widespread


def test_a_passage_that_many_unrelated_documents_have_is_no_match() -> None:
    few, many = holders(UNRELATED - 2), holders(6 * UNRELATED)
    assert found(few) == (set(few), 0)
    assert found(many) == (set(), len(many))


def test_it_is_one_where_boilerplate_is_to_have_its_say() -> None:
    many = holders(6 * UNRELATED)
    assert found(many, replace(EVERYTHING, boilerplate=True)) == (set(many), 0)


def test_a_copy_is_found_among_them() -> None:
    copy = ASKED.replace("。", "！").replace(ASKED[20], "改")
    assert found({**holders(6 * UNRELATED), "copy": copy})[0] == {"copy"}


def test_an_excerpt_of_a_text_with_many_copies_is_found() -> None:
    """However many documents have the excerpt: they are copies of what was found."""
    source = f"{chinese(400, 7)}。{NOTICE}"
    copies = {f"copy-{n}": f"{source}。第{n}次转载" for n in range(6 * UNRELATED)}
    assert found(copies) == (set(copies), 0)
    reader = MemoryReader({**copies, "page": ASKED}, STANDARD)
    (page,) = (
        match
        for match in near_duplicates(source, STANDARD, reader, EVERYTHING).matches
        if match.id == "page"
    )
    assert page.verdict is Verdict.PARTIAL


@pytest.mark.parametrize(
    ("length", "share", "count"), [(100, 0.05, 60), (400, 0.1, 60), (1000, 0.08, 60)]
)
def test_variants_of_one_text_are_found_however_many(length: int, share: float, count: int) -> None:
    base, choose = chinese(length, 5), random.Random(6)
    texts = {}
    for number in range(count):
        text = list(base)
        for place in choose.sample(range(length), round(length * share)):
            text[place] = choose.choice(CHARACTERS)
        texts[f"{number}"] = "".join(text)
    answer = near_duplicates(base, STANDARD, MemoryReader(texts, STANDARD), EVERYTHING)
    assert answer.completeness.widespread == 0
    assert len(answer.matches) == count


def parted(text: str) -> str:
    """With a character changed in the middle of every 20."""
    return "".join("改" if at % 20 == 10 else each for at, each in enumerate(text))


@pytest.mark.parametrize(
    ("stored", "one"),
    [
        (f"{chinese(300, 2)}。{NOTICE}。", True),
        (f"{NOTICE}。{chinese(300, 2)}。{NOTICE}。", True),  # at its head and its foot
        (f"{chinese(300, 2)}。{parted(NOTICE)}。", False),
        (f"{ASKED[:40]}。{chinese(300, 2)}。{NOTICE}", False),
        (chinese(300, 2), False),
    ],
)
def test_what_is_one_stretch(stored: str, one: bool) -> None:
    asked, other = features_all([ASKED, stored], STANDARD)
    assert is_one_stretch(asked, other) is is_one_stretch(other, asked) is one


def test_a_learned_sentence_breaks_no_stretch() -> None:
    parts = [NOTICE[:30], NOTICE[30:50], NOTICE[50:]]
    notice = "。".join(parts)
    texts = [f"{chinese(240, 1)}。{notice}。", f"{chinese(300, 2)}。{notice}。"]
    (keys,) = sentence_keys(prepare_all([parts[1]], STANDARD), STANDARD)
    learned = Boilerplate({keys[0][2]: UNRELATED})
    assert is_one_stretch(*features_all(texts, STANDARD, learned))


def test_what_stands_whole_in_a_text_is_found_however_many_have_it() -> None:
    texts = {f"{n}": f"{chinese(300, 100 + n)}。{ASKED}" for n in range(6 * UNRELATED)}
    assert found(texts) == (set(texts), 0)


def test_without_keys_of_whole_texts_nothing_is_left_out() -> None:
    plan = replace(STANDARD, schemes=("exact", "simhash", "passages", "sentences"))
    many = holders(6 * UNRELATED)
    answer = near_duplicates(ASKED, plan, MemoryReader(many, plan), EVERYTHING)
    assert {match.id for match in answer.matches} == set(many)


def test_texts_with_much_in_common_need_no_count() -> None:
    reader = MemoryReader({"a": ASKED}, STANDARD)
    made = reader.fingerprint("a")
    assert Suspect.of(made, made, made.shared_with(made)) is None
    assert which_are_widespread([None], reader.frequencies, UNRELATED) == [False]


def test_keys_of_whole_texts_are_counted_only_where_passages_leave_it_open() -> None:
    asked: list[int] = []

    def suspected(count: int) -> list[bool]:
        reader = MemoryReader({"asked": ASKED, **holders(count)}, STANDARD)
        both = reader.fingerprint("asked"), reader.fingerprint("holder-0")
        pair = Suspect.of(*both, both[0].shared_with(both[1]))
        assert pair is not None

        def frequencies(keys: Keys) -> Mapping[Term, int]:
            asked.append(sum(map(len, keys.values())))
            return reader.frequencies(keys)

        return which_are_widespread([pair, None], frequencies, UNRELATED)

    assert suspected(2) == [False, False]
    (passages,) = asked
    assert suspected(6 * UNRELATED) == [True, False]
    assert asked[1] == passages < asked[2]


def test_a_notice_beside_a_lead_makes_no_english_passage() -> None:
    """What is left of the stretch without the notice is a quotation, which proves nothing."""
    notice, lead = english(40, 98), english(34, 97)
    asked = f"{english(170, 1)} {lead} {notice}"
    holders = {f"holder-{n}": f"{english(200, 100 + n)} {notice}" for n in range(3 * UNRELATED)}
    other = {"other": f"{english(170, 2)} {lead} {notice}"}

    def matches(texts: dict[str, str]) -> tuple[list[str], int]:
        answer = near_duplicates(asked, STANDARD, MemoryReader(texts, STANDARD), EVERYTHING)
        return [match.id for match in answer.matches], answer.completeness.widespread

    assert matches(other) == (["other"], 0)
    assert matches(other | holders) == ([], 1)
    long = {"other": f"{english(170, 2)} {english(110, 96)} {notice}"}
    asked = f"{english(170, 1)} {english(110, 96)} {notice}"
    assert matches(long | holders) == (["other"], 0)


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=30, unique=True).map(sorted),
    st.integers(1, 40),
)
@LAW
def test_one_stretch_holds_most_of_what_is_shared(at: list[int], letters: int) -> None:
    grams, places = np.arange(41, dtype=np.uint64) % np.uint64(letters), np.array(at)
    runs = np.split(grams[places], np.flatnonzero(np.diff(places) > 1) + 1)
    most = max(len({*run.tolist()}) for run in runs)
    assert holds_most(grams, places) is (most >= 0.8 * len({*grams[places].tolist()}))


def printed(passages: set[str], whole: set[str]) -> Fingerprint:
    keys = {Field.PASSAGE_KEYS: tuple(sorted(passages)), Field.SYLLABLE_KEYS: tuple(sorted(whole))}
    return Fingerprint("h", 0, 99, keys)


SHARED, OTHERS = st.sets(st.sampled_from("pqr"), min_size=1), st.sets(st.sampled_from("stuvw"))
WHOLE = st.sets(st.sampled_from("abcdefghij"))
SOME = st.tuples(OTHERS, WHOLE.filter(bool))


@given(
    SHARED, SOME, SOME,
    st.lists(st.tuples(st.sets(st.sampled_from("pqrstuvw")), WHOLE), max_size=12),
    st.integers(1, 4), st.sampled_from([0.0, 0.4, 0.7]), st.booleans(),
)  # fmt: skip
@LAW
def test_what_was_seen_shows_what_counting_its_unrelated_texts_shows(
    shared: set[str],
    asked: tuple[set[str], set[str]],
    other: tuple[set[str], set[str]],
    stored: list[tuple[set[str], set[str]]],
    unrelated: int,
    least: float,
    are_all: bool,
) -> None:
    both = [printed(shared | passages, whole) for passages, whole in (asked, other)]
    terms = tuple((Field.PASSAGE_KEYS, term) for term in sorted(shared))
    whole = [tuple((Field.SYLLABLE_KEYS, term) for term in text) for _, text in (asked, other)]
    pair = Suspect((both[0], both[1]), terms, (whole[0], whole[1]), least)
    own = {Field.PASSAGE_KEYS: frozenset(shared | asked[0])}
    seen = Seen(own, [printed(*each) for each in stored], are_all=are_all)

    def is_relative(passages: set[str], keys: set[str]) -> bool:
        return any(
            len(keys & whole) >= 0.25 * max(len(keys), len(whole))
            or len(passages & more - shared) >= 3
            for more, whole in (asked, other)
        )

    others = [own for own, keys in stored if keys and not is_relative(own, keys)]
    few = sum(sum(term in own for own in others) < unrelated for term in shared)
    expected = few < max(1, least * len(shared)) or (False if are_all else None)
    assert pair.is_shown(seen, unrelated) is expected
    assert pair.is_shown(Seen({}, [printed(*each) for each in stored]), unrelated) is None


def test_relatives_that_were_seen_show_nothing() -> None:
    """Neither copies of the asked text and of the other one, nor what has another part of one."""
    other = f"{chinese(300, 7)}。{NOTICE}。"
    texts = holders(6 * UNRELATED)
    for n in range(6 * UNRELATED):
        texts[f"asked-{n}"], texts[f"other-{n}"] = f"{ASKED}第{n}次", f"{other}第{n}次"
        texts[f"part-{n}"] = f"{chinese(600, 500 + n)}。{ASKED[100:220]}。{NOTICE}。"
    reader = MemoryReader(texts, STANDARD)
    asked, stored = reader.fingerprint("asked-0"), reader.fingerprint("other-0")
    pair = Suspect.of(asked, stored, asked.shared_with(stored))
    assert pair is not None
    own = {name: frozenset(terms) for name, terms in asked.keys.items()}

    def is_shown(most: int, *kinds: str) -> bool | None:
        named = [name for kind in kinds for name in [n for n in texts if n.startswith(kind)][:most]]
        seen = Seen(own, map(reader.fingerprint, named), are_all=True)
        return pair.is_shown(seen, UNRELATED)

    assert is_shown(UNRELATED, "holder")
    assert not is_shown(UNRELATED - 1, "holder", "asked", "other", "part")
    for kind in ("asked", "other", "part"):
        assert not is_shown(6 * UNRELATED, kind)
