"""Objects sent over HTTP: what is taken, and every way in which it can fail, in one sentence."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dupdex.kibana.importing import Imported, KibanaServer, import_objects
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.kibana_objects import kibana_objects
from dupdex.kibana.saved_objects import as_lines
from mappings.errors import (
    AccessRefused,
    DupdexError,
    InputRefused,
    NotFound,
    StoreRefused,
    StoreUnavailable,
)
from tests.service.kibana.kibana_server import Kibana, kibana_server

LINES = as_lines(kibana_objects(IndexFacts("articles", source_field="s", kinds={"s": "keyword"})))


@pytest.fixture
def kibana() -> Iterator[Kibana]:
    with kibana_server() as running:
        yield running


def test_everything_arrives_as_it_was_made(kibana: Kibana) -> None:
    done = import_objects(KibanaServer(kibana.url), LINES)
    ids = [json.loads(line)["id"] for line in LINES]
    assert done == Imported(9, dict(zip(ids, ids, strict=True)))
    assert list(kibana.stored[""].values()) == [json.loads(line) for line in LINES]
    assert import_objects(KibanaServer(kibana.url), LINES).count == 9  # over what is there


def test_the_oldest_server_takes_them(kibana: Kibana) -> None:
    kibana.version = "8.8.0"
    assert import_objects(KibanaServer(kibana.url), LINES).count == 9


def test_a_space_below_a_base_path(kibana: Kibana) -> None:
    kibana.base = "/kb"
    import_objects(KibanaServer(f"{kibana.url}/kb/", "news-desk"), LINES)
    assert list(kibana.stored) == ["news-desk"]
    with pytest.raises(NotFound, match=r"takes no import .status 404.; check the URL, its base"):
        import_objects(KibanaServer(kibana.url), LINES)


def test_credentials_are_sent_and_never_shown(kibana: Kibana) -> None:
    kibana.authorization = "Basic dXNlcjpw5a+G"
    place = kibana.url.removeprefix("http://")
    import_objects(KibanaServer(kibana.url, username="user", password="p密"), LINES)
    server = KibanaServer(f"http://user:p%E5%AF%86@{place}")
    import_objects(server, LINES)
    assert "%E5" not in repr(server)
    assert server.base == kibana.url
    kibana.authorization = "ApiKey a2V5"
    both = KibanaServer(kibana.url, username="user", password="p密", api_key=" a2V5\n")
    import_objects(both, LINES)
    with pytest.raises(AccessRefused, match=r"refused the credentials .status 401.; check") as told:
        import_objects(server, LINES)
    assert "E5" not in str(told.value)


def test_what_is_there_stays_when_asked_so(kibana: Kibana) -> None:
    server = KibanaServer(kibana.url)
    import_objects(server, LINES[:1], overwrite=False)
    with pytest.raises(StoreRefused) as told:
        import_objects(server, LINES, overwrite=False)
    assert str(told.value) == (
        f"Kibana at {kibana.url} took 8 objects and refused 1: index-pattern 'articles' "
        "(conflict); without --no-overwrite they are replaced"
    )


def test_status_200_can_be_a_failure(kibana: Kibana) -> None:
    with pytest.raises(StoreRefused) as told:
        import_objects(KibanaServer(kibana.url), LINES[1:])
    assert (
        "refused 3: search 'Documents (articles)' (missing_references: dupdex-articles-documents"
        in str(told.value)
    )
    errors = [{"type": "t", "id": str(n), "error": {"type": "unknown"}} for n in range(7)]
    kibana.reply = (200, {"success": False, "successCount": 1, "errors": errors})
    with pytest.raises(StoreRefused, match=r"took 1 objects and refused 7: .*; and 2 more; "):
        import_objects(KibanaServer(kibana.url), LINES)
    kibana.reply = (200, {"success": False})
    with pytest.raises(StoreRefused, match="it names no reason"):
        import_objects(KibanaServer(kibana.url), LINES)


def test_an_older_server_says_why(kibana: Kibana) -> None:
    kibana.version = "7.17.0"
    with pytest.raises(InputRefused, match=r"refused the import: .* a more recent version"):
        import_objects(KibanaServer(kibana.url), LINES)


def test_ids_of_another_space_come_back_new(kibana: Kibana) -> None:
    """An id is taken in all spaces: where another has it, Kibana gives a new one."""
    result = {"type": "dashboard", "id": "a", "destinationId": "b"}
    kibana.reply = (200, {"success": True, "successCount": 1, "successResults": [result]})
    assert import_objects(KibanaServer(kibana.url), LINES) == Imported(1, {"a": "b"})


@pytest.mark.parametrize(
    ("reply", "error", "told"),
    [
        ((403, {"message": "no"}), AccessRefused, "right to manage saved objects"),
        ((400, {"message": "Invalid file extension"}), InputRefused, "Invalid file extension"),
        ((503, b"not ready yet"), StoreUnavailable, "503.: not ready yet; try later"),
        ((429, {}), StoreUnavailable, "no reason given; try later"),
        ((302, b""), InputRefused, "leads elsewhere"),
        ((200, b"<html>"), InputRefused, "does not answer as Kibana does"),
        ((200, {"acknowledged": True}), InputRefused, "does not answer as Kibana does"),
    ],
)
def test_refusals(kibana: Kibana, reply: Any, error: type[DupdexError], told: str) -> None:
    kibana.reply = reply
    kibana.headers = {"Location": f"{kibana.url}/api/saved_objects/_import"}
    with pytest.raises(error, match=told):
        import_objects(KibanaServer(kibana.url), LINES)


def test_a_server_that_is_gone() -> None:
    with kibana_server() as kibana:
        server = KibanaServer(kibana.url)
    with pytest.raises(StoreUnavailable, match=r"cannot be reached: .*; start it or check the URL"):
        import_objects(server, LINES)


@pytest.mark.parametrize("url", ["", "localhost:5601", "ftp://x", "http://", "http://x:y"])
def test_what_is_no_url(url: str) -> None:
    with pytest.raises(InputRefused, match="write it like http://localhost:5601"):
        KibanaServer(url)


def test_what_is_no_url_is_shown_without_its_password() -> None:
    with pytest.raises(InputRefused) as refused:
        KibanaServer("user:secret@kibana")
    assert str(refused.value).startswith("'kibana' is no URL of Kibana")


@pytest.mark.parametrize("space", ["News", "a/b", "../x", "新闻"])
def test_what_is_no_space(space: str) -> None:
    with pytest.raises(InputRefused, match="is no identifier of a space"):
        KibanaServer("http://localhost:5601", space)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate for 127.0.0.1 that only its own file vouches for, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    files = (str(folder / "server.pem"), str(folder / "server.key"))
    subject = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    made = ("openssl", "req", "-x509", "-days", "2", *key, *subject)
    subprocess.run([*made, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


def test_tls(certificate: tuple[str, str], tmp_path: Path) -> None:
    with kibana_server(certificate) as kibana:
        server = KibanaServer(kibana.url, ca_file=certificate[0])
        assert import_objects(server, LINES).count == 9
        with pytest.raises(StoreUnavailable, match=r"no secure connection .* set DUPDEX_CA_FILE"):
            import_objects(KibanaServer(kibana.url), LINES)
        absent = KibanaServer(kibana.url, ca_file=str(tmp_path / "none.pem"))
        with pytest.raises(InputRefused, match=r"certificate file .* cannot be used"):
            import_objects(absent, LINES)
