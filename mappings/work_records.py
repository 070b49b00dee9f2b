"""The collections around works: they and their chapters belong to the index of the bank of works,
infringements to the index of the pages that were compared.
"""

from __future__ import annotations

from typing import Final

from mappings.collections import Attribute, Collection, Kind, keyword

WORKS: Final = Collection(
    "works",
    1,
    (
        Attribute("holder", Kind.TEXT),
        Attribute("outlet", Kind.TEXT),
        Attribute("sites", Kind.JSON),
        Attribute("indices", Kind.JSON, required=True),
        Attribute("made", Kind.DATE, indexed=True, required=True),
        Attribute("changed", Kind.DATE, indexed=True, required=True),
    ),
)
"""One work an item, by its name. `holder`: of the rights; `sites`: whose pages are no copies;
`indices`: patterns of the names of the indices whose pages are compared; `changed`: when what it
is for, or its sites, last became others."""

CHAPTERS: Final = Collection(
    "chapters",
    1,
    (
        keyword("work", required=True),
        keyword("hash", required=True),
        Attribute("letters", Kind.LONG, indexed=True, required=True),
        Attribute("sections", Kind.LONG, required=True),
        Attribute("added", Kind.DATE, indexed=True, required=True),
        Attribute("changed", Kind.DATE, indexed=True, required=True),
        Attribute("number", Kind.LONG, indexed=True),
        Attribute("published", Kind.DATE, indexed=True),
        keyword("site"),
        Attribute("title", Kind.TEXT),
        Attribute("url", Kind.TEXT),
        Attribute("text", Kind.TEXT),
    ),
)
"""One chapter or article an item, by its work and id. `hash`: of the text; `sections`: how many
parts of it are documents of their own; `changed`: when its text last became another one."""

INFRINGEMENTS: Final = Collection(
    "infringements",
    1,
    (
        keyword("work", required=True),
        keyword("chapter", required=True),
        keyword("document", required=True),
        keyword("site", required=True),
        keyword("verdict", required=True),
        keyword("state", required=True),
        Attribute("similarity", Kind.DOUBLE, indexed=True, required=True),
        Attribute("share", Kind.DOUBLE, indexed=True, required=True),
        Attribute("page_share", Kind.DOUBLE, indexed=True, required=True),
        Attribute("first_seen", Kind.DATE, indexed=True, required=True),
        Attribute("last_seen", Kind.DATE, indexed=True, required=True),
        Attribute("gone", Kind.DATE, indexed=True),
        Attribute("published", Kind.DATE, indexed=True),
        Attribute("fetched", Kind.DATE, indexed=True),
        Attribute("passages", Kind.JSON, required=True),
        Attribute("title", Kind.TEXT),
        Attribute("url", Kind.TEXT),
        Attribute("chapter_url", Kind.TEXT),
    ),
)
"""A page that has a chapter, or a part of it, by a digest of both. `document`: the page, as
`mappings.records.key_of` names it; `share`: the part of the chapter that the page has, `page_share`
the part of the page that is the chapter's; `passages`: [chapter start, chapter stop, page start,
page stop, equal units] of each; `state`: standing or gone, `gone`: since when; `published`,
`fetched`, `title`, `url`: of the page."""
