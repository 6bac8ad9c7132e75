"""Tests the page of `hap serve` with Chromium and aiohomekit.

    page.py --hap BINARY [--only TEXT]
    page.py --hap BINARY --proofs [--only TEXT] [--long]

Checks what the page shows and does on a desktop. --proofs checks instead what takes long or needs a quiet machine: the
page on phones, a silence of the server in real time, frames and memory.

Everything happens on loopback in namespaces of its own. Prints a line for each claim, measured values between them, and
the number of claims. Exit status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "Interoperability"))

import program
from aiohomekit.exceptions import HomeKitException
from claims import Account, say
from browser import WebDriverException
from stage import CLAIMS, PROOFS, Stage
# The claims, in the order in which they are checked: the scenario runs once.
import simulation_claims, home_claims, accessories_claims, log_claims, builder_claims, access_claims  # noqa: E401, F401
import editing_claims, drivers_claims, cast_claims, airplay_claims, markup_claims, manners_claims, speed_claims  # noqa: E401, F401

ALL = 900.0
ONE_CLAIM = 240.0
# Chromedriver adds its own stack to a message.
STACK = "\nStacktrace"
FAILURES = (AssertionError, OSError, TimeoutError, LookupError, ValueError, AttributeError, HomeKitException, WebDriverException)


async def check(options: Any, folder: Path) -> bool:
    wanted = {claim: run for claim, run in (PROOFS if options.proofs else CLAIMS).items() if options.only in claim}
    account = Account(tuple(wanted))
    stage = Stage(options, folder)
    try:
        async with asyncio.timeout(ALL):
            await stage.start()
            for claim, run in wanted.items():
                begin = time.monotonic()
                try:
                    async with asyncio.timeout(ONE_CLAIM):
                        await run(stage)
                    account.passes(claim, time.monotonic() - begin)
                except FAILURES as error:
                    account.fails(claim, f"{type(error).__name__}: {str(error).partition(STACK)[0][:1500]}")
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    finally:
        await stage.end()
    complete = account.complete()
    if not complete and options.verbose:
        say(stage.log_tails())
    account.sum()
    return complete


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("--only", default="", help="only claims with this text")
    parser.add_argument("--proofs", action="store_true", help="check phones, real time, frames and memory instead")
    parser.add_argument("--long", action="store_true", help="follow many changes for a minute, instead of 10 seconds")
    parser.add_argument("--verbose", action="store_true", help="print the ends of the servers' logs after a failure")
    options = parser.parse_args()
    options.hap = options.hap.resolve()

    async def run(_: Path, folder: Path) -> bool:
        return await check(options, folder)

    return program.perform(options, "page", run)


if __name__ == "__main__":
    sys.exit(main())
