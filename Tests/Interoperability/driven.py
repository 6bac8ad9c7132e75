"""A switch behind the program in Examples/Drivers, driven by aiohomekit in both directions."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

from aiohomekit.controller.ip.controller import IpController

import program
from processes import PATIENCE, Server
from sessions import ON, Session, close_all

DRIVEN = "a program behind a switch: a write reaches its file, a change of the file is an event, also after SIGKILL"
SWITCH = "49"
PROGRAM = program.ROOT / "Examples/Drivers/gpio_switch.py"


async def check_driven(binary: Path, folder: Path, environment: dict[str, str], controller: IpController, pair: Any) -> None:
    folder.mkdir()
    pin, definition = folder / "value", folder / "shed.yaml"
    pin.write_text("0\n")
    command = json.dumps(["python3", str(PROGRAM), str(pin)])
    definition.write_text(
        f"accessory: Shed\ndriver: {{ command: {{ run: {command} }} }}\nservices:\n  - type: Switch\n"
    )
    server = Server(binary, folder, environment, files=[definition], advertise="off")
    sessions: list[Session] = []
    try:
        async with asyncio.timeout(4 * PATIENCE):
            await exchange(server, sessions, pin, controller, pair)
    finally:
        await close_all(*sessions)
        server.end()


async def exchange(server: Server, sessions: list[Session], pin: Path, controller: IpController, pair: Any) -> None:
    data: dict[str, Any] = {}
    on = (0, 0)
    for end in (signal.SIGKILL, signal.SIGTERM):
        entry = (await server.start())["servers"][0]
        data = data or await pair(controller, entry)
        data["AccessoryIPs"], data["AccessoryPort"] = ["127.0.0.1"], entry["port"]
        session = Session(controller, data)
        sessions.append(session)
        await session.list_accessories_and_characteristics()
        assert on in ((0, 0), session.identifier(SWITCH, ON)), "the switch has another id after the start"
        on = session.identifier(SWITCH, ON)
        # Until the program has reported a value.
        while "value" not in (item := (await session.get_characteristics([on]))[on]):
            assert item["status"] == -70402, f"the read is answered {item}"
        assert item["value"] == (pin.read_text() == "1\n"), f"the value is {item['value']}"
        await session.subscribe([on])
        assert await session.write(on, True) == {}, "the write is refused"
        assert pin.read_text() == "1\n", "the write did not reach the file"
        session.events.clear()
        pin.write_text("0\n")
        await session.expect_event(on, 0, PATIENCE)
        pin.write_text("1\n")
        await session.expect_event(on, 1, PATIENCE)
        await close_all(session)
        await server.stop(end)
