"""The collections of moderation banks: they belong to the index that holds the texts of entries."""

from __future__ import annotations

from typing import Final

from mappings.collections import Attribute, Collection, Kind, keyword

BANKS: Final = Collection(
    "banks",
    1,
    (
        keyword("kind", required=True),
        Attribute("indices", Kind.JSON, required=True),
        Attribute("about", Kind.TEXT),
        keyword("by"),
        Attribute("made", Kind.DATE, indexed=True, required=True),
    ),
)
"""One bank an item, by its name. `kind`: deny or allow; `indices`: patterns of the names of the
indices that it is for."""

BANK_ENTRIES: Final = Collection(
    "bank_entries",
    1,
    (
        keyword("bank", required=True),
        Attribute("labels", Kind.JSON),
        Attribute("reason", Kind.TEXT),
        keyword("by"),
        Attribute("added", Kind.DATE, indexed=True, required=True),
        Attribute("expires", Kind.DATE, indexed=True),
    ),
)
"""What is said about an entry, by the id of the document that holds its text. An entry without it
does not act, whatever a lookup finds."""

RETRO_HITS: Final = Collection(
    "retro_hits",
    1,
    (
        keyword("run", required=True),
        keyword("bank", required=True),
        keyword("entry", required=True),
        keyword("index", required=True),
        keyword("document", required=True),
        keyword("verdict", required=True),
        Attribute("similarity", Kind.DOUBLE, indexed=True, required=True),
        Attribute("share", Kind.DOUBLE),
        keyword("overruled"),
        Attribute("found", Kind.DATE, indexed=True, required=True),
    ),
)
"""A stored document that an entry of a bank matches, as a run found it. `share`: the part of the
entry that is in the document; `overruled`: "yes" where an allow entry overrules it."""

FLOODS: Final = Collection(
    "floods",
    1,
    (
        Attribute("until", Kind.DATE, indexed=True, required=True),
        Attribute("text", Kind.TEXT),
        Attribute("first", Kind.DATE),
        Attribute("kept", Kind.DATE),
        Attribute("times", Kind.JSON),
        Attribute("arrivals", Kind.LONG),
        Attribute("floods", Kind.JSON),
    ),
)
"""Texts that arrived of late, each with the `times` of what is similar to it, in milliseconds since
1970, and keys with the ids of the `floods` that have them. Either is of no use after `until`;
`kept`: when the keys of a flood end."""
