"""Checks what a connected controller sees while a definition is edited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

from claims import Account
from processes import Server
from sessions import ON, Session, close_all, full_type
from waiting import until

LIMIT = 15.0
SERVICE_TYPE = "_hap._tcp.local."
NAME = full_type("23")
OUTLET = full_type("47")

STRUCTURE = "edited while a controller is connected: c# rises, and the controller reads the accessories again"
IDS = "what stayed has its ids, and what is new has none of those that are gone"
CONNECTION = "the connection and its subscriptions have outlived the edit"
VALUE = "a value is edited: an event tells of it, and c# stays"
MISTAKE = "an edit with a mistake: file, line and column are told, and the old one stays"
EDITS = (STRUCTURE, IDS, CONNECTION, VALUE, MISTAKE)


def definition(*outlets: str, switched_on: str = "") -> str:
    """Returns a definition with several outlets."""
    services = "".join(
        f"  - type: Outlet\n    name: {name}\n    characteristics: {{ On: {str(name == switched_on).lower()} }}\n"
        for name in outlets
    )
    return f"accessory: Strip\nservices:\n{services}"


def outlets(accessories: Any) -> dict[str, dict[str, int]]:
    """Returns the ids of every outlet by its name: its own with an empty type, and those of its characteristics."""
    found = {}
    for service in accessories.serialize()[0]["services"]:
        if service["type"].upper() == OUTLET:
            types = {each["type"].upper(): each for each in service["characteristics"]}
            found[types[NAME]["value"]] = {"": service["iid"]} | {key: each["iid"] for key, each in types.items()}
    return found


class Edited:
    """`hap serve` with a file that changes, and a connected controller."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.file = server.files[0]
        self.session: Session | None = None
        self.zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        self.browser = AsyncServiceBrowser(self.zeroconf.zeroconf, [SERVICE_TYPE], handlers=[lambda **_: None])
        self.controller = IpController(CharacteristicCacheMemory(), self.zeroconf)
        self.device_id = ""

    async def start(self) -> None:
        self.write(definition("Monitor", "Printer", "Charger"))
        await self.controller.async_start()
        entry = (await self.server.start())["servers"][0]
        self.device_id = entry["deviceID"].lower()
        finish = await (await self.controller.async_find(self.device_id, LIMIT)).async_start_pairing("strip")
        data = dict((await finish(entry["setupCode"])).pairing_data)
        self.session = Session(self.controller, data)
        # The controller receives announcements through this browser.
        self.controller.pairings[self.device_id] = self.session
        self.session._async_description_update(self.controller.discoveries[self.device_id].description)
        await self.session.open()
        await self.session.list_accessories_and_characteristics()

    async def close(self) -> None:
        await close_all(self.session)
        await self.controller.async_stop()
        await self.browser.async_cancel()
        await self.zeroconf.async_close()

    def write(self, text: str) -> None:
        """Replaces the file in the way of editors."""
        self.file.parent.mkdir(exist_ok=True)
        draft = self.file.with_suffix(".draft")
        draft.write_text(text)
        draft.replace(self.file)

    @property
    def announced(self) -> int:
        """Returns the announced configuration number."""
        return self.controller.discoveries[self.device_id].description.config_num

    def outlets(self) -> dict[str, dict[str, int]]:
        assert self.session is not None and self.session.accessories is not None, "nothing was listed"
        return outlets(self.session.accessories)


async def check_edits(account: Account, server: Server) -> None:
    edited = Edited(server)
    try:
        await edited.start()
        session = edited.session
        assert session is not None
        before, number = edited.outlets(), edited.announced
        monitor = (1, before["Monitor"][full_type(ON)])
        await session.subscribe([monitor])
        connection = session.connection.transport

        edited.write(definition("Monitor", "Lamp", "Printer"))
        await until(lambda: "Lamp" in edited.outlets(), LIMIT, f"the edit is listed\n{server.log_tail()}")
        assert edited.announced == number + 1, f"c# was {number}, and is {edited.announced}"
        assert re.search(rf"strip\.yaml reloaded, c# {number + 1}$", server.log_text(), re.M), server.log_tail()
        account.passes(STRUCTURE)

        after = edited.outlets()
        assert list(after) == ["Monitor", "Lamp", "Printer"], f"the outlets are {list(after)}"
        for name in ("Monitor", "Printer"):
            assert after[name] == before[name], f"the ids of {name} were {before[name]}, and are {after[name]}"
        old = {iid for ids in before.values() for iid in ids.values()}
        assert not old & set(after["Lamp"].values()), f"the new outlet has {after['Lamp']}, and {old} were taken"
        account.passes(IDS)

        session.events.clear()
        other = Session(edited.controller, session.pairing_data)
        try:
            await other.open()
            assert await other.write(monitor, True) == {}, "the write is refused"
            await session.expect_event(monitor, 1, LIMIT)
        finally:
            await close_all(other)
        assert session.connection.transport is connection, "it is another connection"
        account.passes(CONNECTION)

        printer = (1, after["Printer"][full_type(ON)])
        await session.subscribe([printer])
        edited.write(definition("Monitor", "Lamp", "Printer", switched_on="Printer"))
        await session.expect_event(printer, 1, LIMIT)
        await until(lambda: server.log_text().count("reloaded, c#") == 2, LIMIT, "the second edit is told")
        assert edited.announced == number + 1, f"c# has become {edited.announced}"
        account.passes(VALUE)

        edited.write(definition("Monitor", "Lamp").replace("type: Outlet", "type: Outlit", 1))
        await until(lambda: "strip.yaml:3:11: " in server.log_text(), LIMIT, "the mistake is told")
        listed = await session.list_accessories_and_characteristics()
        names = [item["value"] for service in listed[0]["services"][2:] for item in service["characteristics"]
                 if item["type"].upper() == NAME]
        assert names == ["Monitor", "Lamp", "Printer"], f"the outlets are {names}"
        assert edited.announced == number + 1, f"c# has become {edited.announced}"
        account.passes(MISTAKE)
    finally:
        await edited.close()
        await server.stop()
