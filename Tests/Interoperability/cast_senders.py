"""VLC and Chromium, and the events of the receiver to which they cast, which the steps of cast_proofs.py share."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

from processes import Child, Server
from waiting import listens, until

PATIENCE = 60.0
#: VLC does not run as root.
USER = "nobody"  # prose:allow
CHROMIUM, CHROMEDRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"


class Events:
    """What `hap log` prints about a server."""

    def __init__(self, server: Server) -> None:
        self._begin = 0
        self._log = server.log.with_name("events.log")
        self._log.unlink(missing_ok=True)
        command = [str(server.binary), "log", "--state", str(server.state), "--last", "1000", "--follow", "--json"]
        self._child = Child(command, self._log, server.environment)

    def end(self) -> None:
        self._child.end()

    def forget(self) -> None:
        """Forgets the events until now."""
        self._begin = len(self._all())

    async def reports(self, name: str, **details: str) -> dict[str, str]:
        """Waits for an event of the driver with these details, and returns all of its details."""

        def found(event: dict[str, Any]) -> dict[str, str] | None:
            match = re.search(r" reports (\w+)(?:, (.*))?\.$", event.get("message", ""))
            if match is None or match[1] != name:
                return None
            all_details = dict(re.findall(r"(\w+): (.*?)(?=, \w+: |$)", match[2] or ""))
            return all_details if details.items() <= all_details.items() else None

        return await self._until(found, f"{name} {details}")

    async def is_set(self, characteristic: str, value: Any) -> None:
        """Waits until a characteristic, such as `Living Room/Active`, is set to a value."""
        await self._until(lambda event: event.get("name") == characteristic and event.get("value") == value or None,
                          f"{characteristic} is {value}")

    async def applies(self, fault: str) -> None:
        """Waits until a fault acts."""
        await self._until(lambda event: event["kind"] == "fault-applied" and fault in event["message"] or None,
                          f"the fault {fault} acts")

    async def _until(self, found: Callable[[dict[str, Any]], Any], what: str) -> Any:
        def first() -> tuple[Any] | None:
            results = map(found, self._all()[self._begin:])
            return next(((result,) for result in results if result is not None), None)

        return (await until(first, PATIENCE, what))[0]

    def _all(self) -> list[dict[str, Any]]:
        lines = self._log.read_text(errors="replace").split("\n")[:-1]
        return [json.loads(line) for line in lines if line.startswith("{")]


class VLC:
    """A VLC that casts a file to a receiver, and is operated through its Unix socket."""

    def __init__(self, folder: Path, receiver: dict[str, Any], *inputs: str) -> None:
        folder.mkdir()
        shutil.chown(folder, USER)
        self._socket = folder / "vlc.socket"
        output = f"#chromecast{{ip={receiver['host']},port={receiver['port']}}}"
        command = ["runuser", "--user", USER, "--", "env", f"HOME={folder}", "vlc", "--intf", "oldrc", "--rc-fake-tty",
                   "--rc-unix", str(self._socket), "--verbose", "2", "--no-color", "--sout", output,
                   "--demux-filter", "demux_chromecast", *inputs]
        self.child = Child(command, folder / "vlc.log", dict(os.environ))

    @property
    def states(self) -> list[str]:
        """The states of the player that the receiver has reported to it."""
        return re.findall(r"Player state: (\w+)", self.child.log.read_text(errors="replace"))

    async def sees(self, state: str) -> None:
        await until(lambda: self.states[-1:] == [state], PATIENCE, f"VLC sees {state}, only {self.states}")

    async def command(self, text: str) -> None:
        """Performs a command, such as `pause`, which also continues."""
        await until(lambda: listens(self._socket), PATIENCE, "VLC accepts commands")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            await asyncio.to_thread(self._perform, connection, text)

    def _perform(self, connection: socket.socket, text: str) -> None:
        connection.connect(str(self._socket))
        connection.sendall(f"{text}\n".encode())
        answer = b""
        while f"{text}: returned 0".encode() not in answer:
            received = connection.recv(4096)
            assert received, f"VLC answers {answer!r} to {text}"
            answer += received


class Chromium:
    """A Chromium without a window, which accepts receivers with a root certificate."""

    def __init__(self, folder: Path, root: Path) -> None:
        folder.mkdir()
        self._folder, self._root = folder, root
        self._log = folder / "chromium.log"
        self._driver: webdriver.Chrome | None = None

    async def start(self) -> None:
        """Starts it, and returns when it looks for receivers. It does not find one again that it misses soon."""
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         f"--user-data-dir={self._folder / 'profile'}", f"--log-file={self._log}", "--enable-logging",
                         "--vmodule=*/cast/*=1,mdns_client*=1", f"--cast-developer-certificate-path={self._root}"):
            options.add_argument(argument)
        self._driver = await asyncio.to_thread(webdriver.Chrome, options, Service(CHROMEDRIVER))
        await asyncio.to_thread(self._driver.get, "data:text/html,<title>Cast</title><h1>Cast</h1>")
        await self.sinks()
        await self.logs("Sockets ready:")

    async def sinks(self) -> list[str]:
        """The names of the receivers that it lists."""
        return [sink["name"] for sink in await asyncio.to_thread(self._driver.get_sinks)]

    async def lists(self, *names: str) -> None:
        """Waits until it lists these receivers."""
        async with asyncio.timeout(PATIENCE):
            while await self.sinks() != list(names):
                await asyncio.sleep(0.2)

    async def cast_tab(self, name: str) -> str:
        """Casts its tab to a receiver, and returns the error, which is empty if it succeeds."""
        try:
            await asyncio.to_thread(self._driver.start_tab_mirroring, name)
        except WebDriverException as error:
            return error.msg or "an error without a text"
        return ""

    def count(self, text: str) -> int:
        """How often its log contains a text."""
        return self._log.read_text(errors="replace").count(text) if self._log.exists() else 0

    async def logs(self, text: str, times: int = 1) -> None:
        await until(lambda: self.count(text) >= times, PATIENCE, f"the log of Chromium contains {text} {times} times")

    async def end(self) -> None:
        if self._driver is not None:
            await asyncio.to_thread(self._driver.quit)
            self._driver = None
