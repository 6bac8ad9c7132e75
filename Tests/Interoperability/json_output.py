"""Validates the output of every command with --json, including errors, with docs/json.schema.json.

    json_output.py [--hap BINARY]

Serves the Kilgo garage and an outlet on a private loopback interface with a bus and an Avahi, and runs every command
that has --json. Its output, or each line of it, must match the command's definition in the schema. Commands that fail
print the definition `Failure` on standard error. A command that the schema does not name is an error. Prints a line for
each command and their number.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema

import program
from claims import say
from processes import Child, PrivateDiscovery, Server
from waiting import until

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs/json.schema.json").read_text())
OPTIONS = (ROOT / "Tests/hapTests/ExternalNames/commands.txt").read_text().splitlines()
NAME = "Kilgo Garage"
CODE = Server.SETUP_CODE
LIMIT = 60.0


def json_lines(text: str) -> list[str]:
    """Returns the lines that are objects; the others are messages on standard error."""
    return [line for line in text.splitlines() if line.startswith("{")]


class Checker:
    """Runs commands and validates their output."""

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str]) -> None:
        self.binary, self.folder = binary, folder
        self.environment = dict(environment, XDG_STATE_HOME=str(folder / "home"))
        self.seen: set[str] = set()
        self.failed = 0

    def matches(self, command: str, texts: list[str], definition: str) -> None:
        """Reports whether every text matches a definition of the schema."""
        reference = {"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]}
        validator = jsonschema.Draft202012Validator(reference)
        reason = "" if texts else "it printed nothing"
        for text in texts:
            try:
                errors = sorted(validator.iter_errors(json.loads(text)), key=lambda error: list(error.path))
                reason = reason or "".join(f"{error.json_path}: {error.message}; " for error in errors[:2])
            except json.JSONDecodeError as error:
                reason = f"{error}: {text[:200]}"
        self.failed += bool(reason)
        say(f"FAILED  {command}: {reason}" if reason else f"ok  {command}")

    async def run(self, *words: str, status: int = 0, lines: bool = False) -> None:
        """Runs a command, and validates its output, or its error if it is expected to fail."""
        command = [str(self.binary), *words, "--json"]
        result = await asyncio.to_thread(subprocess.run, command, stdin=subprocess.DEVNULL, capture_output=True,
                                         text=True, env=self.environment, timeout=LIMIT, check=False, cwd=self.folder)
        shown = "hap " + " ".join(words)
        if result.returncode != status:
            self.failed += 1
            say(f"FAILED  {shown}: status {result.returncode}: {result.stderr or result.stdout}")
        elif result.stderr and not result.stdout:
            self.matches(f"{shown} (fails)", [result.stderr], "Failure")
        else:
            self.matches(shown, result.stdout.splitlines() if lines else [result.stdout], self.definition(words))

    def definition(self, words: tuple[str, ...]) -> str:
        """Returns the name of the definition for the command that begins with these words."""
        for count in range(len(words), 0, -1):
            command = " ".join(("hap", *words[:count]))
            if reference := SCHEMA["commands"].get(command):
                self.seen.add(command)
                return reference.removeprefix("#/$defs/")
        raise AssertionError(f"the schema does not name hap {' '.join(words)}")

    async def follow(self, *words: str, until_line: int, act: tuple[tuple[str, ...], ...]) -> None:
        """Runs a command that prints lines until it is interrupted, while other commands run."""
        log = self.folder / f"{words[0]}.log"
        child = Child([str(self.binary), *words, "--json"], log, self.environment)
        try:
            await until(lambda: log.read_text().count("\n") >= 1, LIMIT, f"hap {' '.join(words)} prints a line")
            for command in act:
                await self.run(*command)
            await until(lambda: log.read_text().count("\n") >= until_line, LIMIT, "it follows")
            await child.stop(signal.SIGINT)
        finally:
            child.end()
        self.matches("hap " + " ".join(words), json_lines(log.read_text()), self.definition(words))

    def complete(self) -> bool:
        """Reports commands with --json that were not run, and names in the schema without a command."""
        known = {line.split(":")[0] for line in OPTIONS if " --json" in line}
        for command in sorted(known ^ set(SCHEMA["commands"])):
            self.failed += 1
            say(f"FAILED  {command}: only one of the command line and docs/json.schema.json has it")
        for command in sorted(known & set(SCHEMA["commands"]) - self.seen):
            self.failed += 1
            say(f"FAILED  {command}: not run")
        say(f"{len(self.seen)} commands, {self.failed} failed")
        return self.failed == 0


async def check(binary: Path, folder: Path) -> bool:
    discovery = PrivateDiscovery(folder)
    await discovery.start()
    server = Server(binary, folder / "server", discovery.environment)
    trace = folder / "outlet.trace"
    workshop = folder / "workshop.yaml"
    workshop.write_text("home: Workshop\naccessories:\n  - accessory: Coffee Machine\n    services: { Outlet: Coffee }\n")
    outlet = Server(binary, folder / "outlet", discovery.environment, files=(ROOT / "Accessories/outlet.yaml",),
                    more=("--json", "--trace", str(trace), "--home", str(workshop)))
    television = Server(binary, folder / "television", discovery.environment,
                        files=(ROOT / "Accessories/television-cast.yaml",))
    try:
        ready = (await server.start())["servers"][0]  # type: ignore[index]
        socket = (await outlet.start())["servers"][0]  # type: ignore[index]
        checker = Checker(binary, folder, discovery.environment)
        bad = folder / "bad.yaml"
        bad.write_text("accessory: A\nservices:\n  - type: Lightbulp\n")
        address = f"127.0.0.1:{ready['port']}"
        await until(lambda: "advertised as" in server.log_text(), LIMIT, "the garage is announced")
        await run_commands(checker, bad, address, socket)
        await drive(checker, server.state)
        await television.start()
        await checker.run("cast", "root", "--state", str(television.state))
        await cast(checker, "Living Room", television.state)
        television.end()
        checker.matches("hap serve", json_lines(outlet.log_text()), checker.definition(("serve",)))
        await read_trace(checker, trace)
        # Of the two processes, only this one has a home.
        await checker.run("home", "status", "--served")
        await checker.run("home", "journal", "--served")
        return checker.complete()
    finally:
        television.end()
        outlet.end()
        server.end()
        discovery.end()


async def run_commands(checker: Checker, bad: Path, address: str, outlet: dict[str, Any]) -> None:
    run = checker.run
    gallery = str(ROOT / "Accessories/garage.yaml")
    await run("types", "Lightbulb")
    await run("types", "Current Door State")
    await run("validate", gallery, str(bad), str(ROOT / "Config/home.yaml"), status=65)
    await run("doctor")
    await run("doctor", address)
    await run("discover")
    await run("home", "show")
    await run("get", "nothing", "On", status=64)
    failing = bad.with_name("failing.yaml")
    failing.write_text("scenario: S\nsteps:\n  - log: begin\n  - expect: { characteristic: Garage Light/On, becomes: on, within: 1s }\n")
    await run("run", str(ROOT / "Config/scenarios/garage-day.yaml"), str(failing), status=1)
    await run("serve", str(bad), status=65)
    await run("pair", "127.0.0.1:1", CODE, status=69)
    await run("pair", NAME, "03145155", status=2)
    await run("pair", CODE.replace("-", ""), NAME, "--as", "garage")
    await run("pairings")
    await run("pairings", "garage")
    await run("accessories", "garage")
    await run("get", "garage", "Lightbulb/On", "Current Door State", "Brightness")
    await run("put", "garage", "Lightbulb/On=on", "Brightness=40%")
    await run("put", "garage", "Current Door State=Open", status=2)
    await run("wait", "garage", "Lightbulb/On=on", "Brightness=40%", "--within", "20s")
    await checker.follow("watch", "garage", until_line=2, act=(("put", "garage", "Lightbulb/On=off"),))
    await run("identify", "garage")
    await run("doctor", "garage")
    await run("home", "add", "home", "House", "{ place: { latitude: 50, longitude: 8 } }")

    async def home(*words: str, status: int = 0) -> None:
        # Another process runs a home, so the one of the controller is named.
        await run("home", *words, "--stored", status=status)

    for kind, *words in (("room", "Hall"), ("room", "Cellar"), ("zone", "Downstairs", "Hall"), ("user", "Ada")):
        await home("add", kind, *words)
    await home("add-accessory", "--alias", "garage", "--room", "Hall")
    await home("add", "group", "Lights", "Garage Light")
    await home("add", "scene", "Dark", "[{ set: Garage Light/On, to: off }]")
    await home("add", "automation", "Night", "{ when: { characteristic: Garage Door/CurrentDoorState, "
               "becomes: Open }, run: [Dark], end: { after: 60s, restore: true } }")
    await home("change", "home", "House", "{ place: { latitude: 51 } }", status=64)
    await home("change", "home", "House", "{ place: { latitude: 51, longitude: 9 }, primary: true }")
    await home("change", "automation", "Night", "{ if: { days: weekend } }")
    await home("change", "automation", "Night", "{ if: Garage Light }", status=64)
    await home("edit", "scene", "Dark", "--file", "none.yaml", status=65)
    scene = bad.with_name("scene.yaml")
    scene.write_text("[{ set: Garage Light/On, to: on }]\n", encoding="utf-8")
    await home("edit", "scene", "Dark", "--file", str(scene), "--dry-run")
    await home("change", "scene", "Dark", "[{ set: Garage Light/Brightness, to: 10 }]")
    await home("change", "service", "Garage Light", "{ as: light }", status=64)
    await home("add-accessory", f"127.0.0.1:{outlet['port']}", outlet["setupCode"], "--as", "coffee", "--room", "Hall")
    await home("change", "service", "Coffee Machine", "{ as: Switch }")
    await home("move", "service", "Garage Light", "Cellar")
    await home("show")
    await home("scene", "run", "Dark")
    await home("scene", "state", "Dark")
    await home("set", "Garage Light", "on")
    await home("say", "turn off the garage light")
    await home("say", "make the garage light brighter", "--dry-run")
    await home("say", "is the garage light on?")
    await home("say", "open all doors", status=64)
    await home("status")
    await home("get", "Garage Light", "Brightness")
    await home("list")
    await home("list", "scenes")
    await home("show", "Dark")
    await home("automation", "disable", "Night")
    await home("automation", "enable", "Night")
    await home("user", "arrive", "Ada")
    await home("user", "leave", "Ada")
    await checker.follow("home", "watch", "lights", "--stored", until_line=2, act=(("put", "garage", "Lightbulb/On=on"),
                                                                      ("put", "garage", "Lightbulb/On=off")))
    await checker.follow("home", "run", until_line=3, act=(("put", "garage", "Target Door State=Open"),))
    await home("journal")
    await home("export")
    await run("home", "import", str(ROOT / "Config/home.yaml"), "--dry-run")
    await home("rename", "room", "Hall", "Porch")
    await home("move", "room", "Porch", "Downstairs", "--out")
    await home("remove", "scene", "Dark")
    await run("unpair", "garage")


async def cast(checker: Checker, receiver: str, state: Path) -> None:
    """Runs the commands that control a receiver."""

    async def run(command: str, *words: str, status: int = 0) -> None:
        await checker.run("cast", *command.split(), receiver, *words, status=status)

    await checker.run("routes")
    await run("pause", status=2)
    await run("launch", "KILGOQZ1")
    await run("send", "urn:x-cast:com.example.quiz", "hello")
    await run("send", "urn:x-cast:com.example.quiz", "hello", "--wait")
    await run("load", "http://example.com/own.mp4", "--app", "KILGOQZ1", "--title", "The Film", "--duration", "10min")
    await run("skip-ad", status=2)
    ads = checker.folder / "ads.yaml"
    ads.write_text("ads: [{ at: 0s, clips: [{ duration: 30s, skippableAfter: 0s }] }]\n")
    await run("load", "http://example.com/ads.mp4", "--breaks", str(ads), "--app", "KILGOQZ1")
    await run("skip-ad")
    for command in ("pause", "play", "seek 30", "rate 0.5", "volume 20", "mute", "status"):
        name, *words = command.split()
        await run(name, *words)
    await run("status", "--show-fingerprint")
    for name in ("b", "c"):
        await run("queue add", f"http://example.com/{name}.mp4")
    for command in ("list", "next", "previous", "shuffle", "repeat all", "jump 2", "move 2", "remove 3"):
        name, *words = command.split()
        await run(f"queue {name}", *words)
    log = checker.folder / "listen.log"
    words = ("cast", "listen", receiver, "urn:x-cast:com.example.quiz")
    child = Child([str(checker.binary), *words, "--json"], log, checker.environment)
    try:
        # The app tells it all senders that listen by then.
        while not json_lines(log.read_text() if log.exists() else ""):
            await checker.run("simulate", "--state", str(state), "ask", receiver, "send", "text=news")
        await child.stop(signal.SIGINT)
    finally:
        child.end()
    checker.matches("hap " + " ".join(words), json_lines(log.read_text()), checker.definition(words))
    await run("stop")
    await run("quit")


async def drive(checker: Checker, state: Path) -> None:
    """Runs the commands that act on a running server."""
    await checker.run("home", "add-accessory", "--all", "--served-from", str(state))
    await checker.run("simulate", "--state", str(state), "obstruct", "Garage Door")
    await checker.run("simulate", "--state", str(state), "obstruct", "Lamp", status=64)
    await checker.run("log", "--state", str(state), lines=True)


async def read_trace(checker: Checker, trace: Path) -> None:
    """Prints a trace, and repeats its last session of a verified controller."""
    await checker.run("trace", str(trace), lines=True)
    records = [json.loads(line) for line in trace.read_text().splitlines()]
    session = max(record["session"] for record in records if record.get("path") == "/characteristics")
    await checker.run("trace", str(trace), "--replay", "coffee", "--session", str(session))


def main() -> int:
    return program.perform(program.arguments(__doc__).parse_args(), "json", check)


if __name__ == "__main__":
    sys.exit(main())
