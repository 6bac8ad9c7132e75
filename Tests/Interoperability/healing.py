"""Checks that discovery recovers by itself, with two hosts in network namespaces, each with a bus, an Avahi and a `hap
serve`.

    healing.py [--hap BINARY] [--log FOLDER]

Prints a line for each claim with a duration in seconds. It starts when recovery becomes possible, and ends when a
controller on the same network sees the correct record. Exit status 1 if a claim failed. Needs root, and a machine that
allows network namespaces.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

import stage
from garage import SERVICE_TYPE
from hosts import CONTROLLER, Host, make_switch
from processes import Server
from sessions import LIGHTBULB, ON, Session
from waiting import until

LIMIT = 10.0
ALL = 300.0
NAME = "Kilgo Garage"
SECOND_ADDRESS = "10.77.0.12"
NEW_ADDRESS = "10.77.0.13"

STEPS = stage.Steps()
shows = STEPS.shows


class Street:
    """Two hosts with a garage each, both with the same name, and a controller that is paired with the first one."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.first = Host("first", "10.77.0.2", binary, folder)
        self.second = Host("second", "10.77.0.3", binary, folder)
        self.hosts = (self.first, self.second)
        self.published: dict[str, dict[str, Any]] = {}
        self.session: Session | None = None
        self.connection: object = None
        self.zeroconf: AsyncZeroconf | None = None
        self.controller: IpController | None = None
        self.browser: AsyncServiceBrowser | None = None

    async def open(self) -> None:
        make_switch()
        for host in self.hosts:
            host.plug_in()
            await host.start_bus()
            await host.start_avahi()
            await until(lambda host=host: "Server startup complete" in host.avahi.log_tail(), LIMIT,
                        f"Avahi of {host.name} starts")

    async def close(self) -> None:
        for host in self.hosts:
            host.end()
        if self.session is not None:
            await asyncio.wait_for(self.session.shutdown(), 5)
        if self.controller is not None:
            await self.controller.async_stop()
        if self.browser is not None:
            await self.browser.async_cancel()
        if self.zeroconf is not None:
            await self.zeroconf.async_close()

    async def check(self, seconds: float) -> None:
        """Checks the time limit, and that the only session still works."""
        assert seconds <= LIMIT, f"it took {seconds:.1f} s"
        if self.session is not None:
            await self.session_works()

    async def serve(self, host: Host) -> float:
        began = time.monotonic()
        ready = await host.server.start()
        self.published[host.name] = ready["servers"][0]
        return began

    async def pair(self) -> None:
        """Pairs with the first host's garage, and opens the session that must stay open."""
        self.zeroconf = AsyncZeroconf(interfaces=[CONTROLLER])
        self.browser = AsyncServiceBrowser(self.zeroconf.zeroconf, [SERVICE_TYPE], handlers=[lambda **_: None])
        self.controller = IpController(CharacteristicCacheMemory(), self.zeroconf)
        await self.controller.async_start()
        device_id = self.published["first"]["deviceID"]
        discovery = await self.controller.async_find(device_id, LIMIT)
        finish = await discovery.async_start_pairing(device_id)
        pairing = await finish(Server.SETUP_CODE)
        self.session = Session(self.controller, dict(pairing.pairing_data))
        await self.session.open()
        await self.session.list_accessories_and_characteristics()
        self.connection = self.session.connection.protocol

    async def session_works(self) -> None:
        """Checks that the only session answers, and that it is still the same connection."""
        assert self.session is not None, "not paired"
        await self.session.read(self.session.identifier(LIGHTBULB, ON))
        assert self.session.connection.protocol is self.connection, "the session was opened again"

    async def is_found(self, host: Host, address: str, **text: str) -> str | None:
        """Returns the name under which a new controller finds the host's garage with this address and text."""
        device_id = self.published[host.name]["deviceID"]
        zeroconf = AsyncZeroconf(interfaces=[CONTROLLER])
        seen: set[str] = set()

        def note(*, name: str, **_: Any) -> None:
            seen.add(name)

        browser = AsyncServiceBrowser(zeroconf.zeroconf, [SERVICE_TYPE], handlers=[note])
        try:
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                for name in tuple(seen):
                    info = AsyncServiceInfo(SERVICE_TYPE, name)
                    if not info.load_from_cache(zeroconf.zeroconf):
                        await info.async_request(zeroconf.zeroconf, 300)
                    properties = dict(info.decoded_properties)
                    if (properties.get("id") == device_id and address in info.parsed_addresses()
                            and info.port == self.published[host.name]["port"]
                            and all(properties.get(key) == value for key, value in text.items())):
                        return name.removesuffix(f".{SERVICE_TYPE}")
                await asyncio.sleep(0.05)
            return None
        finally:
            await browser.async_cancel()
            await zeroconf.async_close()

    async def becomes_found(self, host: Host, since: float, address: str | None = None, **text: str) -> str:
        """Waits until a garage is found and its server reports it, at most until the limit after `since`; returns its
        name.
        """
        while True:
            name = await self.is_found(host, address or host.address, **text)
            if name is not None and says_advertised(host, name):
                return name
            assert time.monotonic() < since + LIMIT, \
                f"the garage of {host.name} is not found at {address or host.address} within {LIMIT:g} s"

    async def both_become_found(self, since: float) -> set[str]:
        """Waits until both garages are found with different names."""
        while True:
            names = {await self.is_found(host, host.address) for host in (self.first, self.second)}
            if None not in names and len(names) == 2 and all(says_advertised(host) for host in (self.first, self.second)):
                return names
            assert time.monotonic() < since + LIMIT, f"found within {LIMIT:g} s: {names}"


