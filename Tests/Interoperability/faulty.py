"""A server that does wrong what it is told, and the controller that sees it: what the cases of faults.py share."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip import connection as wire
from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.discovery import IpDiscovery
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

from sessions import BRIGHTNESS, LIGHTBULB, ON, Identifier, Session, close_all, full_type
from waiting import until

SERVICE_TYPE = "_hap._tcp.local."
PATIENCE = 15.0
# How long something is waited for that is not to come.
GRACE = 1.2


class Record:
    """What came over the connections: as the network had it, and as it was after the frames were opened."""

    def __init__(self) -> None:
        self.pieces: list[int] = []
        self.text = b""

    def clear(self) -> None:
        self.pieces.clear()
        self.text = b""


RECORD = Record()


def record_what_comes() -> None:
    """Lets aiohomekit's protocols note what they are given."""
    secure, clear = wire.SecureHomeKitProtocol.data_received, wire.InsecureHomeKitProtocol.data_received

    def secured(self: Any, data: bytes) -> None:
        RECORD.pieces.append(len(data))
        secure(self, data)

    def opened(self: Any, data: bytes) -> None:
        RECORD.text += bytes(data)
        clear(self, data)

    wire.SecureHomeKitProtocol.data_received = secured
    wire.InsecureHomeKitProtocol.data_received = opened


class Quick(Session):
    """A session that does not come back by itself, so that what is seen of it stays seen."""

    async def connects(self) -> bool:
        """Whether a connection is taken and pair-verify succeeds, at once."""
        try:
            async with asyncio.timeout(GRACE):
                await self.connection._connect_once()
        except Exception:
            return False
        return True


class Faulty:
    """`FaultServer`, with a controller that browses for it."""

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str]) -> None:
        self.binary = binary
        self.folder = folder
        self.environment = environment
        self.process: asyncio.subprocess.Process | None = None
        self.lines: list[str] = []
        self.ready: dict[str, Any] = {}
        self.data: dict[str, Any] = {}
        self.sessions: list[Session] = []
        self.found: IpDiscovery | None = None
        self._answers: asyncio.Queue[str] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self.zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        self.browser = AsyncServiceBrowser(self.zeroconf.zeroconf, [SERVICE_TYPE], handlers=[lambda **_: None])
        self.controller = IpController(CharacteristicCacheMemory(), self.zeroconf)
        await self.controller.async_start()
        (self.folder / "state").mkdir()
        self.process = await asyncio.create_subprocess_exec(
            str(self.binary), str(self.folder / "state"), env=self.environment,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(PATIENCE):
            self.ready = json.loads(await self.process.stdout.readline())
        self._reader = asyncio.create_task(self._read())
        await until(lambda: self.description is not None, PATIENCE, "the server is discovered")

    async def close(self) -> None:
        await self.close_sessions()
        if self.found is not None:
            await self.found.close()
        if self.process is not None:
            self.process.stdin.close()
            try:
                async with asyncio.timeout(5):
                    await self.process.wait()
            except TimeoutError:
                self.process.kill()
        if self._reader is not None:
            self._reader.cancel()
        await self.controller.async_stop()
        await self.browser.async_cancel()
        await self.zeroconf.async_close()

    async def _read(self) -> None:
        async for line in self.process.stdout:
            text = line.decode().strip()
            self.lines.append(text)
            if text == "done" or text.startswith("refused"):
                await self._answers.put(text)

    async def order(self, **order: Any) -> None:
        """Tells the server something, and waits until it has obeyed."""
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        async with asyncio.timeout(PATIENCE):
            answer = await self._answers.get()
        assert answer == "done", f"{order} was answered {answer}"

    async def set(self, identifier: Identifier, value: bool | int) -> None:
        """Lets the device report a value."""
        await self.order(set=list(identifier), value=value)

    @property
    def key(self) -> str:
        return self.ready["deviceID"].lower()

    @property
    def description(self) -> Any:
        """What is announced, as aiohomekit has it; `None` for nothing."""
        found = self.controller.discoveries.get(self.key)
        return None if found is None else found.description

    async def discovery(self) -> IpDiscovery:
        """The discovered accessory; always the same object, so that every pair-setup uses one connection."""
        if self.found is None:
            self.found = await self.controller.async_find(self.ready["deviceID"], PATIENCE)
        return self.found

    async def pair(self) -> None:
        finish = await (await self.discovery()).async_start_pairing("faulty")
        self.data = dict((await finish(self.ready["setupCode"])).pairing_data)
        self.data["AccessoryIPs"], self.data["AccessoryPort"] = ["127.0.0.1"], self.ready["port"]
        await until(lambda: int(self.description.status_flags) == 0, PATIENCE, "the pairing is announced")

    def new_session(self) -> Quick:
        # Not the controller's: its sessions follow the announcement, which is wrong on purpose.
        session = Quick(IpController(CharacteristicCacheMemory(), self.zeroconf), self.data)
        session.connection._start_connector = lambda: None
        self.sessions.append(session)
        return session

    async def session(self) -> Quick:
        """An open session that has listed the accessories."""
        session = self.new_session()
        end = time.monotonic() + PATIENCE
        while not await session.connects():
            assert time.monotonic() < end, "no session comes about"
            await asyncio.sleep(0.1)
        await session.list_accessories_and_characteristics()
        return session

    async def close_sessions(self) -> None:
        for session in self.sessions:
            session.connection._start_connector = lambda: None
            with suppress(Exception):
                await close_all(session)
        self.sessions.clear()

    async def is_refused(self) -> bool:
        """Whether the port takes no connection."""
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.ready["port"])
        except OSError:
            return True
        writer.close()
        return False


def lamp(session: Session, aid: int, characteristic: str = ON) -> Identifier:
    """A characteristic of the lamp of an accessory."""
    service = session.accessories.aid(aid).services.first(service_type=full_type(LIGHTBULB))
    return (aid, service[full_type(characteristic)].iid)


def brightness(session: Session, aid: int) -> Identifier:
    return lamp(session, aid, BRIGHTNESS)


async def quiet(awaitable: Any, limit: float = GRACE) -> str:
    """What becomes of something within a time: `done`, `silence`, or the name of what it raises."""
    try:
        async with asyncio.timeout(limit):
            await awaitable
    except TimeoutError:
        return "silence"
    except Exception as error:
        return type(error).__name__
    return "done"
