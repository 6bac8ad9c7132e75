"""Tests `hap serve FILE …` with aiohomekit: the gallery, dumps of real devices, an edit and an export.

    gallery.py [--hap BINARY] [--log FOLDER] [FILE …]

One process serves every definition in Accessories, and every dump in ../shared/dumps if that folder exists. Each server
is paired by its address, and its accessories are compared with the file, which is read without `hap`. FILE replaces the
default files. Prints a line for each claim and their number. Exit status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.discovery import IpDiscovery
from aiohomekit.model.categories import Categories
from aiohomekit.model.feature_flags import FeatureFlags
from aiohomekit.model.status_flags import StatusFlags
from aiohomekit.zeroconf import HomeKitService
from zeroconf.asyncio import AsyncZeroconf

import program
from claims import Account, say
import conversion
from driven import DRIVEN, check_driven
from editing import EDITS, check_edits
from expectations import differences, key_of
from processes import PrivateDiscovery, Server
from sessions import Session, close_all, full_type

GALLERY = program.ROOT / "Accessories"
TELEVISION = GALLERY / "television.yaml"
SHARED = program.ROOT.parent / "shared"
EXPORT = SHARED / "hasaccessory/Lightbulb.hasaccessory"

ALL = 240.0
ONE_FILE = 25.0
ENOUGH = 24

SERVED = "one process serves every file, each with an identity, a port and a setup code of its own"
CABLES = "a pulled cable hides an input of the television, the former one is shown, and events say so"
ENDED = "SIGTERM ends the process with status 0"


def gallery_files() -> list[Path]:
    definitions = sorted(GALLERY.glob("*.yaml"))
    assert len(definitions) >= ENOUGH, f"only {len(definitions)} definitions are in {GALLERY}"
    return definitions + sorted((SHARED / "dumps").glob("*.json"))


def claim_of(file: Path) -> str:
    return f"{file.name}: paired by its address, and what is listed is what it says"


async def pair(controller: IpController, entry: dict[str, Any]) -> dict[str, Any]:
    """Pairs with a server of the ready file without discovery."""
    service = HomeKitService(
        name=entry["name"], id=entry["deviceID"].lower(), model="", feature_flags=FeatureFlags(0),
        status_flags=StatusFlags.UNPAIRED, config_num=1, state_num=1, category=Categories(entry["category"]),
        protocol_version="1.1", type="_hap._tcp.local.", address="127.0.0.1", addresses=["127.0.0.1"], port=entry["port"],
    )
    finish = await IpDiscovery(controller, service).async_start_pairing(entry["key"])
    return dict((await finish(entry["setupCode"])).pairing_data)


async def check_file(file: Path, entry: dict[str, Any], controller: IpController) -> dict[str, Any]:
    """Returns the pairing data."""
    session: Session | None = None
    try:
        async with asyncio.timeout(ONE_FILE):
            data = await pair(controller, entry)
            session = Session(controller, data)
            await session.open()
            found = list(differences(file, await session.list_accessories_and_characteristics()))
            assert not found, "; ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
            return data
    finally:
        await close_all(session)


async def check_cables(data: dict[str, Any], controller: IpController, server: Server) -> None:
    """Pulls out the cable of the input that is shown, and plugs it in again."""
    session = Session(controller, data)
    try:
        await session.open()
        accessories = (await session.list_accessories_and_characteristics())[0]["services"]
        names = {full_type("23"), full_type("E3")}
        games = next(
            service for service in accessories
            if any(each["type"] in names and each.get("value") == "Games" for each in service["characteristics"])
        )
        places = {each["type"]: (1, each["iid"]) for each in games["characteristics"]}
        visible, configured = places[full_type("135")], places[full_type("D6")]
        shown = session.identifier("D8", "E7")
        await session.subscribe([shown, visible, configured])
        for value in (1, 2):
            assert await session.write(shown, value) == {}, "an input cannot be chosen"
        for command, events in (
            ("unplug", {shown: 1, visible: 1, configured: 0}),
            ("plug", {visible: 0, configured: 1}),
        ):
            session.events.clear()
            outcome = await server.simulate(command, "Television/Games")
            assert outcome == 0, f"{command} ends with {outcome}"
            for place, value in events.items():
                await session.expect_event(place, value, 5)
        assert await session.read(shown) == 1, "the television went back to what was plugged in again"
    finally:
        await close_all(session)


async def check_gallery(account: Account, server: Server, files: list[Path]) -> None:
    servers = (await server.start())["servers"]
    for key in ("key", "deviceID", "port", "setupCode"):
        assert len({entry[key] for entry in servers}) == len(files), f"{key} is not different for each file"
    for file, entry in zip(files, servers):
        key = key_of(file)
        assert key in (None, entry["key"]), f"{key} stands in the place of {entry['key']} in the ready file"
    account.passes(SERVED)
    controller = IpController(CharacteristicCacheMemory(), AsyncZeroconf(interfaces=["127.0.0.1"]))
    for file, entry in zip(files, servers):
        try:
            data = await check_file(file, entry, controller)
        except Exception as error:  # any error decides the claim of the file
            account.fails(claim_of(file), f"{type(error).__name__}: {error}")
        else:
            account.passes(claim_of(file))
            if file == TELEVISION:
                async with asyncio.timeout(ONE_FILE):
                    await check_cables(data, controller, server)
                account.passes(CABLES)
    status = await server.stop()
    if status == 0:
        account.passes(ENDED)
    else:
        account.fails(ENDED, f"it ended with status {status}")


def conversions() -> dict[str, Callable[[Path, Path], None]]:
    """The conversions by their claims."""
    checks = {conversion.GARAGE: lambda binary, folder: conversion.check_garage(binary, GALLERY / "garage.yaml", folder)}
    if EXPORT.exists():
        checks[conversion.EXPORT] = lambda binary, folder: conversion.check_export(binary, EXPORT, folder)
    return checks


def check_conversions(account: Account, binary: Path, folder: Path) -> None:
    for claim, check in conversions().items():
        try:
            check(binary, folder)
        except Exception as error:  # any error decides the claim of the conversion
            account.fails(claim, f"{type(error).__name__}: {error}")
        else:
            account.passes(claim)


async def check(binary: Path, files: list[Path], folder: Path) -> bool:
    account = Account((*conversions(), SERVED, *map(claim_of, files), *([CABLES] if TELEVISION in files else []), ENDED, DRIVEN, *EDITS))
    discovery = PrivateDiscovery(folder)
    gallery = Server(binary, folder / "gallery", discovery.environment, files=files, advertise="off")
    edited = Server(binary, folder / "edited", discovery.environment, files=[folder / "edited/strip.yaml"])
    try:
        async with asyncio.timeout(ALL):
            check_conversions(account, binary, folder)
            await check_gallery(account, gallery, files)
            controller = IpController(CharacteristicCacheMemory(), AsyncZeroconf(interfaces=["127.0.0.1"]))
            try:
                await check_driven(binary, folder / "driven", discovery.environment, controller, pair)
            except Exception as error:  # any error decides the claim
                account.fails(DRIVEN, f"{type(error).__name__}: {error}")
            else:
                account.passes(DRIVEN)
            await discovery.start()
            await check_edits(account, edited)
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    except Exception as error:  # the summary below lists the claims that were not reached
        say(f"The run ended early: {type(error).__name__}: {error}")
    finally:
        for server in (gallery, edited):
            server.end()
        discovery.end()
    passed = account.complete()
    if not passed:
        for server in (gallery, edited):
            say(f"--- the last lines of {server.log.parent.name}'s log\n{server.log_tail()}\n---")
    account.sum()
    return passed


def main() -> int:
    parser = program.arguments(__doc__, log="keep the servers' logs in this folder")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="what is served in the place of the gallery")
    options = parser.parse_args()
    files = [file.resolve() for file in options.files] or gallery_files()

    def keep(folder: Path) -> None:
        if options.log is not None:
            options.log.mkdir(parents=True, exist_ok=True)
            for log in folder.glob("*/server.log"):
                shutil.copyfile(log, options.log / f"{log.parent.name}.log")

    return program.perform(options, "gallery", lambda hap, folder: check(hap, files, folder), keep)


if __name__ == "__main__":
    sys.exit(main())
