"""Where settings come from, which go before which, and that secrets never show."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex.location import DEFAULT_INDEX, DEFAULT_STORE, Location
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
        ("localhost:9200", "write http://localhost:9200"),
    ],
)
def test_stores_that_are_neither(store: str, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        Location(store)


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
        Location("http://host:9200", **credentials)
    assert SECRET not in str(refused.value)
    assert "密" not in str(refused.value)


def test_a_line_feed_after_a_key_is_no_part_of_it() -> None:
    assert Location("http://host:9200", api_key="abc\n").elastic.api_key == "abc"
