"""The pipeline: order, refused documents in their places, several processes."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest

from indexer import pipeline, workers
from indexer.fingerprints import fingerprint_of, fingerprints_of
from indexer.meta import IndexMeta
from indexer.model import Document, Fingerprint, Outcome, Record, Status
from indexer.pipeline import index, to_records
from mappings.errors import PlanMismatch, WorkerLost
from mappings.plan import CHARACTERS, Plan
from tests.texts import chinese


class MemoryWriter:
    """Stores records in a list; acknowledges them `chunk` at a time, as a server does."""

    def __init__(self, chunk: int = 3) -> None:
        self.chunk, self.records = chunk, list[Record]()

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:
        waiting: list[Record] = []
        for record in records:
            waiting.append(record)
            if len(waiting) == self.chunk:
                yield from self._done(waiting)
                waiting = []
        yield from self._done(waiting)

    def _done(self, records: list[Record]) -> Iterator[Outcome]:
        self.records += records
        return (Outcome(record.document, Status.CREATED) for record in records)


def documents(count: int, empty: tuple[int, ...]) -> list[Document]:
    return [Document(str(i), "" if i in empty else chinese(60, i)) for i in range(count)]


@pytest.mark.parametrize("empty", [(), (0,), (0, 1, 5, 6, 19), (19,), tuple(range(20))])
def test_one_outcome_each_in_the_order_of_the_documents(empty: tuple[int, ...]) -> None:
    writer = MemoryWriter()
    outcomes = list(index(documents(20, empty), CHARACTERS, writer))
    assert [outcome.document.id for outcome in outcomes] == [str(i) for i in range(20)]
    refused = [o for o in outcomes if o.status is Status.REJECTED]
    assert [o.document.id for o in refused] == [str(i) for i in empty]
    assert all("empty" in o.reason for o in refused)
    assert len(writer.records) == 20 - len(empty)


def test_an_outcome_is_only_seen_once_the_store_has_it() -> None:
    """A refused document waits for those before it: the reader's place may be remembered."""
    writer = MemoryWriter(chunk=4)
    for outcome in index(documents(10, (2, 9)), CHARACTERS, writer):
        number = int(outcome.document.id)
        stored = {int(record.document.id) for record in writer.records}
        assert set(range(number)) - {2, 9} <= stored


@pytest.mark.parametrize("limit", [1, 100, 45_000])
def test_records_do_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(pipeline, "BATCH_CHARACTERS", limit)
    monkeypatch.setattr(pipeline, "BATCH_DOCUMENTS", 7)
    wanted = documents(20, (3,))
    made = list(to_records(iter(wanted), CHARACTERS))
    for document, item in zip(wanted, made, strict=True):
        if document.text:
            expected = Record(document, fingerprint_of(document.text, CHARACTERS), CHARACTERS.id)
            assert item == expected
        else:
            assert isinstance(item, Outcome)


def test_several_processes_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "BATCH_DOCUMENTS", 5)
    wanted = documents(60, (0, 17, 59))
    assert list(to_records(wanted, CHARACTERS, workers=2)) == list(to_records(wanted, CHARACTERS))


