"""What the fields of an index are mapped as, and which of them aggregations can count by."""

from __future__ import annotations

from typing import Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, translated
from mappings.errors import InputRefused

_TIMES: Final = frozenset({"date", "date_nanos"})
_NUMBERS: Final = frozenset(
    {"long", "integer", "short", "byte", "unsigned_long", "double", "float", "half_float"}
)
_WORDS: Final = frozenset({"keyword", "constant_keyword", "wildcard"})
_TEXTS: Final = frozenset({"text", "match_only_text"})
_COUNTED: Final = _TIMES | _NUMBERS | _WORDS | {"boolean", "ip", "version", "scaled_float"}


class FieldKinds:
    """Of the indices behind one name, as the server says at the moment."""

    def __init__(self, client: Elasticsearch, settings: ElasticSettings) -> None:
        self._client, self._settings = client, settings

    def kinds(self, path: str) -> frozenset[str]:
        """The types that a field is mapped as; empty for none."""
        with translated("read the mapping", self._settings):
            answer = self._client.field_caps(
                index=self._settings.index, fields=[path], include_unmapped=False
            )
        return frozenset(answer.body["fields"].get(path, {}))

    def counted(self, path: str) -> str:
        """The field by whose values documents can be counted: it, or a sub-field of a text.

        Raises InputRefused for a field whose mapping cannot be counted by.
        """
        kinds = self.kinds(path)
        if kinds <= _COUNTED:
            return path
        below = self.kinds(f"{path}.keyword")
        if kinds <= _TEXTS and below and below <= _WORDS:
            return f"{path}.keyword"
        raise InputRefused(
            f"documents cannot be counted by the field {path!r}, which is mapped as "
            f"{' and '.join(sorted(kinds))}; name a field that is mapped as keyword"
        )

    def is_time(self, path: str) -> bool:
        """Whether the field is mapped as a time everywhere."""
        kinds = self.kinds(path)
        return bool(kinds) and kinds <= _TIMES
