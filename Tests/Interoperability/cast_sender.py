"""Tests the Cast sender of `hap` with an independent receiver: the commands of `hap cast`, and the driver `chromecast`.

    cast_sender.py [--hap BINARY] [--until TEXT] [--log FOLDER] [--pychromecast PYTHON]

The receiver is receiver.py, whose player's clock stands still until a step advances it. Each claim compares what `hap`
prints, or what aiohomekit reads and receives, with the state of the receiver. Prints a line for each claim and their
number. Exit status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

import program
from cast import PAUSE, PLAY, PLAYER, QUIZ_NAMESPACE, SELECT_KEY, STOP, expect
from claims import check, selected
from controller import Outcome
from livingroom import PATIENCE, SPEAKER, TELEVISION, LivingRoom
from processes import Child, PrivateDiscovery, Server
from sessions import close_all
from waiting import STEP, until

Json = dict[str, Any]

NAME = "Test Receiver"
QUIZ, OTHER_NAMESPACE = "QUIZ", "urn:x-cast:com.example.other"
#: The identifiers of the inputs.
PLAYER_INPUT, QUIZ_INPUT = 1, 2
#: Values of Remote Key and of Volume Selector.
PLAY_PAUSE_KEY, INCREMENT = 11, 0
CONFIGURED_NAME, VOLUME_SELECTOR = "E3", "EA"
UNABLE_TO_PERFORM = -70402
#: Exit statuses, as docs/json.md has them.
FAILED, REFUSED, USAGE, UNAVAILABLE = 1, 2, 64, 69
#: The seconds that a command waits for an answer, that a slow answer takes, and that a busy machine may add.
ANSWER, SLOW, MARGIN = 10.0, 3.0, 5.0
#: A process that rests uses less of a processor than this, in seconds of the observed time.
OBSERVED, REST = 2.0, 0.5

FILM, OTHER_FILM, LENGTH = "http://example.com/film.mp4", "http://example.com/other.mp4", ("--duration", "2h")
ADS = "ads:\n  - at: 0s\n    clips: [{ duration: 30s, skippableAfter: 5s, title: First }, 15s]\n"
DEFINITION = """accessory: Den
driver: {{ chromecast: {{ address: 127.0.0.1, port: {port}, apps: [{{ id: QUIZ, input: Quiz }}] }} }}
services:
  - type: Television
    primary: true
    linked: [Default Media Receiver, Quiz, Speaker]
    characteristics: {{ Active: Inactive, ActiveIdentifier: 1, ConfiguredName: Den, RemoteKey: null,
      SleepDiscoveryMode: AlwaysDiscoverable, CurrentMediaState: Stop, TargetMediaState: Stop }}
  - type: InputSource
    name: Default Media Receiver
    characteristics: {{ Identifier: 1, ConfiguredName: Films, InputSourceType: Application, IsConfigured: Configured }}
  - type: InputSource
    name: Quiz
    characteristics: {{ Identifier: 2, ConfiguredName: Quiz, InputSourceType: Application, IsConfigured: Configured }}
  - type: Speaker
    characteristics: {{ Mute: false, Volume: 20, VolumeControlType: Absolute, VolumeSelector: null }}
