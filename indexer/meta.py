"""The meta of an index: its plan, its text fields, boilerplate and revision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from indexer.attachment import Attachment, check_attached
from indexer.boilerplate import NOTHING, Boilerplate
from indexer.field_path import values_at
from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.meant_keys import STEP
from indexer.grouping import Grouping
from indexer.model import Body, kind_of
from indexer.rewriting import OnRewrite
from indexer.sidecar import SidecarOf
from indexer.text import Streams, prepare_all
from mappings.errors import InputRefused, PlanMismatch
from mappings.plan import PLANS, STANDARD, Plan

MADE_BY: Final = "dupdex"

_SHOWN: Final = 80
"""Characters of a field name that messages quote."""

_TINY: Final = ("这是一段很短的中文。", "These are a few short words.")
"""One text for each kind of script: together they use every resource that a plan names."""


@dataclass(frozen=True, slots=True)
class IndexMeta:
    """Stored in the index `_meta` (Elasticsearch) or the `meta` table (embedded).

    `text_fields` and `title_field` are dotted paths (see `indexer.field_path`). `rebuilding` is
    the target plan of an unfinished `dupdex rebuild`, `boilerplate` what `dupdex learn` found.
    `revision` counts changes: a meta replaces only a stored meta of the same revision, and is
    stored under the next one. `standing`: documents carry their group and the time they were
    written, for which indices of earlier versions have no place. `grouping`: how the index keeps
    groups, None while nobody asked for them. `attached`: how far an index that dupdex did not make
    is covered, None for one that it made. `online`: lookups go on during the rebuild, under both
    plans, and new documents are written under the new one; it stays when that rebuild has ended, so
    that who did not look meanwhile goes on as well. `on_rewrite`: what becomes of writes through a
    gateway that change texts where it cannot look. `sidecar_of`: of an index whose objects lie in a
    sidecar, where the meta lies as well.
    """

    plan: Plan = STANDARD
    text_fields: tuple[str, ...] = ("text",)
    title_field: str = "title"
    rebuilding: Plan | None = None
    problem: str = ""
    boilerplate: Boilerplate = NOTHING
    revision: int = 0
    standing: bool = True
    grouping: Grouping | None = None
    attached: Attachment | None = None
    online: bool = False
    on_rewrite: OnRewrite = OnRewrite.REFUSE
    sidecar_of: SidecarOf | None = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "made_by": MADE_BY,
            "plan_id": self.plan.id,
            "plan": self.plan.to_meta(),
            "text_fields": list(self.text_fields),
            "title_field": self.title_field,
        }
        if self.boilerplate != NOTHING:
            out["boilerplate"] = self.boilerplate.to_json()
        if self.rebuilding is not None:
            out["rebuilding"] = self.rebuilding.to_meta()
        if self.revision:
            out["revision"] = self.revision
        if self.standing:
            out["standing"] = True
        if self.grouping is not None:
            out["grouping"] = self.grouping.to_json()
        if self.attached is not None:
            out["attached"] = self.attached.value
        if self.online:
            out["online"] = True
        if self.on_rewrite is not OnRewrite.REFUSE:
            out["on_rewrite"] = self.on_rewrite.value
        if self.sidecar_of is not None:
            out["sidecar_of"] = self.sidecar_of.to_json()
        return out

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The meta that an index stored.

        When this version of dupdex cannot serve the stored plan, `problem` says why and `plan` is
        the nearest one it can; `check_plan` then refuses everything but a rebuild.
        """
        stored = value.get("plan")
        plan, problem = _plan_of(stored if isinstance(stored, Mapping) else {})
        if not problem and plan.id != value.get("plan_id"):
            problem = (
                f"the index says plan {value.get('plan_id')!r} but its numbers make {plan.id!r}"
            )
        target = value.get("rebuilding")
        fields, revision = value.get("text_fields"), value.get("revision")
        return cls(
            plan=plan,
            text_fields=tuple(map(str, fields)) if isinstance(fields, list) else ("text",),
            title_field=str(value.get("title_field", "title")),
            rebuilding=_plan_of(target)[0] if isinstance(target, Mapping) else None,
            problem=problem,
            boilerplate=Boilerplate.from_json(value.get("boilerplate")),
            revision=revision if type(revision) is int else 0,
            standing=value.get("standing") is True,
            grouping=Grouping.from_json(value.get("grouping")),
            attached=Attachment.of(value.get("attached")),
            online=value.get("online") is True,
            on_rewrite=OnRewrite.of(value.get("on_rewrite")),
            sidecar_of=SidecarOf.from_json(value.get("sidecar_of")),
        )

    @property
    def goal(self) -> Plan | None:
        """The plan that the index moves to while it goes on answering; None when it does not."""
        return self.rebuilding if self.online and not self.problem else None

    @property
    def writing(self) -> Plan:
        """The plan of documents that are written now."""
        return self.goal or self.plan

    def started(self, target: Plan, online: bool = False) -> Self:
        """The same index while a rebuild to `target` is under way. `online` has no effect where an
        unfinished rebuild to a third plan has left documents of that one, too, or where the
        documents that there are cannot be asked for.
        """
        only_two = self.rebuilding is None or self.rebuilding == target
        goes_on = self.online and self.rebuilding is not None
        answers = (online or goes_on) and only_two and not self.problem
        return replace(self, rebuilding=target, standing=True, online=answers)

    def finished(self, target: Plan) -> Self:
        """The same index once a rebuild to `target` is done."""
        return replace(
            self,
            plan=target,
            rebuilding=None,
            problem="",
            boilerplate=self.boilerplate_of(target),
        )

    def boilerplate_of(self, target: Plan) -> Boilerplate:
        """What has no say under another plan."""
        return self.boilerplate if _same_sentences(self.plan, target) else NOTHING

    def text_of(self, body: Body, with_options: bool = False) -> str:
        """The text that is fingerprinted: the strings of the text fields, which are dotted paths
        and may lead to lists, joined by a line feed.

        Raises InputRefused naming the path, and what it leads to when that is not a string;
        `with_options`: and the option that names other text fields.
        """
        parts = []
        for path in self.text_fields:
            found = body.get(path)
            if isinstance(found, str) and "." not in path:  # nearly every text: no path to follow
                parts.append(found)
                continue
            for value in values_at(body, path):
                if isinstance(value, str):
                    parts.append(value)
                elif value is not None:
                    raise InputRefused(_no_string(path, value, with_options))
        if not parts:
            missing = f"none of the fields {', '.join(self.text_fields)} is present"
            what = "name the text field with --text-field" if with_options else "write one of them"
            raise InputRefused(f"no text: {missing}{_instead(body, self.text_fields)}; {what}")
        return "\n".join(parts)


