"""`Index.attach` and `Index.detach`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from dupdex.arguments import session_of
from dupdex.attach.attach_reports import AttachReport, DetachReport
from dupdex.learning import learned_if_grown
from dupdex.location import Location
from dupdex.session import Session
from mappings.errors import DupdexError
from mappings.plan import Plan


class Attachable:
    """What a program does with an index of a server that dupdex did not make."""

    @classmethod
    def attach(
        cls,
        where: Location | Session,
        text_fields: Sequence[str] | None = None,
        title_field: str | None = None,
        plan: Plan | None = None,
        *,
        throttle: float | None = None,
        slices: int = 2,
        progress: Callable[..., None] = lambda *_: None,
        remark: Callable[[str], None] = lambda _: None,
    ) -> AttachReport:
        """Let such an index answer; see `dupdex.attach.attaching`, which says what is raised.
        None: what the index has, or "text", "title" and the standard plan. A single index that has
        grown learns boilerplate afterwards.
        """
        from dupdex.attach.attaching import Attaching, attach  # heavy; folders do without

        fields = None if text_fields is None else tuple(text_fields)
        wanted = Attaching(fields, title_field, plan, throttle, slices)
        report = attach(where, wanted, progress, remark)
        if report.written and len(report.indices) == 1:  # several cannot be changed at once
            try:
                _learn(where)
            except DupdexError as error:
                remark(f"boilerplate was not learned: {error}; 'dupdex learn' tries again")
        return report

    @classmethod
    def detach(
        cls,
        where: Location | Session,
        *,
        throttle: float | None = None,
        slices: int = 2,
        progress: Callable[..., None] = lambda *_: None,
        remark: Callable[[str], None] = lambda _: None,
    ) -> DetachReport:
        """Take everything of dupdex out of an attached index; see `dupdex.attach.detaching`."""
        from dupdex.attach.detaching import detach

        return detach(where, throttle, slices, progress, remark)


def _learn(where: Location | Session) -> None:
    session, owns = session_of(where)
    try:
        with closing(session.writer()) as writer:
            learned_if_grown(session.reader(), writer)
    finally:
        if owns:
            session.close()
