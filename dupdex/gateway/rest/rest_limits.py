"""How much one request may ask for."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

BODY: Final = 16 << 20
"""Bytes of a body, unpacked; streams of documents have no limit but that of a line."""

LINE: Final = 8 << 20
"""Bytes of one document in a stream."""

TEXTS: Final = 1_000
"""Texts or ids in one request."""

CHARACTERS: Final = 1_000_000
"""Characters of a text that is looked up or compared."""

PAGE: Final = 1_000
"""Entries of a page."""

WORD: Final = 1_000
"""Characters of a name, a reason, a cursor."""

Text = Annotated[str, msgspec.Meta(min_length=1, description="A text.")]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=512, description="Id of a document.")]
Url = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=4_096,
        description="Address of a page that a stored document has, as its id or in `url`; nothing "
        "is fetched.",
    ),
]
Word = Annotated[str, msgspec.Meta(max_length=WORD)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=WORD)]
Size = Annotated[int, msgspec.Meta(ge=1, le=PAGE, description="Entries of the page, at most.")]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