def test_reading_stays_a_batch_ahead_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded: documents are taken as they are needed, not all at once."""
    monkeypatch.setattr(pipeline, "BATCH_DOCUMENTS", 5)
    taken: list[str] = []

    def source() -> Iterator[Document]:
        for document in documents(100, ()):
            taken.append(document.id)
            yield document

    records = to_records(source(), CHARACTERS)
    next(records)
    assert len(taken) <= 6


def test_refused_documents_are_reported_before_all_are_read() -> None:
    read = 0

    def empty_ones() -> Iterator[Document]:
        nonlocal read
        for number in range(20_000):
            read += 1
            yield Document(str(number), "")

    outcomes = index(empty_ones(), CHARACTERS, MemoryWriter())
    assert next(outcomes).status is Status.REJECTED
    assert read <= 2 * pipeline.REFUSED_AT_ONCE
    assert sum(1 for _ in outcomes) == 19_999


def test_a_text_that_its_body_does_not_hold_is_refused() -> None:
    """A lookup compares what is stored, so such a document would never be found."""
    text = chinese(60, 1)
    given = [Document("1", text, {"text": text}), Document("2", text, {"text": "别的"})]
    first, second = index(given, CHARACTERS, MemoryWriter(), meta=IndexMeta())
    assert first.status is Status.CREATED
    assert second.status is Status.REJECTED
    assert "the text is not what the body holds in text" in second.reason


def test_a_lost_process_is_an_error_not_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "BATCH_DOCUMENTS", 5)
    # more than are under way together, or the process may have made all when it is killed
    records = to_records(documents(1_000, ()), CHARACTERS, workers=2)
    next(records)
    for process in multiprocessing.active_children():
        process.kill()
    with pytest.raises(WorkerLost, match=r"ended with status -9.*fewer --workers"):
        list(records)
    assert not multiprocessing.active_children()


def test_an_error_of_a_process_is_raised_here() -> None:
    plan = replace(CHARACTERS, name="other", syllables="pypinyin-0.0.1")
    with pytest.raises(PlanMismatch, match="the plan reads syllables by pypinyin"):
        list(to_records(documents(3, ()), plan, workers=2))


def test_an_error_costs_nothing_that_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever process meets it: this one makes fingerprints too."""
    monkeypatch.setattr(pipeline, "BATCH_DOCUMENTS", 1)

    def failing(texts: Sequence[str], plan: Plan) -> list[Fingerprint]:
        if "7" in texts[0]:
            raise ValueError(texts[0])
        return fingerprints_of(texts, plan)

    monkeypatch.setattr(workers, "fingerprints_of", failing)
    wanted = [Document(str(n), f"第{n}篇", {}) for n in range(12)]
    records = to_records(wanted, CHARACTERS, workers=2)
    done = [next(records) for _ in range(7)]
    assert [each.document.id for each in done] == [str(n) for n in range(7)]
    with pytest.raises(ValueError, match="第7篇"):
        next(records)


def test_large_answers_and_large_questions_do_not_wait_for_each_other() -> None:
    """Each is larger than what a pipe holds, and told to be so."""
    plan = replace(CHARACTERS, passages=replace(CHARACTERS.passages, chunk=64))
    wanted = [Document(str(n), chinese(100_000, n), {}) for n in range(6)]
    made = list(to_records(wanted, plan, workers=1))
    for each in made:
        assert isinstance(each, Record)
        assert min(len(pickle.dumps(each.fingerprint)), len(each.document.text)) > 1 << 16
    assert list(to_records(wanted, plan, workers=2)) == made


def test_the_text_is_not_asked_for_twice() -> None:
    text, meta = chinese(60, 1), IndexMeta(text_fields=("head", "content.body"))
    nested = {"content": {"title": "t"}, "head": text}
    given = [
        Document("text", text),
        Document("more", text, {"title": "标题"}),
        Document("body", body={"head": text, "n": 1}),
        Document("both", text, nested),
    ]
    writer = MemoryWriter()
    outcomes = list(index(given, CHARACTERS, writer, meta=meta))
    assert [each.status for each in outcomes] == [Status.CREATED] * 4
    assert [record.document.text for record in writer.records] == [text] * 4
    assert [record.document.body for record in writer.records] == [
        {"head": text},
        {"title": "标题", "head": text},
        {"head": text, "n": 1},
        nested,
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        Document(7, "正文"),  # type: ignore[arg-type]
        Document(None, "正文"),  # type: ignore[arg-type]
        Document("a", None),  # type: ignore[arg-type]
        Document("a", 7, {"text": "七"}),  # type: ignore[arg-type]
        Document("a", "正文", None),  # type: ignore[arg-type]
        Document("a", "正文", ["正文"]),  # type: ignore[arg-type]
        Document("a"),
        Document("a", body={"text": None}),
        Document("a", body={"text": 7}),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_a_document_of_wrong_types_costs_no_other(wrong: Document, processes: int) -> None:
    given = [Document("1", chinese(30, 1)), wrong, Document("2", chinese(30, 2))]
    outcomes = list(index(given, CHARACTERS, MemoryWriter(), processes, IndexMeta()))
    assert [each.status for each in outcomes] == [
        Status.CREATED,
        Status.REJECTED,
        Status.CREATED,
    ]
    assert outcomes[1].document is wrong
