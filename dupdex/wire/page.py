"""An explanation as one standalone HTML page: both texts side by side, linked highlights."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from dupdex.wire.formula_lines import formula_lines
from dupdex.wire.side_by_side import side_of
from dupdex.wire.vocabulary import DIRECTIONS, DISGUISES, FACTS, VERDICTS, Phrase
from query.answers import Verdict
from query.explain.explanation import Explanation
from query.explain.formula import Formula
from query.explain.shared_passages import Span

if TYPE_CHECKING:
    from jinja2 import Environment

_UNSOUND: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters, halves of pairs and non-characters."""


def explanation_page(explanation: Explanation) -> str:
    """A page that needs nothing else: no other file, no network. The texts are escaped."""
    judgement = explanation.judgement
    is_partial = judgement.verdict is Verdict.PARTIAL
    share = max(judgement.share, judgement.stored_share)
    number = f"{share if is_partial else judgement.similarity:.2f}"
    verdict, direction = VERDICTS[judgement.verdict], DIRECTIONS[judgement.direction]
    return render(
        "explain.html",
        language="",
        explanation=explanation,
        number=number,
        headline=Phrase(
            f"{verdict.zh} {number}{direction.zh}", f"{verdict.en} {number}{direction.en}"
        ),
        rules=_rules(explanation.formula),
        disguise=Phrase(
            "、".join(DISGUISES[name].zh for name in explanation.disguise),
            ", ".join(DISGUISES[name].en for name in explanation.disguise),
        ),
        sides=[side_of(explanation, at) for at in (0, 1)],
    )


def _rules(formula: Formula) -> list[tuple[Phrase, bool | None]]:
    """Each step in words, and whether it holds; None for what lookups make of the verdict."""
    lines = map(Phrase, *(formula_lines(formula, chinese=chinese) for chinese in (True, False)))
    return list(zip_longest(lines, (step.holds for step in formula.steps)))


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
