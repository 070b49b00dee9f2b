"""Runs the official Python client, of whichever version is installed, through the gateway:
python client.py URL INDEX TEXTS.json"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from elasticsearch import ApiError, Elasticsearch, NotFoundError, helpers


def main(url: str, index: str, path: str) -> None:
    texts = json.loads(Path(path).read_text(encoding="utf-8"))
    with Elasticsearch(url, http_compress=True, request_timeout=60) as client:
        write(client, index, texts)
        search(
            client, index, {"near_duplicate": {"text": texts["original"], "min_similarity": 0.5}}
        )
        page(client, index)
        remove(
            client, index, {"near_duplicate": {"text": texts["original"], "min_similarity": 0.5}}
        )
    print("ok", version("elasticsearch"))


def write(client: Any, index: str, texts: dict[str, str]) -> None:
    client.index(index=index, id="1", document={"text": texts["original"], "n": 1})
    done = client.bulk(
        refresh=True,
        operations=[
            {"index": {"_index": index, "_id": "2"}},
            {"text": texts["copy"], "n": 2},
            {"create": {"_index": index, "_id": "3"}},
            {"text": texts["other"], "n": 3},
            {"create": {"_index": index, "_id": "1"}},
            {"text": texts["other"], "n": 4},
        ],
    )
    assert [each["status"] for item in done["items"] for each in item.values()] == [201, 201, 409]
    more = [
        {"_id": "5", "text": texts["changed"], "n": 5},
        {"_id": "6", "text": texts["other"] + texts["changed"], "n": 6},
    ]
    assert helpers.bulk(client, more, index=index, refresh=True) == (2, [])
    stored = client.get(index=index, id="1")["_source"]
    assert stored["text"] == texts["original"]
    assert stored["dupdex"]["plan"]
    for text in (texts["copy"], texts["other"]):
        client.update(index=index, id="3", doc={"text": text}, refresh=True)
        stored = client.get(index=index, id="3")["_source"]
        same = client.get(index=index, id="2")["_source"]["dupdex"]["text_hash"]
        assert (stored["dupdex"]["text_hash"] == same) is (text == texts["copy"])


def search(client: Any, index: str, clause: dict[str, Any]) -> None:
    found = client.search(index=index, query=clause, highlight={"fields": {"text": {}}})
    hits = found["hits"]["hits"]
    assert sorted(hit["_id"] for hit in hits) == ["1", "2"]
    assert hits[0]["_score"] >= hits[1]["_score"]
    query = {"bool": {"must": [clause], "filter": [{"term": {"n": 2}}]}}
    found = client.search(index=index, query=query)
    assert [hit["_id"] for hit in found["hits"]["hits"]] == ["2"]
    assert client.count(index=index, query=clause)["count"] == 2
    several = client.msearch(
        index=index, searches=[{}, {"query": clause, "size": 0}, {}, {"size": 0}]
    )
    assert [each["hits"]["total"]["value"] for each in several["responses"]] == [2, 5]
    body = {"query": {"match_all": {}}, "dedup": {"collapse": True, "copies": 3}}
    assert len(client.search(index=index, body=body)["hits"]["hits"]) < 5


def page(client: Any, index: str) -> None:
    pit = client.open_point_in_time(index=index, keep_alive="1m")["id"]
    seen: list[str] = []
    after: dict[str, Any] = {}
    while True:
        found = client.search(size=2, pit={"id": pit}, sort=[{"n": "asc"}], **after)
        if not (hits := found["hits"]["hits"]):
            break
        seen += [hit["_id"] for hit in hits]
        after = {"search_after": hits[-1]["sort"]}
    client.close_point_in_time(id=pit)
    assert seen == ["1", "2", "3", "5", "6"]


def remove(client: Any, index: str, clause: dict[str, Any]) -> None:
    client.delete(index=index, id="2", refresh=True)
    assert client.count(index=index, query=clause)["count"] == 1
    try:
        client.get(index=index, id="2")
    except NotFoundError as error:
        assert error.status_code == 404
    else:
        raise AssertionError("a deleted document was found")
    wrong: tuple[dict[str, Any], ...] = ({"near_duplicate": {"nonsense": 1}}, {"nonsense": {}})
    for query in wrong:
        try:
            client.search(index=index, query=query)
        except ApiError as error:
            assert error.status_code == 400
        else:
            raise AssertionError("a wrong query was answered")


if __name__ == "__main__":
    main(*sys.argv[1:])
