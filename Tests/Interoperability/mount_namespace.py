"""A mount namespace with an empty /run, so that a second Avahi does not meet the machine's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MARK = "INTEROPERABILITY_NAMESPACE"
AVAHI_PROCESS_ID = Path("/run/avahi-daemon/pid")


def enter() -> None:
    """Runs this program again inside a namespace; returns inside it, or when the machine allows none and needs none."""
    if os.environ.get(MARK):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
        AVAHI_PROCESS_ID.parent.mkdir()
        return
    unshare = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if _works([*unshare, "mount", "-t", "tmpfs", "tmpfs", "/run"]):
        os.environ[MARK] = "entered"
        os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv])
    if os.getuid() != 0:
        sys.exit("A private Avahi needs root here, since this machine allows no namespaces to others: run as root.")
    if AVAHI_PROCESS_ID.exists():
        sys.exit("Another avahi-daemon runs and this container allows no mount namespace: stop it first.")
    AVAHI_PROCESS_ID.parent.mkdir(parents=True, exist_ok=True)


def _works(command: list[str]) -> bool:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
