"""How a gateway is run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Self

from dupdex.gateway.guard.limits import Limits
from dupdex.location import Location
from mappings.errors import InputRefused

PORT: Final = 9280

VARIABLE: Final = "DUPDEX_SERVE"
"""Worker processes are started anew and read their settings from the environment. Secrets of the
store are not among them: a worker reads those where its parent did."""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """`store`: the server, or a folder; None takes that of the environment. `threads`: lookups and
    fingerprints of one process at the same time. `keys`: the file of API keys, None without
    authentication. `tls_cert`, `tls_key`: PEM files to answer https with. `log`: "json", "text" or
    "auto", by whether standard error is a terminal; `log_requests`: one line a request.
    `drain_seconds`: how long a gateway that is to stop goes on taking requests, while /readyz says
    that it stops. Sizes in bytes, times in seconds.

    Raises InputRefused for an address that others reach, unless there are keys or `insecure`.
    """

    store: str | None = None
    index: str | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    workers: int = 1
    threads: int = 4
    insecure: bool = False
    keys: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None
    limits: Limits = field(default_factory=Limits)
    log: str = "auto"
    log_requests: bool = True
    drain_seconds: float = 0.0

    def __post_init__(self) -> None:
        if not self.is_loopback and not self.insecure and not self.keys:
            raise InputRefused(
                f"{self.host} can be reached by other machines, and there is no authentication; "
                "listen on 127.0.0.1, name a file of API keys with --keys, or say --insecure"
            )
        if bool(self.tls_cert) != bool(self.tls_key):
            raise InputRefused("TLS takes both --tls-cert and --tls-key")

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def keys_path(self) -> Path:
        """The file of API keys, where there is one."""
        return Path(self.keys or "").expanduser()

    @property
    def location(self) -> Location:
        """Where documents are, by option, environment, file and default."""
        return Location.from_environment(store=self.store, index=self.index)

    def to_environment(self) -> dict[str, str]:
        return {VARIABLE: json.dumps(asdict(self))}

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        values = json.loads(environment[VARIABLE])
        return cls(**{**values, "limits": Limits(**values["limits"])})
