"""Passages that many unrelated documents have make no match; those of copies do."""

from __future__ import annotations

from dataclasses import replace

from mappings.plan import STANDARD
from query.common import Suspect, which_are_common
from query.lookup import EVERYTHING, Options, near_duplicates
from query.model import Verdict
from tests.texts import chinese
from tests.unit.query.memory import MemoryReader

UNRELATED = STANDARD.thresholds.unrelated
NOTICE = "".join(filter(str.isalnum, chinese(110, 99)))[:80]
"""One long sentence: among the longest of every document here."""

ASKED = f"{chinese(200, 1)}。{NOTICE}。"


def holders(count: int) -> dict[str, str]:
    """Documents with the notice, and nothing else in common."""
    return {f"holder-{n}": f"{chinese(150, 100 + n)}。{NOTICE}。" for n in range(count)}


def found(texts: dict[str, str], options: Options = EVERYTHING) -> tuple[set[str], int]:
    answer = near_duplicates(ASKED, STANDARD, MemoryReader(texts, STANDARD), options)
    return {match.id for match in answer.matches}, answer.completeness.common


def test_a_passage_that_many_unrelated_documents_have_is_no_match() -> None:
    few, many = holders(UNRELATED - 2), holders(3 * UNRELATED)
    assert found(few) == (set(few), 0)
    assert found(many) == (set(), len(many))


def test_it_is_one_where_boilerplate_is_to_have_its_say() -> None:
    many = holders(3 * UNRELATED)
    assert found(many, replace(EVERYTHING, boilerplate=True)) == (set(many), 0)


def test_a_copy_is_found_among_them() -> None:
    copy = ASKED.replace("。", "！").replace(ASKED[20], "改")
    assert found({**holders(3 * UNRELATED), "copy": copy})[0] == {"copy"}


def test_an_excerpt_of_a_text_with_many_copies_is_found() -> None:
    """However many documents have the excerpt: they are copies of what was found."""
    source = f"{chinese(400, 7)}。{NOTICE}"
    copies = {f"copy-{n}": f"{source}。第{n}次转载" for n in range(3 * UNRELATED)}
    assert found(copies) == (set(copies), 0)
    reader = MemoryReader({**copies, "page": ASKED}, STANDARD)
    (page,) = (
        match
        for match in near_duplicates(source, STANDARD, reader, EVERYTHING).matches
        if match.id == "page"
    )
    assert page.verdict is Verdict.PARTIAL


def test_texts_with_much_in_common_need_no_count() -> None:
    reader = MemoryReader({"a": ASKED}, STANDARD)
    made = reader.fingerprint("a")
    assert Suspect.of(made, made) is None
    assert which_are_common([None], reader.frequencies, UNRELATED) == [False]
