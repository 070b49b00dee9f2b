"""The body of a sidecar, as plain values."""

from __future__ import annotations

from mappings.contract import OBJECT_FIELD
from mappings.index_body import object_mapping
from mappings.sidecar_body import is_sidecar_name, sidecar_body, sidecar_name


def test_its_shards_are_cut_like_those_of_the_index() -> None:
    shape = {"number_of_shards": "3", "routing_partition_size": "2", "uuid": "u", "blocks": {}}
    body = sidecar_body({"made_by": "dupdex"}, shape)
    assert body["settings"]["index"] == {
        "number_of_shards": "3",
        "routing_partition_size": "2",
        "hidden": True,
        "auto_expand_replicas": "0-1",
    }


def test_it_takes_the_object_and_a_version_and_no_other_field() -> None:
    mappings = sidecar_body({"made_by": "dupdex"}, {})["mappings"]
    assert mappings["_meta"] == {OBJECT_FIELD: {"made_by": "dupdex"}}
    assert mappings["dynamic"] == "strict"
    assert set(mappings["properties"]) == {OBJECT_FIELD, "source"}
    assert mappings["properties"][OBJECT_FIELD] == object_mapping()
    assert set(mappings["properties"]["source"]["properties"]) == {"seq_no", "primary_term"}


def test_names() -> None:
    assert is_sidecar_name(sidecar_name("news"))
    assert not is_sidecar_name("news")
    assert not is_sidecar_name("news-dupdex-groups")
