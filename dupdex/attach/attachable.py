"""`Index.attach` and `Index.detach`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from dupdex.arguments import session_of
from dupdex.attach.attach_reports import AttachReport, DetachReport
from dupdex.learning import learned_if_grown
from dupdex.location import Location
from dupdex.session import Session
from indexer.rewriting import OnRewrite
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
        on_rewrite: OnRewrite | None = None,
        sidecar: bool = False,
        progress: Callable[..., None] = lambda *_: None,
        remark: Callable[[str], None] = lambda _: None,
    ) -> AttachReport:
        """Let such an index answer; see `dupdex.attach.attaching`, which says what is raised.
        None: what the index has, or "text", "title", the standard plan and "refuse". A single
        index that has grown learns boilerplate afterwards. `sidecar`: write nothing to the index,
        see `dupdex.attach.sidecar_attaching`; one that has a sidecar keeps it.
        """
        from dupdex.attach.attaching import Attaching, attach  # heavy; folders do without
        from dupdex.attach.sidecar_attaching import attach_beside, index_with_sidecar

        fields = None if text_fields is None else tuple(text_fields)
        wanted = Attaching(fields, title_field, plan, throttle, slices, on_rewrite)
        with _opened(where) as session:
            if sidecar or index_with_sidecar(session):
                report = attach_beside(session, wanted, progress, remark)
            else:
                report = attach(session, wanted, progress, remark)
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
        cleaned: Callable[[], None] = lambda: None,
    ) -> DetachReport:
        """Take everything of dupdex out of an attached index; see `dupdex.attach.detaching`."""
        from dupdex.attach.detaching import detach
        from dupdex.attach.sidecar_attaching import detach_beside, index_with_sidecar

        with _opened(where) as session:
            if index := index_with_sidecar(session):
                return detach_beside(session, index)
            return detach(session, throttle, slices, progress, remark, cleaned)


@contextmanager
def _opened(where: Location | Session) -> Iterator[Session]:
    session, owns = session_of(where)
    try:
        yield session
    finally:
        if owns:
            session.close()


def _learn(where: Location | Session) -> None:
    with _opened(where) as session, closing(session.writer()) as writer:
        learned_if_grown(session.reader(), writer)