def _no_string(path: str, value: object, with_options: bool) -> str:
    no_string = f"field {path!r} holds {kind_of(value)}, not a string; "
    if not with_options:
        return f"{no_string}turn it into a string"
    if isinstance(value, Mapping) and value:
        inner = f"{path}.{next(iter(value))}"[:_SHOWN]
        return f"{no_string}name a field in it with --text-field, as in {inner!r}"
    return f"{no_string}name another field with --text-field, or turn it into a string"


def _instead(body: Body, paths: Sequence[str]) -> str:
    """What blocks a path: the value at its longest prefix that has one, if not an object."""
    for path in paths:
        parts = path.split(".")
        for length in range(len(parts) - 1, 0, -1):
            upper = ".".join(parts[:length])
            value = next(values_at(body, upper), None)
            if value is not None and not isinstance(value, Mapping):
                return f" ({upper!r} holds {kind_of(value)}, not an object)"
    return ""


def _same_sentences(plan: Plan, other: Plan) -> bool:
    """Whether both plans give a sentence the same key."""
    steps, others = ([step for step in each.steps if step != STEP] for each in (plan, other))
    return (plan.sentences, plan.table, steps) == (other.sentences, other.table, others)


def _plan_of(stored: Mapping[str, Any]) -> tuple[Plan, str]:
    """The stored plan and ""; or the nearest plan that can be served, and the problem."""
    try:
        return Plan.from_meta(stored), ""
    except InputRefused as error:
        entries = {name: value for name, value in stored.items() if name != "format"}
        problem = f"the index was written under a plan that this dupdex cannot serve ({error})"
        try:
            return Plan.from_meta(entries), problem
        except InputRefused:
            return STANDARD, problem


