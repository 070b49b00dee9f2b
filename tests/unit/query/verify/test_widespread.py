"""Passages that many unrelated documents have make no match; those of copies do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex import Document, Index, Location
from indexer.boilerplate import Boilerplate, sentence_keys
from indexer.model import Fingerprint, Keys
from indexer.text import prepare_all
from mappings.contract import Field
from mappings.plan import STANDARD
from query.answers import Term, Verdict
from query.explain.explanation import Subject
from query.grams import features_all
from query.questions import EVERYTHING, Options
from query.verify.widespread import (
    Suspect,
    holds_most,
    is_one_stretch,
    suspect,
    which_are_widespread,
)
from tests.lookups import near_duplicates
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


def quoted(seed: int) -> str:
    """Two sentences of 60 characters in all."""
    letters = "".join(filter(str.isalnum, chinese(90, seed)))
    return f"{letters[:30]}。{letters[30:60]}。"


def test_quotations_that_many_documents_have_make_no_copy_of_a_long_text() -> None:
    """Each is in many, all but a third of what is shared; rarer ones do."""
    quotations = [quoted(seed) for seed in range(901, 904)]
    asked = "".join(chinese(330, seed) + "。" + each for seed, each in enumerate(quotations))
    two = {"two": f"{chinese(700, 20)}。{quotations[0]}{chinese(700, 21)}。{quotations[1]}"}

    def matches(of: list[str]) -> tuple[list[str], int]:
        many = {
            f"{at}-{n}": f"{chinese(500, 1_000 * at + n)}。{text}"
            for at, text in enumerate(of, 1)
            for n in range(3 * UNRELATED)
        }
        reader = MemoryReader({**two, **many}, STANDARD)
        answer = near_duplicates(asked, STANDARD, reader, EVERYTHING)
        return [match.id for match in answer.matches], answer.completeness.widespread

    assert matches([]) == (["two"], 0)
    assert matches(quotations[:1]) == (["two"], 0)
    assert matches(quotations[:2]) == ([], 1)


@pytest.mark.parametrize(("rare", "is_found"), [(range(4, 6), False), (range(2, 8), True)])
def test_a_few_rare_ones_among_many_quotations_are_no_copy(rare: range, is_found: bool) -> None:
    """What the candidates show of them is no reason not to ask for the others."""
    quotations = [quoted(seed) for seed in range(900, 910)]
    asked, two = (
        "".join(f"{chinese(450, at + n)}。{each}" for n, each in enumerate(quotations))
        for at in (0, 300)
    )
    quoting = "".join(each for at, each in enumerate(quotations) if at not in rare)
    many = {f"{n}": f"{chinese(500, 1_000 + n)}。{quoting}" for n in range(3 * UNRELATED)}
    reader = MemoryReader({"two": two, **many}, STANDARD)
    answer = near_duplicates(asked, STANDARD, reader, EVERYTHING)
    assert ("two" in {match.id for match in answer.matches}) is is_found
    assert answer.completeness.widespread == (not is_found)


def test_of_little_that_is_shared_a_third_must_be_in_few_documents() -> None:
    texts = [
        "".join(f"{chinese(220, at + n)}。{quoted(901 + n)}" for n in range(3)) for at in (20, 30)
    ]
    both = MemoryReader(dict(zip("ab", texts, strict=True)), STANDARD)
    prints = (both.fingerprint("a"), both.fingerprint("b"))
    left, right = features_all(texts, STANDARD)
    shared = prints[0].shared_with(prints[1])
    assert suspect(prints, shared, (left, right), little=False) is None  # three stretches
    pair = suspect(prints, shared, (left, right), little=True)
    assert pair is not None
    pair = replace(pair, shared=tuple((Field.PASSAGE_KEYS, term) for term in "pqrstu"))
    documents = dict.fromkeys((*pair.shared, *pair.whole[0], *pair.whole[1]), 1)
    for rare in range(6):
        documents |= {term: 1 if at < rare else 40 for at, term in enumerate(pair.shared)}
        assert pair.is_widespread(documents, UNRELATED) is (rare < 2)


def test_notices_of_one_site_make_no_copies(tmp_path: Path) -> None:
    """However many of them each page has, and whatever the lookup has before it."""
    notices = ["".join(filter(str.isalnum, chinese(110, seed)))[:80] for seed in (98, 99)]
    pages = {f"{n:02}": f"{chinese(300, 100 + n)}。{notices[0]}。{notices[1]}。" for n in range(40)}
    asked = f"{chinese(300, 1)}。{notices[0]}。"
    with Index.create(Location(str(tmp_path))) as index:
        index.add(Document(name, text, {"text": text}) for name, text in pages.items())
        index.refresh()
        for options in (Options(), EVERYTHING, Options(size=None)):
            answer = index.lookup(asked, options)
            assert (
                not answer.matches
                and answer.completeness.widespread == answer.completeness.examined
            )
        subjects = (Subject(asked), Subject(pages["00"]))
        assert index.explain(*subjects).widespread


@pytest.mark.parametrize(
    ("asked", "stored", "expected"),
    [
        # a text with 30 versions, and a part of it among other sentences
        (
            [10, 11, 12, 13, 14, 14, 15, 16, 17, 19, 22],
            [1, 1, 1, 1, 2, 16, 17, 18, 18, 19, 23],
            False,
        ),
        ([10, 11, 12, 13, 14, 14, 15, 16, 17, 19, 22], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 20], True),
        # unrelated ones, of which one key is in many documents by chance
        ([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 21], [1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 5_403], True),
        # of one whose versions keep hardly a key
        ([1, 1, 1, 1, 1, 1, 1, 2, 14, 20, 22], [1, 1, 1, 1, 1, 1, 1, 1, 1, 20, 23], False),
        ([1, 1, 1], [1, 1, 700], False),  # of three keys all count
    ],
)
def test_one_of_the_more_frequent_keys_tells_how_many_copies_there_are(
    asked: list[int], stored: list[int], expected: bool
) -> None:
    counted = [
        {f"{name}{at}": count for at, count in enumerate(counts)}
        for name, counts in (("a", asked), ("b", stored))
    ]
    shared = tuple((Field.PASSAGE_KEYS, term) for term in "pqr")
    left, right = (Fingerprint("h", 0, 99, {Field.SYLLABLE_KEYS: tuple(keys)}) for keys in counted)
    pair = Suspect((left, right), shared)
    documents = dict.fromkeys(shared, 32)
    for keys in counted:
        documents |= {(Field.SYLLABLE_KEYS, key): count for key, count in keys.items()}
    assert pair.is_widespread(documents, UNRELATED) is expected
