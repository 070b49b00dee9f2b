"""Fillings of one form are marked and left out on request, alike on both stores."""

from __future__ import annotations

from mappings.plan import STANDARD
from query.answers import Verdict
from query.questions import Options
from scripts.forms.name_words import NameWords
from scripts.templates import PARTS
from tests.contract.stores import Store, real
from tests.lookups import near_duplicates

FORM = PARTS["tuning"]["donation"]
STORY = (
    "春天的河水漫过了石桥，孩子们在岸上追着风筝跑，老人坐在槐树下讲从前的故事。镇上的木匠修好了"
    "渡船，{}月{}日那天，他请全村的人到对岸去看花，一直到月亮升起来，大家才唱着歌回到村里。"
)


def texts_of_form(count: int) -> list[str]:
    return [FORM(NameWords(f"{number}")) for number in range(count)]


def test_fillings_of_a_form_are_marked_and_can_be_left_out(store: Store) -> None:
    texts = texts_of_form(14)
    store.write(*(real(f"form-{number}", text) for number, text in enumerate(texts)))
    store.write(real("copy", texts[0].replace("近日", "日前")))
    asked = texts[0]
    answer = near_duplicates(asked, STANDARD, store.reader)
    marked = {match.id: match.template for match in answer.matches}
    assert not marked["form-0"] and not marked["copy"]
    assert sum(marked.values()) >= 7
    options = Options(templates=False)
    kept = near_duplicates(asked, STANDARD, store.reader, options)
    assert {match.id for match in kept.matches} >= {"form-0", "copy"}
    assert not any(match.template for match in kept.matches)
    assert kept.completeness.templates >= 10


def test_a_copy_behind_many_fillings_is_found_without_them(store: Store) -> None:
    """They may be so many that none is left to be read."""
    texts = texts_of_form(40)
    store.write(*(real(f"form-{number}", text) for number, text in enumerate(texts)))
    asked = texts[0]
    options = Options(size=None, verify=10, templates=False)
    kept = near_duplicates(asked, STANDARD, store.reader, options)
    assert [match.evidence.verified for match in kept.matches] == ["text"] * len(kept.matches)
    assert kept.matches[0].id == "form-0"
    assert kept.completeness.examined == kept.completeness.candidates > 30


def test_a_form_of_few_documents_is_not_known_for_one(store: Store) -> None:
    texts = texts_of_form(5)
    store.write(*(real(f"form-{number}", text) for number, text in enumerate(texts)))
    answer = near_duplicates(texts[0], STANDARD, store.reader, Options(templates=False))
    assert len(answer.matches) == 5
    assert not answer.completeness.templates


def test_copies_of_one_text_are_no_templates(store: Store) -> None:
    """Ten copies, and ten of a version in which a fact was put right."""
    copies = [STORY.format(3, 5) + "完" * (number % 3) for number in range(10)]
    changed = [STORY.format(3, 6) + "终" * (number % 3) for number in range(10)]
    store.write(*(real(f"{number}", text) for number, text in enumerate((*copies, *changed))))
    options = Options(size=None, templates=False)
    answer = near_duplicates(copies[0], STANDARD, store.reader, options)
    assert len(answer.matches) == 20
    assert not any(match.template for match in answer.matches)


def test_copies_with_other_bylines_are_no_templates(store: Store) -> None:
    """Fourteen sites took over one text, each with its own source and editor."""
    body = STORY.format(3, 5)
    people = [family + given for family in "王李张刘陈杨赵" for given in ("建国", "晓明")]
    papers = ("新华网", "人民网", "光明网", "中新网")
    texts = [
        f"来源：{papers[number % 4]}　责任编辑：{name}\n{body}"
        for number, name in enumerate(people)
    ]
    store.write(*(real(f"{number}", text) for number, text in enumerate(texts)))
    answer = near_duplicates(texts[0], STANDARD, store.reader, Options(size=None, templates=False))
    assert len(answer.matches) == 14
    assert not answer.completeness.templates


def test_nobody_looks_without_facts(store: Store) -> None:
    texts = texts_of_form(12)
    store.write(*(real(f"form-{number}", text) for number, text in enumerate(texts)))
    answer = near_duplicates(texts[0], STANDARD, store.reader, Options(facts=False))
    assert not any(match.template for match in answer.matches)
    left = near_duplicates(texts[0], STANDARD, store.reader, Options(facts=False, templates=False))
    assert [match.verdict for match in left.matches][:1] == [Verdict.EXACT]
    assert left.completeness.templates
    assert all(match.facts_differ is None for match in left.matches)
