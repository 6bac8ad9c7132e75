"""Checks that scenarios notice the actions of a real controller, and their absence.

    deeds.py --hap BINARY

A scenario of `hap run` expects that a controller pairs, connects, reads, writes, subscribes and unpairs, and that
events are delivered. aiohomekit performs each action after the previous step. The scenario must end with 0, and its
report must contain no failure. Then nothing, or something else, is done: the scenario must end with 1 and report what
happened instead. Prints a line for each claim.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import xml.etree.ElementTree as tree
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

from claims import Account, say
from gallery import pair
import program
from processes import Child, Server
from sessions import CURRENT_DOOR_STATE, GARAGE_DOOR_OPENER, LIGHTBULB, ON, TARGET_DOOR_STATE, Identifier, Session, close_all
from waiting import until

ALL = 900.0
PATIENCE = 90.0
OPEN, OPENING = 0, 2
DOOR = (GARAGE_DOOR_OPENER, CURRENT_DOOR_STATE)
TARGET = (GARAGE_DOOR_OPENER, TARGET_DOOR_STATE)
LIGHT = (LIGHTBULB, ON)
TIMED_OUT = -70408


class Player:
    """`hap run` with a scenario, and its controller."""

    def __init__(self, binary: Path, folder: Path, controller: IpController, steps: list[str], command: str = "run") -> None:
        folder.mkdir()
        self.report, self.ready, self.log = folder / "report.xml", folder / "ready.json", folder / "log"
        scenario = folder / "scenario.yaml"
        scenario.write_text("scenario: Deeds\nsteps:\n" + "".join(f"  - {step}\n" for step in steps))
        told = {
            "run": ["run", str(scenario), "--report", str(self.report)],
            "serve": ["serve", "--scenario", str(scenario), "--state", str(folder / "state")],
        }[command]
        self.child = Child(
            [str(binary), *told, "--port", "0", "--bind", "127.0.0.1", "--advertise", "off", "--setup-code",
             Server.SETUP_CODE, "--ready-file", str(self.ready)],
            self.log, dict(os.environ),
        )
        self.controller = controller
        self.session: Session | None = None

    async def done(self, count: int) -> None:
        """Waits until this number of steps is done."""
        def seen() -> bool:
            text = self.log.read_text(errors="replace")
            assert "✘" not in text, f"a step failed: {text}"
            return text.count("✔") >= count

        await until(seen, PATIENCE, f"{count} steps are done: {self.child.log_tail()}")

    async def pairs(self) -> None:
        await until(self.ready.exists, PATIENCE, f"it listens: {self.child.log_tail()}")
        data = await pair(self.controller, json.loads(self.ready.read_text())["servers"][0])
        self.session = Session(self.controller, data)

    async def connects(self) -> None:
        await self.session.open()
        await self.session.list_accessories_and_characteristics()

    async def reads(self) -> None:
        assert await self.session.read(self.place(LIGHT)) in (0, 1)

    async def reads_what_is_late(self) -> None:
        place = self.place(LIGHT)
        answer = await self.session.get_characteristics([place])
        assert answer[place].get("status") == TIMED_OUT, f"the fault of the scenario is not seen: {answer}"

    async def subscribes(self) -> None:
        await self.session.subscribe([self.place(DOOR), self.place(LIGHT)])

    async def writes(self) -> None:
        assert await self.session.write(self.place(TARGET), OPEN) == {}

    async def unpairs(self) -> None:
        await self.session.remove_pairing(self.session.pairing_data["iOSPairingId"])

    def place(self, kind: tuple[str, str]) -> Identifier:
        return self.session.identifier(*kind)

    async def ended(self) -> int:
        """Returns the exit status after the process has ended by itself."""
        await until(lambda: not self.child.runs, PATIENCE, f"it ends: {self.child.log_tail()}")
        return self.child.process.returncode

    @property
    def suite(self) -> tree.Element:
        """Returns the text of the report."""
        return tree.parse(self.report).getroot().find("testsuite")

    async def close(self) -> None:
        if self.session is not None:
            self.session.connection._start_connector = lambda: None
        await close_all(self.session)
        self.child.end()


def expected(deed: str, of: str | None = None, within: str = "1min") -> str:
    return f"expect: {{ controller: {deed}, {f'of: {of}, ' if of else ''}within: {within} }}"


# Each step with the controller's action that fulfils it; none for a step of the simulation.
PLAY: list[tuple[str, Callable[[Player], Awaitable[None]] | None]] = [
    (expected("pairs"), Player.pairs),
    (expected("connects"), Player.connects),
    (expected("reads", "Garage Light/On"), Player.reads),
    (expected("subscribes", "Garage Door/Current Door State"), Player.subscribes),
    (expected("writes", "Garage Door/Target Door State"), Player.writes),
    ("expect: { event: Garage Door/Current Door State, becomes: Opening, within: 1min }", None),
    ("{ set: Garage Light/On, to: true }", None),
    ("expect: { event: Garage Light/On, becomes: true, within: 1min }", None),
    (f"{{ fault: status, on: Garage Light/On, with: {{ code: {TIMED_OUT} }} }}", None),
    (expected("reads", "Garage Light"), Player.reads_what_is_late),
    ("clear: status", None),
    (expected("reads", "Garage Light"), Player.reads),
    (expected("unpairs"), Player.unpairs),
]
# The expectations that fail if the controller does nothing, and the beginning of each message.
IDLE = {
    **{expected(deed, within="300ms"): f"a controller {deed}" for deed in
       ("pairs", "unpairs", "connects", "reads", "writes", "subscribes")},
    "expect: { event: Garage Door/Current Door State, within: 300ms }": "an event of Garage Door/Current Door State",
}
OTHERWISE = [expected("connects"), expected("writes", "Garage Door/Target Door State", "10s"), "log: Not reached"]


async def play(player: Player) -> None:
    for place, (_, deed) in enumerate(PLAY):
        if deed is not None:
            await player.done(place)
            await deed(player)
    await player.done(len(PLAY))


async def met(player: Player) -> None:
    await play(player)
    status = await player.ended()
    assert status == 0, f"it ends with {status}: {player.child.log_tail()}"
    found = dict(player.suite.attrib)
    assert (found["tests"], found["failures"], found["skipped"]) == (str(len(PLAY)), "0", "0"), f"its report says {found}"
    door, light = player.place(DOOR), player.place(LIGHT)
    assert player.session.events[:2] == [(door, OPENING), (light, 1)], f"the controller saw {player.session.events}"


async def met_beside(player: Player) -> None:
    await play(player)
    await until(lambda: f"Scenario Deeds: {len(PLAY)} of {len(PLAY)} steps done." in player.child.log_tail(), PATIENCE, "it is told")
    assert player.child.runs, "it does not go on serving"
    assert await player.child.stop() == 0, player.child.log_tail()


async def unmet(player: Player, *words: str, skipped: int = 0) -> None:
    status = await player.ended()
    assert status == 1, f"it ends with {status}: {player.child.log_tail()}"
    found = dict(player.suite.attrib)
    assert (found["failures"], found["skipped"]) == ("1", str(skipped)), f"its report says {found}"
    message = player.suite.find(".//failure").get("message")
    printed = player.log.read_text()
    for word in words:
        assert word in message and word in printed, f"{word!r} is not in {message!r}, or not in {printed!r}"


async def done_otherwise(player: Player) -> None:
    await player.pairs()
    await player.connects()
    await player.done(1)
    await player.reads()
    await unmet(player, "Seen instead:", "a controller reads Garage Light/On", skipped=1)


async def check(account: Account, binary: Path, folder: Path) -> None:
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    controller = IpController(CharacteristicCacheMemory(), zeroconf)
    try:
        for number, (claim, (steps, command, show)) in enumerate(CLAIMS.items()):
            player = Player(binary, folder / str(number), controller, steps, command)
            began = time.monotonic()
            try:
                await show(player)
            except Exception as error:  # any error decides the claim
                account.fails(claim, f"{type(error).__name__}: {error}")
            else:
                account.passes(claim, time.monotonic() - began)
            finally:
                await player.close()
    finally:
        await zeroconf.async_close()


def idle(words: str) -> Callable[[Player], Awaitable[None]]:
    return lambda player: unmet(player, words, "Expected within 300ms: ", "Seen instead: no controller did anything")


CLAIMS: dict[str, tuple[list[str], str, Callable[[Player], Awaitable[None]]]] = {
    "a controller does what is expected: hap run ends with 0, and its report has no failure":
        ([step for step, _ in PLAY], "run", met),
    "the same with hap serve, which reports it and continues": ([step for step, _ in PLAY], "serve", met_beside),
    **{f"it is not done: {words}: hap run ends with 1 and says so": ([step], "run", idle(words))
       for step, words in IDLE.items()},
    "a controller does something else: hap run ends with 1, reports it, and skips the rest": (OTHERWISE, "run", done_otherwise),
}


async def run(binary: Path, folder: Path) -> bool:
    account = Account(tuple(CLAIMS))
    try:
        async with asyncio.timeout(ALL):
            await check(account, binary, folder)
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    passed = account.complete()
    account.sum()
    return passed


def main() -> int:
    return program.perform(program.arguments(__doc__).parse_args(), "deeds", run)


if __name__ == "__main__":
    sys.exit(main())
