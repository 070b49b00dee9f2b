"""Writes that change texts where the gateway cannot look: refused, or followed up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from dupdex import Index
from dupdex.gateway.enrich.by_query_handler import ByQueryWrites
from dupdex.gateway.enrich.settling import Settling
from dupdex.gateway.enrich.targets import Targets
from dupdex.gateway.enrich.write_requests import Writing
from dupdex.gateway.our_indices import OurIndices
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings
from dupdex.session import Session
from indexer.meta import IndexMeta
from indexer.rewriting import OnRewrite
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from tests.command import run
from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running
from tests.service.gateway.writes import NDJSON, Pair, ask, current, lines, pair_of

TEXT, OTHER = chinese(1), chinese(2)
SCRIPT = {"script": {"source": "ctx._source.text = 'b'"}}


@pytest.fixture(params=[OnRewrite.REFUSE, OnRewrite.MARK])
def pair(es_url: str, request: pytest.FixtureRequest) -> Iterator[Pair]:
    with pair_of(es_url, on_rewrite=request.param) as pair:
        yield pair


def policy(pair: Pair) -> OnRewrite:
    with Index.open(pair.location) as index:
        return index.meta.on_rewrite


def test_scripts(gateway: Running, pair: Pair) -> None:
    """The server of the tests knows no script language: what comes through is its own refusal."""
    path = f"/{pair.ours}/_update/1"
    ask(gateway.url, "PUT", f"/{pair.ours}/_doc/1", orjson.dumps({"text": TEXT}))
    status, _, content = ask(gateway.url, "POST", path, orjson.dumps(SCRIPT))
    bulk = lines({"update": {"_id": "1"}}, SCRIPT, {"index": {"_id": "2"}}, {"text": OTHER})
    path = f"/{pair.ours}/_bulk"
    answer = ask(gateway.url, "POST", path, bulk, {"Content-Type": NDJSON})
    first, second = orjson.loads(answer[2])["items"]
    assert status == first["update"]["status"] == 400
    kind = orjson.loads(content)["error"]["type"]
    refused = "dupdex_rewrite_refused"
    if policy(pair) is OnRewrite.REFUSE:
        assert kind == first["update"]["error"]["type"] == refused
        assert "--on-rewrite mark" in first["update"]["error"]["reason"]
        assert first["update"]["_id"] == "1"
    else:
        assert refused not in (kind, first["update"]["error"]["type"])
    assert second["index"]["status"] == 201
    assert all(map(current, pair.stored(pair.ours).values()))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/INDEX/_update_by_query", SCRIPT),
        ("/INDE*/_update_by_query", SCRIPT),
        ("/_reindex", {"source": {"index": "BARE"}, "dest": {"index": "INDEX"}}),
    ],
)
def test_writes_by_query(gateway: Running, pair: Pair, path: str, body: object) -> None:
    named = orjson.dumps(body).replace(b"INDEX", pair.ours.encode())
    named = named.replace(b"BARE", pair.bare.encode())
    path = path.replace("INDEX", pair.ours).replace("INDE*", f"{pair.ours[:-1]}*")
    _, _, content = ask(gateway.url, "POST", path, named)
    refused = b'"dupdex_rewrite_refused"' in content
    assert (b"--on-rewrite mark" in content) == refused == (policy(pair) is OnRewrite.REFUSE)
    if policy(pair) is OnRewrite.MARK:
        later = f"{path}?wait_for_completion=false"
        status, _, content = ask(gateway.url, "POST", later, named)
        assert (status, b"wait_for_completion" in content) == (400, True)
    theirs = f"/{pair.bare}/_update_by_query"
    direct = ask(pair.settings.url, "POST", theirs, orjson.dumps(SCRIPT))
    assert ask(gateway.url, "POST", theirs, orjson.dumps(SCRIPT))[2] == direct[2]


def test_pipelines_that_change_nothing(gateway: Running, pair: Pair) -> None:
    """The server of the tests has no processors, so a pipeline is an empty one."""
    pair.client.ingest.put_pipeline(id=pair.ours, processors=[])
    try:
        path = f"/{pair.ours}/_doc/1?pipeline={pair.ours}"
        assert ask(gateway.url, "PUT", path, orjson.dumps({"text": TEXT}))[0] == 201
        pair.client.indices.put_settings(index=pair.ours, settings={"default_pipeline": pair.ours})
        body = lines({"index": {"_id": "2"}}, {"text": TEXT})
        ask(gateway.url, "POST", f"/{pair.ours}/_bulk", body, {"Content-Type": NDJSON})
        stored = pair.stored(pair.ours)
        assert set(stored) == {"1", "2"}
        assert all(map(current, stored.values()))
    finally:
        pair.client.indices.put_settings(index=pair.ours, settings={"default_pipeline": None})
        pair.client.ingest.delete_pipeline(id=pair.ours)


def test_fingerprints_of_what_is_stored(pair: Pair) -> None:
    """What follows up a write by script, without one: documents that others have changed."""
    put = pair.client.index
    put(index=pair.ours, id="1", document={"text": TEXT, OBJECT_FIELD: {"group": "g", "length": 3}})
    put(index=pair.ours, id="2", document={"text": OTHER}, routing="r")
    put(index=pair.ours, id="3", document={"n": 1, OBJECT_FIELD: {"group": "3", "length": 3}})
    with Session(pair.location) as session:
        indices = OurIndices(session)
        names = [(pair.ours, "1", None), (pair.ours, "2", "r"), (pair.ours, "3", None)]
        settling = Settling(Targets(indices), session)
        settling.refill(pair.ours, [*names, (pair.ours, "4", None)])
        indices.close()
    stored = pair.stored(pair.ours)
    assert all(map(current, stored.values()))
    assert stored["1"][OBJECT_FIELD]["group"] == "g"


def test_everything_that_was_written_since(pair: Pair) -> None:
    """What follows up a write by query, without one."""
    put = pair.client.index
    put(index=pair.ours, id="old", document={"text": TEXT})
    services = Services(ServeSettings(store=pair.settings.url))
    assert services.upstream is not None
    by_query = ByQueryWrites(Writing(services, services.upstream))
    before = by_query.sequence_of(pair.ours)
    assert before == {pair.ours: 0}
    rows = [
        row
        for number in range(600)
        for row in ({"index": {"_id": f"n{number}"}}, {"text": f"{number} {OTHER}"})
    ]
    pair.client.bulk(index=pair.ours, operations=rows)
    by_query.fill(pair.ours, before[pair.ours])
    services.session.close()
    stored = pair.stored(pair.ours)
    assert len(stored) == 601
    assert [name for name, source in stored.items() if not current(source)] == ["old"]


def test_the_policy_is_changed(pair: Pair, tmp_path: Path) -> None:
    """By attaching once more; without a word it stays."""
    url = pair.settings.url
    for wanted, expected in (("mark", "mark"), (None, "mark"), ("refuse", "refuse")):
        more = ["--on-rewrite", wanted] if wanted else []
        assert run("attach", pair.ours, "--store", url, *more, folder=tmp_path).status == 0
        assert policy(pair) == expected


def test_the_policy_of_an_index_that_dupdex_made(pair: Pair, tmp_path: Path) -> None:
    """What a refused write advises works there, too."""
    made = replace(pair, ours=f"{pair.ours}-made")
    with Index.create(made.location, IndexMeta(plan=CHARACTERS)):
        pass
    url = pair.settings.url
    try:
        done = run("attach", made.ours, "--store", url, "--on-rewrite", "mark", folder=tmp_path)
        assert done.status == 0
        assert policy(made) is OnRewrite.MARK
        assert run("attach", made.ours, "--store", url, folder=tmp_path).status == 4
    finally:
        pair.client.indices.delete(index=made.ours)
