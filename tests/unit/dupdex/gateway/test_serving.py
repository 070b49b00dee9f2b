"""Whether a port can be listened on is known before anybody is told that it is."""

from __future__ import annotations

import socket

import pytest

from dupdex.gateway.serving import free_port
from mappings.errors import InputRefused


def test_a_port_that_is_free() -> None:
    port = free_port("127.0.0.1", 0)
    assert port > 0
    assert free_port("127.0.0.1", port) == port


def test_a_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(InputRefused, match=f"port {port} of 127.0.0.1 is in use.*--port"):
            free_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(InputRefused, match=r"cannot listen on port 0 of '192.0.2.1'.*--host"):
        free_port("192.0.2.1", 0)
