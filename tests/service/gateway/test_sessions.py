"""Signing in to a real gateway, as a browser does it: a cookie, a token, rights, and the end."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import run
from tests.service.gateway.asking import Answer, ask
from tests.service.gateway.running import Running, gateway_before

SESSION = "/_dupdex/v1/session"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sessions")


@pytest.fixture(scope="module")
def keys(folder: Path) -> dict[str, str]:
    wanted = {
        "admin": ("--right", "admin"),
        "reviewer": ("--right", "review", "--index", "news*"),
        "passing": ("--right", "read"),
    }
    return {
        name: run("keys", "create", name, *options, "--keys", "k.json", folder=folder).out.strip()
        for name, options in wanted.items()
    }


@pytest.fixture(scope="module")
def guarded(folder: Path, keys: dict[str, str]) -> Iterator[Running]:
    assert keys
    for name in ("mail", "news", "news-2"):
        line = b'{"id":"1","text":"a b c"}'
        done = run("index", "-", "--index", name, "--store", "st", folder=folder, stdin=line)
        assert done.status == 0, done.err
    with gateway_before(str(folder / "st"), "--keys", str(folder / "k.json")) as running:
        yield running


def signed_in(url: str, key: str) -> tuple[str, Answer]:
    """The cookie as a browser sends it back, and what was answered."""
    answer = ask(url, "POST", SESSION, {"key": key})
    assert answer.status == 201, answer.content
    return answer.headers["set-cookie"].partition(";")[0], answer


def test_a_session_is_begun_used_and_ended(guarded: Running, keys: dict[str, str]) -> None:
    cookie, answer = signed_in(guarded.url, keys["reviewer"])
    told = answer.json()
    assert (told["name"], told["rights"]) == ("reviewer", ["read", "review"])
    assert (told["indices"], told["keys"], told["filtered"]) == (["news*"], True, False)
    assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]
    assert answer.headers["cache-control"] == "no-store"
    assert keys["reviewer"] not in answer.headers["set-cookie"]
    assert ask(guarded.url, "GET", SESSION, cookie=cookie).json() == told
    listed = ask(guarded.url, "GET", "/_dupdex/v1/indices", cookie=cookie).json()
    assert listed == {"indices": ["news", "news-2"], "standard": "news"}
    body = {"text": "a b c"}
    check = "/_dupdex/v1/check?target=news"
    refused = ask(guarded.url, "POST", check, body, cookie=cookie)
    assert (refused.status, refused.json()["code"]) == (403, "not_allowed")
    shown = {"cookie": cookie, "x_csrf_token": told["token"]}
    assert ask(guarded.url, "POST", check, body, **shown).status == 200
    sweep = ask(guarded.url, "POST", "/_dupdex/v1/sweep?target=news", {}, **shown)
    assert (sweep.status, "admin" in sweep.json()["detail"]) == (403, True)
    ended = ask(guarded.url, "DELETE", SESSION, **shown)
    assert (ended.status, "Max-Age=0" in ended.headers["set-cookie"]) == (204, True)


def test_without_a_session_there_are_pages_and_no_data(guarded: Running) -> None:
    for path in ("", "groups/x", "assets/app.js"):
        answer = ask(guarded.url, "GET", f"/_dupdex/console/{path}")
        assert answer.status == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    for path in ("session", "indices", "info", "docs", "openapi.json"):
        answer = ask(guarded.url, "GET", f"/_dupdex/v1/{path}")
        assert (answer.status, answer.json()["code"]) == (401, "unauthorized")
        assert "Basic" in answer.headers["www-authenticate"]
    # a script's request must not make the browser ask for a password by itself
    answer = ask(guarded.url, "GET", SESSION, x_requested_with="dupdex-console")
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "ApiKey")


def test_a_key_that_does_not_hold_signs_nobody_in(guarded: Running, keys: dict[str, str]) -> None:
    for key in ("nonsense", "eDp5", f"{keys['admin']}x"):
        answer = ask(guarded.url, "POST", SESSION, {"key": key})
        assert (answer.status, "set-cookie" in answer.headers) == (401, False)
    for body, status in (({}, 422), ({"key": ""}, 422), ({"key": "a" * 2_000}, 422), (b"{", 400)):
        assert ask(guarded.url, "POST", SESSION, body).status == status
    plain = ask(guarded.url, "POST", SESSION, b"key=a", content_type="text/plain")
    assert plain.status == 415  # which another site's form could send


def test_a_header_goes_before_a_cookie(guarded: Running, keys: dict[str, str]) -> None:
    cookie, _ = signed_in(guarded.url, keys["reviewer"])
    told = ask(guarded.url, "GET", SESSION, key=keys["admin"], cookie=cookie).json()
    assert (told["name"], told["token"], told["expires"]) == ("admin", None, None)
    assert told["rights"] == ["read", "write", "review", "admin"]
    wrong = ask(guarded.url, "GET", SESSION, authorization="ApiKey eDp5", cookie=cookie)
    assert wrong.status == 401


def test_a_revoked_key_ends_its_sessions(
    guarded: Running, keys: dict[str, str], folder: Path
) -> None:
    cookie, _ = signed_in(guarded.url, keys["passing"])
    name = base64.b64decode(keys["passing"]).decode().partition(":")[0]
    assert run("keys", "revoke", name, "--keys", "k.json", folder=folder).status == 0
    deadline = time.monotonic() + 10
    while ask(guarded.url, "GET", SESSION, cookie=cookie).status != 401:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_where_there_are_no_keys_everybody_may_do_all(folder_gateway: Running) -> None:
    told = ask(folder_gateway.url, "GET", SESSION).json()
    assert (told["name"], told["keys"], told["token"]) == ("", False, None)
    assert told["rights"] == ["read", "write", "review", "admin"]
    assert ask(folder_gateway.url, "POST", SESSION, {"key": "a:b"}).status == 422
