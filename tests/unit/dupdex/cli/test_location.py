"""Where settings come from, which go before which, and that secrets never show."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from dupdex.location import DEFAULT_INDEX, DEFAULT_STORE, Location, configuration_file
from indexer.home import home_folder
from indexer.sources.checkpoint import state_folder
from mappings.errors import InputRefused, NotFound, StoreRefused
from tests.unit.dupdex.cli.conftest import CommandLine

SECRET = "hunter2"


def located(home: Path, store: str | None = None, **environment: str) -> Location:
    return Location.from_environment({"XDG_CONFIG_HOME": str(home), **environment}, store=store)


def configure(home: Path, text: str) -> Path:
    path = home / "dupdex" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_defaults(tmp_path: Path) -> None:
    assert located(tmp_path) == Location(DEFAULT_STORE, DEFAULT_INDEX)


def test_option_before_environment_before_file(tmp_path: Path) -> None:
    configure(tmp_path, 'store = "from-file"\nindex = "one"\nusername = "me"')
    assert located(tmp_path) == Location("from-file", "one", "me")
    given = {"DUPDEX_STORE": "from-environment", "DUPDEX_INDEX": ""}
    assert located(tmp_path, **given) == Location("from-environment", "one", "me")
    assert located(tmp_path, "from-option", **given).store == "from-option"


def test_the_command_line_takes_them_in_that_order(dupdex: CommandLine) -> None:
    configure_to = Path("c.toml")
    configure_to.write_text('store = "a"', "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DUPDEX_CONFIG", "c.toml")
        assert dupdex("index", "news.jsonl").status == 0
        patch.setenv("DUPDEX_STORE", "b")
        assert dupdex("index", "news.jsonl").status == 0
        assert dupdex("index", "news.jsonl", "--store", "c").status == 0
    assert all((Path(name) / "dupdex.sqlite").exists() for name in "abc")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stor = 'x'", "'stor' is no setting; known are store, index"),
        ("store = 3", 'store must be a string; write store = "..."'),
        (f"password = '{SECRET}", "is not TOML"),
        (f"password = ['{SECRET}']", "password must be a string"),
        (f"[{SECRET}]\nstore = 'x'", "settings stand in no [section]"),
        (f"store = {'[' * 5000}{']' * 5000}", "holds a value beyond all measure"),
        (f"store = {'7' * 10_000}", "holds a value beyond all measure"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    path = configure(tmp_path, text)
    with pytest.raises(InputRefused) as refused:
        located(tmp_path)
    assert str(path) in str(refused.value)
    assert said in str(refused.value)
    assert SECRET not in str(refused.value)


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="DUPDEX_CONFIG names it"):
        located(tmp_path, DUPDEX_CONFIG=str(tmp_path / "none.toml"))
    with pytest.raises(InputRefused, match="cannot be read: Is a directory"):
        located(tmp_path, DUPDEX_CONFIG=str(tmp_path))
    (tmp_path / "gbk.toml").write_bytes('store = "店"'.encode("gbk"))
    with pytest.raises(InputRefused, match="is not UTF-8"):
        located(tmp_path, DUPDEX_CONFIG=str(tmp_path / "gbk.toml"))


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("", "the store names nothing"),
        ("es://host:9200", "cannot begin with es://"),
        ("localhost:9200", "write it like http://localhost:9200"),
        ("~nosuchuser/x", "there is no such home"),
        ("/tmp/\ud800", "the store names nothing"),
    ],
)
def test_stores_that_are_neither(store: str, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        Location(store)


@pytest.mark.parametrize(
    "store",
    [
        "http:/localhost:9200",
        "http:localhost",
        "http//localhost:9200",
        "https//es.example.com",
        "::1",
        "[::1]",
        "fe80::1:9200",
        "2001:db8:0:0:0:0:0:1",
        "HTTPS:/es.example.com",
        "localhost:9200/x",
        "es.example.com:9200,other:9200",
        "//localhost:9200",
        "[::1]:9200",
        "me@es.example.com:9200",
        f"me:{SECRET}@es.example.com:9200",
        f"me:{SECRET}@es.example.com",
        f"me:{SECRET}/{SECRET}@es.example.com",
        f"me:{SECRET}@http://es.example.com",
        f"htp://me:{SECRET}@es.example.com",
    ],
)
def test_a_store_that_is_almost_a_url(store: str, dupdex: CommandLine) -> None:
    before = set(Path().iterdir())
    refused = dupdex("index", "news.jsonl", "--store", store)
    assert refused.status == 2
    assert "write it like http://localhost:9200" in refused.error()
    assert SECRET not in refused.err
    assert set(Path().iterdir()) == before


@pytest.mark.parametrize(
    "store", ["me@work", "./localhost:9200", "a/b:9200", "2024:1", "./::1", "http", "https-logs/x"]
)
def test_folders_with_such_signs(store: str) -> None:
    assert not Location(store).is_server


def test_no_home_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert home_folder({}) == home_folder({"HOME": ""}) == home
    assert configuration_file({}) == home / ".config" / "dupdex" / "config.toml"
    assert state_folder({}) == home / ".local" / "state" / "dupdex"
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    assert home_folder({}) == Path("/")


@pytest.mark.parametrize(("rights", "warned"), [(0o644, True), (0o600, False), (0o640, False)])
def test_a_password_that_every_user_may_read(
    indexed: CommandLine, monkeypatch: pytest.MonkeyPatch, rights: int, warned: bool
) -> None:
    path = Path("c.toml")
    path.write_text(f'password = "{SECRET}"')
    path.chmod(rights)
    monkeypatch.setenv("DUPDEX_CONFIG", "c.toml")
    shown = indexed("info")
    assert shown.status == 0
    assert ("every user may read c.toml, which holds a password" in shown.err) is warned
    assert SECRET not in shown.err
    path.write_text('index = "dupdex"')
    assert indexed("info").err == ""


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.touch()
    for store in (path, path / "deep" / "er"):
        with pytest.raises(StoreRefused, match=r"list\.json is a file; name another folder"):
            Location(str(store))
    Location(str(tmp_path / "new" / "one"))


def test_secrets_do_not_show() -> None:
    inside = Location(f"http://me:{SECRET}@host:9200,http://me:{SECRET}@other:9200")
    beside = Location("http://host:9200", username="me", password=SECRET, api_key=SECRET)
    for where in (inside, beside):
        for shown in (repr(where), str(where), repr(where.elastic), str(where.elastic)):
            assert SECRET not in shown
            assert "host:9200" in shown


@pytest.mark.parametrize("sign", [",", "/", "#", "?", "@", "[", "1/"])
def test_a_password_that_breaks_the_url_is_not_shown(sign: str) -> None:
    with pytest.raises(InputRefused) as refused:
        Location(f"http://me:{sign}{SECRET}@host:9200")
    assert SECRET not in str(refused.value)
    assert "DUPDEX_PASSWORD" in str(refused.value)


@pytest.mark.parametrize(
    "credentials",
    [
        {"api_key": f"{SECRET}\nx"},
        {"api_key": f"{SECRET}密"},
    ],
)
def test_credentials_that_cannot_be_sent(credentials: dict[str, str]) -> None:
    with pytest.raises(InputRefused, match="cannot be sent") as refused:
        Location("http://host:9200", **credentials)  # type: ignore[arg-type]
    assert SECRET not in str(refused.value)
    assert "密" not in str(refused.value)


@pytest.mark.parametrize("value", ["soon", "-1", "nan", "inf", "1e9"])
def test_seconds_that_are_none(tmp_path: Path, value: str) -> None:
    with pytest.raises(InputRefused, match="retry_seconds is"):
        located(tmp_path, DUPDEX_RETRY_SECONDS=value)
    configure(tmp_path, f'retry_seconds = "{value}"')
    with pytest.raises(InputRefused, match="retry_seconds is"):
        located(tmp_path)


def test_how_long_a_write_waits(tmp_path: Path) -> None:
    assert located(tmp_path).retry_seconds == 90
    configure(tmp_path, "retry_seconds = 12.5")
    assert located(tmp_path).retry_seconds == 12.5
    assert located(tmp_path, DUPDEX_RETRY_SECONDS="3").retry_seconds == 3
    url = {"store": "http://localhost:9200"}
    assert located(tmp_path, **url).elastic.retry_seconds == 12.5


def test_a_line_feed_after_a_key_is_no_part_of_it() -> None:
    assert Location("http://host:9200", api_key="abc\n").elastic.api_key == "abc"
