"""Articles and chapters made of words: readable, all different, the same for the same seed.

No two texts share more than some words in a row, unless one was made from the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

import orjson

from scripts.sample_site import prose_words as words

_PARAGRAPHS: Final = (5, 9)
_CHAPTER_PARAGRAPHS: Final = (16, 24)


@dataclass(frozen=True, slots=True)
class Work:
    """An original text: an article, or a chapter of the novel. `text`: paragraphs, one a line."""

    id: str
    title: str
    text: str
    work: str = ""
    number: int = 0
    language: str = "zh"


def article(number: int, seed: int, kind: str = "article") -> Work:
    """A Chinese article of 500 to 1,500 characters."""
    rng = Random(f"{seed}/{kind}/{number}")
    title = (
        f"{rng.choice(words.PLACES)}{rng.choice(words.ORGANISATIONS)}"
        f"{rng.choice(words.VERBS)}{rng.choice(words.ADJECTIVES)}{rng.choice(words.THINGS)}"
    )
    paragraphs = [_paragraph(rng, _news_sentence) for _ in range(rng.randint(*_PARAGRAPHS))]
    return Work(f"{kind}-{number:03}", title, "\n".join(paragraphs))


def chapter(number: int, seed: int) -> Work:
    """A chapter of the novel, of 2,000 to 4,000 characters."""
    rng = Random(f"{seed}/novel/{number}")
    name = words.CHAPTERS[(number - 1) % len(words.CHAPTERS)]
    count = rng.randint(*_CHAPTER_PARAGRAPHS)
    text = "\n".join(_paragraph(rng, _story_sentence) for _ in range(count))
    return Work(f"novel-{number:02}", f"第{numeral(number)}章　{name}", text, "夜渡", number)


def english_article(number: int) -> Work:
    """One of the short English articles that dupdex ships as samples."""
    found = _samples()[f"en-{number:02}"]
    lines = found["text"].replace(". ", ".\n")
    return Work(f"english-{number:03}", found["title"], lines, language="en")


@cache
def _samples() -> dict[str, dict[str, str]]:
    lines = (files("dupdex.data") / "sample.jsonl").read_bytes().splitlines()
    return {row["id"]: row for row in map(orjson.loads, lines)}


def remark(rng: Random) -> str:
    """What a reader writes below an article."""
    return f"{rng.choice(words.SAYINGS)}，{rng.choice(words.RESULTS)}。"


def numeral(number: int) -> str:
    """A number from 1 to 99 in Chinese."""
    tens, ones = divmod(number, 10)
    digits = "零一二三四五六七八九"
    head = "" if not tens else ("" if tens == 1 else digits[tens]) + "十"
    return head + (digits[ones] if ones or not tens else "")


def _paragraph(rng: Random, sentence: Callable[[Random], str]) -> str:
    return "".join(sentence(rng) for _ in range(rng.randint(2, 4)))


def _news_sentence(rng: Random) -> str:
    pick = rng.choice
    who = pick((words.ORGANISATIONS, words.PEOPLE))
    thing = f"{pick(words.ADJECTIVES)}{pick(words.THINGS)}"
    parts = [
        f"{pick(words.TIMES)}，{pick(words.PLACES)}的{pick(who)}{pick(words.MANNERS)}"
        f"{pick(words.VERBS)}{thing}"
    ]
    parts += [_clause(form, rng) for form in rng.sample(range(5), rng.randint(1, 3))]
    return "，".join(parts) + "。"


def _clause(form: int, rng: Random) -> str:
    pick = rng.choice
    thing = f"{pick(words.ADJECTIVES)}{pick(words.THINGS)}"
    match form:
        case 0:
            return f"{pick(words.REASONS)}，{pick(words.PEOPLE)}又{pick(words.VERBS)}{thing}"
        case 1:
            return pick(words.RESULTS)
        case 2:
            return f"{pick(words.PEOPLE)}说“{pick(words.SAYINGS)}，{thing}也一样”"
        case 3:
            share = f"{rng.randint(2, 98)}.{rng.randint(1, 9)}"
            count = rng.randint(3, 980)
            return f"{pick(words.THINGS)}增加了百分之{share}，{pick(words.THINGS)}有{count}件"
    return f"从{pick(words.PLACES)}到{pick(words.PLACES)}都{pick(words.VERBS)}{thing}"


def _story_sentence(rng: Random) -> str:
    pick = rng.choice
    one, other = rng.sample(words.HEROES, 2)
    match rng.randrange(5):
        case 0:
            return (
                f"{pick(words.SCENES)}，{one}{pick(words.MANNERS)}{pick(words.DEEDS)}"
                f"{pick(words.OBJECTS)}，{pick(words.MOODS)}。"
            )
        case 1:
            return (
                f"“{pick(words.SPEECHES)}，”{one}{pick(words.DEEDS)}{pick(words.OBJECTS)}说，"
                f"“{pick(words.SPEECHES)}。”"
            )
        case 2:
            return (
                f"{one}{pick(words.DEEDS)}{pick(words.OBJECTS)}，{other}{pick(words.MOODS)}，"
                f"两个人都{pick(words.DEEDS)}{pick(words.OBJECTS)}。"
            )
        case 3:
            return (
                f"{pick(words.REASONS)}，{one}从{pick(words.PLACES)}{pick(words.MANNERS)}"
                f"{pick(words.VERBS)}{pick(words.THINGS)}，{pick(words.SCENES)}，{pick(words.MOODS)}。"
            )
    return (
        f"{pick(words.SCENES)}。{other}问：“{pick(words.SPEECHES)}？”{one}{pick(words.MOODS)}，"
        f"{pick(words.DEEDS)}{pick(words.OBJECTS)}。"
    )
