"""Words that say nothing about a text, in lists that never change: a plan names one."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import orjson

from mappings.errors import PlanMismatch


@cache
def load_stop_words(name: str) -> frozenset[str]:
    """The words of a list, as prepared text spells them (simplified, lower case).

    "none" is empty. Raises PlanMismatch when this installation does not ship the list.
    """
    if name == "none":
        return frozenset()
    source = files("indexer.text") / "data" / f"stop-words-{name}.json"
    if not name.isalnum() or not source.is_file():
        raise PlanMismatch(
            f"the plan leaves out stop words by list {name!r}, which this dupdex does not ship; "
            "upgrade dupdex, or set simhash.stop_words to none or 1 in a plan of your own"
        )
    words: dict[str, list[str]] = orjson.loads(source.read_bytes())
    return frozenset(word for group in words.values() for word in group)
