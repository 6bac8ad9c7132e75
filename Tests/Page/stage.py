"""The servers, the browser and the controllers of the tests."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

from browser import Browser
from claims import say
from console import Api
from gallery import pair
from processes import Server
from program import ROOT
from sessions import Session, close_all

HERE = Path(__file__).resolve().parent
GALLERY = ROOT / "Accessories"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Site:
    """A `hap serve` with its page, and the controllers that are paired with its accessories."""

    def __init__(self, binary: Path, folder: Path, zeroconf: AsyncZeroconf, *, files: Sequence[Path] = (),
                 more: tuple[str, ...] = ()) -> None:
        self.zeroconf = zeroconf
        self.sessions: dict[str, Session] = {}
        self.pairings: dict[str, dict[str, Any]] = {}
        self.server = Server(binary, folder, dict(os.environ, XDG_RUNTIME_DIR=str(folder)), files=files, advertise="off",
                             more=("--console", f"127.0.0.1:{free_port()}", *more))

    async def start(self) -> None:
        self.ready = await self.server.start()
        self.api = Api(self.server, self.ready)

    @property
    def page(self) -> str:
        """The address of the page, without the token."""
        return f"{self.ready['console']}/"

    @property
    def link(self) -> str:
        """The link with the token, as the server prints it on a terminal."""
        return f"{self.page}#token={self.api.token}"

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request to the API, and returns the JSON of its response."""
        answer = await self.api.ask(method, f"/api/v1/{path}", None if body is None else json.dumps(body).encode())
        assert answer.status < 300, (method, path, answer)
        return answer.json if answer.body else None

    def entry(self, key: str) -> dict[str, Any]:
        """Returns what the ready file says about an accessory."""
        return next(entry for entry in self.ready["servers"] if entry["key"] == key)

    async def session(self, key: str, entry: dict[str, Any] | None = None) -> Session:
        """Returns a session of aiohomekit with an accessory, which is paired at the first call.

        `entry` describes an accessory that is served since the start: what the API says about its server.
        """
        if key not in self.sessions:
            entry = entry or self.entry(key)
            controller = IpController(CharacteristicCacheMemory(), self.zeroconf)
            if key not in self.pairings:
                self.pairings[key] = await pair(controller, entry)
            session = Session(controller, self.pairings[key] | {"AccessoryPort": entry["port"]})
            await session.open()
            await session.list_accessories_and_characteristics()
            self.sessions[key] = session
        return self.sessions[key]

    async def restart(self) -> None:
        """Starts the server again. The pairings stay; the sessions have ended."""
        await close_all(*self.sessions.values())
        self.sessions.clear()
        await self.server.stop()
        await self.start()

    async def set(self, key: str, characteristic: str, value: Any, by: str = "device") -> None:
        """Sets a value through the API. The characteristic is named by service and type, such as `43.25`."""
        path = f"servers/{quoted(key)}/characteristics/{await self.identifier(key, characteristic)}"
        await self.ask("PUT", path, {"value": value, "as": by})

    async def value(self, key: str, characteristic: str) -> Any:
        path = f"servers/{quoted(key)}/characteristics/{await self.identifier(key, characteristic)}"
        return (await self.ask("GET", path)).get("value")

    async def identifier(self, key: str, characteristic: str) -> str:
        service_type, _, wanted = characteristic.partition(".")
        for accessory in await self.ask("GET", f"servers/{quoted(key)}/accessories"):
            for service in accessory["services"]:
                for found in service["characteristics"]:
                    if service["type"] == service_type and found["type"] == wanted:
                        return str(found["id"])
        raise AssertionError(f"{key} has no characteristic {characteristic}")

    async def end(self) -> None:
        try:
            await close_all(*self.sessions.values())
        finally:
            self.server.end()


def quoted(name: str) -> str:
    return "".join(c if c.isalnum() else "".join(f"%{byte:02X}" for byte in c.encode()) for c in name)


