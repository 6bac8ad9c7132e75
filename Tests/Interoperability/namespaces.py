"""Namespaces of a program's own: an empty /run, a loopback interface, and process ids.

Two Avahi daemons on one loopback interface would take each other's names forever. With a loopback interface, ports and
a message bus of its own, a program never meets another one that runs at the same time.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MARK = "INTEROPERABILITY_NAMESPACE"
#: The options of unshare, starting with those that isolate the most. A container may hide parts of /proc, and then
#: refuses another one.
WAYS = (("--mount", "--net", "--pid"), ("--mount", "--net"), ("--mount",))
#: What a process in new namespaces does first.
MOUNT_RUN = "mount -t tmpfs tmpfs /run"
MOUNT_PROC = "mount -t proc proc /proc"
LOOPBACK_UP = "ip link set lo up"
#: The option of prctl for the signal that a process receives when its parent ends.
PARENT_DEATH_SIGNAL = 1


def enter() -> None:
    """Runs this program again in namespaces of its own, and returns there.

    SIGINT, SIGTERM and the exit status pass through, and no process in the namespaces outlives the program. On a machine
    that allows no network namespace, this says so and returns without one.
    """
    if os.environ.pop(MARK, None) is not None:
        return
    command, way = next((each for each in candidates() if works([*each[0], "--fork", *completion(each[1])])), ([], ()))
    if "--net" not in way:
        print(f"{Path(sys.argv[0]).name}: This machine allows no network namespace, so the program uses its network: run it as "
              "root, without another avahi-daemon, and run no other test meanwhile.", file=sys.stderr, flush=True)
    if command:
        again = [sys.executable, "-B", *sys.argv]
        os.execvp(command[0], [*command, sys.executable, "-B", __file__, *way, "--", *again])


def require_hosts() -> None:
    """Ends the program with an explanation on a machine that does not allow two hosts."""
    if os.getuid() != 0:
        sys.exit("Two hosts need network namespaces, and those need root: run as root.")
    probe = "ip link add name probe type bridge && ip link add name probe-a type veth peer name probe-b"
    if not works(["unshare", "--mount", "--net", "sh", "-c", probe]):
        sys.exit("Two hosts need network namespaces, a bridge and veth pairs, and this machine or container allows none.")


def candidates() -> list[tuple[list[str], tuple[str, ...]]]:
    """The commands that make namespaces, each with the options that say which; the best first."""
    commands = [["unshare"]]
    if os.getuid() != 0:
        commands = [["unshare", "--map-root-user"], ["sudo", "--non-interactive", "unshare"]]
    return [([*command, *way], way) for way in WAYS for command in commands]


def completion(way: Sequence[str]) -> list[str]:
    """The command that completes the namespaces made with these options."""
    steps = [MOUNT_RUN, *[MOUNT_PROC] * ("--pid" in way), *[LOOPBACK_UP] * ("--net" in way)]
    return ["sh", "-c", " && ".join(steps)]


def main() -> None:
    """Runs a command in the namespaces of this process, which unshare has just made with the options before `--`."""
    end = sys.argv.index("--")
    way, command = sys.argv[1:end], sys.argv[end + 1:]
    if "--pid" in way:
        # The first process of the new namespace.
        fork()
    subprocess.run(completion(way), check=True)
    # No other user exists in a user namespace, so Avahi's user is root.
    cover(Path("/etc/passwd"), "avahi:x:0:0::/:/bin/false")
    cover(Path("/etc/group"), "avahi:x:0:")
    if "--pid" in way:
        # The first process would ignore signals for which the program has no handler.
        fork()
    os.execvpe(command[0], command, os.environ | {MARK: "entered"})


def fork() -> None:
    """Returns in a child, which ends at the latest with this process. This process forwards signals, and ends like it."""
    forwarded = (signal.SIGINT, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, forwarded)
    child = os.fork()
    if child == 0:
        # A process group of its own, so that a signal to the group of the parent arrives once.
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    else:
        for number in forwarded:
            signal.signal(number, lambda number, _: os.kill(child, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, forwarded)
    if child != 0:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        # As a shell reports the end by a signal.
        os._exit(status if status >= 0 else 128 - status)


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


if __name__ == "__main__":
    main()
