"""Checks that a controller finds an accessory on another host, with two network namespaces, each with a bus and an
Avahi.

    finding.py [--hap BINARY] [--log FOLDER]

One host serves the Kilgo garage with `hap serve`. The other one finds it, pairs with it, reads and watches it with the
other commands of `hap`, while addresses, port and daemon change. Prints a line for each claim with its duration in
seconds. Exit status 1 if a claim failed. Needs root, and a machine that allows network namespaces.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import stage
from hosts import Host, make_switch
from processes import Child, Server
from waiting import until

LIMIT = 10.0
# The time until a moved accessory is found: pauses, the records of the daemon, and a new session.
RETURN_LIMIT = 30.0
ALL = 240.0
NAME = "Kilgo Garage"
ALIAS = "garage"
# The alias that the home derives from its name.
PLACED = "kilgo-garage"
DOOR = "TargetDoorState"
NEW_ADDRESS = "10.77.0.13"
LAST_ADDRESS = "10.77.0.14"

FOLLOW_LIMIT = 15.0

STEPS = stage.Steps()
shows = STEPS.shows


class Watcher:
    """A command of `hap` that prints a JSON object for each event."""

    def __init__(self, pair: Pair, name: str, *arguments: str) -> None:
        self.log = pair.controller.folder / f"{name}.log"
        command = [*pair.controller.on, str(pair.binary), *arguments, "--json"]
        self.child = Child(command, self.log, pair.environment)

    def events(self) -> list[dict[str, Any]]:
        """Returns every complete line of JSON so far; other lines are for users."""
        lines = self.log.read_text(errors="replace").split("\n")[:-1]
        return [json.loads(line) for line in lines if line.startswith("{")]

    async def tells(self, wanted: Callable[[dict[str, Any]], bool], what: str, *, after: int = 0,
                    within: float = LIMIT) -> dict[str, Any]:
        """Waits for an event after the first `after` ones."""
        def found() -> dict[str, Any] | None:
            assert self.child.runs, f"it has ended: {self.child.log_tail(4)}"
            return next((event for event in self.events()[after:] if wanted(event)), None)
        return await until(found, within, f"{what}; the last was {self.log.read_text()[-300:]}")


class Pair:
    """The host with the garage, and the host with the controller."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary = binary
        self.accessory = Host("first", "10.77.0.2", binary, folder)
        self.controller = Host("second", "10.77.0.3", binary, folder)
        self.hosts = (self.accessory, self.controller)
        self.published: dict[str, Any] = {}
        self.neighbors: Watcher | None = None
        self.changes: Watcher | None = None

    @property
    def environment(self) -> dict[str, str]:
        return dict(self.controller.environment, XDG_STATE_HOME=str(self.controller.folder / "home"))

    async def open(self) -> None:
        make_switch()
        for host in self.hosts:
            host.plug_in()
            await host.start_bus()
        await self.accessory.start_avahi()

    async def close(self) -> None:
        for watcher in (self.neighbors, self.changes):
            if watcher is not None:
                watcher.child.end()
        for host in self.hosts:
            host.end()

    async def check(self, seconds: float) -> None:
        """Has no invariants."""

    async def moves(self, address: str) -> None:
        """Replaces the only address of the accessory's host, and waits until the change is reported."""
        host = self.accessory
        host.remove_address(host.address)
        host.add_address(address)
        host.address = address
        await self.neighbors.tells(lambda event: self.is_garage(event, "changed", addresses=[address]),
                                   "the new address is told", within=RETURN_LIMIT)

    async def hap(self, *arguments: str, status: int = 0) -> str:
        """Runs a command on the controller's host, and returns its output, or its errors if it is expected to fail."""
        command = [*self.controller.on, str(self.binary), *arguments]
        result = await asyncio.to_thread(
            subprocess.run, command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment,
            timeout=60, check=False)
        assert result.returncode == status, \
            f"hap {' '.join(arguments)} ended with {result.returncode}: {result.stderr.strip()}"
        return result.stderr if status else result.stdout

    async def discovered(self) -> list[dict[str, Any]]:
        return json.loads(await self.hap("discover", "--json"))["accessories"]

    def is_garage(self, event: dict[str, Any], kind: str, **facts: object) -> bool:
        accessory = event.get("accessory", {})
        return (event.get("event") == kind and accessory.get("deviceID") == self.published["deviceID"]
                and all(accessory.get(key) == value for key, value in facts.items()))


