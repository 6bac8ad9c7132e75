"""An AirPlay sender on pyatv, which airplay.py operates with JSON lines.

A line of the input is a call, such as {"id": 1, "call": "set_volume", "arguments": [50], "options": {}}, and is
answered by {"id": 1, "answer": VALUE} or {"id": 1, "error": TEXT}. The public methods of Sender are calls. A stream and
a video continue after their answer; when they end, that is a line such as {"stream": {"ended": true}} or
{"video": {"error": TEXT}}. The end of the input ends the process.

It runs in a virtual environment of its own, so it imports nothing of the other programs.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Awaitable, Sequence
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pyatv
from pyatv import conf
from pyatv.auth.hap_pairing import TRANSIENT_CREDENTIALS, parse_credentials
from pyatv.const import Protocol
from pyatv.exceptions import HttpError
from pyatv.interface import AppleTV, BaseConfig, MediaMetadata, PairingHandler
from pyatv.protocols.airplay.auth import verify_connection
from pyatv.settings import AirPlayVersion
from pyatv.storage.memory_storage import MemoryStorage
from pyatv.support.http import HttpConnection, http_connect
from pyatv.support.rtsp import RtspSession

#: What a receiver of AirPlay 2 announces, for a connection without discovery.
AIRPLAY = {"features": "0x00040211,0x00034040", "flags": "0x4", "model": "Receiver1,1"}
RAOP = {"ft": "0x00040211,0x00034040", "md": "0,1,2", "et": "0,1", "cn": "0,1", "sr": "44100", "ss": "16", "ch": "2",
        "sf": "0x4", "am": "Receiver1,1"}
#: The credentials of a session without a PIN, as pyatv writes them.
TRANSIENT = str(TRANSIENT_CREDENTIALS)


def write(**line: Any) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Sender:
    """What one sender does with receivers."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._found: list[BaseConfig] = []
        self._config: BaseConfig | None = None
        self._storage = MemoryStorage()
        self._device: AppleTV | None = None
        self._pairing: PairingHandler | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._connection: HttpConnection | None = None
        self._rtsp: RtspSession | None = None

    # Discovery

    async def scan(self, host: str | None = None, *, timeout: int = 5,
                   protocols: Sequence[str] = ("AirPlay", "RAOP")) -> list[dict[str, Any]]:
        """Asks a host for its receivers, or all by multicast."""
        self._found = await pyatv.scan(self._loop, timeout=timeout, hosts=[host] if host else None,
                                       protocol={Protocol[name] for name in protocols}, storage=self._storage)
        return [describe(config) for config in self._found]

    async def choose(self, name: str) -> None:
        """Uses a receiver that was found."""
        self._config = next(config for config in self._found if config.name == name)

    async def use(self, name: str, host: str, port: int, *, airplay: dict[str, str] | None = None,
                  raop: dict[str, str] | None = None, identifier: str = "02:00:00:00:00:01") -> None:
        """Uses a receiver without discovery and without credentials. The properties are what it would announce."""
        self._storage = MemoryStorage()
        self._config = conf.AppleTV(IPv4Address(host), name)
        for protocol, usual, other in ((Protocol.AirPlay, AIRPLAY, airplay), (Protocol.RAOP, RAOP, raop)):
            self._config.add_service(conf.ManualService(identifier, protocol, port, usual | (other or {})))

    async def sign_in(self, credentials: str | None = None, password: str | None = None, version: str = "auto") -> None:
        """Uses credentials of a pairing, or a password, or another version of AirPlay: auto, 1 or 2."""
        config = self._chosen
        for service in config.services:
            service.credentials = credentials
            service.password = password
        settings = await self._storage.get_settings(config)
        settings.protocols.raop.protocol_version = AirPlayVersion(version)
        for each in (settings.protocols.raop, settings.protocols.airplay):
            each.credentials, each.password = credentials, password

    # Pairing

    async def begin_pairing(self) -> None:
        """Asks the receiver to show its PIN."""
        self._pairing = await pyatv.pair(self._chosen, Protocol.AirPlay, self._loop, storage=self._storage)
        await self._pairing.begin()

    async def finish_pairing(self, pin: str) -> dict[str, Any]:
        """Pairs with a PIN; returns the credentials."""
        assert self._pairing is not None, "begin_pairing comes first"
        try:
            self._pairing.pin(int(pin))
            await self._pairing.finish()
            return {"paired": self._pairing.has_paired, "credentials": self._pairing.service.credentials}
        finally:
            await self._pairing.close()
            self._pairing = None

    # Sessions

    async def connect(self) -> dict[str, Any]:
        await self.close()
        self._device = await pyatv.connect(self._chosen, self._loop, storage=self._storage)
        info = self._device.device_info
        return {"name": self._device.service.identifier, "model": info.raw_model, "mac": info.mac}

    async def stream(self, file: str, *, artwork: str | None = None, **metadata: Any) -> None:
        """Streams a file; `metadata` has title, artist, album and duration."""
        picture = Path(artwork).read_bytes() if artwork else None
        about = MediaMetadata(artwork=picture, **metadata) if metadata or picture else None
        self._continue("stream", self._connected.stream.stream_file(file, metadata=about))

    async def play_url(self, url: str, position: int = 0) -> None:
        self._continue("video", self._connected.stream.play_url(url, position=position))

    async def set_volume(self, percent: float) -> None:
        await self._connected.audio.set_volume(percent)

    async def volume(self) -> float:
        return self._connected.audio.volume

    async def remote(self, key: str) -> None:
        """Presses a key, such as `pause` or `stop`."""
        await getattr(self._connected.remote_control, key)()

    async def playing(self) -> dict[str, Any]:
        state = await self._connected.metadata.playing()
        return {"state": state.device_state.name, "title": state.title, "artist": state.artist, "album": state.album,
                "position": state.position, "duration": state.total_time}

    async def close(self) -> None:
        """Ends what goes on, and disconnects."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._device is not None:
            await asyncio.gather(*self._device.close())
        self._device = None
        await self.close_control()

    # Requests of any kind

    async def open_control(self, credentials: str | None = TRANSIENT) -> None:
        """Opens a control connection, and pairs as credentials say; null leaves it in the clear."""
        await self.close_control()
        service = self._chosen.get_service(Protocol.AirPlay)
        self._connection = await http_connect(str(self._chosen.address), service.port)
        self._rtsp = RtspSession(self._connection)
        if credentials is not None:
            await verify_connection(parse_credentials(credentials), self._connection)

    async def control(self, method: str, uri: str | None = None, *, body: Any = None, data: str | None = None,
                      kind: str | None = None, protocol: str = "RTSP/1.0") -> dict[str, Any]:
        """Sends a request with a property list, or with data in base64; returns the status and the body."""
        assert self._rtsp is not None, "open_control comes first"
        content = base64.b64decode(data) if data is not None else body
        try:
            answer = await self._rtsp.exchange(method, uri, content_type=kind, body=content, allow_error=True,
                                               protocol=protocol)
        except HttpError as error:
            return {"status": error.status_code, "body": ""}
        received = answer.body if isinstance(answer.body, bytes) else str(answer.body).encode()
        return {"status": answer.code, "body": base64.b64encode(received).decode()}

    async def close_control(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection, self._rtsp = None, None

    # Parts

    @property
    def _chosen(self) -> BaseConfig:
        assert self._config is not None, "choose or use comes first"
        return self._config

    @property
    def _connected(self) -> AppleTV:
        assert self._device is not None, "connect comes first"
        return self._device

    def _continue(self, kind: str, work: Awaitable[None]) -> None:
        async def finish() -> None:
            try:
                await work
            except asyncio.CancelledError:
                write(**{kind: {"cancelled": True}})
            except Exception as error:  # any error is the result
                write(**{kind: described(error)})
            else:
                write(**{kind: {"ended": True}})

        task = asyncio.create_task(finish())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def described(error: Exception) -> dict[str, Any]:
    """An error, with the status of the response if there was one."""
    return {"error": f"{type(error).__name__}: {error}", "status": getattr(error, "status_code", None)}


def describe(config: BaseConfig) -> dict[str, Any]:
    info = config.device_info
    services = {
        service.protocol.name: {"port": service.port, "identifier": service.identifier, "pairing": service.pairing.name,
                                "password": service.requires_password, "properties": dict(service.properties)}
        for service in config.services
    }
    return {"name": config.name, "address": str(config.address), "identifier": config.identifier,
            "model": info.raw_model, "mac": info.mac, "version": info.version, "services": services}


async def perform() -> None:
    sender = Sender()
    lines = asyncio.StreamReader(limit=1 << 26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        request = json.loads(line)
        try:
            answer = await getattr(sender, request["call"])(*request["arguments"], **request["options"])
        except Exception as error:  # any error is the answer
            write(id=request["id"], **described(error))
        else:
            write(id=request["id"], answer=answer)
    await sender.close()


if __name__ == "__main__":
    asyncio.run(perform())
