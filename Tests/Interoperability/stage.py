"""The common parts of the programs with two hosts: claims with their steps, their execution, and the command line."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

import namespaces
import program
from claims import Account, say
from hosts import Host

Step = Callable[[Any], Awaitable[float | None]]


class Scene(Protocol):
    """The hosts and programs that the steps use."""

    hosts: tuple[Host, ...]

    async def open(self) -> None:
        """Creates the hosts."""

    async def close(self) -> None:
        """Ends everything that was started."""

    async def check(self, seconds: float) -> None:
        """Checks the invariants after each step."""


class Steps(dict[str, Step]):
    """The steps by their claims, in order."""

    def shows(self, claim: str) -> Callable[[Step], Step]:
        """Registers the step of a claim; it may return the number of seconds that counts."""

        def enter(step: Step) -> Step:
            self[claim] = step
            return step

        return enter


async def play(steps: Steps, scene: Scene, limit: float) -> bool:
    """Runs the steps and prints a line for each; returns whether every claim was shown within the limit."""
    account = Account(tuple(steps))
    try:
        async with asyncio.timeout(limit):
            await scene.open()
            for claim, step in steps.items():
                began = time.monotonic()
                try:
                    counted = await step(scene)
                    seconds = time.monotonic() - began if counted is None else counted
                    await scene.check(seconds)
                except Exception as error:  # any error decides the claim of the step
                    account.fails(claim, f"{type(error).__name__}: {error}")
                else:
                    account.passes(claim, seconds)
    except TimeoutError:
        say(f"The run was ended after {limit:g} s.")
    except Exception as error:  # the summary below lists the claims that were not reached
        say(f"The run ended early: {type(error).__name__}: {error}")
    finally:
        await scene.close()
    passed = account.complete()
    for host in () if passed else scene.hosts:
        if host.server.child is not None:
            say(f"--- the log of the server on {host.name}\n{host.server.log_text()}\n---")
    account.sum()
    return passed


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Returns the parser of the common command line."""
    return program.arguments(description, log="keep the logs of everything that was started in this folder")


def perform(options: argparse.Namespace, steps: Steps, make: Callable[[Path, Path], Scene], limit: float) -> int:
    """Runs the steps with the binary and a folder; returns the exit status."""
    namespaces.require_hosts()

    def keep(folder: Path) -> None:
        for log in folder.glob("*/*.log") if options.log is not None else ():
            kept = options.log / log.parent.name
            kept.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(log, kept / log.name)

    return program.perform(options, "hosts", lambda hap, folder: play(steps, make(hap, folder), limit), keep)
