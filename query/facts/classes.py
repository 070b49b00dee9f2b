"""Closed classes: words of which one stands in for another of the same class only where something
else is said. 英文 and 法文, 上午 and 下午, 上册 and 下册.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from query.answers import FactKind

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Classes:
    """For each Chinese word its classes and their kinds, and for each English one; pairs
    of English words, as diner/dinner, of which a doubled letter makes one of the other; `units`:
    English words that say something behind a number, as of 5 miles; `runs_on`: what a last
    character makes another word with, as 周 of 上周 with 围; languages, and the longer names of
    some; `proper`: names of firms, rivers and heads of state.
    """

    of: dict[str, list[tuple[int, FactKind]]]
    latin: dict[str, list[tuple[int, FactKind]]]
    doubled: frozenset[str]
    units: dict[str, list[tuple[int, FactKind]]]
    runs_on: dict[str, str]
    proper: frozenset[str]
    language: re.Pattern[str]
    same_language: dict[str, str]
    characters: frozenset[str]


@cache
def _classes() -> _Classes:
    source = files("query.facts") / "data" / f"classes-{_VERSION}.json"
    value = json.loads(source.read_text("utf-8"))
    of = _by_word(value["classes"])
    places = [{"kind": FactKind.NAME, "words": words} for words in value["latin_places"]]
    latin = _by_word([*value["latin_classes"], *places])
    languages = sorted(value["languages"].split(), key=len, reverse=True)
    return _Classes(
        of,
        latin,
        frozenset(value["doubled"].split()),
        _by_word(value["latin_units"]),
        value["runs_on"],
        frozenset(
            word for each in value["classes"] if "proper" in each for word in each["words"].split()
        ),
        re.compile(rf"({'|'.join(languages)})[语文]"),
        value["same_language"],
        frozenset("".join((*of, *languages, "语文"))),
    )


def _by_word(classes: Iterable[Mapping[str, str]]) -> dict[str, list[tuple[int, FactKind]]]:
    """For each word the numbers of its classes, and their kinds."""
    out: dict[str, list[tuple[int, FactKind]]] = {}
    for number, each in enumerate(classes):
        for word in each["words"].split():
            out.setdefault(word, []).append((number, FactKind(each["kind"])))
    return out


def is_proper(word: str) -> bool:
    """Whether a word of a class is the name of one thing, as of a firm."""
    return word in _classes().proper


def may_be_of_one_class(asked: str, stored: str) -> bool:
    """Whether both are of characters that words of classes have."""
    return _classes().characters.issuperset(asked + stored)


def of_one_class(asked: str, stored: str) -> FactKind | None:
    """The kind of fact that two different words of one class are."""
    classes = _classes()
    if kind := _in_common(classes.of, asked, stored):
        return kind
    languages = [classes.language.fullmatch(word) for word in (asked, stored)]
    named = {classes.same_language.get(found[1], found[1]) for found in languages if found}
    return FactKind.NAME if all(languages) and len(named) > 1 else None


def of_one_latin_class(asked: str, stored: str) -> FactKind | None:
    """The kind of fact that two different English words of one class are: morning and evening."""
    return None if asked == stored else _in_common(_classes().latin, asked, stored)


def _in_common(
    classes: Mapping[str, Sequence[tuple[int, FactKind]]], asked: str, stored: str
) -> FactKind | None:
    """The kind of the first class that both words are in."""
    others = dict(classes.get(stored, ()))
    return next((kind for number, kind in classes.get(asked, ()) if number in others), None)


def of_one_unit(asked: str, stored: str) -> FactKind | None:
    """The same of two different English units, behind numbers: miles and kilometers."""
    return None if asked == stored else _in_common(_classes().units, asked, stored)


def runs_on(word: str, following: str) -> bool:
    """Whether a word of a class is none, as its end belongs to what follows: 以上周围."""
    return bool(following) and following in _classes().runs_on.get(word[-1:], "")


def are_doubled(asked: str, stored: str) -> bool:
    """Whether two English words differ in a doubled letter alone and are no two spellings."""
    return "/".join(sorted((asked, stored), key=len)) in _classes().doubled
