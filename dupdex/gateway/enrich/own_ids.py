"""Ids for documents that come without one: as the server makes them, so that groups can name them.

Ids made one after the other begin alike, which an index stores in less space.
"""

from __future__ import annotations

import base64
import os
import time
from itertools import count
from typing import Final


class OwnIds:
    """20 letters each: the time in milliseconds, a part that is drawn for each process, a number.
    Threads may share one."""

    def __init__(self) -> None:
        self._numbers = count(int.from_bytes(os.urandom(3)))
        self._process, self._part = 0, b""

    def new(self) -> str:
        if self._process != os.getpid():  # a fork would otherwise repeat the ids of its parent
            self._process, self._part = os.getpid(), os.urandom(6)
        number = next(self._numbers) & 0xFF_FFFF
        moment = (time.time_ns() // 1_000_000) & 0xFFFF_FFFF_FFFF
        raw = moment.to_bytes(6) + self._part + number.to_bytes(3)
        return base64.urlsafe_b64encode(raw).decode()


OWN_IDS: Final = OwnIds()
