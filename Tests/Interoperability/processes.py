"""Child processes that are always ended by their process id."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from waiting import listens, until

PATIENCE = 60.0
LAST_PATIENCE = 3.0


class Child:
    """A process whose output goes to a log file."""

    def __init__(self, command: list[str], log: Path, environment: dict[str, str]) -> None:
        self.log = log
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment
            )

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    async def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal and returns the exit status; a process that does not end in time is killed, which is an error.
        """
        if self.runs:
            self.process.send_signal(by)
        try:
            await until(lambda: not self.runs, PATIENCE, f"process {self.process.pid} ends after {by.name}")
        except BaseException:
            self.end()
            raise
        return self.process.returncode

    def end(self) -> None:
        """Ends the process, by force if it does not end by itself."""
        if self.runs:
            self.process.terminate()
        try:
            self.process.wait(LAST_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def log_tail(self, lines: int = 40) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


class PrivateDiscovery:
    """A private message bus and Avahi on loopback.

    Avahi stores its process id in /run, so this needs its own mount namespace: see `namespaces.py`.
    """

    BUS_CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
"""

    AVAHI_CONFIGURATION = """[server]
host-name=interoperability-{pid}
use-ipv4=yes
use-ipv6=no
allow-interfaces=lo
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
publish-aaaa-on-ipv4=no
"""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "bus"
        self.children: list[Child] = []

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which `dns_sd` finds only this Avahi."""
        return dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.socket}", AVAHI_COMPAT_NOWARN="1")

    async def start(self) -> None:
        bus = self.folder / "bus.conf"
        bus.write_text(self.BUS_CONFIGURATION.format(socket=self.socket))
        self._start("dbus-daemon", f"--config-file={bus}", "--nofork", "--nopidfile")
        await until(lambda: listens(self.socket), PATIENCE, "the private message bus listens")
        avahi = self.folder / "avahi.conf"
        avahi.write_text(self.AVAHI_CONFIGURATION.format(pid=os.getpid()))
        daemon = self._start("avahi-daemon", "-f", str(avahi), "--no-rlimits", "--no-drop-root", "--no-chroot",
                             "--no-proc-title")
        await until(lambda: self._announced(daemon), PATIENCE, f"avahi-daemon starts\n{daemon.log_tail()}")

    def end(self) -> None:
        for child in reversed(self.children):
            child.end()

    def _start(self, *command: str) -> Child:
        child = Child(list(command), self.folder / f"{command[0]}.log", self.environment)
        self.children.append(child)
        return child

    def _announced(self, daemon: Child) -> bool:
        if not daemon.runs:
            raise AssertionError(f"avahi-daemon ended\n{daemon.log_tail()}")
        return "Server startup complete" in daemon.log_tail()


class Server:
    """`hap serve`: without files, the Kilgo garage with a fixed setup code."""

    SETUP_CODE = "031-45-154"

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str], *, on: tuple[str, ...] = (),
                 bind: str | None = "127.0.0.1", files: Sequence[Path] = (), advertise: str = "on", more: tuple[str, ...] = ()) -> None:
        """`on` is a command that starts another one on a host; `bind` is the address to listen on, or None for all; `more`
        are further options."""
        folder.mkdir(exist_ok=True)
        self.binary = binary
        self.on = on
        self.bind = bind
        self.files = list(files)
        self.advertise = advertise
        self.more = more
        self.state = folder / "state"
        self.ready_file = folder / "ready.json"
        self.log = folder / "server.log"
        self.environment = environment
        self.child: Child | None = None

    async def start(self) -> dict[str, object]:
        """Starts the server and returns the content of its ready file."""
        self.ready_file.unlink(missing_ok=True)
        bind = [] if self.bind is None else ["--bind", self.bind]
        what = list(map(str, self.files)) if self.files else ["--setup-code", self.SETUP_CODE]
        command = [*self.on, str(self.binary), "serve", *what, "--port", "0", *bind, "--state", str(self.state),
                   "--advertise", self.advertise, "--ready-file", str(self.ready_file), *self.more]
        self.child = Child(command, self.log, self.environment)
        await until(self._is_ready, PATIENCE, "the server writes its ready file")
        return json.loads(self.ready_file.read_text())

    async def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        if self.child is None:
            raise AssertionError("the server was not started")
        return await self.child.stop(by)

    async def simulate(self, *command: str) -> int:
        """Acts on the simulated devices with `hap simulate`; returns its exit status."""
        arguments = ["simulate", "--state", str(self.state), *command]
        process = await asyncio.create_subprocess_exec(
            self.binary, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=self.environment
        )
        return await process.wait()

    def end(self) -> None:
        if self.child is not None:
            self.child.end()

    def log_text(self) -> str:
        return self.log.read_text(errors="replace")

    def log_tail(self) -> str:
        return self.child.log_tail() if self.child is not None else "(never started)"

    def _is_ready(self) -> bool:
        if self.child is not None and not self.child.runs:
            raise AssertionError(f"the server ended with status {self.child.process.returncode}")
        return self.ready_file.exists()
