"""Drives the Kilgo app of Examples/KilgoApp in its script mode: against `hap serve`, HAP-python and the test kit.

    kilgo.py --app BINARY --hap BINARY

Prints a line for each claim and their number. The exit status is 1 if a claim failed.
"""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from claims import Account, say
import program
from processes import Child, PrivateDiscovery, Server
from waiting import until

RUN_LIMIT = 300.0
STEP_LIMIT = 60.0
CODE = "031-45-154"
# Free, because the program runs in a network namespace of its own.
PORT = 51827
PLACES = ("hap serve", "HAP-python", "the test kit")
CLAIMS = (
    "an app without a home adds the accessory, and shows its tiles",
    "it renames the door, and moves the accessory to a new room",
    "a tap opens the door and turns on the light",
    "an event of another controller changes the tile",
    "the settings show ten values; a slider writes while it moves, and the fade rate is written",
    "an obstructed door opens again",
    "a lost accessory is unreachable until it is back",
    "removing the accessory removes the pairing",
)


class App:
    """The app, whose standard input is the script."""

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str], *options: str) -> None:
        self.log = folder / "app.log"
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(
                [binary, "--state", folder / "app", *options], stdin=subprocess.PIPE, stdout=output,
                stderr=subprocess.STDOUT, env=environment, text=True, bufsize=1,
            )

    async def run(self, command: str, *expected: str) -> str:
        """Performs a command, and returns its output, which must contain some texts."""
        start = self.log.stat().st_size
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{command}\n")

        def text() -> str:
            return " ".join(self.log.read_bytes()[start:].decode(errors="replace").split())

        def output() -> str | None:
            ended, new = self.process.poll() is not None, text()
            if all(part in new for part in expected):
                return new
            assert not ended, f"{command}: the app ended: {new}"
            return None

        try:
            return await until(output, STEP_LIMIT, f"{command}: {expected}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{text()}") from None

    async def shows(self, *texts: str) -> None:
        """Waits until the first screen shows some texts."""
        for text in texts:
            await self.run(f"show\nwait {text}", f"Shown: {text}")

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(STEP_LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class ServedGarage:
    """The garage of `hap serve`."""

    options: tuple[str, ...] = ()
    #: The state of the door after a restart while it was open.
    restarted = "Open"

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str]) -> None:
        self.binary, self.folder, self.environment = binary, folder, environment
        more = ("--console", "127.0.0.1:0", "--time-scale", "6")
        self.server = Server(binary, folder, environment, advertise="off", more=more)
        self.port = 0

    async def start(self) -> None:
        self.port = (await self.server.start())["servers"][0]["port"]

    @property
    def added(self) -> str:
        return f"add {CODE} 127.0.0.1:{self.port}"

    async def write(self, name: str, value: str) -> None:
        """Writes a value as another controller: another process with the same pairing."""
        alias = json.loads(await self.hap("list", "--json"))["accessories"][0]["alias"]
        await self.hap("put", alias, f"{name}={value}")

    async def hap(self, *arguments: str) -> str:
        """Runs `hap` with the pairing of the app."""
        process = await asyncio.create_subprocess_exec(
            self.binary, *arguments, "--state", self.folder / "app", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.environment,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0, output.decode()
        return output.decode()

    async def obstruct(self, app: App) -> None:
        assert await self.server.simulate("obstruct", "Garage Door") == 0

    async def lose(self, app: App) -> None:
        await self.server.stop()

    async def find(self, app: App) -> None:
        await self.server.start()

    def written(self, name: str) -> int:
        """The number of writes of a characteristic."""
        return self.server.log_text().count(f"{name}: ")

    async def is_paired(self) -> bool:
        process = await asyncio.create_subprocess_exec(
            self.binary, "pair", f"127.0.0.1:{self.port}", "--code", CODE, "--state", self.folder / "other",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
        )
        return await process.wait() != 0

    def log_tail(self) -> str:
        return self.server.log_tail()

    def end(self) -> None:
        self.server.end()


class PeerGarage(ServedGarage):
    """The garage on HAP-python, which does not save its values."""

    restarted = "Closed"

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str]) -> None:
        super().__init__(binary, folder, environment)
        self.child: Child | None = None

    async def start(self) -> None:
        self.port = PORT
        peer = Path(__file__).with_name("kilgo_peer.py")
        command = [sys.executable, "-B", str(peer), str(self.port), str(self.folder), CODE]
        self.child = Child(command, self.folder / "peer.log", self.environment)
        await until(self.listens, STEP_LIMIT, f"HAP-python listens\n{self.child.log_tail()}")

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    async def obstruct(self, app: App) -> None:
        self.child.process.send_signal(signal.SIGUSR1)

    async def lose(self, app: App) -> None:
        await self.child.stop()

    async def find(self, app: App) -> None:
        await self.start()

    def written(self, name: str) -> int:
        return self.child.log.read_text(errors="replace").count(f"written: {name} ")

    def log_tail(self) -> str:
        return self.child.log_tail()

    def end(self) -> None:
        if self.child is not None:
            self.child.end()