"""


class Receiver:
    """A process of receiver.py, which has the same port after each start."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.certificates = folder / "certificates"
        self.log = folder / "receiver.log"
        self.command = [python, "-B", Path(__file__).with_name("receiver.py"), "--name", NAME, "--certificate",
                        self.certificates, "--advertise", "127.0.0.1"]
        self.port = 0
        #: What senders have sent.
        self.requests: list[Any] = []
        self._process: asyncio.subprocess.Process | None = None
        self._answers: asyncio.Queue[Json] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._answers = asyncio.Queue()
        with open(self.log, "ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *self.command, "--port", str(self.port), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        self._reader = asyncio.create_task(self._read(self._process))
        self.port = (await asyncio.wait_for(self._answers.get(), PATIENCE))["listening"]

    async def __call__(self, call: str, **arguments: Any) -> Any:
        """Performs a call of receiver.py, and returns the answer."""
        assert self._process is not None and self._process.stdin is not None, "the receiver was not started"
        self._process.stdin.write(json.dumps({"call": call, **arguments}).encode() + b"\n")
        answer = await asyncio.wait_for(self._answers.get(), PATIENCE)
        assert "answer" in answer, f"the receiver answers {call} with {answer}"
        return answer["answer"]

    async def has(self, **expected: Any) -> None:
        """Fails unless its state has these members; `ad` is the id of a clip."""
        state = await self("state")
        has({**state, "ad": (state["ad"] or {}).get("breakClipId")}, **expected)

    async def last(self, kind: str) -> Json:
        """Returns the last message of a type."""
        await self("state")  # is answered after all messages were written
        return next(each for each in reversed(self.requests) if isinstance(each, dict) and each.get("type") == kind)

    async def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._reader is not None:
            await self._reader

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            report = json.loads(line)
            if "request" in report:
                self.requests.append(report["request"])
            elif not {"connected", "disconnected"} & report.keys():
                self._answers.put_nowait(report)
        await process.wait()
        self._answers.put_nowait({"error": "the receiver has ended"})


class Room(LivingRoom):
    """A receiver, the commands that control it, and a television of HomeKit that is connected with it."""

    def __init__(self, server: Server, folder: Path, pychromecast: Path) -> None:
        super().__init__(server, folder, pychromecast, catt=Path())
        self.receiver = Receiver(pychromecast, folder)
        self.breaks = folder / "ads.yaml"
        self.breaks.write_text(ADS)
        self.running: list[Child] = []

    async def start(self) -> None:
        self._zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        self._controller = IpController(CharacteristicCacheMemory(), self._zeroconf)
        await self.receiver.start()

    async def close(self) -> None:
        for child in self.running:
            child.end()
        await self.receiver.kill()
        await super().close()

    async def hap(self, *arguments: str, status: int = 0, says: str = "", limit: float = PATIENCE) -> Any:
        """Runs a command that ends with this status and says this text; returns the JSON that it has printed."""
        process = await asyncio.create_subprocess_exec(
            self.server.binary, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.server.environment)
        try:
            output, errors = await asyncio.wait_for(process.communicate(), limit)
        finally:
            if process.returncode is None:
                process.kill()
        outcome = Outcome(process.returncode, output.decode(), errors.decode()).expect(status, says)
        return None if status else outcome.json

    async def cast(self, command: str, *arguments: str, **expected: Any) -> Json:
        """Runs a command of `hap cast` with the receiver; returns the status that it prints, as `flat` has it."""
        words = ("cast", *command.split(), self.receiver.address, "--json", *arguments)
        return flat(await self.hap(*words, **expected) or {})

    def follow(self, command: str, *arguments: str) -> Child:
        """Starts a command of `hap cast` that goes on until it is ended."""
        words = [str(self.server.binary), "cast", *command.split(), self.receiver.address, "--json", *arguments]
        self.running.append(Child(words, self.folder / f"command-{len(self.running)}.log", self.server.environment))
        return self.running[-1]

    async def until_read(self, **values: Any) -> None:
        """Waits until HomeKit reads these values; at first, the driver has none."""
        expected = {self.identifier(name): value for name, value in values.items()}

        async def reads() -> bool:
            read = await self.home.get_characteristics(list(expected))
            return expected == {each: read[each].get("value") for each in expected}

        await eventually(reads)

    async def refuses(self, **values: Any) -> None:
        """HomeKit writes values, and each is answered by a HAP status."""
        for name, value in values.items():
            answer = await self.home.write(self.identifier(name), value)
            statuses = [each.get("status") for each in answer.get("characteristics", [])]
            expect(statuses, [UNABLE_TO_PERFORM], f"the status of the write of {name}")


STEPS: dict[str, Callable[[Room], Awaitable[None]]] = {}


def shows(claim: str) -> Callable[[Any], Any]:
    """Registers the step of a claim."""

    def enter(step: Any) -> Any:
        STEPS[claim] = step
        return step

    return enter


def has(actual: Json, **expected: Any) -> None:
    """Fails unless an object has these members; `None` is an absent one."""
    assert {key: actual.get(key) for key in expected} == expected, f"{actual} does not have {expected}"


def flat(status: Json) -> Json:
    """Returns a status with the members of its media and its ad; `app` and `ad` are the ids of the app and the clip."""
    media = status.get("media", {})
    ad = media.get("ad", {})
    return {**status, **media, "app": status.get("app", {}).get("id"), "ad": ad.get("clip"),
            "adPosition": ad.get("position"), "skippableAfter": ad.get("skippableAfter")}


async def eventually(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await condition():
            # Waits: until what runs beside this program has caught up.
            await asyncio.sleep(STEP)


def printed(child: Child) -> list[Json]:
    """Returns the complete lines that a command has printed until now."""
    text = child.log.read_text(errors="replace")
    return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]


async def prints(child: Child, **expected: Any) -> None:
    """Waits for the line of a status with these members."""

    def is_there() -> bool:
        return any(expected.items() <= flat(line).items() for line in printed(child)[-50:])

    await until(is_there, PATIENCE, f"{expected} is printed")


async def expect_rest(child: Child) -> None:
    """Fails if a process uses much of a processor although nothing changes."""

    def used() -> float:
        fields = Path(f"/proc/{child.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = used()
    # Waits: only real time shows whether a process rests.
    await asyncio.sleep(OBSERVED)
    assert used() - before < REST, f"it has used {used() - before:.1f} s of a processor in {OBSERVED:g} s"


# What plays


@shows("the receiver is found by its name through Avahi, and hap routes lists it as free")
async def found(room: Room) -> None:
    status = await room.hap("cast", "status", NAME.upper(), "--json")
    has(status, receiver=NAME, address=room.receiver.address, volume=0.5, muted=False, app=None, media=None)
    routes = (await room.hap("routes", "--kind", "cast", "--json"))["routes"]
    expect(len(routes), 1, "the number of routes")
    has(routes[0], kind="cast", name=NAME, address=room.receiver.address, model="Chromecast", inUse=False,
        abilities=["audio", "video"])


@shows("launched, and loaded with a title, a start time, a rate and two ads: the first ad is reported")
async def loaded(room: Room) -> None:
    has(await room.cast("launch"), app=PLAYER, state=None)
    await room.receiver.has(app=PLAYER, state="IDLE")
    status = await room.cast("load", FILM, "--title", "A Film", "--start", "10min", "--rate", "1.5", *LENGTH,
                             "--breaks", str(room.breaks))
    has(status, state="PLAYING", contentId=FILM, title="A Film", duration=7200, item=1, ad="ad-1-1", adPosition=0,
        skippableAfter=5)
    await room.receiver.has(state="PLAYING", rate=1.5, ad="ad-1-1")
    request = await room.receiver.last("LOAD")
    has(request, currentTime=600, playbackRate=1.5)
    expect([(clip["duration"], clip.get("whenSkippable")) for clip in request["media"]["breakClips"]],
           [(30, 5), (15, None)], "the ads")


@shows("an ad is not skipped too early: status 2 and a sentence; 6 s later it is, and the film follows the other ad")
async def skipped(room: Room) -> None:
    await room.cast("skip-ad", status=REFUSED, says="The player cannot do this now.")
    await room.receiver("advance", seconds=6)
    has(await room.cast("status"), ad="ad-1-1", adPosition=6)
    has(await room.cast("skip-ad"), ad="ad-1-2", skippableAfter=None)
    await room.receiver.has(ad="ad-1-2")
    await room.receiver("advance", seconds=15)
    has(await room.cast("status"), state="PLAYING", ad=None, rate=1.5)
    await room.receiver.has(ad=None, position=600, rate=1.5)


@shows("half speed and back: the film advances half as far; the command itself refuses a rate of 3")
async def rated(room: Room) -> None:
    has(await room.cast("rate", "0.5"), rate=0.5, canChangeRate=True)
    await room.receiver("advance", seconds=100)
    await room.receiver.has(rate=0.5, position=650)
    has(await room.cast("rate", "1"), rate=1)
    await room.cast("rate", "3", status=USAGE, says="from 0.5 to 2")
    has(await room.receiver.last("SET_PLAYBACK_RATE"), playbackRate=1)
    await room.receiver.has(rate=1, position=650)


@shows("paused, played, sought to a position, forward and back, and stopped")
async def paused(room: Room) -> None:
    has(await room.cast("pause"), state="PAUSED", position=650)
    for arguments, position in ((("1:30:00",), 5400), (("+30",), 5430), (("--", "-10"), 5420)):
        has(await room.cast("seek", *arguments), state="PAUSED", position=position)
        await room.receiver.has(state="PAUSED", position=position)
    has(await room.cast("play"), state="PLAYING")
    await room.receiver.has(state="PLAYING")
    has(await room.cast("stop"), state="IDLE", idleReason="CANCELLED")
    await room.receiver.has(app=PLAYER, state="IDLE")
    await room.cast("pause", status=REFUSED, says="The player cannot do this now.")


@shows("the volume is set, raised by 5 and muted; status --watch prints these, and the volume that a remote sets")
async def volume_set(room: Room) -> None:
    watch = room.follow("status --watch")
    await prints(watch, volume=0.5, muted=False)
    for command, argument, volume, muted in (("volume", ("30",), 0.3, False), ("volume", ("+5",), 0.35, False),
                                             ("mute", (), 0.35, True), ("mute", ("--off",), 0.35, False)):
        has(await room.cast(command, *argument), volume=volume, muted=muted)
        await room.receiver.has(volume=volume, muted=muted)
        await prints(watch, volume=volume, muted=muted)
    await room.receiver("set_volume", level=0.75)
    await prints(watch, volume=0.75)
    expect(await watch.stop(), 0, "the exit status after SIGTERM")


@shows("the queue: items are added, listed, played in turn and by number, moved, removed, repeated and shuffled")
async def queued(room: Room) -> None:
    one = (await room.cast("load", FILM, *LENGTH))["item"]
    two, three, four = one + 1, one + 2, one + 3
    for title, where in (("Two", ()), ("Three", ()), ("Four", ("--before", str(two)))):
        await room.cast("queue add", f"http://example.com/{title}.mp4", "--title", title, *where)
    queue = await room.hap("cast", "queue", "list", room.receiver.address, "--json")
    expect([(item["id"], item.get("title")) for item in queue["items"]],
           [(one, None), (four, "Four"), (two, "Two"), (three, "Three")], "the queue")
    expect(queue["current"], one, "the current item")
    for command, item, order in (
        ("next", four, [one, four, two, three]),
        ("previous", one, [one, four, two, three]),
        (f"jump {three}", three, [one, four, two, three]),
        (f"move {two} {three} --before {one}", three, [two, three, one, four]),
        (f"move {two}", three, [three, one, four, two]),
        ("shuffle", three, [two, four, one, three]),  # receiver.py reverses them
        (f"jump {one}", one, [two, four, one, three]),
        (f"remove {two} {three}", one, [four, one]),
    ):
        name, *arguments = command.split()
        has(await room.cast(f"queue {name}", *arguments), item=item, state="PLAYING")
        await room.receiver.has(item=item, items=order)
    has(await room.cast("queue repeat", "single"), repeat="REPEAT_SINGLE")
    await room.receiver("advance", seconds=7200)
    await room.receiver.has(state="PLAYING", item=one, position=0)
    await room.cast("queue jump", "999", status=REFUSED, says="INVALID_PARAMS")


# Channels


@shows("a message to the quiz is echoed, one in another namespace is refused, and listen prints what the app sends")
async def echoed(room: Room) -> None:
    await room.cast("send", QUIZ_NAMESPACE, "{}", status=REFUSED, says=f"does not understand {QUIZ_NAMESPACE}")
    has(await room.cast("launch", QUIZ), app=QUIZ)
    listen = room.follow("listen", QUIZ_NAMESPACE)
    answer = await room.cast("send", QUIZ_NAMESPACE, '{"answer": 2}', "--wait")
    expect(json.loads(answer["text"]), {"echo": {"answer": 2}}, "the echo")
    for command, text in (("send", ("{}",)), ("listen", ())):
        await room.cast(command, OTHER_NAMESPACE, *text, status=REFUSED, says=f"does not understand {OTHER_NAMESPACE}")
    await room.cast("send", "quiz", "{}", status=USAGE, says="is not a namespace")

    async def arrives() -> bool:
        await room.receiver("send", namespace=QUIZ_NAMESPACE, text="How many?")
        return {"text": "How many?"} in printed(listen)

    await eventually(arrives)
    expect(await listen.stop(), 0, "the exit status after SIGTERM")


@shows("messages that are sent without --wait arrive, too")
async def sent(room: Room) -> None:
    await room.cast("launch", QUIZ)
    messages = [{"number": number} for number in range(10)]
    for message in messages:
        await room.cast("send", QUIZ_NAMESPACE, json.dumps(message))
    has(await room.cast("quit"), app=None)
    await room.receiver.has(app=None)
    expect([each for each in room.receiver.requests if each in messages], messages, "the list of what arrived")


# A local file


def fetch(address: str, method: str = "GET", part: str | None = None) -> tuple[int, Json, bytes]:
    """Fetches as a receiver does."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    try:
        connection.request(method, place.path, headers={} if part is None else {"Range": f"bytes={part}"})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


async def serve(room: Room, content: bytes) -> tuple[Child, str]:
    """Loads a local file, and returns the command and the address of the file."""
    file = room.folder / "holiday.mp4"
    file.write_bytes(content)
    load = room.follow("load", str(file), "--duration", "60")
    await prints(load, state="PLAYING", title="holiday.mp4", duration=60)
    address = flat(printed(load)[-1])["contentId"]
    has((await room.receiver.last("LOAD"))["media"], contentId=address, contentType="video/mp4")
    return load, address


async def expect_end(load: Child, address: str) -> None:
    await until(lambda: not load.runs, PATIENCE, "the command ends")
    expect(load.process.returncode, 0, "its exit status")
    try:
        fetch(address)
    except ConnectionRefusedError:
        return
    raise AssertionError("the file is still served")


@shows("a local file is served in whole and in parts, and nothing else is; its address is gone when the film has ended")
async def served(room: Room) -> None:
    content = bytes(range(256)) * 1024
    load, address = await serve(room, content)
    for method, part, status, body in (
        ("GET", None, 200, content), ("HEAD", None, 200, b""), ("GET", "1000-1999", 206, content[1000:2000]),
        ("GET", "262000-", 206, content[262000:]), ("GET", "-10", 206, content[-10:]), ("GET", "262144-", 416, b""),
    ):
        answer, headers, received = fetch(address, method, part)
        expect((answer, received == body), (status, True), f"the answer to {method} {part}, and its content")
        expect(headers["Content-Length"], str(len(content if method == "HEAD" else body)), "the length")
        expect((headers["Content-Type"], headers["Accept-Ranges"]), ("video/mp4", "bytes"), "the headers")
    expect(fetch(f"{address}/other")[0], 404, "the status of another path")
    assert load.runs, "the command has ended before the film"
    await room.receiver("advance", seconds=60)
    await expect_end(load, address)


@shows("SIGTERM ends the command that serves a file with status 0, the film and the address")
async def served_until_signal(room: Room) -> None:
    load, address = await serve(room, b"a film")
    expect(await load.stop(), 0, "the exit status after SIGTERM")
    await expect_end(load, address)
    await room.receiver.has(app=PLAYER, state="IDLE")


@shows("a film that another sender loads ends the command that serves a file, and goes on")
async def served_until_another(room: Room) -> None:
    for _ in range(5):
        load, address = await serve(room, b"a film")
        has(await room.cast("load", OTHER_FILM, *LENGTH), contentId=OTHER_FILM)
        await expect_end(load, address)
        await room.receiver.has(state="PLAYING")


# Receivers that misbehave


async def misbehaves(fault: str, command: str, status: int, says: str, seconds: float, room: Room) -> None:
    await room.receiver("misbehave", kind=fault)
    before = time.monotonic()
    name, *arguments = command.split()
    await room.cast(name, *arguments, status=status, says=says, limit=ANSWER + MARGIN)
    passed = time.monotonic() - before
    assert seconds <= passed < seconds + MARGIN, f"the command has ended after {passed:.1f} s"
    await room.receiver("misbehave", kind=fault, count=0)
    await room.cast("status")


for each in (
    ("silent", "status", UNAVAILABLE, "has not answered within 10", ANSWER),
    ("not_json", "status", UNAVAILABLE, "has not answered within 10", ANSWER),
    ("wrong_length", "status", FAILED, "does not speak the Cast protocol", 0.0),
    ("half_frame", "status", UNAVAILABLE, "connection to the receiver has ended", 0.0),
    ("load_failed", f"load {FILM}", REFUSED, "cannot be loaded: error 104", 0.0),
    ("close_on_load", f"load {FILM}", UNAVAILABLE, "connection to the receiver has ended", 0.0),
    ("launch_error", f"launch {QUIZ}", REFUSED, "cannot be launched: NOT_FOUND", 0.0),
    ("slow", "status", 0, PLAYER, SLOW),
    ("bare_status", "status", 0, "volume", 0.0),
):
    shows(f"the fault {each[0]}: {each[1].split()[0]} ends with status {each[2]}")(partial(misbehaves, *each))


# The identity and the connection


@shows("--fingerprint: the digest of the device is accepted, another one is refused")
async def proved(room: Room) -> None:
    certificate = (room.receiver.certificates / "device.pem").read_text()
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest()
    has(await room.cast("status", "--show-fingerprint"), fingerprint=digest)
    has(await room.cast("status", "--fingerprint", digest.upper()), app=PLAYER)
    await room.cast("status", "--fingerprint", digest[::-1], status=REFUSED, says=digest)


@shows("status --watch prints a line for each change, rests in between, and opens a lost connection again")
async def watched(room: Room) -> None:
    watch = room.follow("status --watch")
    await prints(watch, app=PLAYER)
    await room.cast("load", FILM, *LENGTH)
    await prints(watch, state="PLAYING", volume=0.75)
    await room.receiver("drop")
    await room.receiver("set_volume", level=0.7)
    await prints(watch, state="PLAYING", volume=0.7)
    await room.receiver("player", state="PAUSED")
    await prints(watch, state="PAUSED")
    await expect_rest(watch)
    assert len(printed(watch)) <= 12, f"{len(printed(watch))} lines were printed"
    expect(await watch.stop(), 0, "the exit status after SIGTERM")


# The driver


@shows("hap serve with the driver: aiohomekit pairs with the television, which is off and has the receiver's volume")
async def paired(room: Room) -> None:
    await room.receiver("stop_app")
    await room.receiver("set_volume", level=0.4)
    room.server.files[0].write_text(DEFINITION.format(port=room.receiver.port))
    room.ready = await room.server.start()
    await room.pair()
    await room.until_read(Volume=40)
    await room.reads(Active=0, ActiveIdentifier=PLAYER_INPUT, CurrentMediaState=STOP, TargetMediaState=STOP, Mute=0)


@shows("on launches the app of the input, the input Quiz launches its app, and off stops it")
async def switched(room: Room) -> None:
    await room.writes(Active=1)
    await room.receiver.has(app=PLAYER)
    await room.writes(ActiveIdentifier=QUIZ_INPUT)
    await room.receiver.has(app=QUIZ)
    await room.reads(Active=1, ActiveIdentifier=QUIZ_INPUT)
    await room.writes(Active=0)
    await room.receiver.has(app=None)
    await room.reads(Active=0, CurrentMediaState=STOP)


@shows("a film that another sender loads turns the television on and plays: an event of each value")
async def followed(room: Room) -> None:
    room.forget()
    await room.cast("load", FILM, *LENGTH, "--breaks", str(room.breaks))
    await room.expect_events(Active=1, ActiveIdentifier=PLAYER_INPUT, CurrentMediaState=PLAY, TargetMediaState=PLAY)
    await room.reads(Active=1, ActiveIdentifier=PLAYER_INPUT, CurrentMediaState=PLAY)


@shows("Remote Key Select skips an ad when that is possible, and fails before")
async def selected_ad(room: Room) -> None:
    await room.refuses(RemoteKey=SELECT_KEY)
    await room.receiver.has(ad="ad-1-1")
    await room.receiver("advance", seconds=5)
    await room.writes(RemoteKey=SELECT_KEY)
    await room.receiver.has(ad="ad-1-2")
    await room.receiver("advance", seconds=15)
    await room.receiver.has(ad=None, state="PLAYING")


@shows("Target Media State and Remote Key Play/Pause pause and play: Current Media State is an event")
async def media_state(room: Room) -> None:
    for name, pause, play in (("TargetMediaState", PAUSE, PLAY), ("RemoteKey", PLAY_PAUSE_KEY, PLAY_PAUSE_KEY)):
        for value, current, state in ((pause, PAUSE, "PAUSED"), (play, PLAY, "PLAYING")):
            room.forget()
            await room.writes(**{name: value})
            await room.receiver.has(state=state)
            await room.expect_events(CurrentMediaState=current)


@shows("Volume, Mute and Volume Selector act on the receiver; the volume that a remote sets is an event")
async def speaker(room: Room) -> None:
    await room.writes(Volume=30, Mute=True)
    await room.receiver.has(volume=0.3, muted=True)
    room.forget()
    expect(await room.home.write(room.home.identifier(SPEAKER, VOLUME_SELECTOR), INCREMENT), {}, "the answer")
    await room.receiver.has(volume=0.35)
    await room.expect_events(Volume=35)
    await room.receiver("set_volume", level=0.8, muted=False)
    await room.expect_events(Volume=80, Mute=0)


@shows("the server rests while a film plays")
async def rested(room: Room) -> None:
    await room.receiver.has(app=PLAYER, state="PLAYING")
    assert room.server.child is not None
    await expect_rest(room.server.child)


@shows("the receiver is killed: the television is off and can be read, and cannot be turned on")
async def lost(room: Room) -> None:
    room.forget()
    await room.receiver.kill()
    await room.expect_events(Active=0, CurrentMediaState=STOP)
    await room.reads(Active=0, ActiveIdentifier=PLAYER_INPUT, CurrentMediaState=STOP, Volume=80, Mute=0)
    await room.refuses(Active=1)
    await room.reads(Active=0)


@shows("the receiver is started again on its port: the television follows it within the 10 s between two attempts")
async def returned(room: Room) -> None:
    room.forget()
    await room.receiver.start()
    await room.receiver("launch", app=QUIZ)
    await room.expect_events(Active=1, ActiveIdentifier=QUIZ_INPUT)
    await room.writes(Volume=65)
    await room.receiver.has(volume=0.65)


@shows("the server is restarted without the receiver and with it: pairing and values stay, and it follows again")
async def restarted(room: Room) -> None:
    name = room.home.identifier(TELEVISION, CONFIGURED_NAME)
    expect(await room.home.write(name, "Attic"), {}, "the answer")
    await room.receiver.kill()
    for volume in (65, 50):
        await close_all(room.home)
        expect(await room.server.stop(), 0, "the exit status after SIGTERM")
        room.ready = await room.server.start()
        await room.open_session()
        await room.until_read(Volume=volume)
        expect(await room.home.read(name), "Attic", "the name")
        await room.reads(Active=0, ActiveIdentifier=QUIZ_INPUT, CurrentMediaState=STOP, Mute=0)
        if volume == 65:
            await room.receiver.start()
    await room.writes(Active=1)
    await room.receiver.has(app=QUIZ)


@shows("SIGTERM ends the server with status 0, and the app goes on")
async def ended(room: Room) -> None:
    expect(await room.server.stop(), 0, "the exit status")
    await room.receiver.has(app=QUIZ)


async def check_room(claims: tuple[str, ...], options: Any, binary: Path, folder: Path) -> bool:
    discovery = PrivateDiscovery(folder)
    server = Server(binary, folder / "television", discovery.environment, files=[folder / "tv.yaml"], advertise="off")
    return await check(claims, STEPS, Room(server, folder, options.pychromecast), server, discovery)


def main() -> int:
    parser = program.arguments(__doc__, log="keep the logs in this folder")
    parser.add_argument("--until", metavar="TEXT", help="stop after the first claim that contains TEXT")
    parser.add_argument("--pychromecast", type=Path, default=program.ROOT / ".build/pychromecast-venv/bin/python",
                        help="the Python that has pychromecast")
    options = parser.parse_args()
    if not options.pychromecast.exists():
        sys.exit(f"{options.pychromecast} is missing: install it with make interoperability-cast_sender.")
    claims = selected(tuple(STEPS), options.until)
    return program.perform(options, "cast-sender", lambda hap, folder: check_room(claims, options, hap, folder),
                           program.keep_all(options.log))


if __name__ == "__main__":
    sys.exit(main())
