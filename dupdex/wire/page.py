"""An explanation as one standalone HTML page: both texts side by side, linked highlights."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dupdex.wire.formula_lines import formula_lines
from dupdex.wire.vocabulary import DIRECTIONS, DISGUISES, FACTS, VERDICTS, Phrase
from query.answers import Verdict
from query.explain.explanation import Explanation
from query.explain.shared_passages import Same, Span, pieces

if TYPE_CHECKING:
    from jinja2 import Environment

_UNSOUND: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters, halves of pairs and non-characters."""


class Piece(NamedTuple):
    """A piece of a text: a passage with its number, its id and that of its counterpart, or what
    stands between passages. `sounds`: the passage is the same in sound, not in writing."""

    text: str
    number: int | None = None
    sounds: bool = False
    id: str = ""
    counterpart: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One text as the page shows it.

    `letter` begins the ids of its elements; `length` in letters and digits; `share`: the part of
    them in shared passages.
    """

    letter: str
    name: Phrase
    length: int
    share: float
    chinese: bool
    pieces: list[Piece]


def explanation_page(explanation: Explanation) -> str:
    """A page that needs nothing else: no other file, no network. The texts are escaped."""
    judgement = explanation.judgement
    is_partial = judgement.verdict is Verdict.PARTIAL
    share = max(judgement.share, judgement.stored_share)
    number = f"{share if is_partial else judgement.similarity:.2f}"
    verdict, direction = VERDICTS[judgement.verdict], DIRECTIONS[judgement.direction]
    lines = [formula_lines(explanation.formula, chinese=chinese) for chinese in (True, False)]
    return render(
        "explain.html",
        language="",
        explanation=explanation,
        number=number,
        headline=Phrase(
            f"{verdict.zh} {number}{direction.zh}", f"{verdict.en} {number}{direction.en}"
        ),
        rules=list(map(Phrase, *lines)),
        disguise=Phrase(
            "、".join(DISGUISES[name].zh for name in explanation.disguise),
            ", ".join(DISGUISES[name].en for name in explanation.disguise),
        ),
        sides=[_side(explanation, at) for at in (0, 1)],
    )


def render(template: str, **values: Any) -> str:
    """A page from a template. Whatever it is given is text: escaped, and without characters that
    HTML cannot hold."""
    page = templates().get_template(template).render(values)
    return _UNSOUND.sub("\ufffd", page.replace("\r\n", "\n").replace("\r", "\n"))


@cache
def templates() -> Environment:
    """The templates of all pages; `render` fills them."""
    # here, as no command but one writes a page, and all would wait for the import
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("dupdex.wire"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        thousands="{:,}".format,
        percent="{:.0%}".format,
        stretch=_stretch,
        sha256=_content_hash,
    )
    environment.globals.update(FACTS=FACTS, VERDICTS=VERDICTS)
    return environment


def _content_hash(source: str) -> str:
    """A source expression of a content security policy."""
    return f"sha256-{b64encode(sha256(source.encode('utf-8')).digest()).decode('ascii')}"


def _stretch(span: Span) -> str:
    return f"{span.start:,}–{span.stop:,}"


def _side(explanation: Explanation, at: int) -> Side:
    passages = explanation.passages
    subject = (explanation.first, explanation.second)[at]
    if subject.id is not None:
        name = Phrase(f"文档 {subject.id}", f"document {subject.id}")
    else:
        name = (Phrase("前者", "first text"), Phrase("后者", "second text"))[at]
    letter, other = ("ab", "ba")[at]
    spans = [(passage.left, passage.right)[at] for passage in passages.passages]
    shown = []
    for text, number in pieces(subject.text, spans):
        if number is None:
            shown.append(Piece(text))
        else:
            sounds = passages.passages[number - 1].same is Same.SOUNDS
            shown.append(Piece(text, number, sounds, f"{letter}{number}", f"{other}{number}"))
    return Side(
        letter=letter,
        name=name,
        length=explanation.lengths[at],
        share=(passages.coverage, passages.right_coverage)[at],
        chinese=not explanation.spaced,
        pieces=shown,
    )
