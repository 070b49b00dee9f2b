"""Closed classes: words of which one stands in for another of the same class only where something
else is said. 英文 and 法文, 上午 and 下午, 上册 and 下册.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from query.answers import FactKind

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Classes:
    """For each Chinese word its classes and their kinds, for each English one its class; pairs
    of English words, as diner/dinner, of which a doubled letter makes one of the other; languages,
    and the longer names of some.
    """

    of: dict[str, list[tuple[int, FactKind]]]
    latin: dict[str, tuple[int, FactKind]]
    doubled: frozenset[str]
    language: re.Pattern[str]
    same_language: dict[str, str]
    characters: frozenset[str]


@cache
def _classes() -> _Classes:
    source = files("query.facts") / "data" / f"classes-{_VERSION}.json"
    value = json.loads(source.read_text("utf-8"))
    of: dict[str, list[tuple[int, FactKind]]] = {}
    for number, each in enumerate(value["classes"]):
        for word in each["words"].split():
            of.setdefault(word, []).append((number, FactKind(each["kind"])))
    places = [{"kind": FactKind.NAME, "words": words} for words in value["latin_places"]]
    latin_classes = [*value["latin_classes"], *places]
    latin = {
        word: (number, FactKind(each["kind"]))
        for number, each in enumerate(latin_classes)
        for word in each["words"].split()
    }
    languages = sorted(value["languages"].split(), key=len, reverse=True)
    return _Classes(
        of,
        latin,
        frozenset(value["doubled"].split()),
        re.compile(rf"({'|'.join(languages)})[语文]"),
        value["same_language"],
        frozenset("".join((*of, *languages, "语文"))),
    )


def may_be_of_one_class(asked: str, stored: str) -> bool:
    """Whether both are of characters that words of classes have."""
    return _classes().characters.issuperset(asked + stored)


def of_one_class(asked: str, stored: str) -> FactKind | None:
    """The kind of fact that two different words of one class are."""
    classes = _classes()
    others = dict(classes.of.get(stored, ()))
    for number, kind in classes.of.get(asked, ()):
        if number in others:
            return kind
    languages = [classes.language.fullmatch(word) for word in (asked, stored)]
    named = {classes.same_language.get(found[1], found[1]) for found in languages if found}
    return FactKind.NAME if all(languages) and len(named) > 1 else None


def of_one_latin_class(asked: str, stored: str) -> FactKind | None:
    """The kind of fact that two different English words of one class are: morning and evening."""
    latin = _classes().latin
    one = latin.get(asked)
    return one[1] if one is not None and asked != stored and one == latin.get(stored) else None


def are_doubled(asked: str, stored: str) -> bool:
    """Whether two English words differ in a doubled letter alone and are no two spellings."""
    return "/".join(sorted((asked, stored), key=len)) in _classes().doubled