@shows("no daemon: reported with a remedy, and status 69")
async def no_daemon(pair: Pair) -> None:
    said = await pair.hap("discover", status=69)
    assert "systemctl start avahi-daemon" in said, said
    await pair.controller.start_avahi()
    await until(lambda: "Server startup complete" in pair.controller.avahi.log_tail(), LIMIT, "Avahi starts")


@shows("no accessory: reported within the time")
async def no_accessory(pair: Pair) -> None:
    began = time.monotonic()
    assert "No accessory" in await pair.hap("discover")
    assert time.monotonic() - began < 5, "the default is 3 seconds"
    pair.neighbors = Watcher(pair, "neighbors", "discover", "--watch")


@shows("a starting accessory appears with its address, port and announced facts")
async def appears(pair: Pair) -> None:
    ready = await pair.accessory.server.start()
    pair.published = ready["servers"][0]
    event = await pair.neighbors.tells(lambda event: pair.is_garage(event, "appeared"), "the garage appears")
    accessory = event["accessory"]
    assert accessory["name"] == NAME and accessory["addresses"] == ["10.77.0.2"], accessory
    assert accessory["port"] == pair.published["port"] and accessory["paired"] is False, accessory
    assert accessory["category"] == "GarageDoorOpener" and accessory["configurationNumber"] == 1, accessory
    assert accessory["host"] == "first.local", accessory


@shows("hap discover lists it, as a table and as JSON")
async def looked(pair: Pair) -> None:
    found = await pair.discovered()
    assert [accessory["deviceID"] for accessory in found] == [pair.published["deviceID"]], found
    table = await pair.hap("discover")
    assert pair.published["deviceID"] in table and f"10.77.0.2:{pair.published['port']}" in table, table


@shows("found, paired and placed in a home by its setup code alone, and by the text of the QR code")
async def placed(pair: Pair) -> None:
    await pair.hap("home", "add", "home", "Test House")
    await pair.hap("home", "add", "room", "Shed")
    # A paired accessory does not announce a match for its code; the text of the QR code identifies it.
    for index, (code, again) in enumerate(((Server.SETUP_CODE, 69), (pair.published["setupURI"], 2))):
        before = len(pair.neighbors.events())
        told = await pair.hap("home", "add-accessory", code, "--room", "Shed")
        assert NAME in told and "Shed" in told, told
        await pair.neighbors.tells(lambda event: pair.is_garage(event, "changed", paired=True), "sf becomes 0",
                                   after=before)
        await pair.hap("home", "set", "Shed lights", "on" if index == 0 else "off")
        light = json.loads(await pair.hap("get", PLACED, "On", "--json"))["characteristics"][0]
        assert light["value"] == (index == 0), light
        said = await pair.hap("home", "add-accessory", code, "--room", "Shed", status=again)
        assert "paired" in said, said
        await pair.hap("home", "remove", "accessory", NAME)
        await pair.hap("unpair", PLACED)
        await pair.neighbors.tells(lambda event: pair.is_garage(event, "changed", paired=False), "sf becomes 1",
                                   after=before)


@shows("paired by its announced name, with name and code in either order and the code without hyphens")
async def paired_by_name(pair: Pair) -> None:
    digits = Server.SETUP_CODE.replace("-", "")
    for words in ((NAME, Server.SETUP_CODE), (digits, NAME.lower())):
        told = await pair.hap("pair", *words, "--as", ALIAS)
        assert NAME in told, told
        assert ALIAS in await pair.hap("list")
        await pair.hap("unpair", ALIAS)
    said = await pair.hap("pair", "Kilgo Garbage", digits, status=69)
    assert f'did you mean "{NAME}"?' in said, said


@shows("paired by aiohomekit with the lines of README, and its own command can use the file")
async def paired_by_aiohomekit(pair: Pair) -> None:
    file = pair.controller.folder / "pairing.json"
    script = Path(__file__).parents[2] / "Examples/pair-with-aiohomekit.py"

    async def python(*arguments: str) -> str:
        command = [*pair.controller.on, sys.executable, *arguments]
        result = await asyncio.to_thread(subprocess.run, command, stdin=subprocess.DEVNULL, capture_output=True,
                                         text=True, timeout=60, check=False)
        assert result.returncode == 0, result.stderr
        return result.stdout

    await python(str(script), pair.published["deviceID"], Server.SETUP_CODE, str(file))
    assert "Garage Door" in await python("-m", "aiohomekit", "-f", str(file), "accessories", "-a", "garage")
    await python("-m", "aiohomekit", "-f", str(file), "unpair", "-a", "garage")


