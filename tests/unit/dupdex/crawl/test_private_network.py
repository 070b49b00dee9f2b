"""Machines of private networks are asked only when they are named."""

from __future__ import annotations

import pytest

from dupdex.crawl.private_network import NetworkGuard, is_public

PRIVATE = (
    "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.9", "169.254.169.254", "0.0.0.0",
    "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "not an address", "",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private(address: str) -> None:
    assert not is_public(address)
    assert not NetworkGuard().lets_connect("name.example.org", address)
    assert NetworkGuard(all_private=True).lets_connect("name.example.org", address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_public(address: str) -> None:
    assert is_public(address)


def test_a_private_start_is_told_with_its_port() -> None:
    guard = NetworkGuard.of(["http://127.0.0.1:8000/"], all_private=False)
    assert guard.lets_ask("http://127.0.0.1:8000/x")
    assert not guard.lets_ask("http://127.0.0.1:9200/")
    assert not guard.lets_ask("http://127.0.0.2:8000/")
    assert not guard.lets_ask("http://[::1]:8000/")
    assert guard.lets_ask("http://news.example.org/")  # its address is looked at later
    assert guard.lets_connect("127.0.0.1", "127.0.0.1")
    assert not guard.lets_connect("news.example.org", "127.0.0.1")


def test_a_public_start_tells_of_nothing() -> None:
    assert NetworkGuard.of(["http://93.184.216.34/"], all_private=False) == NetworkGuard()
