"""Tests every command of the homes of `hap`, as a process, with HAP-python and with `hap serve`.

    home.py [--hap BINARY] [--log FOLDER]

Prints a line for each claim and their number. Exit status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

import program
from claims import Account
from controller import ALL, CODE, COMMAND, Controller, HapPython, Ours, Watch

CLAIMS = (
    "paired and placed in a room, its services named, by one command",
    "the home is shown as a tree and as JSON",
    "set by room and type, by name and by property",
    "a scene runs, and is then on",
    "a scene with one failing action runs the others, ends with 2 and names it",
    "an unknown name ends with 64 and changes nothing",
    "run: a change by another process triggers an automation, which ends automatically",
    "run: after the accessory was lost and is back, the automation runs again",
    "run: a user who leaves by another command triggers an automation",
    "the journal says why each automation ran",
    "exported, and imported again without a difference",
    "the services of a removed room remain in the home",
)


@dataclass
class Place:
    """The names of the accessory's services in the home."""

    light: str
    door: str
    #: Arguments of add-accessory.
    names: tuple[str, ...]
    #: An action that is refused, its status, and the assignments that cause the refusal.
    refused: str
    status: str
    prepare: tuple[str, ...]
    undo: tuple[str, ...]


PLACES = {
    Ours: Place(
        "Garage Lamp", "Garage Door", ("--service", "Lightbulb=Garage Lamp"), "Garage Door/TargetDoorState=Open", "-70412",
        ("LockTargetState=Secured",), ("LockTargetState=Unsecured",),
    ),
    HapPython: Place("Reading Light", "Garage", (), "Reading Light/Hue=120", "-70402", (), ()),
}


def scene(*assignments: str) -> str:
    """Returns the actions of a scene as in a home file, for assignments such as `Garage Lamp/On=off`."""
    actions = (assignment.rsplit("=", 1) for assignment in assignments)
    return "[" + ", ".join(f"{{ set: {what}, to: {value} }}" for what, value in actions) + "]"


