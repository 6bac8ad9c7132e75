"""Waiting with a time limit."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")

STEP = 0.02


def listens(path: Path) -> bool:
    """Returns whether a process accepts connections at a Unix socket, whose file exists a little earlier."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


async def until(condition: Callable[[], Value], limit: float, what: str) -> Value:
    """Waits until the condition is true and returns its value; fails after `limit` seconds."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {limit:g} s: {what}")
        await asyncio.sleep(STEP)
