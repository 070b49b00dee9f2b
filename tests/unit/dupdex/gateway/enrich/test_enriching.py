"""Whatever a bulk body holds, every byte of the client's arrives, and texts get their objects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex import Index, Location, Session
from dupdex.gateway.callers import ANYBODY, Caller, Right
from dupdex.gateway.enrich.bulk_lines import LineSplitter, Operation
from dupdex.gateway.enrich.enriching import Enriching
from dupdex.gateway.enrich.planned import Asked
from dupdex.gateway.enrich.targets import Targets
from dupdex.gateway.our_indices import OurIndices
from indexer.fingerprints import fingerprint_of
from indexer.meta import IndexMeta
from mappings.contract import OBJECT_FIELD
from mappings.errors import TextRefused
from mappings.plan import CHARACTERS
from tests.texts import LAW

OURS = "ours"

_TEXTS = st.text('你好世界天地人abc "\\\n', min_size=1, max_size=30)
_BODIES = st.dictionaries(
    st.sampled_from(["text", "title", "n", "dupdex", "dupdex.plan"]),
    _TEXTS | st.integers(-9, 9) | st.none() | st.dictionaries(_TEXTS, _TEXTS, max_size=2),
    max_size=4,
)
_OPERATIONS = st.tuples(
    st.sampled_from(["index", "create", "delete"]),
    st.sampled_from([OURS, "theirs", None]),
    st.sampled_from(["1", "2", None]),
    _BODIES,
    st.booleans(),
)


class WithoutPipelines(Targets):
    """Of a store that is a folder: there are no pipelines."""

    def what_rewrites(self, name: str, asked: str | None) -> str:
        _ = name, asked
        return ""


@pytest.fixture(scope="module")
def enriching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Enriching]:
    folder: Path = tmp_path_factory.mktemp("store")
    where = Location(str(folder), OURS)
    with Index.create(where, IndexMeta(plan=CHARACTERS)), Session(where) as session:
        indices = OurIndices(session)
        yield Enriching(WithoutPipelines(indices))
        indices.close()


def operations(body: bytes) -> list[Operation]:
    return list(LineSplitter().feed(body))


def is_ours(name: str) -> bool:
    return name.partition(".")[0] == OBJECT_FIELD


@LAW
@given(st.lists(_OPERATIONS, max_size=6))
def test_every_byte_arrives(
    enriching: Enriching,
    drawn: list[tuple[str, str | None, str | None, dict[str, object], bool]],
) -> None:
    body = b""
    for action, index, name, document, spaced in drawn:
        named = {"_index": index, "_id": name}
        body += orjson.dumps({action: {k: v for k, v in named.items() if v is not None}}) + b"\n"
        if action != "delete":
            body += orjson.dumps(document) + (b" \r\n" if spaced else b"\n")
    planned = enriching.plan(operations(body), Asked(ANYBODY, OURS))
    assert len(planned) == len(drawn)
    for each, (action, index, name, document, _) in zip(planned, drawn, strict=True):
        sent = b"".join(each.lines())
        assert each.refusal is None
        if index == "theirs" or action == "delete":
            assert sent == each.operation.raw
            continue
        line, _, source = sent.partition(b"\n")
        ((sent_action, sent_named),) = orjson.loads(line).items()
        value = orjson.loads(source)
        ours = value.pop(OBJECT_FIELD, None)
        assert value == {k: v for k, v in document.items() if not is_ours(k)}
        assert list(value) == [k for k in document if not is_ours(k)]
        assert sent_action == action
        text = document.get("text")
        if ours is None:
            assert each.bare
            if isinstance(text, str):
                with pytest.raises(TextRefused):
                    fingerprint_of(text, CHARACTERS)
            continue
        assert ours["text_hash"] == fingerprint_of(str(text), CHARACTERS).text_hash
        assert ours["group"] == sent_named["_id"]
        assert name is None or sent_named["_id"] == name
        if not any(map(is_ours, document)):
            spliced = b',"dupdex":' + orjson.dumps(ours)
            assert source.replace(spliced, b"") == each.operation.source


def test_who_may_not_write(enriching: Enriching) -> None:
    body = orjson.dumps({"index": {}}) + b"\n{}\n" + orjson.dumps({"delete": {"_id": "1"}}) + b"\n"
    reader = Caller("reader", frozenset({Right.READ}))
    narrow = Caller("narrow", frozenset({Right.WRITE}), ("other-*",))
    tenant = Caller("tenant", frozenset({Right.WRITE}), ("*",), {"*": [{"term": {"a": 1}}]})
    for caller in (reader, narrow, tenant):
        for name in (OURS, "theirs"):
            for planned in enriching.plan(operations(body), Asked(caller, name)):
                assert planned.refusal is not None
                assert (planned.refusal.status, planned.refusal.kind) == (403, "security_exception")
                (item,) = planned.refused_item().values()
                assert item["error"]["type"] == "security_exception"


def test_segments_keep_updates_after_what_they_change(enriching: Enriching) -> None:
    def of(*parts: tuple[str, str, str]) -> list[Operation]:
        return [Operation(action, {"_index": i, "_id": n}, b"") for action, i, n in parts]

    asked = Asked(ANYBODY)
    plain = of(("index", OURS, "1"), ("index", OURS, "1"), ("update", OURS, "2"))
    assert enriching.segments(plain, asked) == [plain]
    update = of(("index", OURS, "1"), ("update", OURS, "1"), ("index", OURS, "1"))
    assert enriching.segments(update, asked) == [[each] for each in update]
    theirs = of(("index", "theirs", "1"), ("update", "theirs", "1"))
    assert enriching.segments(theirs, asked) == [theirs]


def test_half_a_document_is_the_servers_to_refuse(enriching: Enriching) -> None:
    body = b'{"index":{"_id":"1"}}\n{"text":\n{"index":{"_id":"2"}}\n{"text":NaN}\n'
    broken, odd = enriching.plan(operations(body), Asked(ANYBODY, OURS))
    assert broken.untouched
    assert odd.refusal is not None
    assert odd.refusal.kind == "document_parsing_exception"
