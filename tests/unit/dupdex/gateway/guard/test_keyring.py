"""Keys open what they are for, while they hold, and their file may change at any time."""

from __future__ import annotations

import base64
import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.guard.api_keys import NewKey, key_from, new_key
from dupdex.gateway.guard.key_file import change_keys, read_keys, write_keys
from dupdex.gateway.guard.keyring import LOOK_AGAIN, Keyring, Unknown, login_of
from dupdex.gateway.guard.rates import Rates
from mappings.errors import InputRefused, NotFound

NOW = datetime.now(UTC)
CALLER = Caller(
    "site", frozenset({Right.WRITE}), ("a*", "b"), {"a*": [{"term": {"x": 1}}], "b": []}, 2.5
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def shown(key: NewKey) -> bytes:
    return f"ApiKey {key.encoded}".encode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


def test_a_key_comes_back_from_its_file(path: Path) -> None:
    made = new_key(CALLER, NOW, NOW + timedelta(days=1))
    write_keys(path, [made.key])
    (read,) = read_keys(path).values()
    assert read.caller == Caller(
        "site", CALLER.rights, CALLER.indices, {"a*": ({"term": {"x": 1}},), "b": ()}, 2.5
    )
    assert read.opens(made.secret, NOW)
    assert not read.opens(made.secret + "a", NOW)
    assert not read.opens(made.secret, NOW + timedelta(days=2))
    assert made.secret not in path.read_text()
    assert made.secret not in repr(made)
    assert path.stat().st_mode & 0o077 == 0


def test_two_keys_share_nothing() -> None:
    first, second = new_key(CALLER, NOW), new_key(CALLER, NOW)
    assert len({first.secret, second.secret, first.key.salt, second.key.salt}) == 4
    assert len(first.secret) >= 43  # 32 random bytes


def test_a_changed_file_is_read_within_a_second(path: Path) -> None:
    first, second = new_key(CALLER, NOW), new_key(CALLER, NOW)
    write_keys(path, [first.key])
    clock = Clock()
    ring = Keyring(path, clock)
    assert ring.caller(shown(first)).name == "site"
    write_keys(path, [second.key])
    assert ring.caller(shown(first)).name == "site"
    clock.now += LOOK_AGAIN
    assert ring.caller(shown(second)).name == "site"
    with pytest.raises(Unknown):
        ring.caller(shown(first))


def test_a_broken_file_leaves_the_keys_as_they_were(path: Path) -> None:
    key = new_key(CALLER, NOW)
    write_keys(path, [key.key])
    clock = Clock()
    ring = Keyring(path, clock)
    for broken in (b"{", b"[]", None):
        if broken is None:
            path.unlink()
        else:
            path.write_bytes(broken)
        clock.now += LOOK_AGAIN
        assert ring.caller(shown(key)).name == "site"
    with pytest.raises(NotFound):
        Keyring(path)


@pytest.mark.parametrize(
    "authorization",
    [None, b"", b"ApiKey", b"ApiKey !", b"ApiKey eDp5", b"Digest a:b", b"Basic a:b", b"\xff\xfe",
     "ApiKey 键:值".encode(), b"ApiKey " + b"a" * 10_000],
)  # fmt: skip
def test_what_is_no_key_is_unknown(path: Path, authorization: bytes | None) -> None:
    write_keys(path, [new_key(CALLER, NOW).key])
    with pytest.raises(Unknown):
        Keyring(path).caller(authorization)


@given(st.text("abc:-_é", max_size=8), st.text("abc:-_é", max_size=8))
def test_every_form_of_a_login_reads_the_same(name: str, secret: str) -> None:
    name = name.replace(":", "")
    packed = base64.b64encode(f"{name}:{secret}".encode()).decode()
    for scheme in ("ApiKey", "Bearer", "basic"):
        assert login_of(f"{scheme} {packed}") == (name, secret)
    assert login_of(f"Bearer {name}:{secret}") == (name, secret)


def entry(**changes: Any) -> dict[str, Any]:
    value = {**new_key(CALLER, NOW).key.to_json(), **changes}
    return {name: each for name, each in value.items() if each is not ...}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ...}, "'name'"),
        ({"rights": []}, "'rights' of key 'site'"),
        ({"rights": ["all"]}, "read, write, review, admin"),
        ({"indices": "a*"}, "'indices'"),
        ({"filters": {"a": {}}}, "'filters'"),
        ({"rate": -1}, "'rate'"),
        ({"rate": "many"}, "'rate'"),
        ({"expires": "soon"}, "'expires'"),
        ({"sha256": ""}, "'sha256'"),
        ({"password": "x"}, "'password' is no field"),
    ],
)
def test_a_wrong_entry_is_named(path: Path, changes: dict[str, Any], message: str) -> None:
    path.write_text(json.dumps({"keys": [entry(**changes)]}))
    with pytest.raises(InputRefused, match=message):
        read_keys(path)


def test_an_entry_may_leave_out_what_has_a_default() -> None:
    key = key_from(entry(filters=..., rate=..., expires=..., created=...))
    assert (key.caller.rate, dict(key.caller.filters), key.expires) == (None, {}, None)


def test_two_keys_of_one_id(path: Path) -> None:
    path.write_text(json.dumps({"keys": [entry(id="a"), entry(id="a")]}))
    with pytest.raises(InputRefused, match="one id"):
        read_keys(path)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="cannot be written"):
        write_keys(tmp_path / "absent" / "keys.json", [])
    assert os.listdir(tmp_path) == []  # noqa: PTH208


def test_changes_at_the_same_time_lose_nothing(path: Path) -> None:
    def add(_: int) -> None:
        key = new_key(CALLER, NOW).key
        change_keys(path, lambda known: known.update({key.id: key}))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(24)))
    assert len(read_keys(path)) == 24


def test_filters_decide_what_there_is() -> None:
    assert CALLER.filters_of("a1") == [{"term": {"x": 1}}]
    assert CALLER.filters_of("b") == []
    CALLER.check(Right.READ, "a1", "b")
    CALLER.check(Right.WRITE, "b")
    for right, name in ((Right.WRITE, "a1"), (Right.READ, "c"), (Right.ADMIN, "b")):
        with pytest.raises(NotAllowed, match="'site'"):
            CALLER.check(right, name)


def test_a_rate_lets_a_second_through_at_once() -> None:
    clock = Clock()
    rates = Rates(clock)
    assert [rates.wait_for(CALLER) for _ in range(3)] == [0.0, 0.0, pytest.approx(0.2)]
    clock.now += 0.21
    assert rates.wait_for(CALLER) == 0.0
    assert rates.wait_for(CALLER) > 0
    clock.now += 1_000
    assert [rates.wait_for(CALLER) > 0 for _ in range(3)] == [False, False, True]
    assert rates.wait_for(Caller("free", frozenset())) == 0.0
