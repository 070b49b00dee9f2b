"""Chooses loopback ports that stay usable across restarts of a node."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

from scripts.devnode.failures import DevNodeError

# Below the ranges from which systems draw ports for outgoing connections (32768 and up): a port
# from there could be taken by any client while a node restarts.
_FIRST, _LAST = 20_000, 32_000
_TRIES_PER_PORT = 200


def free_ports(count: int) -> list[int]:
    """Distinct ports nobody listens on now; held together, so that none is given out twice."""
    ports: list[int] = []
    # Not the shared generator: a test that seeds it would make all its clusters collide.
    draw = random.SystemRandom()
    with ExitStack() as held:
        for _ in range(count * _TRIES_PER_PORT):
            if len(ports) == count:
                break
            candidate = draw.randrange(_FIRST, _LAST)
            listener = held.enter_context(socket.socket())
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", candidate))
                listener.listen(1)
            except OSError:
                continue
            ports.append(candidate)
    if len(ports) < count:
        raise DevNodeError(
            f"no {count} free loopback ports between {_FIRST} and {_LAST}; stop other servers"
        )
    return ports
