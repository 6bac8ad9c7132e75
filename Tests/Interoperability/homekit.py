"""Runs apps that were written for Apple's HomeKit framework against `hap serve`, built with this package's HomeKit.

    homekit.py --apps FOLDER --hap BINARY

FOLDER has the programs ConsumerHomeLister, ConsumerSceneStudio, ConsumerDashboard and ConsumerFinder, whose sources are in
Tests/HomeKitApps. Prints a line for each claim and their number. The exit status is 1 if a claim failed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from claims import Account, say
import program
from processes import Child, PrivateDiscovery, Server
from waiting import until

RUN_LIMIT = 240.0
STEP_LIMIT = 60.0
CLAIMS = (
    "a browser finds the accessory, a payload adds it to a room, and removing it lets it be found again",
    "an app lists a home that hap has created, reads and writes values, saves a favorite and runs a scene",
    "an app creates, runs, edits and removes rooms, scenes, a timer and event triggers",
    "hap lists what the app has changed",
    "an app adds the accessory, and its tiles show taps, sliders, new names and rooms",
    "an app notices that the accessory disappears and returns",
)


class House:
    """A served garage and the state folders of the apps."""

    def __init__(self, apps: Path, binary: Path, folder: Path) -> None:
        self.apps, self.binary, self.folder = apps, binary, folder
        self.discovery = PrivateDiscovery(folder)
        self.server = Server(binary, folder / "server", self.discovery.environment)
        self.ready: dict[str, object] = {}
        self.dashboard: Child | None = None

    async def start(self) -> None:
        await self.discovery.start()
        self.ready = (await self.server.start())["servers"][0]

    def end(self) -> None:
        if self.dashboard is not None:
            self.dashboard.end()
        self.server.end()
        self.discovery.end()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.ready['port']}"

    async def app(self, name: str, *arguments: str, text: str = "") -> str:
        """Runs an app to its end, and returns its output."""
        process = await asyncio.create_subprocess_exec(
            self.apps / f"Consumer{name}", *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.discovery.environment,
        )
        output, _ = await asyncio.wait_for(process.communicate(text.encode()), STEP_LIMIT)
        assert process.returncode == 0, f"{name} ends with {process.returncode}: {output.decode()}"
        return output.decode()

    async def hap(self, *arguments: str, state: Path) -> str:
        process = await asyncio.create_subprocess_exec(
            self.binary, "home", *arguments, "--state", state, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.discovery.environment,
        )
        output, _ = await asyncio.wait_for(process.communicate(), STEP_LIMIT)
        assert process.returncode == 0, f"hap home {arguments} ends with {process.returncode}: {output.decode()}"
        return output.decode()

    async def home(self, name: str) -> Path:
        """Creates a state folder with a home that contains the garage."""
        state = self.folder / name
        await self.hap("add", "home", "Kilgo House", "{ place: { latitude: 50.11, longitude: 8.68 } }", state=state)
        await self.hap("add-accessory", Server.SETUP_CODE, self.address, state=state)
        return state

    async def unpair(self, state: Path) -> None:
        """Removes the pairing of a state folder, so that another one can pair."""
        process = await asyncio.create_subprocess_exec(
            self.binary, "unpair", "kilgo-garage", "--state", state, stdout=subprocess.DEVNULL,
            env=self.discovery.environment,
        )
        assert await process.wait() == 0


def assert_contains(output: str, *lines: str) -> None:
    for line in lines:
        assert line in output, f"{line!r} is missing in:\n{output}"


async def check_browser(house: House) -> None:
    output = await house.app("Finder", str(house.folder / "finder"), str(house.ready["setupURI"]))
    assert_contains(output, "discovered: Kilgo Garage, Garage Door Opener, KG-100\n", "added: Big Garage in Garage\n",
             "  Garage Door: Name, Current Door State, Target Door State", "gone: Kilgo Garage\n", "done\n")
    assert output.count("found: Kilgo Garage\n") == 2, output


async def check_lister(house: House) -> None:
    state = await house.home("lister")
    await house.hap("add", "scene", "Bright", "{ actions: [{ set: Garage Light/On, to: on }] }", state=state)
    script = (
        "list", "get Kilgo Garage/CurrentDoorState", "set Kilgo Garage/TargetDoorState 0",
        "get Kilgo Garage/TargetDoorState", "set Kilgo Garage/Brightness 500", "get Kilgo Garage/Brightness",
        "set Kilgo Garage/CurrentDoorState 1", "favorite Kilgo Garage", "favorites", "scene Bright",
        "get Kilgo Garage/PowerState", "scene Good Night",
    )
    output = await house.app("HomeLister", str(state), text="".join(f"{line}\n" for line in script))
    assert_contains(
        output, "Home: Kilgo House (primary)\n", "Kilgo Garage [Garage Door Opener]\n",
        "Kilgo Devices, Inc. KG-100, firmware 1.0.0, reachable\n", "Fade Rate = 1.0 s (min 0, max 10, step 0.5)\n",
        "Kilgo Garage/CurrentDoorState = closed\n", "Kilgo Garage/TargetDoorState = 0\n",
        "Kilgo Garage/Brightness = 100%\n", "CurrentDoorState is not writable.\n", "Ran scene Bright\n",
        "Kilgo Garage/PowerState = true\n", "HomeKit error 25: Good Night has no actions.\n",
    )
    await house.unpair(state)


async def check_studio(house: House) -> None:
    state = await house.home("studio")
    output = await house.app("SceneStudio", str(state))
    assert_contains(
        output, "Room Garage: Kilgo Garage\n", "Zone Upstairs: Bedroom\n", "  Garage Door, Target Door State = 1\n",
        "Good Night executed\n", "  Bedtime [on]: every day at 23:00 → Good Night\n",
        "  Off to Work [on]: at 06:45, on Mon Tue Wed Thu Fri → Light the Garage\n",
        "becomes 2, under 2 condition(s) → Light the Garage\n", "  Late Bedtime [on]: every day at 23:30 → Sleep Tight\n",
        "Left: 0 trigger(s), 4 scene(s)\n",
    )


async def check_changes_in_hap(house: House) -> None:
    state = house.folder / "studio"
    output = await house.hap("list", "rooms", state=state)
    assert_contains(output, "Bedroom", "Garage")
    assert_contains(await house.hap("list", "scenes", state=state), "Sleep Tight")
    await house.unpair(state)


async def check_dashboard(house: House) -> None:
    house.dashboard = Child(
        [str(house.apps / "ConsumerDashboard"), str(house.folder / "dashboard"), house.address],
        house.folder / "dashboard.log", house.discovery.environment,
    )

    def output() -> str:
        return house.dashboard.log.read_text(errors="replace")

    await until(lambda: "waiting for the accessory" in output(), STEP_LIMIT, f"the app is used\n{house.dashboard.log_tail()}")
    assert_contains(
        output(), "added: Garage Door in Default Room: Closed; Garage Light in Default Room: Off\n",
        "tapped: Garage Door in Default Room: Opening; Garage Light in Default Room: On\n",
        "renamed and moved: Big Door in Garage: Open", "Garage Light in Garage: On\n",
        "error: That name contains characters that cannot be used.\n",
    )


async def check_return(house: House) -> None:
    log = house.dashboard.log
    await house.server.stop()
    await until(lambda: "\ngone: " in log.read_text(), STEP_LIMIT, f"the accessory is gone\n{house.dashboard.log_tail()}")
    house.ready = (await house.server.start())["servers"][0]
    await until(lambda: not house.dashboard.runs, STEP_LIMIT, f"the app ends\n{house.dashboard.log_tail()}")
    assert_contains(
        log.read_text(), "gone: Big Door in Garage: No Response; Garage Light in Garage: No Response\n", "\nback: Big Door",
        "\nremoved: \n",
    )


STEPS = (check_browser, check_lister, check_studio, check_changes_in_hap, check_dashboard, check_return)


async def check(apps: Path, binary: Path, folder: Path) -> bool:
    account = Account(CLAIMS)
    house = House(apps, binary, folder)
    try:
        async with asyncio.timeout(RUN_LIMIT):
            await house.start()
            for claim, step in zip(CLAIMS, STEPS, strict=True):
                try:
                    await step(house)
                except Exception as error:  # any error decides the claim
                    account.fails(claim, f"{type(error).__name__}: {error}")
                else:
                    account.passes(claim)
    except TimeoutError:
        say(f"The run was ended after {RUN_LIMIT:g} s.")
    finally:
        house.end()
    passed = account.complete()
    account.sum()
    return passed


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("--apps", type=Path, required=True, help="the folder of the apps' programs")
    options = parser.parse_args()
    apps = options.apps.resolve()
    return program.perform(options, "homekit", lambda binary, folder: check(apps, binary, folder))


if __name__ == "__main__":
    sys.exit(main())
