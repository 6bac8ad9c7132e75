"""A namespace with an empty /run and its own loopback interface, separate from the machine's Avahi.

Two Avahi daemons on one loopback interface would take each other's names forever.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MARK = "INTEROPERABILITY_NAMESPACE"
MOUNT_RUN = ["mount", "-t", "tmpfs", "tmpfs", "/run"]
LOOPBACK_UP = ["ip", "link", "set", "lo", "up"]


def enter() -> None:
    """Runs this program again inside a namespace. Returns inside it, or if the machine allows none and needs none."""
    if os.environ.get(MARK):
        arrange()
        return
    for command in candidates():
        if works([*command, *MOUNT_RUN]):
            os.execvp(command[0], [*command, "env", f"{MARK}=entered", sys.executable, "-B", *sys.argv])
    if os.getuid() != 0:
        sys.exit("A private Avahi needs root here, since this machine allows no namespaces to others: run as root.")
    if works(["avahi-daemon", "--check"]):
        sys.exit("Another avahi-daemon runs and this container allows no mount namespace: stop it first.")


def require_hosts() -> None:
    """Ends the program with an explanation on a machine that does not allow two hosts."""
    if os.getuid() != 0:
        sys.exit("Two hosts need network namespaces, and those need root: run as root.")
    probe = "ip link add name probe type bridge && ip link add name probe-a type veth peer name probe-b"
    if not works(["unshare", "--mount", "--net", "sh", "-c", probe]):
        sys.exit("Two hosts need network namespaces, a bridge and veth pairs, and this machine or container allows none.")


def candidates() -> list[list[str]]:
    """The ways into a mount namespace, starting with the one that needs the fewest permissions."""
    if os.getuid() == 0:
        return [["unshare", "--mount", "--net"], ["unshare", "--mount"]]
    return [
        ["unshare", "--mount", "--net", "--map-root-user"],
        ["sudo", "--non-interactive", "unshare", "--mount", "--net"],
    ]


def arrange() -> None:
    """Empties /run, starts loopback, and maps Avahi's user to root, because no other user exists in a user namespace.
    """
    subprocess.run(LOOPBACK_UP, check=True)
    subprocess.run(MOUNT_RUN, check=True)
    cover(Path("/etc/passwd"), "avahi:x:0:0::/:/bin/false")
    cover(Path("/etc/group"), "avahi:x:0:")


def cover(original: Path, entry: str) -> None:
    """Covers a file of users or groups with a copy in which the entry replaces the one with its name."""
    name = entry.split(":")[0] + ":"
    lines = [line for line in original.read_text().splitlines() if not line.startswith(name)]
    copy = Path("/run") / original.name
    copy.write_text("\n".join([*lines, entry, ""]))
    subprocess.run(["mount", "--bind", str(copy), str(original)], check=True)


def works(command: list[str]) -> bool:
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return result.returncode == 0
