"""Drives `hap serve`, as a process, with a controller that others wrote: aiohomekit.

    run.py [--hap BINARY] [--until TEXT] [--log FILE]

Prints a line per claim of claims.py and closes with their sum; exit status 1 when a claim failed or has no line.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import shutil
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from claims import CLAIMS, Account, say
from garage import Garage
import namespaces
from processes import PrivateDiscovery, Server
from steps import STEPS

ALL = 120.0
ONE_CLAIM = 25.0


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
    except Exception as error:  # whatever a step ran into decides its claim
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
    except Exception as error:  # the account below still tells which claims were not reached
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
    """All claims, or those up to the first one that contains the text."""
    if until is None:
        return CLAIMS
    for index, claim in enumerate(CLAIMS):
        if until in claim:
            return CLAIMS[: index + 1]
    sys.exit(f"No claim contains {until!r}; claims.py lists them.")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--hap", type=Path, default=root / ".build/release/hap", help="the binary under test")
    parser.add_argument("--until", metavar="TEXT", help="stop after the first claim that contains TEXT")
    parser.add_argument("--log", type=Path, help="keep the server's log in this file")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    claims = selected(options.until)
    if not options.hap.exists():
        sys.exit(f"{options.hap} is missing: build it with swift build -c release --product hap.")
    namespaces.enter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    # aiohomekit logs what the accessory refuses, which is what several claims are about.
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix="hap-interoperability-"))
    try:
        return 0 if asyncio.run(check(claims, options.hap.resolve(), folder)) else 1
    finally:
        log = folder / "server.log"
        if options.log is not None and log.exists():
            shutil.copyfile(log, options.log)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
