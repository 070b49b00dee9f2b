"""Stop words, in lists that never change; a plan names one of them."""

from __future__ import annotations

from functools import cache

import orjson

from indexer.text import data_files
from mappings.errors import PlanMismatch


def file_name(name: str) -> str:
    """The file name of a list."""
    return f"stop-words-{name}.json"


def content(name: str) -> bytes:
    """The file of a list. Raises PlanMismatch when it is missing."""
    data = data_files.content_of(file_name(name)) if name.isalnum() else None
    if data is None:
        raise PlanMismatch(
            f"the plan leaves out stop words by list {name!r}, which this dupdex does not ship; "
            "upgrade dupdex, or set simhash.stop_words to none or 1 in a plan of your own"
        )
    return data


@cache
def load_stop_words(name: str) -> frozenset[str]:
    """The words of a list, as prepared text spells them (simplified, lower case).

    "none" is empty. Raises PlanMismatch when this installation does not ship the list.
    """
    if name == "none":
        return frozenset()
    words: dict[str, list[str]] = orjson.loads(content(name))
    return frozenset(word for group in words.values() for word in group)
