"""Tests the Cast receiver of `hap serve` with VLC and Chromium, each unmodified.

    cast_proofs.py [--hap BINARY] [--log FOLDER]

VLC casts to Accessories/television-cast.yaml on loopback, while aiohomekit is connected. Chromium finds a receiver on
another host by multicast DNS, and checks its certificates. Prints a line for each claim with its duration in seconds.
Exit status 1 if a claim failed. Needs root, a machine that allows network namespaces, and an environment with selenium.
"""

from __future__ import annotations

import asyncio
import math
import os
import shutil
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

import stage
from cast_senders import CHROMEDRIVER, CHROMIUM, PATIENCE, VLC, Chromium, Events
from gallery import pair
from hosts import Host, make_switch
from livingroom import CHARACTERISTICS, DEFINITION, NAME
from processes import Server
from sessions import Session, close_all
from waiting import until

ALL = 600.0

PLAYER, PLAYER_INPUT = "CC1AD845", 2
#: The app that Chromium launches to mirror a tab.
MIRRORING = "0F5096E8"
#: Values of Current Media State and Target Media State.
PLAY, PAUSE, STOP = 0, 1, 2
#: How often Chromium tries before the script believes that it does not accept the receiver. Chromium reads the root
#: beside its first try, which can fail for that reason.
TRIES = 3

VLC_SENDER = "sender-vlc"
REJECTED = "(error_state = ChannelError::AUTHENTICATION_ERROR)"
ACCEPTED = "Auth challenge verification succeeded"
ASKS_FOR_APPS = '"type":"GET_APP_AVAILABILITY"'
OFFER = "urn:x-cast:com.google.cast.webrtc"

#: Chromium does not launch an app without any namespace.
BEDROOM = f"""\
accessory: Bedroom
driver:
  cast:
    address: 10.77.0.2
    apps:
      - id: {MIRRORING}
        name: Mirroring
        media: false
        namespaces: [urn:x-cast:com.example.mirroring]
services:
  - type: Television
    characteristics:
      Active: Inactive
      ActiveIdentifier: 0
      ConfiguredName: Bedroom
      SleepDiscoveryMode: AlwaysDiscoverable
      RemoteKey: null
      CurrentMediaState: Stop
"""

STEPS = stage.Steps()
shows = STEPS.shows


