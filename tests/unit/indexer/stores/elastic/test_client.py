"""Errors of the Elasticsearch client, told with the next step."""

from __future__ import annotations

import pytest
from elastic_transport import TlsError

from indexer.stores.elastic.client import ElasticSettings, connect, translated
from mappings.errors import InputRefused, StoreUnavailable

SETTINGS = ElasticSettings("https://localhost:9200", "news")


def test_a_certificate_that_is_not_trusted() -> None:
    said = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate"
    with pytest.raises(StoreUnavailable) as refused, translated("open it", SETTINGS):
        raise TlsError(said)
    assert "self-signed certificate" in str(refused.value)
    assert "set DUPDEX_CA_FILE to the PEM file of the server's CA" in str(refused.value)


def test_a_certificate_file_that_cannot_be_used() -> None:
    settings = ElasticSettings("https://localhost:9200", "news", ca_file="/nowhere.pem")
    with pytest.raises(InputRefused, match=r"'/nowhere\.pem' cannot be used .* DUPDEX_CA_FILE"):
        connect(settings)
