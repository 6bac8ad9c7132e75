"""The television under test, its senders and its HomeKit controller, which the steps of cast.py share."""

from __future__ import annotations

import asyncio
import functools
import http.server
import json
import subprocess
import threading
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

import program
from gallery import pair
from processes import Server
from sessions import Identifier, Session, close_all
from waiting import until

PATIENCE = 20.0
DEFINITION = program.ROOT / "Accessories/television-cast.yaml"
NAME = "Living Room"
#: A message of 64 KiB is a line that is a little longer.
LONGEST_LINE = 1 << 20

TELEVISION, SPEAKER = "D8", "113"
CHARACTERISTICS = {
    "Active": (TELEVISION, "B0"),
    "ActiveIdentifier": (TELEVISION, "E7"),
    "CurrentMediaState": (TELEVISION, "E0"),
    "TargetMediaState": (TELEVISION, "137"),
    "RemoteKey": (TELEVISION, "E1"),
    "Volume": (SPEAKER, "119"),
    "Mute": (SPEAKER, "11A"),
}


class Sender:
    """A process of sender.py, and what the receiver has reported to it."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.receiver: dict[str, Any] = {}
        self.media: dict[str, Any] = {}
        self.connections: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    async def start(self, python: Path, log: Path, environment: dict[str, str]) -> None:
        script = Path(__file__).with_name("sender.py")
        with open(log, "ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                python, "-B", script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment,
                limit=LONGEST_LINE,
            )
        self._reader = asyncio.create_task(self._read())

    async def __call__(self, call: str, *arguments: Any, **options: Any) -> Any:
        """Performs a call of sender.py, or a method of its Chromecast, and returns the answer."""
        assert self._process is not None and self._process.stdin is not None, f"{self.title} was not started"
        line = json.dumps({"call": call, "arguments": arguments, "options": options})
        self._process.stdin.write(line.encode() + b"\n")
        answer = await asyncio.wait_for(self._answers.get(), 2 * PATIENCE)
        assert "error" not in answer, f"{self.title}: {call}: {answer['error']}"
        return answer["answer"]

    @property
    def ad(self) -> dict[str, Any] | None:
        """The ad that the last status contains."""
        statuses = (message["status"] for message in reversed(self.messages) if message.get("type") == "MEDIA_STATUS")
        status = next(statuses, [])
        return status[0].get("breakStatus") if status else None

    async def sees(self, **expected: Any) -> None:
        """Waits until the status of the receiver or of the media has these members."""

        def seen() -> bool:
            return all({**self.receiver, **self.media}.get(key) == value for key, value in expected.items())

        await self.until(seen, f"sees {expected}")

    async def until(self, condition: Any, what: str) -> Any:
        try:
            return await until(condition, PATIENCE, what)
        except AssertionError as error:
            raise AssertionError(f"{self.title} {error}; it has {self.receiver}, {self.media}, ad {self.ad}") from None

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

    async def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        while line := await self._process.stdout.readline():
            report = json.loads(line)
            self.receiver = report.get("receiver", self.receiver)
            self.media = report.get("media", self.media)
            if "connection" in report:
                self.connections.append(report["connection"])
            if "message" in report:
                self.messages.append(report["message"])
            if "answer" in report or "error" in report:
                self._answers.put_nowait(report)
        self._answers.put_nowait({"error": f"{self.title} has ended"})


class LivingRoom:
    """A television with a receiver, two senders on pychromecast, catt, and a session of aiohomekit."""

    def __init__(self, server: Server, folder: Path, pychromecast: Path, catt: Path) -> None:
        self.server = server
        self.folder = folder
        self.pychromecast = pychromecast
        self.catt_command = catt
        self.ready: dict[str, Any] = {}
        self.first = Sender("the first sender")
        self.second = Sender("the second sender")
        self.receiver: dict[str, Any] = {}
        self.pairing_data: dict[str, Any] = {}
        self._zeroconf: AsyncZeroconf | None = None
        self._controller: IpController | None = None
        self._home: Session | None = None
        self._files: http.server.ThreadingHTTPServer | None = None

    async def start(self) -> None:
        self._zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        self._controller = IpController(CharacteristicCacheMemory(), self._zeroconf)
        for sender, log in ((self.first, "first.log"), (self.second, "second.log")):
            await sender.start(self.pychromecast, self.folder / log, self.server.environment)
        self.ready = await self.server.start()

    async def close(self) -> None:
        await close_all(self._home)
        await asyncio.gather(self.first.end(), self.second.end())
        if self._zeroconf is not None:
            await self._zeroconf.async_close()
        if self._files is not None:
            self._files.shutdown()
            self._files.server_close()

    # The HomeKit side

    @property
    def home(self) -> Session:
        assert self._home is not None, "not paired"
        return self._home

    async def pair(self) -> None:
        """Pairs aiohomekit, and subscribes it to all that the steps expect."""
        assert self._controller is not None, "the programs were not started"
        self.pairing_data = await pair(self._controller, self.ready["servers"][0])
        await self.open_session()

    async def open_session(self) -> None:
        """Opens a session of the controller that was paired."""
        await close_all(self._home)
        self.pairing_data["AccessoryPort"] = self.ready["servers"][0]["port"]
        self._home = Session(self._controller, self.pairing_data)
        await self._home.open()
        await self._home.list_accessories_and_characteristics()
        await self._home.subscribe([self.identifier(name) for name in CHARACTERISTICS if name != "RemoteKey"])

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

    def forget(self) -> None:
        """Forgets the events and the messages until now."""
        self.home.events.clear()
        self.first.messages.clear()
        self.second.messages.clear()

    async def expect_events(self, **values: Any) -> None:
        """Waits for events with these values."""
        for name, value in values.items():
            await self.home.expect_event(self.identifier(name), value, PATIENCE)

    # Both sides

    @property
    def senders(self) -> tuple[Sender, Sender]:
        return (self.first, self.second)

    async def senders_see(self, **expected: Any) -> None:
        for sender in self.senders:
            await sender.sees(**expected)

    async def advance(self, duration: str) -> None:
        status = await self.server.simulate("advance", duration)
        assert status == 0, f"hap simulate advance ends with {status}"

    # catt

    async def catt(self, *arguments: str) -> str:
        """Runs a command of catt, and returns its output."""
        environment = dict(self.server.environment, HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder))
        process = await asyncio.create_subprocess_exec(
            self.catt_command, "--device", NAME, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=environment,
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
        finally:
            if process.returncode is None:
                process.kill()
        text = output.decode(errors="replace")
        assert process.returncode == 0, f"catt {' '.join(arguments)} ends with {process.returncode}: {text}"
        return text

    def film_address(self) -> str:
        """The address of a small film, which catt looks at before it casts it."""
        files = self.folder / "files"
        files.mkdir()
        (files / "film.mp4").write_bytes(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom")

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

        handler = functools.partial(Handler, directory=str(files))
        self._files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._files.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._files.server_port}/film.mp4"
