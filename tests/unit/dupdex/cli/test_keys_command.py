"""dupdex keys: what it writes, prints and refuses; and what serve refuses before it listens."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dupdex.cli import cli
from dupdex.gateway.guard.key_file import read_keys
from dupdex.gateway.settings import ServeSettings
from dupdex.location import Location
from mappings.errors import DupdexError, InputRefused, NotFound


def run(path: Path, *arguments: str) -> str:
    done = CliRunner().invoke(cli, ["keys", *arguments, "--keys", str(path)], catch_exceptions=True)
    if done.exception is not None:
        raise done.exception
    return done.stdout


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


def test_what_is_created_is_listed_and_opens(path: Path) -> None:
    told = json.loads(
        run(path, "create", "site", "--right", "write", "--index", "a*", "--index", "b",
            "--filter", "b", "tenant=7", "--filter", "b", '{"exists":{"field":"x"}}',
            "--rate", "5", "--expires", "90d", "--json")
    )  # fmt: skip
    (key,) = read_keys(path).values()
    assert key.id == told["id"]
    assert key.opens(told["api_key"], key.created)
    assert base64.b64decode(told["encoded"]).decode() == f"{told['id']}:{told['api_key']}"
    assert key.caller.indices == ("a*", "b")
    assert key.caller.filters_of("b") == [{"term": {"tenant": 7}}, {"exists": {"field": "x"}}]
    assert key.expires is not None
    assert (key.expires - key.created).days in (89, 90)
    listed = json.loads(run(path, "list", "--json"))
    assert listed["rights"] == ["write"]
    assert not {"salt", "sha256"} & listed.keys()
    assert "site" in run(path, "list")


def test_others_stay_when_one_is_revoked(path: Path) -> None:
    for name in ("one", "two"):
        run(path, "create", name)
    first, second = read_keys(path).values()
    run(path, "revoke", first.id)
    assert list(read_keys(path)) == [second.id]
    with pytest.raises(NotFound, match="dupdex keys list"):
        run(path, "revoke", first.id)


@pytest.mark.parametrize(
    "arguments",
    [("--expires", "soon"), ("--expires", "2001-01-01"), ("--filter", "a", "nonsense")],
)
def test_wrong_options_are_told(path: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(InputRefused, match=arguments[0]):
        run(path, "create", "site", *arguments)
    assert not path.exists()


def test_a_file_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DUPDEX_KEYS_FILE", raising=False)
    done = CliRunner().invoke(cli, ["keys", "list"])
    assert isinstance(done.exception, InputRefused)
    assert "DUPDEX_KEYS_FILE" in str(done.exception)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "example.org"])
def test_no_wide_address_without_keys(host: str) -> None:
    with pytest.raises(InputRefused, match="--keys"):
        ServeSettings(host=host)
    assert ServeSettings(host=host, keys="keys.json").host == host
    assert ServeSettings(host=host, insecure=True).host == host


def test_settings_reach_workers() -> None:
    settings = ServeSettings("http://localhost:9200", keys="k", workers=2, drain_seconds=1.5)
    assert ServeSettings.from_environment(settings.to_environment()) == settings


def test_a_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a2V5\n")
    there = {"DUPDEX_STORE": "http://localhost:9200", "HOME": str(tmp_path)}
    where = Location.from_environment({**there, "DUPDEX_API_KEY_FILE": str(tmp_path / "key")})
    assert where.api_key == "a2V5"
    both = {"DUPDEX_API_KEY": "eA==", "DUPDEX_API_KEY_FILE": str(tmp_path / "absent")}
    assert Location.from_environment({**there, **both}).api_key == "eA=="
    for wrong in (tmp_path / "absent", tmp_path):
        with pytest.raises(DupdexError, match="DUPDEX_PASSWORD_FILE"):
            Location.from_environment({**there, "DUPDEX_PASSWORD_FILE": str(wrong)})


def test_a_file_of_keys_in_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="make it, or name another file with --keys"):
        run(tmp_path / "none" / "keys.json", "create", "site")