async def check(account: Account, peer: HapPython | Ours, binary: Path, folder: Path) -> None:
    place = PLACES[type(peer)]
    hap = Controller(binary, folder / "controller")
    claims = iter(CLAIMS)

    def passes() -> None:
        account.passes(f"{peer.title}: {next(claims)}")

    async def home(*arguments: str, status: int = 0, texts: tuple[str, ...] = ()):
        return (await hap("home", *arguments)).expect(status, *texts)

    async def value(name: str) -> object:
        return (await hap("get", peer.names.alias, name, "--json")).expect(0).json["characteristics"][0]["value"]

    await peer.start()
    await home("add", "home", "Test House", "{ timeZone: Europe/Berlin }")
    await home("add", "room", "Shed")
    await home("add-accessory", CODE, f"127.0.0.1:{peer.port}", "--room", "Shed", *place.names,
               texts=(place.light, place.door, "Shed"))
    passes()

    await home(texts=("Test House (primary)", "Shed", place.light))
    shown = (await home("show", "--json")).json["homes"][0]
    services = {one["name"]: one for room in shown["rooms"] if room["name"] == "Shed" for one in room["services"]}
    assert {place.light, place.door} <= services.keys(), services
    passes()

    await home("set", "Shed", "lights", "on", texts=(f"{place.light}/On = on",))
    assert await value(peer.names.light) in (True, 1)
    await home("set", place.light, "Brightness", "40%")
    assert await value(peer.names.brightness) == 40
    await home("set", place.light, "off")
    assert await value(peer.names.light) in (False, 0)
    passes()

    await home("add", "scene", "Movie Time", scene(f"{place.light}/On=on", f"{place.light}/Brightness=10"))
    await home("scene", "run", "movie time")
    assert (await home("scene", "state", "Movie Time", "--json")).json == {"scene": "Movie Time", "on": True}
    assert await value(peer.names.brightness) == 10
    passes()

    await home("add", "scene", "Half", scene(f"{place.light}/On=off", place.refused, f"{place.light}/Brightness=70"))
    for assignment in place.prepare:
        (await hap("put", peer.names.alias, assignment)).expect(0)
        async with asyncio.timeout(COMMAND):
            while "Secured" not in (await hap("get", peer.names.alias, "LockCurrentState")).expect(0).output:
                await asyncio.sleep(0.2)
    await home("scene", "run", "Half", status=2, texts=(place.status,))
    half = (await hap("home", "scene", "run", "Half", "--json")).expect(2).json["results"]
    assert sorted(one["outcome"] for one in half) == ["done", "done", "refused"], half
    assert await value(peer.names.brightness) == 70
    for assignment in place.undo:
        (await hap("put", peer.names.alias, assignment)).expect(0)
    passes()

    await home("set", "Shedd", "lights", "on", status=64)
    await home("scene", "run", "Movie Tyme", status=64, texts=("Movie Time",))
    await home("add", "room", "shed", status=64)
    passes()

    await home("add", "automation", "Light it",
               f"{{ when: {{ characteristic: {place.door}/TargetDoorState, becomes: Open }}, "
               f"run: {scene(f'{place.light}/On=on')}, end: {{ after: 2s, restore: true }} }}")
    await home("add", "user", "Ada")
    await home("user", "arrive", "Ada")
    await home("add", "automation", "Away",
               f"{{ when: {{ presence: lastLeaves }}, run: {scene(f'{place.door}/TargetDoorState=Closed')} }}")
    run = Watch(await hap.start("home", "run", "--json"))
    try:
        await run.next(event="reachable")
        # Waits: until the current values have arrived, so that the next value counts as a change.
        await asyncio.sleep(1)
        (await hap("put", peer.names.alias, f"{peer.names.door}=Open")).expect(0)
        await run.next(event="set", automation="Light it", message=f"Light it: {place.light}/On = on.")
        await run.next(event="set", automation="Light it", message=f"Light it: {place.light}/On = off.")
        assert await value(peer.names.light) in (False, 0)
        (await hap("put", peer.names.alias, f"{peer.names.door}=Closed")).expect(0)
        passes()

        await peer.stop()
        await run.next(event="unreachable")
        await peer.start()
        await run.next(event="reachable")
        (await hap("put", peer.names.alias, f"{peer.names.door}=Open")).expect(0)
        await run.next(event="set", automation="Light it")
        passes()

        await home("user", "leave", "Ada")
        await run.next(event="set", automation="Away")
        async with asyncio.timeout(COMMAND):
            while await value(peer.names.door) != 1:
                await asyncio.sleep(0.1)
        passes()
        run.process.send_signal(2)
        assert await run.end() == 0
    finally:
        run.kill()

    entries = (await home("journal", "--json")).json["entries"]
    told = [(one["automation"], one["kind"]) for one in entries]
    assert told.count(("Light it", "ran")) == 2 and ("Light it", "ended") in told and ("Away", "ran") in told, told
    await home("journal", texts=("Light it ran:", "Ada left last"))
    passes()

    file = folder / "home.yaml"
    await home("export", str(file), texts=("Test House",))
    assert (await home("import", str(file), "--dry-run", "--json")).json["changes"] == []
    await home("rename", "scene", "Half", "Other Half")
    assert (await home("import", str(file), "--dry-run", "--json")).json["changes"] != []
    passes()

    await home("remove", "room", "Shed", texts=("Default Room",))
    assert (await home("show", "--json")).json["homes"][0]["rooms"][-1]["services"]
    passes()
    await peer.stop()


async def run(binary: Path, folder: Path) -> bool:
    account = Account(tuple(f"{peer.title}: {claim}" for peer in PLACES for claim in CLAIMS))
    for kind in PLACES:
        place = folder / kind.__name__
        place.mkdir()
        peer = kind(binary, place)
        try:
            async with asyncio.timeout(ALL):
                await check(account, peer, binary, place)
        except Exception as error:  # any error decides the first claim without a result
            open_claims = [claim for claim in account.claims
                           if claim.startswith(f"{kind.title}: ") and claim not in account.passed]
            if open_claims:
                account.fails(open_claims[0], f"{type(error).__name__}: {error}")
            else:
                raise
        finally:
            peer.end()
    passed = account.complete()
    account.sum()
    return passed


def main() -> int:
    options = program.arguments(__doc__, log="keep what was written in this folder").parse_args()
    return program.perform(options, "home", run, program.keep_all(options.log))


if __name__ == "__main__":
    sys.exit(main())