class SimulatedGarage:
    """The garage of the test kit, in the process of the app."""

    options = ("--simulate",)
    restarted = "Open"
    added = "add"

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str]) -> None:
        self.app: App | None = None

    async def start(self) -> None:
        pass

    async def write(self, name: str, value: str) -> None:
        await self.app.run(f"! set {name} to {value}", name)
        await self.app.run("! advance 12s", "advanced")

    async def obstruct(self, app: App) -> None:
        await app.run("! obstruct Garage Door", "Obstructed")
        await app.run("! advance 12s", "advanced")

    async def lose(self, app: App) -> None:
        await app.run("! fault networkLoss", "networkLoss")

    async def find(self, app: App) -> None:
        await app.run("! clear networkLoss", "ended")

    def written(self, name: str) -> None:
        """What the app writes is not visible from here; the tests of the app count it."""

    async def is_paired(self) -> bool:
        try:
            await self.app.run("add", "added")
        except AssertionError:
            return True
        return False

    def log_tail(self) -> str:
        return ""

    def end(self) -> None:
        pass


async def check_adding(app: App, garage: ServedGarage) -> None:
    await app.run("show", "no home yet")
    await app.run(garage.added, "The accessory was added.")
    await app.shows("Garage Door Closed Default Room", "Garage Light Off Default Room")


async def check_names(app: App, garage: ServedGarage) -> None:
    await app.run("rename Garage Door to Big Door", "The name is now Big Door.")
    await app.run("room Big Door to Garage", "Big Door is now in Garage.")
    await app.run("detail Big Door", "Name Big Door", "Room Garage", "Model KG-100", "Firmware 1.0.0")
    await app.shows("Big Door Closed Garage", "Garage Light Off Garage")


async def check_taps(app: App, garage: ServedGarage) -> None:
    await app.run("tap Big Door", "Big Door: ")
    await app.shows("Big Door Opening")
    if isinstance(garage, SimulatedGarage):
        await app.run("! advance 12s", "advanced")
    await app.shows("Big Door Open Garage")
    await app.run("tap Garage Light", "Garage Light: On")


async def check_events(app: App, garage: ServedGarage) -> None:
    await garage.write("Garage Light/On" if garage.options else "On", "off")
    await app.shows("Garage Light Off")
    await garage.write("Target Door State", "Closed")
    await app.shows("Big Door Closed Garage")


async def check_settings(app: App, garage: ServedGarage) -> None:
    door = ("Door Closed", "Door State Closed", "Obstructed No", "Lock Unlocked", "Lock State Unlocked")
    await app.run("settings Big Door", *door)
    await app.run("settings Garage Light", "Power Off", "Brightness 100%", "Hue 0°", "Saturation 0%", "Fade Rate 1 s")
    before = garage.written("Brightness")
    await app.run("slide Brightness of Garage Light to 40", "Brightness of Garage Light: 40%")
    await app.run("set Fade Rate of Garage Light to 2.5", "Fade Rate of Garage Light: 2.5 s")
    await app.run("settings Garage Light", "Brightness 40%", "Fade Rate 2.5 s")
    if before is not None:
        count = garage.written("Brightness") - before
        assert count > 1, f"{count} writes while the slider moved\n{garage.log_tail()}"


async def check_obstruction(app: App, garage: ServedGarage) -> None:
    await app.run("tap Big Door", "Big Door: ")
    if isinstance(garage, SimulatedGarage):
        await app.run("! advance 12s", "advanced")
    await app.shows("Big Door Open Garage")
    await app.run("tap Big Door", "Big Door: ")
    await app.shows("Big Door Closing")
    await garage.obstruct(app)
    await app.shows("Big Door Open Garage")
    await app.run("settings Big Door", "Obstructed Yes")


async def check_return(app: App, garage: ServedGarage) -> None:
    await garage.lose(app)
    await app.shows("Big Door Unreachable", "Garage Light Unreachable")
    await app.run("tap Garage Light", "Garage Light: ")
    await garage.find(app)
    await app.shows(f"Big Door {garage.restarted} Garage", "Garage Light Off")


async def check_removal(app: App, garage: ServedGarage) -> None:
    await app.run("remove Big Door", "Big Door was removed.")
    await app.shows("no Kilgo accessories")
    assert not await garage.is_paired(), "the accessory still has a pairing"


STEPS = (
    check_adding, check_names, check_taps, check_events, check_settings, check_obstruction, check_return, check_removal,
)
GARAGES = (ServedGarage, PeerGarage, SimulatedGarage)


async def check(binary: Path, app_binary: Path, folder: Path) -> bool:
    account = Account(tuple(f"{place}: {claim}" for place in PLACES for claim in CLAIMS))
    discovery = PrivateDiscovery(folder)
    try:
        async with asyncio.timeout(RUN_LIMIT):
            await discovery.start()
            for place, kind in zip(PLACES, GARAGES, strict=True):
                own = folder / place.replace(" ", "-")
                own.mkdir()
                garage = kind(binary, own, discovery.environment)
                app: App | None = None
                try:
                    await garage.start()
                    app = App(app_binary, own, discovery.environment, *garage.options)
                    if isinstance(garage, SimulatedGarage):
                        garage.app = app
                    for claim, step in zip(CLAIMS, STEPS, strict=True):
                        try:
                            await step(app, garage)
                        except Exception as error:  # any error decides the claim
                            account.fails(f"{place}: {claim}", f"{type(error).__name__}: {error}\n{garage.log_tail()}")
                            break
                        account.passes(f"{place}: {claim}")
                finally:
                    if app is not None:
                        app.end()
                    garage.end()
    except TimeoutError:
        say(f"The run was ended after {RUN_LIMIT:g} s.")
    finally:
        discovery.end()
    passed = account.complete()
    account.sum()
    return passed


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("--app", type=Path, required=True, help="the program kilgo")
    options = parser.parse_args()
    app = options.app.resolve()
    return program.perform(options, "kilgo", lambda binary, folder: check(binary, app, folder))


if __name__ == "__main__":
    sys.exit(main())
