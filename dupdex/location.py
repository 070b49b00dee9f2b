"""Where an index is: an Elasticsearch URL or a folder, and the name of the index there."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

from dupdex.wire.escapes import shortened
from indexer.home import home_folder
from indexer.sources.dead_letters import Target
from mappings.errors import InputRefused, NotFound, StoreRefused

if TYPE_CHECKING:
    from indexer.stores.elastic.client import ElasticSettings, Server

DEFAULT_STORE: Final = "dupdex-store"
DEFAULT_INDEX: Final = "dupdex"
DEFAULT_BANKS: Final = "dupdex-banks"
DEFAULT_WORKS: Final = "dupdex-works"

SETTINGS: Final = (
    "store",
    "index",
    "username",
    "password",
    "api_key",
    "ca_file",
    "retry_seconds",
    "banks",
    "works",
)
"""What a configuration file may hold; DUPDEX_<NAME> in the environment goes before it."""

RETRY_SECONDS: Final = 90.0
MOST_SECONDS: Final = 1_000_000

SECRETS: Final = frozenset({"password", "api_key"})

_OTHER_STORE: Final = "--store, or DUPDEX_STORE"

_WAY_OUT: Final = "correct the file, or name another one with DUPDEX_CONFIG"

_ALMOST_A_URL: Final = re.compile(
    r"https?(:|//)"  # one slash, or none; no colon
    r"|(?=[^/]*::)[0-9A-F:.]+$|([0-9A-F]{1,4}:){7}[0-9A-F]{1,4}$"  # an IPv6 address
    r"|[^/:@]+:.*@"  # user:password@
    r"|[^/@]+@[^/@]+:[0-9]{2,5}(/|$)"  # user@host:port
    r"|(//)?([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{2,5}([/,?#]|$)"  # host:port
    r"|\[[0-9A-Fa-f:.]+\]$",
    re.IGNORECASE,
)
"""Names that somebody meant as the URL of a server. A folder of such a name is written ./NAME."""


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Location:
    """`store` is an http(s) URL, or a folder as a string or a path. Secrets never show in `repr`,
    `str` or errors.

    `retry_seconds`: how long a write waits for a server that is gone or refuses for a while.
    `banks`: the index that holds the moderation banks of the store; `works`: that with the works
    whose copies are looked for.

    Raises InputRefused for a store that is neither, and for credentials that cannot be sent.
    """

    store: str
    index: str
    username: str | None
    password: str | None
    api_key: str | None
    ca_file: str | None
    retry_seconds: float
    banks: str
    works: str

    def __init__(
        self,
        store: str | PathLike[str] = DEFAULT_STORE,
        index: str = DEFAULT_INDEX,
        username: str | None = None,
        password: str | None = None,
        api_key: str | None = None,
        ca_file: str | None = None,
        retry_seconds: float = RETRY_SECONDS,
        banks: str = DEFAULT_BANKS,
        works: str = DEFAULT_WORKS,
    ) -> None:
        login = (username, password, api_key, ca_file, retry_seconds)
        values = (fspath(store), index, *login, banks, works)
        for setting, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, setting.name, value)
        if self.is_server:
            _check_server(self)
        else:
            _check_folder(self.store)

    @classmethod
    def from_environment(
        cls,
        environment: Mapping[str, str] = os.environ,
        *,
        store: str | None = None,
        index: str | None = None,
    ) -> Self:
        """What was given, else DUPDEX_* variables (of secrets also the files that DUPDEX_*_FILE
        name), else the file DUPDEX_CONFIG names (by default ~/.config/dupdex/config.toml), else
        the defaults.

        Raises InputRefused or NotFound for a configuration file that cannot be used.
        """
        values: dict[str, Any] = _from_file(environment)
        for name in SETTINGS:
            given = environment.get(f"DUPDEX_{name.upper()}") or _secret(environment, name)
            if given:
                values[name] = given
        values |= {k: v for k, v in (("store", store), ("index", index)) if v is not None}
        values["retry_seconds"] = _seconds(values.get("retry_seconds", RETRY_SECONDS))
        return cls(**values)

    @property
    def is_server(self) -> bool:
        return self.store.lower().startswith(("http://", "https://"))

    @property
    def folder(self) -> Path:
        return Path(self.store).expanduser()

    @property
    def server(self) -> Server:
        """The server, whatever the index; for a location that is one."""
        from indexer.stores.elastic.client import Server  # heavy; folders do without

        return Server(self.store, **self._login())

    @property
    def elastic(self) -> ElasticSettings:
        """The index of that server. Raises InputRefused for a name that no index can have."""
        from indexer.stores.elastic.client import ElasticSettings

        return ElasticSettings(self.store, self.index, **self._login())

    def _login(self) -> dict[str, Any]:
        return {
            "username": self.username,
            "password": self.password,
            "api_key": self.api_key and self.api_key.strip(),
            "ca_file": self.ca_file,
            "retry_seconds": self.retry_seconds,
        }

    @property
    def place(self) -> str:
        """The URL without credentials, or the folder."""
        return self.server.place if self.is_server else str(self.folder)

    def __str__(self) -> str:
        return f"{self.place} (index {self.index})"

    def __repr__(self) -> str:
        return f"Location(store={self.place!r}, index={self.index!r})"


def _check_server(location: Location) -> None:
    """No message may hold any part of the URL: what cannot be parsed may be the password."""
    for url in location.store.split(","):
        try:
            place = urlsplit(url.strip()).netloc
        except ValueError:
            place = ""
        login = place.rpartition("@")[0]
        if url.count("@") > place.count("@") or login.count("@"):
            raise InputRefused(
                "user name and password in the URL hold one of @ , / # ? [ ]; write it as %40 %2C "
                "%2F %23 %3F %5B %5D, or use DUPDEX_USERNAME and DUPDEX_PASSWORD"
            )
    key = (location.api_key or "").strip()
    if not key.isascii() or not key.isprintable():
        raise InputRefused(
            "the API key holds a character that cannot be sent; set DUPDEX_API_KEY to the encoded "
            "key, as Elasticsearch gave it out"
        )


def _is_path(store: str) -> bool:
    """Whether the system can have a file of that name, which need not be UTF-8."""
    try:
        os.fsencode(store)
    except UnicodeEncodeError:
        return False
    return True


def _check_folder(store: str) -> None:
    """Like `_check_server`, no message holds what may be a password."""
    if not store.strip() or "\0" in store or not _is_path(store):
        raise InputRefused("the store names nothing; give an Elasticsearch URL or a folder")
    scheme, marked, _ = store.partition("://")
    if marked and scheme.isalnum():
        raise InputRefused(
            f"a store cannot begin with {scheme}://; write it like http://localhost:9200, or name "
            "a folder"
        )
    if marked or _ALMOST_A_URL.match(store):
        raise InputRefused(
            "the store looks like the address of a server; write it like http://localhost:9200, "
            "with user name and password in DUPDEX_USERNAME and DUPDEX_PASSWORD, or a folder like "
            "./NAME"
        )
    _check_path(store)


def _check_path(store: str) -> None:
    try:
        path = Path(store).expanduser()
    except RuntimeError as error:
        raise InputRefused(f"store {store}: there is no such home; write the path out") from error
    try:
        there = next((folder for folder in (path, *path.parents) if folder.exists()), None)
    except OSError as error:  # a folder that may not be entered, a name that is too long
        raise StoreRefused(
            f"{store} cannot be used: {error.strerror}; name another folder, or let this user "
            "enter it",
            _OTHER_STORE,
        ) from error
    if there and not there.is_dir():
        raise StoreRefused(
            f"{store} cannot be a folder: {there} is a file; name another folder", _OTHER_STORE
        )
    if there and not os.access(there, os.X_OK):
        raise StoreRefused(
            f"the folder {there} may not be entered; name another, or let this user enter it",
            _OTHER_STORE,
        )


def configuration_file(environment: Mapping[str, str] = os.environ) -> Path:
    """The file that settings are read from: what DUPDEX_CONFIG names, else the default one."""
    named = environment.get("DUPDEX_CONFIG")
    if named:
        return Path(named)
    folder = environment.get("XDG_CONFIG_HOME")
    base = Path(folder) if folder else home_folder(environment) / ".config"
    return base / "dupdex" / "config.toml"


def _secret(environment: Mapping[str, str], name: str) -> str | None:
    """What stands in the file that DUPDEX_<NAME>_FILE names: a secret in the environment shows in
    lists of processes and in what containers tell about themselves."""
    variable = f"DUPDEX_{name.upper()}_FILE"
    path = environment.get(variable) if name in SECRETS else None
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputRefused(f"the file that {variable} names cannot be read: {reason}") from error


def _seconds(value: object) -> float:
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < MOST_SECONDS:
        raise InputRefused(
            f"retry_seconds is {shortened(str(value), 40)}; give a number of seconds, "
            f"0 to {MOST_SECONDS:,}"
        )
    return seconds


def _from_file(environment: Mapping[str, str]) -> dict[str, str]:
    path = configuration_file(environment)
    named = bool(environment.get("DUPDEX_CONFIG"))
    try:
        content = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        if named:
            raise NotFound(f"no configuration file {path}; DUPDEX_CONFIG names it") from error
        return {}
    except OSError as error:
        raise InputRefused(f"{path} cannot be read: {error.strerror}; {_WAY_OUT}") from error
    except UnicodeDecodeError as error:
        raise InputRefused(f"{path} is not UTF-8; {_WAY_OUT}") from error
    return _settings(content, path)


def _settings(content: str, path: Path) -> dict[str, str]:
    """No message holds a value, or the name of a section: either may be a password."""
    try:
        values = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise InputRefused(f"{path} is not TOML: {error}; {_WAY_OUT}") from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise InputRefused(f"{path} holds a value beyond all measure; {_WAY_OUT}") from error
    for name, value in values.items():
        if isinstance(value, dict):
            raise InputRefused(f"{path}: settings stand in no [section]; {_WAY_OUT}")
        if name not in SETTINGS:
            settings = ", ".join(SETTINGS)
            raise InputRefused(f"{path}: {name!r} is no setting; known are {settings}")
        if name != "retry_seconds" and not isinstance(value, str):
            raise InputRefused(f'{path}: {name} must be a string; write {name} = "..."')
    return values


def target_of(where: Location) -> Target:
    """The index as a rejects file and a checkpoint name it: without secrets, and the same from
    whatever folder dupdex is started.
    """
    return Target(where.place if where.is_server else str(where.folder.resolve()), where.index)
