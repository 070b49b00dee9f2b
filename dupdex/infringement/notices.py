"""Notices to sites: what they have of which works, as a letter that somebody signs."""

from __future__ import annotations

from dataclasses import dataclass
from traceback import extract_tb
from typing import TYPE_CHECKING

from dupdex.infringement.infringement_analysis import of_site
from dupdex.infringement.infringement_findings import InfringementReport, PageCopy
from dupdex.wire.page import templates
from mappings.errors import InputRefused, NotFound

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class WorkOnSite:
    """A work and the copies of it that stand on a site."""

    name: str
    holder: str
    copies: tuple[PageCopy, ...]

    @property
    def pages(self) -> int:
        """How many pages these are on: one may have several chapters."""
        return len({copy.document for copy in self.copies})


def notice(
    report: InfringementReport, site: str, language: str = "en", template: str | None = None
) -> str:
    """The letter to a site, about what still stands there. `template`: of one's own, for Jinja; it
    is given site, date, works (name, holder, pages, copies), copies and report.

    Raises NotFound where nothing stands, InputRefused for a template that cannot be filled.
    """
    copies = [copy for copy in of_site(report, site) if copy.gone is None]
    if not copies:
        raise NotFound(f"no copies stand on {site!r}; 'dupdex infringement' lists the sites")
    holders = {work.work: work.holder for work in report.works}
    names = dict.fromkeys(copy.work for copy in copies)
    works = [
        WorkOnSite(name, holders.get(name, ""), tuple(c for c in copies if c.work == name))
        for name in names
    ]
    values = {
        "site": site,
        "date": report.made[:10],
        "works": works,
        "copies": copies,
        "report": report,
    }
    environment = _environment()
    if template is None:
        return environment.get_template(f"notice.{language}.txt").render(values)
    try:
        return environment.from_string(template.removeprefix("\ufeff")).render(values)
    except Exception as error:  # whatever somebody wrote
        line = _line_of(error)
        where = f"line {line} of the template" if line else "the template"
        raise InputRefused(f"{where} cannot be filled: {_said(error)}; correct it") from error


def _line_of(error: Exception) -> int | None:
    """The line of the template that an error comes from."""
    if line := getattr(error, "lineno", None):
        return int(line)
    lines = [e.lineno for e in extract_tb(error.__traceback__) if e.filename == "<template>"]
    return lines[-1] if lines else None


def _said(error: Exception) -> str:
    from jinja2 import TemplateNotFound  # as in `dupdex.wire.page`

    if isinstance(error, TemplateNotFound):
        return f"there is no template {error.name!r}"
    return str(error).rstrip(".") or type(error).__name__


def _environment() -> Environment:
    """Of plain text; a template can do nothing but fill itself."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=templates().loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=False,
        keep_trailing_newline=False,
    )
    environment.filters.update(percent="{:.0%}".format, day=lambda time: str(time)[:10])
    return environment
