"""The templates from which an alias or a data stream makes its next index.

The mapping of the object goes into a component template of its own, which the user's template then
names: that one is changed in one line, and `shrink` takes the line out again.
"""

from __future__ import annotations

from collections.abc import Iterator

from elasticsearch import Elasticsearch

from indexer.meta import IndexMeta
from indexer.stores.elastic.behind import Behind, Kind
from indexer.stores.elastic.client import ElasticSettings, translated
from indexer.stores.elastic.index_templates import (
    Template,
    stored_templates,
    template_for,
    writable,
)
from mappings.contract import OBJECT_FIELD
from mappings.errors import AccessRefused, InputRefused
from mappings.index_body import object_mapping


def extend(
    client: Elasticsearch, settings: ElasticSettings, name: Behind, meta: IndexMeta
) -> Iterator[str]:
    """Let the next index of an alias or a data stream have the object's mapping and the meta.
    Yields what could not be done, in sentences.
    """
    if name.kind is Kind.INDEX:
        return
    try:
        with translated("change the index templates", settings):
            templates = stored_templates(client)
            model = name.writes_to or name.indices[-1]
            wanted = settings.index if name.kind is Kind.DATA_STREAM else model
            found = template_for(templates, wanted)
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
            for name, template in stored_templates(client).items():
                if component in template.get("composed_of", ()):
                    rest = [each for each in template["composed_of"] if each != component]
                    client.indices.put_index_template(
                        name=name, body={**writable(template), "composed_of": rest}
                    )
            client.options(ignore_status=404).cluster.delete_component_template(name=component)
    except (AccessRefused, InputRefused) as error:
        yield f"the index templates could not be changed back ({error}); remove {component!r}"


def component_name(settings: ElasticSettings) -> str:
    """The component template that holds the object's mapping for this alias or data stream."""
    return f"{OBJECT_FIELD}-{settings.index}-attached"


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
        body = {**writable(template), "composed_of": [*composed_of, component]}
        client.indices.put_index_template(name=name, body=body)