class Stage:
    """Starts what the claims need, once for all of them."""

    def __init__(self, options: Any, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.browser = Browser()
        self.sites: dict[str, Site] = {}

    async def start(self) -> None:
        self.zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        await self.browser.start()

    async def site(self, name: str) -> Site:
        """Returns a site of SITES, which is started at the first call."""
        if name not in self.sites:
            files, more = SITES[name](self.folder)
            site = Site(self.options.hap, self.folder / name, self.zeroconf, files=files, more=more)
            self.sites[name] = site
            await site.start()
        return self.sites[name]

    async def open(self, name: str, view: str = "home") -> Site:
        """Opens the page of a site at a view, in a new document."""
        site = await self.site(name)
        await self.browser.open(site.link)
        if view != "home":
            await self.browser.go(view)
        return site

    async def end(self) -> None:
        try:
            for site in self.sites.values():
                await site.end()
        finally:
            await self.browser.end()
            await self.zeroconf.async_close()

    def log_tails(self) -> str:
        return "\n".join(f"--- {name}\n{site.server.log_tail()}" for name, site in self.sites.items())


def house(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The house of Config, and accessories that are not part of it."""
    files = [GALLERY / "motion-sensor.yaml", GALLERY / "doorbell.yaml", HERE / "controls.yaml"]
    return files, ("--home", str(ROOT / "Config/home.yaml"), "--seed", "1")


def day(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A garage with a scenario."""
    return [GALLERY / "garage.yaml"], ("--scenario", str(ROOT / "Config/scenarios/garage-day.yaml"), "--seed", "1")


def markup(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """An accessory whose names and values are markup."""
    return [HERE / "markup.yaml"], ()


def floor(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A bridge with 149 lamps."""
    lines = ["bridge: Tower", "accessories:"]
    for number in range(1, 150):
        lines += [f"  - accessory: Lamp {number}", "    services:", "      - type: Lightbulb",
                  f"        name: Lamp {number}", "        characteristics: { On: false, Brightness: 50 }"]
    file = folder / "tower.yaml"
    file.write_text("\n".join(lines) + "\n")
    return [file], ()


def restarted(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A lamp whose server is killed."""
    return [GALLERY / "dimmable-light.yaml"], ()


def television(_: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A television with cables."""
    return [GALLERY / "television.yaml"], ()


def workshop(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """An outlet, and a folder for definitions."""
    definitions = folder / "workshop" / "definitions"
    definitions.mkdir(parents=True)
    return [GALLERY / "outlet.yaml"], ("--accessories", str(definitions))


def shed(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A switch whose driver is a program, and a folder for definitions that may run programs."""
    definitions, file = folder / "shed" / "definitions", folder / "shed" / "shed.yaml"
    definitions.mkdir(parents=True)
    run = json.dumps(["python3", str(HERE / "shed.py"), str(folder / "shed" / "down")])
    file.write_text(f"accessory: Shed\ndriver: {{ command: {{ run: {run}, events: [overheated], actions: [calibrate, heat] }} }}\n"
                    "services: [{ type: Switch }]\n")
    return [file], ("--accessories", str(definitions), "--allow-commands")


HOME = """\
# Ours.
home: Small House
timeZone: Europe/Berlin
rooms: [Garage, Hall]
accessories:
  - accessory: Kilgo Garage
    definition: {gallery}/garage.yaml
    room: Garage
    services: {{ GarageDoorOpener: Garage Door, Lightbulb: Garage Light }}
scenes:
  Night: [{{ set: Garage Light/On, to: false }}]
automations:
  Bedtime: {{ when: {{ time: "22:30" }}, run: [Night] }}
"""


def cast(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A television that is a Cast receiver, and knows a film with ads."""
    text = (GALLERY / "television-cast.yaml").read_text()
    assert "  cast:\n" in text and "at: 0s" in text, "the receiver is written in another way"
    file = folder / "television-cast.yaml"
    file.write_text(text.replace("  cast:\n", "  cast:\n    port: 0\n"))
    return [file], ("--seed", "1")


def airplay(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A speaker that is an AirPlay receiver."""
    text = (GALLERY / "speaker-airplay.yaml").read_text()
    assert "driver: { airplay: {} }" in text, "the receiver is written in another way"
    file = folder / "speaker-airplay.yaml"
    file.write_text(text.replace("airplay: {}", "airplay: { port: 0 }"))
    return [file], ("--seed", "1")


def edited(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A home whose file is edited, an accessory that is not part of it, and a folder for definitions."""
    home, definitions = folder / "edited.yaml", folder / "edited-definitions"
    home.write_text(HOME.format(gallery=GALLERY))
    definitions.mkdir()
    return [GALLERY / "dimmable-light.yaml"], ("--home", str(home), "--accessories", str(definitions), "--seed", "1")


def of_scenario(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    """A home that a scenario names."""
    home, scenario = folder / "of-scenario.yaml", folder / "scenario.yaml"
    home.write_text(HOME.format(gallery=GALLERY).replace("Small House", "House of a scenario"))
    scenario.write_text(f"scenario: Nothing\nhome: {home}\nsteps:\n  - {{ log: Begun }}\n")
    return [], ("--scenario", str(scenario))


SITES: dict[str, Callable[[Path], tuple[list[Path], tuple[str, ...]]]] = {
    "house": house, "day": day, "markup": markup, "floor": floor, "restarted": restarted,
    "television": television, "cast": cast, "airplay": airplay, "workshop": workshop, "shed": shed, "edited": edited,
    "scenario": of_scenario,
}

# What every run checks on a desktop, and what only --proofs checks: phones, frames, memory, and long waits.
CLAIMS: dict[str, Callable[[Stage], Awaitable[None]]] = {}
PROOFS: dict[str, Callable[[Stage], Awaitable[None]]] = {}


def shows(claim: str, *, among: dict[str, Callable[[Stage], Awaitable[None]]] = CLAIMS) -> Callable[[Any], Any]:
    """Registers a check under its claim."""

    def add(check: Any) -> Any:
        among[claim] = check
        return check

    return add


def proves(claim: str) -> Callable[[Any], Any]:
    """Registers a check of --proofs under its claim."""
    return shows(claim, among=PROOFS)


def figure(text: str) -> None:
    """Prints a measured value."""
    say(f"    {text}")
