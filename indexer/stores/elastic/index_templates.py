"""The index templates of a server: which one makes an index of a name, and how to change one."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from elasticsearch import Elasticsearch

OVER_OTHERS: Final = 10_009
"""Above any priority that a user's template is likely to have."""

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

Template = Mapping[str, Any]


def stored_templates(client: Elasticsearch) -> dict[str, Template]:
    """Every index template, by name."""
    answer = client.indices.get_index_template()
    return {each["name"]: each["index_template"] for each in answer["index_templates"]}


def template_for(templates: Mapping[str, Template], index: str) -> str | None:
    """The name of the template by which the server would make this index: it applies only one."""
    matching = [
        (template.get("priority") or 0, name)
        for name, template in templates.items()
        if any(fnmatchcase(index, pattern) for pattern in template["index_patterns"])
    ]
    return max(matching)[1] if matching else None


def writable(template: Template) -> dict[str, Any]:
    """The template as it can be put back."""
    return {key: template[key] for key in _WRITABLE if key in template}
