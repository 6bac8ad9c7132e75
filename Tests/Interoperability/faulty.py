"""The server with faults and the controller of the cases in faults.py."""

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

from kept import Kept
from sessions import BRIGHTNESS, LIGHTBULB, ON, Identifier, Session, close_all, full_type
from terminal import Terminal
from waiting import until

SERVICE_TYPE = "_hap._tcp.local."
# The time limit for anything, on a busy machine.
PATIENCE = 60.0
# The time limit of a connection if others may be tried after it.
ONE_TRY = 10.0
# The time to wait for something that must not occur.
GRACE = 1.2


class Record:
    """The bytes of the connections, as sent and after decryption."""

    def __init__(self) -> None:
        self.pieces: list[int] = []
        self.text = b""

    def clear(self) -> None:
        self.pieces.clear()
        self.text = b""


RECORD = Record()


def record_what_comes() -> None:
    """Makes aiohomekit's protocols record their input."""
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
    """A session that does not reconnect, so that its end can be checked."""

    async def connects(self, limit: float = PATIENCE) -> bool:
        """Returns whether a connection is accepted and pair-verify succeeds at the first attempt."""
        try:
            async with asyncio.timeout(limit):
                await self.connection._connect_once()
        except Exception:
            return False
        return True


class Faulty:
    """`hap serve` of a bridge with a prompt for faults, and a controller that browses for it."""

    FILE = Path(__file__).with_name("faulty.yaml")

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str]) -> None:
        self.binary = binary
        self.folder = folder
        self.environment = environment
        self.terminal: Terminal | None = None
        self.ready: dict[str, Any] = {}
        self.data: dict[str, Any] = {}
        self.sessions: list[Session] = []
        self.found: IpDiscovery | None = None
        self.zeroconf: AsyncZeroconf | None = None
        self.browser: AsyncServiceBrowser | None = None
        self.controller: IpController | None = None
        self._value = 0

    async def open(self) -> None:
        self.zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        self.browser = AsyncServiceBrowser(self.zeroconf.zeroconf, [SERVICE_TYPE], handlers=[lambda **_: None])
        self.controller = IpController(CharacteristicCacheMemory(), self.zeroconf)
        await self.controller.async_start()
        ready = self.folder / "ready.json"
        self.terminal = Terminal(
            [str(self.binary), "serve", str(self.FILE), "--port", "0", "--bind", "127.0.0.1", "--advertise", "on",
             "--state", str(self.folder / "state"), "--ready-file", str(ready)],
            self.environment,
        )
        await self.terminal.line("Type help for the list of commands.")
        self.ready = json.loads(ready.read_text())["servers"][0]
        await until(lambda: self.description is not None, PATIENCE, "the server is discovered")

    async def close(self) -> None:
        await self.close_sessions()
        if self.found is not None:
            await self.found.close()
        if self.terminal is not None:
            self.terminal.close()
        if self.controller is not None:
            await self.controller.async_stop()
        if self.browser is not None:
            await self.browser.async_cancel()
        if self.zeroconf is not None:
            await self.zeroconf.async_close()

    @property
    def lines(self) -> list[str]:
        """Returns the lines that the server has printed."""
        return [] if self.terminal is None else self.terminal.lines

    @property
    def kept(self) -> Kept:
        """Returns the content of its store."""
        return Kept(self.folder / "state")

    async def faults(self) -> set[str]:
        """Returns the names of all faults, which the prompt lists if none is named."""
        told = await self.terminal.type("fault ?", r"There is no fault .* There are: (.*)\.")
        return set(told[1].split(", "))

    async def begin(self, phrase: str) -> None:
        """Starts a fault; returns when it is active."""
        await self.terminal.type(f"fault {phrase}", rf"Fault {phrase.split()[0]}( on .*)?, (until cleared|for |once|\d).*\.")

    async def clear(self) -> None:
        """Ends all faults; returns when they are over."""
        await self.terminal.type("clear faults", r"No such fault was active\.|\d+ faults? (has|have) ended\.")

    async def pass_hour(self) -> None:
        """Advances simulated time by an hour."""
        await self.terminal.type("advance 1h", r"Time advanced by 1h\.")

    def next_value(self) -> int:
        """Returns a brightness that the far lamp does not have."""
        self._value = self._value % 100 + 1
        return self._value

    async def change(self) -> int:
        """Sets another brightness of the far lamp, and returns it."""
        value = self.next_value()
        await self.set(("Brightness", value))
        return value

    async def set(self, *values: tuple[str, bool | int]) -> None:
        """Sets characteristics of the far lamp one right after the other."""
        await self.terminal.type_all([
            (f"set Far Lamp/{name} to {str(value).lower()}", rf"Far Lamp/.*/{name}: .+") for name, value in values
        ])

    @property
    def key(self) -> str:
        return self.ready["deviceID"].lower()

    @property
    def description(self) -> Any:
        """Returns the announcement that aiohomekit knows, or `None`."""
        found = self.controller.discoveries.get(self.key)
        return None if found is None else found.description

    async def discovery(self) -> IpDiscovery:
        """Returns the discovered accessory; always the same object, so that every pair-setup uses one connection."""
        if self.found is None:
            self.found = await self.controller.async_find(self.ready["deviceID"], PATIENCE)
        return self.found

    async def pair(self) -> None:
        finish = await (await self.discovery()).async_start_pairing("faulty")
        self.data = dict((await finish(self.ready["setupCode"])).pairing_data)
        self.data["AccessoryIPs"], self.data["AccessoryPort"] = ["127.0.0.1"], self.ready["port"]
        await until(lambda: int(self.description.status_flags) == 0, PATIENCE, "the pairing is announced")

    def new_session(self) -> Quick:
        # Not the controller's pairing: its sessions follow the announcement, which is wrong on purpose.
        session = Quick(IpController(CharacteristicCacheMemory(), self.zeroconf), self.data)
        session.connection._start_connector = lambda: None
        self.sessions.append(session)
        return session

    async def session(self) -> Quick:
        """Opens a session that has listed the accessories."""
        session = self.new_session()
        end = time.monotonic() + PATIENCE
        while not await session.connects(ONE_TRY):
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
        """Returns whether the port refuses connections."""
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.ready["port"])
        except OSError:
            return True
        writer.close()
        return False


def lamp(session: Session, aid: int, characteristic: str = ON) -> Identifier:
    """Returns a characteristic of a lamp: accessory 1 is the bridge, and 2 is behind it."""
    service = session.accessories.aid(aid).services.first(service_type=full_type(LIGHTBULB))
    return (aid, service[full_type(characteristic)].iid)


def brightness(session: Session, aid: int) -> Identifier:
    return lamp(session, aid, BRIGHTNESS)


async def answered(session: Session) -> None:
    """Returns after a request is answered: all earlier messages of the server on this connection have then arrived."""
    await session.read(lamp(session, 1))


async def quiet(awaitable: Any, limit: float = GRACE) -> str:
    """Returns the outcome within a time: `done`, `silence`, or the name of an exception."""
    try:
        async with asyncio.timeout(limit):
            await awaitable
    except TimeoutError:
        return "silence"
    except Exception as error:
        return type(error).__name__
    return "done"
