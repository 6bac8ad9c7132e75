"""The speaker under test, its senders on pyatv and its HomeKit controller, which the steps of airplay.py share."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import subprocess
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

import program
import raop_sender
import tones
from gallery import pair
from processes import Server
from sessions import Identifier, Session, close_all
from waiting import until

PATIENCE = 20.0
DEFINITION = program.ROOT / "Accessories/speaker-airplay.yaml"
#: A picture of 10 MB in base64 is the longest line.
LONGEST_LINE = 1 << 25
#: The length of a tone, and how much of it may be missing, in seconds.
SECONDS, TOLERANCE = 3.0, 0.2
#: The largest difference of a frequency, in Hz.
PITCH = 1.0
#: How long a recording does not grow until it is complete, in seconds.
QUIET = 0.5

SPEAKER = "228"
CHARACTERISTICS = {
    "CurrentMediaState": (SPEAKER, "E0"),
    "TargetMediaState": (SPEAKER, "137"),
    "Volume": (SPEAKER, "119"),
    "Mute": (SPEAKER, "11A"),
    "AirPlayEnable": (SPEAKER, "25B"),
}


class Refusal(AssertionError):
    """A call of a sender has failed; `status` is that of the response, if there was one."""

    def __init__(self, title: str, call: str, report: dict[str, Any]) -> None:
        super().__init__(f"{title}: {call}: {report['error']}")
        self.status: int | None = report.get("status")


class Sender:
    """A process of airplay_sender.py."""

    def __init__(self, title: str) -> None:
        self.title = title
        #: How streams and videos have ended.
        self.ends: list[dict[str, Any]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._last_call = 0
        self._reader: asyncio.Task[None] | None = None

    async def start(self, python: Path, log: Path, environment: dict[str, str]) -> None:
        script = Path(__file__).with_name("airplay_sender.py")
        with open(log, "ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                python, "-B", script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment,
                limit=LONGEST_LINE,
            )
        self._reader = asyncio.create_task(self._read())

    async def __call__(self, call: str, *arguments: Any, **options: Any) -> Any:
        """Performs a call of airplay_sender.py, and returns the answer."""
        assert self._process is not None and self._process.stdin is not None, f"{self.title} was not started"
        self._last_call += 1
        number, answer = self._last_call, asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        line = json.dumps({"id": number, "call": call, "arguments": arguments, "options": options})
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()
        report = await asyncio.wait_for(answer, 2 * PATIENCE)
        if "error" in report:
            raise Refusal(self.title, call, report)
        return report["answer"]

    async def refused(self, call: str, *arguments: Any, **options: Any) -> Refusal:
        """Performs a call that has to fail."""
        try:
            answer = await self(call, *arguments, **options)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"{self.title}: {call} is not refused: {answer}")

    async def stream(self, file: Path, **more: Any) -> None:
        """Begins a stream; its end is among `ends`."""
        self.ends.clear()
        await self("connect")
        await self("stream", str(file), **more)

    async def ended(self, limit: float = PATIENCE) -> dict[str, Any]:
        """Waits until the stream or the video has ended; returns how."""
        return await until(lambda: self.ends and self.ends[-1], limit, f"{self.title} has streamed to the end")

    async def completes(self, limit: float = PATIENCE) -> None:
        """Waits until the stream or the video has ended without an error."""
        end = await self.ended(limit)
        assert end == {"ended": True}, f"{self.title}: the stream ends with {end}"

    async def fails(self, limit: float = PATIENCE) -> dict[str, Any]:
        """Waits until the stream or the video has ended with an error, and returns that."""
        end = await self.ended(limit)
        assert "error" in end, f"{self.title}: the stream ends with {end}"
        return end

    async def end(self) -> None:
        """Ends the process as the end of its input does; if it does not end by itself, by force."""
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 5)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        if self._reader is not None:
            await self._reader

    async def kill(self) -> None:
        """Ends the process at once, in the middle of what it does."""
        assert self._process is not None and self._reader is not None, f"{self.title} was not started"
        self._process.kill()
        await self._process.wait()
        await self._reader

    async def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        while line := await self._process.stdout.readline():
            report = json.loads(line)
            self.ends += [report[kind] for kind in ("stream", "video") if kind in report]
            # The answer to a call that was given up is not awaited.
            answer = self._answers.pop(report.get("id"), None)
            if answer is not None and not answer.done():
                answer.set_result(report)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result({"error": f"{self.title} has ended"})
        self._answers.clear()


class Api:
    """The API of a server, over its Unix socket."""

    def __init__(self, server: Server) -> None:
        self._socket = server.state / "serve.sock"

    async def get(self, path: str) -> Any:
        return await asyncio.to_thread(self._get, f"/api/v1{path}")

    def _get(self, path: str) -> Any:
        connection = http.client.HTTPConnection("localhost", timeout=PATIENCE)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(PATIENCE)
        connection.sock.connect(str(self._socket))
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        assert answer.status == 200, f"GET {path} is answered with {answer.status}: {body.decode(errors='replace')}"
        return json.loads(body)


class Speaker:
    """A server with one receiver."""

    def __init__(self, server: Server, recordings: Path) -> None:
        self.server = server
        self.recordings = recordings
        self.api = Api(server)
        self.ready: dict[str, Any] = {}
        self._known: set[Path] = set()
        self._last_event = 0

    async def start(self) -> None:
        self.ready = await self.server.start()

    @property
    def receiver(self) -> dict[str, Any]:
        """What the ready file says about the receiver."""
        [receiver] = [each for each in self.ready["receivers"] if each["kind"] == "airplay"]
        return receiver

    @property
    def address(self) -> tuple[str, int]:
        return (self.receiver["host"], self.receiver["port"])

    @property
    def entry(self) -> dict[str, Any]:
        """What the ready file says about the accessory."""
        return self.ready["servers"][0]

    def raop(self, **more: Any) -> raop_sender.Sender:
        """Returns a sender for AirPlay 1."""
        return raop_sender.Sender(*self.address, **more)

    # What it shows and reports

    @property
    def _path(self) -> str:
        return f"/servers/{urllib.parse.quote(self.entry['key'], safe='')}"

    async def driver(self) -> dict[str, Any]:
        """What the API says about the receiver."""
        [driver] = await self.api.get(f"{self._path}/drivers")
        return driver

    async def readings(self) -> dict[str, Any]:
        """What no characteristic shows, of the driver and of the services."""
        services = await self.api.get(f"{self._path}/readings")
        readings = [(await self.driver())["readings"], *(service["readings"] for service in services)]
        return {each["name"]: each["value"] for some in readings for each in some}

    async def events(self) -> list[tuple[str, dict[str, str]]]:
        """The events of the receiver with their details, since `forget_events`."""
        found = []
        for event in await self.api.get("/events/latest?kinds=driver-event"):
            match = re.search(r" reports (\w+)(?:, (.*))?\.$", event["message"])
            if match is not None and event["id"] > self._last_event:
                found.append((match[1], dict(re.findall(r"(\w+): (.*?)(?=, \w+: |$)", match[2] or ""))))
        return found

    async def forget_events(self) -> None:
        events = await self.api.get("/events/latest")
        self._last_event = events[-1]["id"] if events else 0

    async def reports(self, name: str, **details: str) -> dict[str, str]:
        """Waits for an event with these details, and returns all of its details."""
        events: list[tuple[str, dict[str, str]]] = []
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    events = await self.events()
                    for other, others in events:
                        if other == name and details.items() <= others.items():
                            return others
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"the events are {events}, without {name} {details}") from None

    async def shows(self, **expected: Any) -> None:
        """Waits until these readings are shown; None is the value of one that is not shown."""
        readings: dict[str, Any] = {}
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    readings = await self.readings()
                    if all(matches(readings.get(name), value) for name, value in expected.items()):
                        return
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"the readings are {readings}, not {expected}") from None

    async def simulate(self, *command: str, status: int = 0) -> None:
        actual = await self.server.simulate(*command)
        assert actual == status, f"hap simulate {' '.join(command)} ends with {actual}, not {status}"

    async def inject(self, fault: str, *parameters: str, times: int = 1) -> None:
        await self.simulate("fault", fault, "on", self.entry["name"], *parameters, "times", str(times))

    async def clear(self, fault: str) -> None:
        """Ends a fault that has not acted often enough to end by itself."""
        await self.server.simulate("clear", fault, "on", self.entry["name"])

    # Recordings

    def forget_recordings(self) -> None:
        self._known = set(self.recordings.rglob("*.wav"))

    async def recording(self) -> Path:
        """Waits until the newest recording is complete."""
        loop = asyncio.get_running_loop()
        size, since = 0, loop.time()

        def complete() -> Path | None:
            nonlocal size, since
            new = sorted(set(self.recordings.rglob("*.wav")) - self._known, key=lambda file: file.stat().st_mtime_ns)
            if not new:
                return None
            now = new[-1].stat().st_size
            if now != size:
                size, since = now, loop.time()
            return new[-1] if size > 44 and loop.time() > since + QUIET else None

        return await until(complete, PATIENCE, f"a recording is in {self.recordings}")

    async def heard(self) -> list[tones.Sound]:
        """What is heard in the newest recording, channel by channel."""
        return await asyncio.to_thread(tones.listen, await self.recording())


def matches(actual: Any, expected: Any) -> bool:
    """Whether a reading has a value; a number may differ by a rounding."""
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return abs(actual - expected) <= 0.51
    return actual == expected


def check_tone(sounds: Sequence[tones.Sound], seconds: float = SECONDS, *, exact: bool = True,
               tolerance: float = TOLERANCE) -> None:
    """Fails unless both channels have their tones; if `exact`, without a missing, doubled or foreign sample."""
    assert len(sounds) == 2, f"the recording has {len(sounds)} channels"
    for name, sound, frequency in zip(("left", "right"), sounds, (tones.LEFT, tones.RIGHT)):
        assert abs(sound.frequency - frequency) <= PITCH, f"{name}: {sound}, not {frequency} Hz"
        assert abs(sound.seconds - seconds) <= tolerance, f"{name}: {sound}, not {seconds} s"
        assert not exact or sound.deviations == 0, f"{name}: {sound}"


class Kitchen:
    """A speaker with a receiver, two senders on pyatv, and a session of aiohomekit."""

    def __init__(self, speaker: Speaker, folder: Path, python: Path) -> None:
        self.speaker = speaker
        self.folder = folder
        self.python = python
        self.first = Sender("the first sender")
        self.second = Sender("the second sender")
        self.tone = folder / "tone.wav"
        self.credentials = ""
        self.pairing_data: dict[str, Any] = {}
        self._zeroconf: AsyncZeroconf | None = None
        self._controller: IpController | None = None
        self._home: Session | None = None
        #: What a step has started besides.
        self.others: list[Speaker] = []

    async def start(self) -> None:
        tones.write_tone(self.tone, SECONDS)
        # Another socket on port 5353 would take the unicast queries of pyatv for Avahi.
        self._zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"], unicast=True)
        self._controller = IpController(CharacteristicCacheMemory(), self._zeroconf)
        for sender, log in ((self.first, "first.log"), (self.second, "second.log")):
            await sender.start(self.python, self.folder / log, self.speaker.server.environment)
        await self.speaker.start()

    async def close(self) -> None:
        await close_all(self._home)
        await asyncio.gather(self.first.end(), self.second.end())
        for speaker in self.others:
            speaker.server.end()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    async def serve(self, name: str, definition: str) -> Speaker:
        """Serves another definition beside the speaker."""
        folder = self.folder / name
        folder.mkdir()
        file = folder / f"{name}.yaml"
        file.write_text(definition)
        recordings = folder / "recordings"
        main = self.speaker.server
        server = Server(main.binary, folder, main.environment, files=[file], advertise="off",
                        more=("--record", str(recordings)))
        speaker = Speaker(server, recordings)
        self.others.append(speaker)
        await speaker.start()
        return speaker

    async def use(self, sender: Sender, speaker: Speaker | None = None, **more: Any) -> None:
        """Lets a sender use a receiver without discovery."""
        speaker = speaker or self.speaker
        await sender("use", speaker.receiver["name"], *speaker.address, **more)

    # The HomeKit side

    @property
    def home(self) -> Session:
        assert self._home is not None, "not paired"
        return self._home

    async def pair(self) -> None:
        """Pairs aiohomekit, and subscribes it to all that the steps expect."""
        assert self._controller is not None, "the programs were not started"
        self.pairing_data = await pair(self._controller, self.speaker.entry)
        await self.open_session()

    async def open_session(self) -> None:
        """Opens a session of the controller that was paired."""
        await close_all(self._home)
        self.pairing_data["AccessoryPort"] = self.speaker.entry["port"]
        self._home = Session(self._controller, self.pairing_data)
        await self._home.open()
        await self._home.list_accessories_and_characteristics()
        await self._home.subscribe([self.identifier(name) for name in CHARACTERISTICS])

    def identifier(self, name: str) -> Identifier:
        return self.home.identifier(*CHARACTERISTICS[name])

    async def writes(self, **values: Any) -> None:
        """HomeKit writes values."""
        for name, value in values.items():
            answer = await self.home.write(self.identifier(name), value)
            assert answer == {}, f"the write of {name} is answered {answer}"

    async def reads(self, **values: Any) -> None:
        """Fails unless HomeKit reads these values."""
        for name, value in values.items():
            read = await self.home.read(self.identifier(name))
            assert read == value, f"{name} is {read!r}, not {value!r}"

    async def expect_events(self, **values: Any) -> None:
        """Waits for events with these values."""
        for name, value in values.items():
            await self.home.expect_event(self.identifier(name), value, PATIENCE)

    async def forget(self) -> None:
        """Forgets the events and the recordings until now."""
        self.home.events.clear()
        self.speaker.forget_recordings()
        await self.speaker.forget_events()

    async def plays(self, sender: Sender, **more: Any) -> None:
        """Begins a stream of the tone, and waits until HomeKit has seen its begin."""
        await self.forget()
        await sender.stream(self.tone, **more)
        try:
            await self.expect_events(CurrentMediaState=0)
        except AssertionError as error:
            raise AssertionError(f"{error}; {sender.title} has ended with {sender.ends}") from None
