"""Tests `hap serve`, as a process, with aiohomekit.

    run.py [--hap BINARY] [--until TEXT] [--log FILE]

Prints a line for each claim of claims.py and their number. Exit status 1 if a claim failed or has no result.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from claims import CLAIMS, check, selected
from garage import Garage
import program
from processes import PrivateDiscovery, Server
from steps import STEPS


async def check_garage(claims: tuple[str, ...], binary: Path, folder: Path) -> bool:
    discovery = PrivateDiscovery(folder)
    server = Server(binary, folder, discovery.environment)
    return await check(claims, STEPS, Garage(server), server, discovery)


def main() -> int:
    parser = program.arguments(__doc__, log="keep the server's log in this file")
    parser.add_argument("--until", metavar="TEXT", help="stop after the first claim that contains TEXT")
    options = parser.parse_args()
    claims = selected(CLAIMS, options.until)

    def keep(folder: Path) -> None:
        log = folder / "server.log"
        if options.log is not None and log.exists():
            shutil.copyfile(log, options.log)

    return program.perform(options, "interoperability", lambda hap, folder: check_garage(claims, hap, folder), keep)


if __name__ == "__main__":
    sys.exit(main())