@shows("paired by its device ID, and then announced as paired")
async def paired(pair: Pair) -> None:
    await pair.hap("pair", pair.published["deviceID"], "--code", Server.SETUP_CODE, "--as", ALIAS)
    await pair.neighbors.tells(lambda event: pair.is_garage(event, "changed", paired=True), "sf becomes 0")


@shows("read, and watched: a change on another connection is reported")
async def watched(pair: Pair) -> None:
    assert json.loads(await pair.hap("get", ALIAS, DOOR, "--json")), "nothing was read"
    pair.changes = Watcher(pair, "changes", "watch", ALIAS)
    await pair.changes.tells(lambda event: event.get("event") == "connected", "the session opens")
    await pair.hap("put", ALIAS, f"{DOOR}=0")
    await pair.changes.tells(lambda event: "iid" in event, "the change is told")


@shows("another address in place of the only one: found there, and watched again")
async def moved(pair: Pair) -> None:
    before = len(pair.changes.events())
    await pair.moves(NEW_ADDRESS)
    await pair.hap("put", ALIAS, f"{DOOR}=1")
    await pair.changes.tells(lambda event: "iid" in event, "what changed meanwhile is told", after=before,
                             within=FOLLOW_LIMIT)


@shows("another address again: the watch follows within seconds, and reports the change")
async def followed(pair: Pair) -> None:
    before = len(pair.changes.events())
    await pair.moves(LAST_ADDRESS)
    await pair.changes.tells(lambda event: event.get("event") == "connected", "it is connected again", after=before,
                             within=FOLLOW_LIMIT)
    since = len(pair.changes.events())
    await pair.hap("put", ALIAS, f"{DOOR}=0")
    await pair.changes.tells(lambda event: "iid" in event, "the change is told", after=since)
    await pair.hap("put", ALIAS, f"{DOOR}=1")


@shows("the accessory restarted: watched again, with a change that was made since")
async def restarted(pair: Pair) -> None:
    before = len(pair.changes.events())
    assert await pair.accessory.server.stop() == 0, "the exit status"
    await pair.changes.tells(lambda event: event.get("event") == "disconnected", "the loss is told", after=before)
    await pair.accessory.server.start()
    await pair.changes.tells(lambda event: event.get("event") == "connected", "it is connected again", after=before,
                             within=RETURN_LIMIT)
    since = len(pair.changes.events())
    await pair.hap("put", ALIAS, f"{DOOR}=0")
    await pair.changes.tells(lambda event: "iid" in event, "the change is told", after=since)


@shows("kill -9 of the controller's daemon: the session stays, and discovery continues when the daemon is back")
async def daemon_killed(pair: Pair) -> None:
    pair.controller.kill_avahi()
    await until(lambda: "The Avahi daemon does not answer" in pair.neighbors.log.read_text(), LIMIT, "the loss is told")
    before = len(pair.changes.events())
    await pair.hap("put", ALIAS, f"{DOOR}=1")
    await pair.changes.tells(lambda event: "iid" in event, "the change is told", after=before)
    await pair.controller.start_avahi()
    await until(lambda: "The Avahi daemon answers" in pair.neighbors.log.read_text(), LIMIT, "the return is told")


@shows("unpaired, and gone with a goodbye")
async def gone(pair: Pair) -> None:
    before = len(pair.neighbors.events())
    await pair.hap("unpair", ALIAS)
    await pair.neighbors.tells(lambda event: pair.is_garage(event, "changed", paired=False), "sf becomes 1",
                               after=before)
    assert await pair.accessory.server.stop() == 0, "the exit status"
    await pair.neighbors.tells(lambda event: pair.is_garage(event, "disappeared"), "the goodbye is told", after=before)
    assert await pair.discovered() == []
    assert await pair.neighbors.child.stop(signal.SIGINT) == 0, "the exit status after Ctrl-C"


def main() -> int:
    return stage.perform(stage.arguments(__doc__).parse_args(), STEPS, Pair, ALL)


if __name__ == "__main__":
    sys.exit(main())
