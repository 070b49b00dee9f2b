"""Sessions of browsers: what opens, for how long, and what nobody can make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Scope

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.guard.api_keys import ApiKey, NewKey, new_key
from dupdex.gateway.guard.doors import is_open, login_shown
from dupdex.gateway.guard.key_file import write_keys
from dupdex.gateway.guard.keyring import LOOK_AGAIN, Keyring, Unknown
from dupdex.gateway.guard.sessions import (
    LASTS,
    begin,
    cookie_header,
    is_token,
    opened,
    session_of,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FAR = datetime.now(UTC) + timedelta(days=365)
CALLER = Caller("desk", frozenset({Right.REVIEW}), ("news",))


class Clock:
    time = 0.0

    def __call__(self) -> float:
        return self.time


def keyring_of(path: Path, *keys: ApiKey) -> Keyring:
    write_keys(path / "keys.json", keys)
    return Keyring(path / "keys.json", Clock())


@pytest.fixture
def made() -> NewKey:
    return new_key(CALLER, NOW, FAR)


def asking(method: str, path: str, **headers: str) -> Scope:
    shown = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return {"method": method, "raw_path": path.encode(), "path": path, "headers": shown}


@pytest.mark.parametrize("plain", [True, False])
def test_a_key_opens_a_session_for_some_hours(tmp_path: Path, made: NewKey, plain: bool) -> None:
    keyring = keyring_of(tmp_path, made.key)
    shown = f"{made.key.id}:{made.secret}" if plain else f" {made.encoded}\n"
    cookie, login = begin(keyring, shown, NOW)
    assert (login.caller.name, login.expires) == ("desk", NOW + LASTS)
    assert opened(keyring, cookie, NOW + LASTS - timedelta(seconds=1)) == login
    with pytest.raises(Unknown, match="sign in again"):
        opened(keyring, cookie, NOW + LASTS)


def test_a_session_is_no_longer_than_its_key(tmp_path: Path) -> None:
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=5)
    key = new_key(CALLER, NOW, soon)
    keyring = keyring_of(tmp_path, key.key)
    assert begin(keyring, key.encoded, datetime.now(UTC))[1].expires == soon


def test_any_gateway_with_the_file_knows_it_until_the_key_is_revoked(
    tmp_path: Path, made: NewKey
) -> None:
    cookie, login = begin(keyring_of(tmp_path, made.key), made.encoded, NOW)
    clock = Clock()
    other = Keyring(tmp_path / "keys.json", clock)
    assert opened(other, cookie, NOW) == login
    write_keys(tmp_path / "keys.json", [])
    clock.time += 2 * LOOK_AGAIN
    with pytest.raises(Unknown):
        opened(other, cookie, NOW)


def test_a_key_that_was_made_anew_under_the_same_id_ends_it(tmp_path: Path, made: NewKey) -> None:
    cookie, _ = begin(keyring_of(tmp_path, made.key), made.encoded, NOW)
    again = new_key(CALLER, NOW, FAR).key
    changed = ApiKey(made.key.id, again.salt, again.digest, CALLER, NOW, FAR)
    with pytest.raises(Unknown):
        opened(keyring_of(tmp_path, changed), cookie, NOW)


def test_the_cookie_does_not_show_the_secret(tmp_path: Path, made: NewKey) -> None:
    keyring = keyring_of(tmp_path, made.key)
    cookies = {begin(keyring, made.encoded, NOW)[0] for _ in range(3)}
    assert len(cookies) == 3  # not even as the same bytes
    assert not any(made.secret in each or made.encoded in each for each in cookies)


@given(data=st.data())
def test_a_cookie_that_was_changed_is_none(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    made = new_key(CALLER, NOW, FAR)
    keyring = keyring_of(tmp_path_factory.mktemp("keys"), made.key)
    cookie, _ = begin(keyring, made.encoded, NOW)
    at = data.draw(st.integers(0, len(cookie) - 1))
    put = data.draw(st.characters(codec="latin-1"))
    changed = cookie[:at] + put + cookie[at + 1 :]
    if changed == cookie:
        assert opened(keyring, changed, NOW)
    else:
        with pytest.raises(Unknown):
            opened(keyring, changed, NOW)


@given(st.text(st.characters(codec="latin-1")))
def test_whatever_is_sent_as_a_cookie_is_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, cookie: str
) -> None:
    keyring = keyring_of(tmp_path_factory.mktemp("keys"), new_key(CALLER, NOW, FAR).key)
    with pytest.raises(Unknown):
        opened(keyring, cookie, NOW)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_change_must_show_the_token(tmp_path: Path, made: NewKey, method: str) -> None:
    keyring = keyring_of(tmp_path, made.key)
    cookie, login = begin(keyring, made.encoded, datetime.now(UTC))
    shown = f"theme=dark; dupdex-session={cookie}"
    for wrong in ({}, {"x_csrf_token": ""}, {"x_csrf_token": f"{login.token}x"}):
        with pytest.raises(NotAllowed, match="X-CSRF-Token"):
            login_shown(keyring, asking(method, "/_dupdex/v1/sweep", cookie=shown, **wrong))
    scope = asking(method, "/_dupdex/v1/sweep", cookie=shown, x_csrf_token=login.token)
    assert login_shown(keyring, scope) == login == session_of(scope)
    assert login_shown(keyring, asking("GET", "/_dupdex/v1/jobs", cookie=shown)) == login


def test_the_token_of_one_session_is_none_of_another(tmp_path: Path, made: NewKey) -> None:
    keyring = keyring_of(tmp_path, made.key)
    one, other = (begin(keyring, made.encoded, NOW)[1] for _ in range(2))
    assert is_token(one, one.token.encode())
    assert not is_token(one, other.token.encode())
    assert not is_token(one, "ÿ".encode("latin-1"))


def test_a_cookie_opens_nothing_of_elasticsearch(tmp_path: Path, made: NewKey) -> None:
    keyring = keyring_of(tmp_path, made.key)
    cookie, _ = begin(keyring, made.encoded, datetime.now(UTC))
    for path in ("/news/_search", "/", "/_dupdexes/_search", "/metrics"):
        assert login_shown(keyring, asking("GET", path, cookie=f"dupdex-session={cookie}")) is None


def test_a_foreign_cookie_of_the_name_does_not_stand_before_it(
    tmp_path: Path, made: NewKey
) -> None:
    keyring = keyring_of(tmp_path, made.key)
    cookie, login = begin(keyring, made.encoded, datetime.now(UTC))
    shown = f"dupdex-session=set.elsewhere; dupdex-session={cookie}"
    assert login_shown(keyring, asking("GET", "/_dupdex/v1/jobs", cookie=shown)) == login


@pytest.mark.parametrize(
    ("method", "path", "opens"),
    [
        ("GET", "/_dupdex", True),
        ("GET", "/_dupdex/", True),
        ("HEAD", "/_dupdex/console", True),
        ("GET", "/_dupdex/console/", True),
        ("GET", "/_dupdex/console/groups/a%2Fb?index=x", True),
        ("GET", "/_dupdex/console/assets/app.js", True),
        ("POST", "/_dupdex/v1/session", True),
        ("POST", "/_dupdex/v1/session?x=1", True),
        ("POST", "/_dupdex/console/", False),
        ("GET", "/_dupdex/v1/session", False),
        ("DELETE", "/_dupdex/v1/session", False),
        ("POST", "/_dupdex/v1/session/", False),
        ("GET", "/_dupdex/v1/info", False),
        ("GET", "/_dupdex/consoles", False),
        ("GET", "/_dupdex%2Fconsole/x", False),
        ("GET", "/news/_search", False),
    ],
)
def test_what_needs_no_key(method: str, path: str, opens: bool) -> None:
    assert is_open(asking(method, path)) is opens


def test_the_cookie_is_for_this_place_and_no_script() -> None:
    plain = cookie_header(asking("POST", "/"), "c", 60)
    assert plain == ("dupdex-session=c; Max-Age=60; Path=/_dupdex; HttpOnly; SameSite=Strict")
    for scope in (
        {**asking("POST", "/"), "scheme": "https"},
        asking("POST", "/", x_forwarded_proto="https"),
    ):
        told = cookie_header(scope, "c", 60)
        assert told == ("__Host-dupdex=c; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Strict")
