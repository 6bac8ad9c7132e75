"""Tests the example of the controller's guide, as a process, with `hap serve`.

    remote.py --remote BINARY [--hap BINARY]

Prints a line for each claim and their number. Exit status 1 if one failed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from claims import Account
from processes import Server

CLAIMS = (
    "it pairs, turns the light on, reads it and unpairs",
    "afterwards the accessory can be paired again",
    "a wrong code ends it with an error, without a pairing",
)


async def check(account: Account, remote: Path, hap: Path, folder: Path) -> None:
    server = Server(hap, folder / "garage", dict(os.environ), advertise="off")

    def run(port: int, code: str) -> subprocess.CompletedProcess[str]:
        # Without a bus the test does not depend on the network of this machine.
        environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/no-bus", SWIFT_BACKTRACE="enable=no")
        return subprocess.run([remote, "127.0.0.1", str(port), code], cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)

    try:
        port = (await server.start())["servers"][0]["port"]
        for claim in CLAIMS[:2]:
            outcome = run(port, Server.SETUP_CODE)
            assert outcome.returncode == 0, outcome.stderr
            assert outcome.stdout == "written: true\nread: true\n", outcome.stdout
            account.passes(claim)
        outcome = run(port, "111-22-333")
        assert outcome.returncode != 0 and "setup code" in outcome.stderr, outcome.stderr
        assert run(port, Server.SETUP_CODE).returncode == 0, "it is paired"
        account.passes(CLAIMS[2])
    finally:
        server.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--remote", type=Path, required=True, help="the built example")
    parser.add_argument("--hap", type=Path, default=root / ".build/release/hap", help="the binary that serves")
    options = parser.parse_args()
    account = Account(CLAIMS)
    with tempfile.TemporaryDirectory(prefix="hap-remote-") as folder:
        try:
            asyncio.run(check(account, options.remote.resolve(), options.hap.resolve(), Path(folder)))
        except Exception as error:  # the claims that were not reached fail below
            print(f"The run ended early: {type(error).__name__}: {error}", file=sys.stderr)
    passed = account.complete()
    account.sum()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