def check_plan(stored: IndexMeta, wanted: Plan | None) -> IndexMeta:
    """Raise PlanMismatch, naming the way out, for an index that needs a rebuild or has another
    plan than `wanted`, or is being detached.
    """
    check_attached(stored.attached)
    if stored.rebuilding is not None and stored.goal is None:
        raise PlanMismatch(
            f"a rebuild to plan {stored.rebuilding.id} was not finished; run 'dupdex rebuild' "
            f"again, it goes on where it stopped{way_back(stored)}"
        )
    if stored.problem:
        raise PlanMismatch(
            f"{stored.problem}; use the dupdex that wrote it, or run 'dupdex rebuild' to "
            "re-fingerprint it"
        )
    if wanted is not None and wanted.id not in (stored.plan.id, stored.writing.id):
        raise PlanMismatch(
            f"the index was written under plan {stored.plan.id}, you asked for {wanted.id}; ask "
            "for none to use the index's own, or rebuild the index under this one",
            "leave --plan out, or run 'dupdex rebuild --plan'",
        )
    return stored


def way_back(stored: IndexMeta) -> str:
    """The end of a message: how to undo an unfinished rebuild; "" when the index was written
    under a plan that this version of dupdex cannot serve.
    """
    if stored.problem:
        return ""
    names = [name for name, plan in PLANS.items() if plan == stored.plan]
    file = "" if names else f", FILE being plan {stored.plan.id}"
    return f"; to go back, run 'dupdex rebuild --plan {names[0] if names else 'FILE'}'{file}"


def check_servable(plan: Plan) -> None:
    """Raise PlanMismatch for a plan that names a table, dictionary, statistics, stop words or
    readings missing from this machine: its index could be created, but never filled.
    """
    fingerprints_of(_TINY, plan)
    # Verdicts compare syllables, whichever schemes are stored.
    _ = Streams(prepare_all(_TINY[:1], plan), plan, spaced=False).units


def check_unchanged(seen: IndexMeta, stored: IndexMeta) -> None:
    """Raise PlanMismatch when the stored plan or rebuild is no longer the one that was seen, or
    dupdex is being detached.

    Keys of different plans never match, so neither writes nor lookups may go on.
    """
    if seen.attached is not stored.attached:
        check_attached(stored.attached)
    if _state(seen) == _state(stored) or _goes_on(seen, stored):
        return
    if stored.rebuilding is not None:
        raise PlanMismatch(
            f"a rebuild to plan {stored.rebuilding.id} began meanwhile; wait until "
            "'dupdex rebuild' is done, then run the same command again"
        )
    raise PlanMismatch(
        f"a rebuild has moved the index to plan {stored.plan.id} meanwhile; run the same command "
        "again, or open the index again"
    )


def check_writing(seen: str, stored: IndexMeta) -> None:
    """Raise PlanMismatch when documents are written by now under another plan than that of id
    `seen`."""
    if stored.writing.id != seen:
        raise PlanMismatch(
            f"documents are written under plan {stored.writing.id} by now, as a rebuild to it "
            "began or ended meanwhile; run the same command again"
        )


def check_settled(meta: IndexMeta) -> None:
    """Raise PlanMismatch while an index moves to another plan, for what needs all documents under
    one."""
    if meta.rebuilding is not None:
        raise PlanMismatch(
            f"a rebuild to plan {meta.rebuilding.id} is under way, and this needs all documents "
            "under one plan; wait until 'dupdex rebuild' is done"
        )


def _goes_on(seen: IndexMeta, stored: IndexMeta) -> bool:
    """Whether lookups that saw the one meta go on with the other: a rebuild that lets them."""
    if stored.goal is not None:
        return True
    if stored.rebuilding is not None:
        return False
    return stored.online or (seen.goal is not None and stored.plan.id == seen.plan.id)


def _state(meta: IndexMeta) -> tuple[str, str]:
    return meta.plan.id, meta.rebuilding.id if meta.rebuilding else ""
