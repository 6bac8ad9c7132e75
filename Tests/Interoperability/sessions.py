"""Sessions of aiohomekit that record the events that were really sent."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import suppress
from typing import Any

from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.pairing import IpPairing
from aiohomekit.exceptions import AuthenticationError
from aiohomekit.model.services.service import Service
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from waiting import until

Identifier = tuple[int, int]

APPLE_BASE = "-0000-1000-8000-0026BB765291"
FADE_RATE = "7E536242-341C-4862-BE90-272CE15BD633"
ACCESSORY_INFORMATION = "3E"
PROTOCOL_INFORMATION = "A2"
GARAGE_DOOR_OPENER = "41"
LIGHTBULB = "43"
CURRENT_DOOR_STATE = "E"
TARGET_DOOR_STATE = "32"
ON = "25"
BRIGHTNESS = "8"


def full_type(short: str) -> str:
    """Returns the full form of a type, as aiohomekit normalizes it."""
    return short if "-" in short else short.rjust(8, "0") + APPLE_BASE


class Session(IpPairing):
    """One connection of a controller.

    aiohomekit reports its own writes to its listeners as if they were events; `events` contains only what the accessory
    sent.
    """

    def __init__(self, controller: IpController, pairing_data: dict[str, Any]) -> None:
        super().__init__(controller, dict(pairing_data))
        self.events: list[tuple[Identifier, Any]] = []

    def event_received(self, event: dict[str, Any]) -> None:
        for item in event["characteristics"]:
            self.events.append(((item["aid"], item["iid"]), item["value"]))
        super().event_received(event)

    async def open(self) -> None:
        """Connects and verifies, unless this session is open."""
        await self._ensure_connected()

    async def shutdown(self) -> None:
        """Closes permanently. A refused reconnection may be reported here, and is not an error."""
        with suppress(AuthenticationError):
            await super().shutdown()

    def identifier(self, service_type: str, characteristic_type: str) -> Identifier:
        """Returns the aid and iid of a characteristic of the listed accessory."""
        return (1, self.service(service_type)[full_type(characteristic_type)].iid)

    def service(self, service_type: str) -> Service:
        """Returns a service of the listed accessory."""
        assert self.accessories is not None, "the accessory was not listed"
        service = self.accessories.aid(1).services.first(service_type=full_type(service_type))
        assert service is not None, f"no service {service_type}"
        return service

    async def read(self, identifier: Identifier) -> Any:
        answer = await self.get_characteristics([identifier])
        return answer[identifier]["value"]

    async def write(self, identifier: Identifier, value: Any, **more: Any) -> dict[str, Any]:
        """Writes one value unchanged, and returns the JSON of the response; `{}` for 204."""
        aid, iid = identifier
        body = {"characteristics": [{"aid": aid, "iid": iid, "value": value}], **more}
        return await self.connection.put_json("/characteristics", body)

    async def write_other(self, identifier: Identifier) -> bool:
        """Writes the opposite value of a Boolean; returns the written value."""
        value = not await self.read(identifier)
        answer = await self.write(identifier, value)
        assert answer == {}, f"the write was answered {answer}"
        return value

    async def expect_event(self, identifier: Identifier, value: Any, limit: float) -> None:
        """Waits for an event that is already recorded or arrives within `limit` seconds."""
        await until(lambda: (identifier, value) in self.events, limit,
                    f"an event {identifier} = {value}, only {self.events} came")

    async def refuses_to_return(self, limit: float) -> bool:
        """Waits until aiohomekit's reconnection has failed; returns whether the accessory did not know the controller.
        """
        await until(lambda: self.connection.last_connector_error, limit, "the reconnection is answered")
        return type(self.connection.last_connector_error).__name__ == "AuthenticationError"


async def close_all(*sessions: Session | None) -> None:
    for session in sessions:
        if session is not None:
            await asyncio.wait_for(session.shutdown(), 5)


def new_controller(pairing_data: dict[str, Any]) -> dict[str, Any]:
    """Returns pairing data of another controller for the same accessory."""
    key = Ed25519PrivateKey.generate()
    return dict(
        pairing_data,
        iOSPairingId=str(uuid.uuid4()),
        iOSDeviceLTSK=key.private_bytes_raw().hex(),
        iOSDeviceLTPK=key.public_key().public_bytes_raw().hex(),
    )
