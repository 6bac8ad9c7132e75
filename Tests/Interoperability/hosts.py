"""Hosts with their own network, message bus and Avahi, connected by a switch in this process's namespace."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from processes import PATIENCE, Child, PrivateDiscovery, Server
from waiting import listens, until

SWITCH = "switch"
CONTROLLER = "10.77.0.1"


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, stdin=subprocess.DEVNULL)


def make_switch() -> None:
    """Creates the switch in the network namespace of this process, with the controller's address."""
    ip("link", "add", SWITCH, "type", "bridge")
    ip("address", "add", f"{CONTROLLER}/24", "dev", SWITCH)
    ip("link", "set", SWITCH, "up")


class Host:
    """A machine on the switch with one `hap serve`."""

    AVAHI_CONFIGURATION = """[server]
host-name={name}
use-ipv4=yes
use-ipv6=no
allow-interfaces=eth0
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
publish-aaaa-on-ipv4=no
"""

    def __init__(self, name: str, address: str, binary: Path, folder: Path) -> None:
        self.name = name
        self.address = address
        self.port = f"port-{name}"
        self.folder = folder / name
        self.folder.mkdir()
        self.socket = self.folder / "bus"
        self.bus: Child | None = None
        self.avahi: Child | None = None
        self.server = Server(binary, self.folder, self.environment, on=self.on, bind=None)

    @property
    def on(self) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.name)

    @property
    def environment(self) -> dict[str, str]:
        return dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.socket}", AVAHI_COMPAT_NOWARN="1")

    def plug_in(self) -> None:
        """Creates the host's network, and connects it to the switch."""
        ip("netns", "add", self.name)
        ip("link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("link", "set", self.port, "master", SWITCH)
        ip("link", "set", self.port, "up")
        self.ip("link", "set", "lo", "up")
        self.ip("link", "set", "eth0", "up")
        self.add_address(self.address)

    def add_address(self, address: str) -> None:
        self.ip("address", "add", f"{address}/24", "dev", "eth0")

    def remove_address(self, address: str) -> None:
        self.ip("address", "delete", f"{address}/24", "dev", "eth0")

    def pull_cable(self) -> None:
        """Unplugs the cable at the switch: the host's interface stays up, without a carrier."""
        ip("link", "set", self.port, "down")

    def plug_cable(self) -> None:
        ip("link", "set", self.port, "up")

    async def start_bus(self) -> None:
        self.socket.unlink(missing_ok=True)
        configuration = self.folder / "bus.conf"
        configuration.write_text(PrivateDiscovery.BUS_CONFIGURATION.format(socket=self.socket))
        self.bus = Child(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"],
                         self.folder / "bus.log", self.environment)
        await until(lambda: listens(self.socket), PATIENCE, f"the message bus of {self.name} listens")

    async def start_avahi(self) -> None:
        """Starts Avahi, and returns as soon as it runs; it answers a little later."""
        configuration = self.folder / "avahi.conf"
        configuration.write_text(self.AVAHI_CONFIGURATION.format(name=self.name))
        # `ip netns exec` gives each command its own mounts, so that each daemon has its own folder.
        command = "mkdir -p /run/avahi-daemon && mount -t tmpfs tmpfs /run/avahi-daemon && exec avahi-daemon " \
                  f"-f {configuration} --no-rlimits --no-drop-root --no-chroot --no-proc-title"
        self.avahi = Child([*self.on, "sh", "-c", command], self.folder / "avahi.log", self.environment)

    def kill_avahi(self) -> None:
        self.signal_avahi(signal.SIGKILL)
        assert self.avahi is not None
        self.avahi.process.wait()

    def kill_bus(self) -> None:
        assert self.bus is not None, "the bus was not started"
        self.bus.process.kill()
        self.bus.process.wait()

    def signal_avahi(self, number: signal.Signals) -> None:
        assert self.avahi is not None, "Avahi was not started"
        self.avahi.process.send_signal(number)

    def end(self) -> None:
        if self.avahi is not None and self.avahi.runs:
            self.signal_avahi(signal.SIGCONT)
        self.server.end()
        for child in (self.avahi, self.bus):
            if child is not None:
                child.end()

    def ip(self, *arguments: str) -> None:
        ip("-netns", self.name, *arguments)