class Senders:
    """A receiver on loopback for VLC, another one on a host of its own for Chromium, and these senders."""

    def __init__(self, binary: Path, folder: Path) -> None:
        # VLC reads its file as another user.
        folder.chmod(0o711)
        self.folder = folder
        self.living_room = Server(binary, folder / "living-room", dict(os.environ), files=[DEFINITION], advertise="off")
        self.host = Host("first", "10.77.0.2", binary, folder)
        definition = folder / "bedroom.yaml"
        definition.write_text(BEDROOM)
        self.bedroom = Server(binary, self.host.folder, self.host.environment, on=self.host.on, bind=self.host.address,
                              files=[definition], advertise="off")
        self.host.server = self.bedroom
        self.hosts = (self.host,)
        self.events: Events | None = None
        self.home: Session | None = None
        self.vlc: VLC | None = None
        self.chromium: Chromium | None = None
        self.zeroconf: AsyncZeroconf | None = None

    async def open(self) -> None:
        make_switch()
        self.host.plug_in()
        await self.host.start_bus()
        await self.host.start_avahi()
        self.receiver, entry = await self.serve(self.living_room)
        self.zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        controller = IpController(CharacteristicCacheMemory(), self.zeroconf)
        self.home = Session(controller, await pair(controller, entry))
        await self.home.open()
        await self.home.list_accessories_and_characteristics()
        await self.home.subscribe([self.identifier(name) for name in CHARACTERISTICS if name != "RemoteKey"])

    async def serve(self, server: Server) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a server; returns what its ready file says about its receiver and its accessory."""
        ready = await server.start()
        if self.events is not None:
            self.events.end()
        self.events = Events(server)
        return ready["receivers"][0], ready["servers"][0]

    async def close(self) -> None:
        if self.vlc is not None:
            self.vlc.child.end()
        if self.chromium is not None:
            await self.chromium.end()
        if self.events is not None:
            self.events.end()
        await close_all(self.home)
        if self.zeroconf is not None:
            await self.zeroconf.async_close()
        self.living_room.end()
        self.host.end()

    async def check(self, seconds: float) -> None:
        """Has no invariants."""

    # HomeKit

    def identifier(self, name: str) -> tuple[int, int]:
        return self.home.identifier(*CHARACTERISTICS[name])

    async def receives(self, **values: Any) -> None:
        """Waits for events with these values."""
        for name, value in values.items():
            await self.home.expect_event(self.identifier(name), value, PATIENCE)

    async def writes(self, name: str, value: Any) -> None:
        answer = await self.home.write(self.identifier(name), value)
        assert answer == {}, f"the write of {name} is answered {answer}"

    def forget(self) -> None:
        """Forgets the events until now."""
        self.events.forget()
        self.home.events.clear()

    # Senders

    def start_vlc(self, name: str, *more: str) -> VLC:
        """Casts a tone with VLC."""
        file = self.folder / "tone.wav"
        if not file.exists():
            with wave.open(str(file), "wb") as tone:
                tone.setparams((1, 2, 8000, 0, "NONE", None))
                samples = (int(8000 * math.sin(time / 3)) for time in range(80_000))
                tone.writeframes(b"".join(sample.to_bytes(2, "little", signed=True) for sample in samples))
        self.vlc = VLC(self.folder / name, self.receiver, str(file), *more)
        return self.vlc

    async def start_chromium(self, name: str, root: Path) -> Chromium:
        if self.chromium is not None:
            await self.chromium.end()
        self.chromium = Chromium(self.folder / name, root)
        await self.chromium.start()
        return self.chromium

    async def root(self, server: Server) -> Path:
        """Saves the root certificate of a running receiver, and returns the file."""
        command = [str(server.binary), "cast", "root", "--state", str(server.state)]
        result = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        file = server.state.with_name("root.crt")
        file.write_text(result.stdout)
        return file


# VLC


@shows("VLC launches the Default Media Receiver, and loads the stream that it serves")
async def vlc_loads(senders: Senders) -> None:
    senders.start_vlc("vlc")
    await senders.events.reports("LAUNCH", sender=VLC_SENDER, appId=PLAYER)
    await senders.events.reports("CONNECTED", sender=VLC_SENDER, app="Default Media Receiver")
    load = await senders.events.reports("LOAD", sender=VLC_SENDER, title="tone.wav", contentType="audio/x-matroska")
    assert load["contentId"].startswith(f"http://{senders.receiver['host']}:"), load


@shows("HomeKit is notified: Active is 1, the input of the app is shown, and Current Media State is Play")
async def vlc_plays(senders: Senders) -> None:
    await senders.receives(Active=1, ActiveIdentifier=PLAYER_INPUT, CurrentMediaState=PLAY)
    await senders.vlc.sees("PLAYING")


@shows("VLC goes on although its stream is not fetched: it asks for the status, again and again")
async def vlc_asks(senders: Senders) -> None:
    senders.forget()
    before = len(senders.vlc.states)
    await until(lambda: len(senders.vlc.states) >= before + 2, PATIENCE, "VLC receives two answers")
    assert set(senders.vlc.states[before:]) == {"PLAYING"}, senders.vlc.states
    assert senders.vlc.child.runs and not senders.home.events, senders.home.events


@shows("VLC pauses and plays: Current Media State is an event")
async def vlc_pauses(senders: Senders) -> None:
    for request, state in (("PAUSE", PAUSE), ("PLAY", PLAY)):
        senders.forget()
        await senders.vlc.command("pause")
        await senders.events.reports(request, sender=VLC_SENDER)
        await senders.receives(CurrentMediaState=state)


@shows("HomeKit writes Target Media State: VLC sees PAUSED and PLAYING")
async def homekit_pauses(senders: Senders) -> None:
    for target, state in ((PAUSE, "PAUSED"), (PLAY, "PLAYING")):
        senders.forget()
        await senders.writes("TargetMediaState", target)
        await senders.receives(CurrentMediaState=target)
        await senders.vlc.sees(state)


@shows("VLC stops: IDLE CANCELLED, Current Media State is Stop, and the app still runs")
async def vlc_stops(senders: Senders) -> None:
    senders.forget()
    await senders.vlc.command("stop")
    await senders.events.reports("STOP", sender=VLC_SENDER)
    await senders.events.reports("PLAYER", playerState="IDLE", idleReason="CANCELLED")
    await senders.receives(CurrentMediaState=STOP)
    assert await senders.home.read(senders.identifier("Active")) == 1, "Active is not 1"
    senders.vlc.child.end()


@shows("the content is played to its end: VLC goes on to its next input, and ends with status 0")
async def vlc_ends(senders: Senders) -> None:
    senders.forget()
    vlc = senders.start_vlc("vlc-once", "vlc://quit")
    await senders.receives(CurrentMediaState=PLAY)
    await vlc.sees("PLAYING")
    status = await senders.living_room.simulate("ask", NAME, "end")
    assert status == 0, f"hap simulate ask ends with {status}"
    await senders.events.reports("FINISHED")
    await senders.receives(CurrentMediaState=STOP)
    await until(lambda: not vlc.child.runs, PATIENCE, f"VLC ends: {vlc.child.log_tail(4)}")
    assert vlc.child.process.returncode == 0, vlc.child.process.returncode


# Chromium


@shows("Chromium with the root of another receiver finds this one, and does not list it")
async def other_root(senders: Senders) -> None:
    other = await senders.root(senders.living_room)
    await senders.serve(senders.bedroom)
    await senders.root(senders.bedroom)
    await senders.bedroom.stop()
    chromium = await senders.start_chromium("chromium-other", other)
    senders.bedroom.advertise = "on"
    await senders.serve(senders.bedroom)
    await chromium.logs(REJECTED, TRIES)
    assert chromium.count(ACCEPTED) == 0 and await chromium.sinks() == [], await chromium.sinks()


@shows("Chromium with the root of hap cast root, saved before a restart, lists the receiver, and asks for its apps")
async def authenticated(senders: Senders) -> None:
    await senders.bedroom.stop()
    chromium = await senders.start_chromium("chromium", senders.bedroom.state.with_name("root.crt"))
    await senders.serve(senders.bedroom)
    await chromium.lists("Bedroom")
    await chromium.logs(ACCEPTED)
    await chromium.logs(ASKS_FOR_APPS)


@shows("Chromium casts a tab: the app is launched, Active is 1; without an answer to its offer, Chromium ends the app")
async def tab_cast(senders: Senders) -> None:
    senders.forget()
    error = await senders.chromium.cast_tab("Bedroom")
    assert not error, error
    await senders.events.reports("LAUNCH", appId=MIRRORING)
    await senders.events.is_set("Bedroom/Active", 1)
    await senders.events.reports("CONNECTED", app="Mirroring")
    await senders.chromium.logs(OFFER)
    await senders.events.reports("STOP", appId=MIRRORING)
    await senders.events.reports("APP_STOPPED", app="Mirroring")


@shows("with the fault rejectedAuthentication, Chromium does not come back after a broken connection")
async def fault(senders: Senders) -> None:
    senders.forget()
    before = senders.chromium.count(ACCEPTED)
    for words in (("rejectedAuthentication",), ("halfFrame",)):
        status = await senders.bedroom.simulate("fault", *words, "on", "Bedroom")
        assert status == 0, f"hap simulate fault ends with {status}"
    assert await senders.chromium.cast_tab("Bedroom"), "the answer of the broken connection has arrived"
    await senders.events.applies("halfFrame")
    await senders.events.applies("rejectedAuthentication")
    await senders.chromium.lists()
    assert senders.chromium.count(ACCEPTED) == before, "Chromium has accepted the receiver"


def main() -> int:
    parser = stage.arguments(__doc__)
    options = parser.parse_args()
    for program in ("vlc", "runuser", CHROMIUM, CHROMEDRIVER):
        if shutil.which(program) is None:
            sys.exit(f"{program} is missing: make cast-proofs installs it.")
    return stage.perform(options, STEPS, Senders, ALL)


if __name__ == "__main__":
    sys.exit(main())
