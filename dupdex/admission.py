"""Looks a text up and stores it in one step: of equal posts at the same moment one is the first.

Who is admitted takes turns with all other programs, under a lease of the index: what was stored in
an earlier turn is found in a later one, near duplicates included.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, Ref, Status
from indexer.stores.lease import leased
from mappings.errors import InputRefused
from mappings.records import LEASES
from query.answers import Answer, Verdict
from query.questions import Options, Question

LEASE: Final = "admission"
SECONDS: Final = 10.0
"""How long others wait for one that was killed."""

WAIT: Final = 60.0
"""How long one waits for its turn at most."""

SAME: Final = (Verdict.EXACT, Verdict.NEAR)


@dataclass(frozen=True, slots=True)
class Admitted:
    """`is_first`: nothing that was stored before is the same. `answer`: what the lookup found, the
    document itself left out. `outcome`: None where a document that is not the first was not to be
    stored.
    """

    is_first: bool
    answer: Answer
    outcome: Outcome | None


class Admitting(Protocol):
    """What an admission needs of an index; `dupdex.index.Index` has it."""

    @property
    def meta(self) -> IndexMeta: ...

    def lookup_all(
        self, questions: Sequence[Question], options: Options | None = None
    ) -> list[Answer]: ...

    def add(self, documents: Sequence[Document]) -> list[Outcome]: ...

    def refresh(self) -> None: ...


class Admission:
    """Of one index that is open for writing. Threads share it, and programs may have one each."""

    def __init__(self, session: Session, index: Admitting, name: str | None = None) -> None:
        """`name`: of the index, where it is not that of the session's location."""
        self._index = index
        self._leases = session.collection(LEASES, name)
        self._turn = threading.Lock()  # threads of one program need not ask the store for theirs

    def admit(
        self,
        document: Document,
        options: Options | None = None,
        verdicts: Sequence[Verdict] = SAME,
        store_copies: bool = True,
        is_same_by_id: bool = True,
    ) -> Admitted:
        """Look up and store a document. `verdicts`: what makes an earlier document the same;
        `store_copies`: store it whatever was found; `is_same_by_id`: a stored document of its id is
        itself, posted before, and no copy of it. That is not so where ids are made from texts.

        Raises InputRefused for a document that cannot be stored, StoreUnavailable when others do
        not let it take its turn.
        """
        with self._turn, leased(self._leases, LEASE, SECONDS, WAIT) as lease:
            text = document.text or self._index.meta.text_of(document.body)
            exclude = Ref("", document.id) if is_same_by_id else None
            answer = self._index.lookup_all([Question(text, document.id, exclude)], options)[0]
            is_first = not any(match.verdict in verdicts for match in answer.matches)
            if not (is_first or store_copies):
                return Admitted(is_first, answer, None)
            lease.check()
            (outcome,) = self._index.add([document])
            if outcome.status is Status.REJECTED:
                raise InputRefused(outcome.reason)
            self._index.refresh()  # the next one finds it
        return Admitted(is_first, answer, outcome)
