"""Tests `hap serve`, as a process, with aiohomekit.

    run.py [--hap BINARY] [--until TEXT] [--log FILE]

Prints a line for each claim of claims.py and their number. Exit status 1 if a claim failed or has no result.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from claims import CLAIMS, Account, say
from garage import Garage
import program
from processes import PrivateDiscovery, Server
from steps import STEPS

ALL = 300.0
ONE_CLAIM = 60.0


async def check_claim(account: Account, claim: str, garage: Garage) -> None:
    step: Callable[[Garage], Awaitable[None]] | None = STEPS.get(claim)
    if step is None:
        account.fails(claim, "steps.py has no step for it")
        return
    try:
        async with asyncio.timeout(ONE_CLAIM):
            await step(garage)
    except TimeoutError:
        account.fails(claim, f"nothing came of it within {ONE_CLAIM:g} s")
    except Exception as error:  # any error decides the claim of the step
        account.fails(claim, f"{type(error).__name__}: {error}")
    else:
        account.passes(claim)


async def check(claims: tuple[str, ...], binary: Path, folder: Path) -> bool:
    account = Account(claims)
    discovery = PrivateDiscovery(folder)
    server = Server(binary, folder, discovery.environment)
    garage = Garage(server)
    try:
        async with asyncio.timeout(ALL):
            await discovery.start()
            await garage.start()
            for claim in claims:
                await check_claim(account, claim, garage)
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    except Exception as error:  # the summary below lists the claims that were not reached
        say(f"The run ended early: {type(error).__name__}: {error}")
    finally:
        await garage.close()
        server.end()
        discovery.end()
    passed = account.complete()
    if not passed:
        say(f"--- the last lines of the server's log\n{server.log_tail()}\n---")
    account.sum()
    return passed


def selected(until: str | None) -> tuple[str, ...]:
    """Returns all claims, or those up to the first one that contains the text."""
    if until is None:
        return CLAIMS
    for index, claim in enumerate(CLAIMS):
        if until in claim:
            return CLAIMS[: index + 1]
    sys.exit(f"No claim contains {until!r}; claims.py lists them.")


def main() -> int:
    parser = program.arguments(__doc__, log="keep the server's log in this file")
    parser.add_argument("--until", metavar="TEXT", help="stop after the first claim that contains TEXT")
    options = parser.parse_args()
    claims = selected(options.until)

    def keep(folder: Path) -> None:
        log = folder / "server.log"
        if options.log is not None and log.exists():
            shutil.copyfile(log, options.log)

    return program.perform(options, "interoperability", lambda hap, folder: check(claims, hap, folder), keep)


if __name__ == "__main__":
    sys.exit(main())
