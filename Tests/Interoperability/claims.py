"""The claims of run.py, in order, and how claims are checked by steps of a place such as a garage."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from processes import PrivateDiscovery, Server

# The limits of a run and of one claim, in seconds.
ALL = 600.0
ONE_CLAIM = 60.0

CLAIMS: tuple[str, ...] = (
    "the ready file tells what listens",
    "the QR code in the terminal decodes to the setup URI",
    "discovered through a private Avahi on loopback",
    "a wrong setup code is refused",
    "paired with the right setup code",
    "sf is 0 once paired",
    "listed with every service and characteristic of the Kilgo garage",
    "every readable characteristic read with all flags",
    "written and read back",
    "the fade rate written and read back",
    "a timed write is executed, with a wrong pid it is not",
    "subscribed on one session, written on another: the event arrives",
    "no echo of the written value to its writer",
    "a boolean written to Target Door State is accepted",
    "the writer itself receives Opening and then Open",
    "a second controller is added",
    "the second controller reads and writes, and may not list the pairings",
    "the second controller is removed, its session closed, its return refused",
    "the server restarted: the session resumes without pairing",
    "unpaired: every session closed, sf back to 1",
    "paired again",
    "kill -9 right after pairing: the pairing is still there",
    "SIGTERM ends the server with status 0 and withdraws its records",
)


class Account:
    """Prints a line for each claim when it is decided, and counts them."""

    def __init__(self, claims: tuple[str, ...]) -> None:
        self.claims = claims
        self.passed: list[str] = []
        self.failed: list[str] = []

    def passes(self, claim: str, seconds: float | None = None) -> None:
        self.passed.append(claim)
        say(f"ok  {claim}" if seconds is None else f"ok  {seconds:5.1f} s  {claim}")

    def fails(self, claim: str, reason: str) -> None:
        self.failed.append(claim)
        say(f"FAILED  {claim}: {reason}")

    def complete(self) -> bool:
        """Fails every claim without a result; returns whether every claim passed and no other was reported."""
        for claim in self.claims:
            if claim not in self.passed and claim not in self.failed:
                self.fails(claim, "not reached")
        return not self.failed and sorted(self.passed) == sorted(self.claims)

    def sum(self) -> None:
        say(f"{len(self.passed)} passed, {len(self.failed)} failed")


class Place(Protocol):
    """What the steps of a run act on."""

    async def start(self) -> None: ...

    async def close(self) -> None: ...


async def check_claim(account: Account, claim: str, step: Callable[[Any], Awaitable[None]] | None, place: Place) -> None:
    if step is None:
        account.fails(claim, "there is no step for it")
        return
    try:
        async with asyncio.timeout(ONE_CLAIM):
            await step(place)
    except TimeoutError:
        account.fails(claim, f"not finished within {ONE_CLAIM:g} s")
    except Exception as error:  # any error decides the claim of the step
        account.fails(claim, f"{type(error).__name__}: {error}")
    else:
        account.passes(claim)


async def check(
    claims: tuple[str, ...],
    steps: Mapping[str, Callable[[Any], Awaitable[None]]],
    place: Place,
    server: Server,
    discovery: PrivateDiscovery,
) -> bool:
    """Checks claims in their order; ends the server and its Avahi. Returns whether all passed."""
    account = Account(claims)
    try:
        async with asyncio.timeout(ALL):
            await discovery.start()
            await place.start()
            for claim in claims:
                await check_claim(account, claim, steps.get(claim), place)
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    except Exception as error:  # the summary below lists the claims that were not reached
        say(f"The run ended early: {type(error).__name__}: {error}")
    finally:
        await place.close()
        server.end()
        discovery.end()
    passed = account.complete()
    if not passed:
        say(f"--- the last lines of the server's log\n{server.log_tail()}\n---")
    account.sum()
    return passed


def selected(claims: tuple[str, ...], until: str | None) -> tuple[str, ...]:
    """Returns all claims, or those up to the first one that contains the text."""
    if until is None:
        return claims
    for index, claim in enumerate(claims):
        if until in claim:
            return claims[: index + 1]
    sys.exit(f"No claim contains {until!r}; they are:\n" + "\n".join(claims))


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit("This file holds claims and checks them; run run.py or cast.py.")