def says_advertised(host: Host, name: str = "") -> bool:
    """Returns whether the last line of the server says that it is advertised under this name."""
    return any(f"Network: advertised as {name}" in line for line in log_lines(host, "Network: ")[-1:])


def log_lines(host: Host, text: str) -> list[str]:
    return [line for line in host.server.log_text().splitlines() if text in line]


@shows("a server is found by a controller on another host")
async def found(street: Street) -> float:
    began = await street.serve(street.first)
    assert await street.becomes_found(street.first, began, sf="1") == NAME
    return time.monotonic() - began


@shows("paired: the text changes, and a session opens that stays open until the end")
async def paired(street: Street) -> float:
    await street.pair()
    began = time.monotonic()
    await street.becomes_found(street.first, began, sf="0")
    return time.monotonic() - began


@shows("the same name on another host: one is renamed, both are found, and the log says so")
async def same_name(street: Street) -> float:
    began = await street.serve(street.second)
    names = await street.both_become_found(began)
    took = time.monotonic() - began
    assert NAME in names, f"the name {NAME} is missing: {names}"
    await until(lambda: renames(street), LIMIT, "the log tells of the rename")
    return took


def renames(street: Street) -> list[str]:
    return [line for host in (street.first, street.second)
            for line in log_lines(host, f"since another service is called {NAME}")]


@shows("kill -9 of the daemon, and its return")
async def daemon_killed(street: Street) -> float:
    street.first.kill_avahi()
    await until(lambda: log_lines(street.first, "The Avahi daemon does not answer"), LIMIT, "the log tells of the loss")
    # Waits: long enough for every pause between two attempts to reach its maximum.
    await asyncio.sleep(12)
    await street.session_works()
    began = time.monotonic()
    await street.first.start_avahi()
    await street.becomes_found(street.first, began, sf="0")
    return time.monotonic() - began


@shows("a daemon that hangs for 8 seconds, and continues")
async def daemon_hung(street: Street) -> float:
    street.first.signal_avahi(signal.SIGSTOP)
    # Waits: longer than the server waits for an answer of the daemon.
    await asyncio.sleep(8)
    await street.session_works()
    began = time.monotonic()
    street.first.signal_avahi(signal.SIGCONT)
    # Waits: the requests in the meantime take effect only now.
    await asyncio.sleep(1)
    await street.becomes_found(street.first, began, sf="0")
    return time.monotonic() - began


@shows("kill -9 of the bus, which ends the daemon, and the return of both")
async def bus_killed(street: Street) -> float:
    street.first.kill_bus()
    street.first.kill_avahi()
    await until(lambda: log_lines(street.first, "The D-Bus system bus, and therefore the Avahi daemon, does not answer"), LIMIT, "the log tells of the loss")
    # Waits: as for the daemon that was killed.
    await asyncio.sleep(12)
    await street.session_works()
    await street.first.start_bus()
    began = time.monotonic()
    await street.first.start_avahi()
    await street.becomes_found(street.first, began, sf="0")
    return time.monotonic() - began


@shows("an additional address: found there, too")
async def address_added(street: Street) -> float:
    began = time.monotonic()
    street.first.add_address(SECOND_ADDRESS)
    await street.becomes_found(street.first, began, SECOND_ADDRESS)
    return time.monotonic() - began


@shows("an address removed: found only at the other one")
async def address_removed(street: Street) -> float:
    began = time.monotonic()
    street.first.remove_address(SECOND_ADDRESS)
    while await street.is_found(street.first, SECOND_ADDRESS) is not None:
        assert time.monotonic() < began + LIMIT, f"still found at {SECOND_ADDRESS}"
    await street.becomes_found(street.first, began)
    return time.monotonic() - began


@shows("another address in place of the only one: found at it")
async def address_replaced(street: Street) -> float:
    began = time.monotonic()
    street.second.remove_address(street.second.address)
    street.second.add_address(NEW_ADDRESS)
    street.second.address = NEW_ADDRESS
    await street.becomes_found(street.second, began)
    return time.monotonic() - began


@shows("an interface down for 8 seconds: reported, and found when it is up again")
async def interface_down(street: Street) -> float:
    street.second.ip("link", "set", "eth0", "down")
    await until(lambda: log_lines(street.second, "it is not found on the network"), 8, "the log tells of the loss")
    # Waits: with the time until the loss was found, the interface is down for about 8 seconds.
    await asyncio.sleep(3)
    began = time.monotonic()
    street.second.ip("link", "set", "eth0", "up")
    await street.becomes_found(street.second, began)
    return time.monotonic() - began


@shows("the cable pulled, the name taken on both sides, the cable plugged in: one is renamed, both are found")
async def cable_pulled(street: Street) -> float:
    street.second.pull_cable()
    # Without the other one, each side takes the name that it requested.
    for host in (street.first, street.second):
        if host is street.second:
            assert await host.server.stop() == 0, "the exit status"
            await street.serve(host)
            await until(lambda: f"advertised as {NAME}." in host.server.log_tail(), LIMIT, "the name is taken again")
    assert await street.becomes_found(street.first, time.monotonic()) == NAME
    before = len(renames(street))
    await street.session_works()
    began = time.monotonic()
    street.second.plug_cable()
    await street.both_become_found(began)
    took = time.monotonic() - began
    await until(lambda: len(renames(street)) > before, LIMIT, "the log tells of the rename")
    return took


@shows("the session of the first minute still answers, and was never opened again")
async def session_stayed(street: Street) -> float:
    began = time.monotonic()
    await street.session_works()
    verified = log_lines(street.first, "opened a session on connection")
    assert len(verified) == 1, f"sessions: {verified}"
    return time.monotonic() - began


def main() -> int:
    return stage.perform(stage.arguments(__doc__).parse_args(), STEPS, Street, ALL)


if __name__ == "__main__":
    sys.exit(main())
