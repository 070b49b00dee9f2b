"""The templates from which an alias or a data stream makes its next index.

The mapping of the object goes into a component template of its own, which the user's template then
names: that one is changed in one line, and `shrink` takes the line out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta
from indexer.stores.elastic.behind import Behind, Kind
from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.collections import collection_index
from mappings.contract import OBJECT_FIELD
from mappings.errors import AccessRefused, InputRefused
from mappings.index_body import object_mapping
from mappings.records import MATCHES

_WRITABLE: Final = (
    "index_patterns",
    "template",
    "composed_of",
    "priority",
    "version",
    "_meta",
    "data_stream",
    "allow_auto_create",
    "ignore_missing_component_templates",
    "deprecated",
)
"""Not the whole answer: newer servers add dates to it that they do not accept back."""

_OVER_OTHERS: Final = 10_009
"""Above any priority that a user's template is likely to have."""

Template = Mapping[str, Any]


def extend(
    client: Elasticsearch, settings: ElasticSettings, name: Behind, meta: IndexMeta
) -> Iterator[str]:
    """Let the next index of an alias or a data stream have the object's mapping and the meta, and
    let collections be made beside it. Yields what could not be done, in sentences.
    """
    try:
        with translated("change the index templates", settings):
            templates = _templates(client)
            _let_collections_be(client, settings, templates)
            if name.kind is Kind.INDEX:
                return
            model = name.writes_to or name.indices[-1]
            wanted = settings.index if name.kind is Kind.DATA_STREAM else model
            found = _best(templates, wanted)
            if found is None:
                yield (
                    f"no index template makes the next index behind {settings.index!r}; run "
                    "'dupdex attach' again after each rollover"
                )
                return
            _put_component(client, settings, meta)
            _name_component(client, settings, found, templates[found])
    except (AccessRefused, InputRefused) as error:
        yield (
            f"the index templates could not be changed ({error}); run 'dupdex attach' again after "
            "each rollover"
        )


def shrink(client: Elasticsearch, settings: ElasticSettings) -> Iterator[str]:
    """Take out of the templates what `extend` has put there. Yields what could not be done."""
    component = component_name(settings)
    try:
        with translated("change the index templates", settings):
            for name, template in _templates(client).items():
                if component in template.get("composed_of", ()):
                    rest = [each for each in template["composed_of"] if each != component]
                    client.indices.put_index_template(
                        name=name, body={**_writable(template), "composed_of": rest}
                    )
            lenient = client.options(ignore_status=404)
            lenient.cluster.delete_component_template(name=component)
            lenient.indices.delete_index_template(name=_beside_name(settings))
    except (AccessRefused, InputRefused) as error:
        yield f"the index templates could not be changed back ({error}); remove {component!r}"


def component_name(settings: ElasticSettings) -> str:
    """The component template that holds the object's mapping for this alias or data stream."""
    return f"{OBJECT_FIELD}-{settings.index}-attached"


def _beside_name(settings: ElasticSettings) -> str:
    return f"{OBJECT_FIELD}-{settings.index}-beside"


def _templates(client: Elasticsearch) -> dict[str, Template]:
    answer = client.indices.get_index_template()
    return {each["name"]: each["index_template"] for each in answer["index_templates"]}


def _best(templates: Mapping[str, Template], index: str) -> str | None:
    """The name of the template by which the server would make this index."""
    matching = [
        (template.get("priority") or 0, name)
        for name, template in templates.items()
        if any(fnmatchcase(index, pattern) for pattern in template["index_patterns"])
    ]
    return max(matching)[1] if matching else None


def _let_collections_be(
    client: Elasticsearch, settings: ElasticSettings, templates: Mapping[str, Template]
) -> None:
    """A user's template for `news-*` would also apply to the collections of `news-1`, or forbid
    them, where it makes data streams only."""
    beside = collection_index(settings.index, MATCHES)
    if _best(templates, beside) in (None, _beside_name(settings)):
        return
    client.indices.put_index_template(
        name=_beside_name(settings),
        index_patterns=[f"{settings.index}-{OBJECT_FIELD}-*"],
        priority=_OVER_OTHERS,
        template={},
    )


def _put_component(client: Elasticsearch, settings: ElasticSettings, meta: IndexMeta) -> None:
    mappings = {
        "_meta": {OBJECT_FIELD: meta.to_json()},
        "properties": {OBJECT_FIELD: object_mapping()},
    }
    client.cluster.put_component_template(
        name=component_name(settings), template={"mappings": mappings}
    )


def _name_component(
    client: Elasticsearch, settings: ElasticSettings, name: str, template: Template
) -> None:
    component = component_name(settings)
    composed_of = template.get("composed_of") or []
    if component not in composed_of:
        body = {**_writable(template), "composed_of": [*composed_of, component]}
        client.indices.put_index_template(name=name, body=body)


def _writable(template: Template) -> dict[str, Any]:
    return {key: template[key] for key in _WRITABLE if key in template}
