"""One step for each claim. A step returns if its claim is true, and raises an exception otherwise."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from aiohomekit.exceptions import AuthenticationError, UnpairedError

import qr_check
from garage import Garage
from sessions import (ACCESSORY_INFORMATION, BRIGHTNESS, CURRENT_DOOR_STATE, FADE_RATE, GARAGE_DOOR_OPENER, LIGHTBULB,
                      ON, PROTOCOL_INFORMATION, TARGET_DOOR_STATE, Session, full_type, new_controller)
from waiting import until

Step = Callable[[Garage], Awaitable[None]]

GARAGE_DOOR_OPENER_CATEGORY = 4
INVALID_VALUE = -70410
OPEN, CLOSED, OPENING = 0, 1, 2
# The time limit for anything, on a busy machine.
PATIENCE = 20.0
# The time to wait for something that must not occur.
SILENCE = 1.5
# The door needs 12 s.
DOOR_LIMIT = 12 + PATIENCE

SERVICES: dict[str, tuple[str, ...]] = {
    ACCESSORY_INFORMATION: ("14", "20", "21", "23", "30", "52"),
    PROTOCOL_INFORMATION: ("37",),
    GARAGE_DOOR_OPENER: ("E", "32", "24", "1D", "1E", "23"),
    LIGHTBULB: ("25", "8", "13", "2F", "23", FADE_RATE),
}

STEPS: dict[str, Step] = {}


def shows(claim: str) -> Callable[[Step], Step]:
    """Registers the step of a claim."""

    def enter(step: Step) -> Step:
        STEPS[claim] = step
        return step

    return enter


def expect(actual: Any, expected: Any, what: str) -> None:
    assert actual == expected, f"{what} is {actual!r}, not {expected!r}"


# Start and discovery


@shows("the ready file tells what listens")
async def ready_file(garage: Garage) -> None:
    assert garage.ready["console"].startswith("http://127.0.0.1:"), "no console"
    server = garage.published
    for key in ("name", "key", "deviceID", "port", "setupCode", "setupURI", "category", "paired"):
        assert key in server, f"no key {key} in {server}"
    expect(server["setupCode"], garage.server.SETUP_CODE, "setupCode")
    expect(server["category"], GARAGE_DOOR_OPENER_CATEGORY, "category")
    expect(server["paired"], False, "paired")


@shows("the QR code in the terminal decodes to the setup URI")
async def qr_code(garage: Garage) -> None:
    await until(lambda: qr_check.block_lines(garage.server.log_text()), PATIENCE, "a QR code is printed")
    expect(qr_check.decoded(garage.server.log_text()), garage.published["setupURI"], "the QR code")


@shows("discovered through a private Avahi on loopback")
async def discovered(garage: Garage) -> None:
    description = (await garage.discovery()).description
    expect(description.port, garage.published["port"], "the announced port")
    expect(description.addresses, ["127.0.0.1"], "the announced address")
    text = await garage.text_record()
    setup_id = garage.published["setupURI"][-4:]
    digest = hashlib.sha512((setup_id + garage.device_id).encode()).digest()
    fixed = {"id": garage.device_id, "pv": "1.1", "s#": "1", "ff": "0", "sf": "1", "c#": "1",
             "ci": str(GARAGE_DOOR_OPENER_CATEGORY), "sh": base64.b64encode(digest[:4]).decode()}
    for key, value in fixed.items():
        expect(text.get(key), value, f"TXT {key}")
    assert text.get("md"), "TXT md is missing or empty"


# Pairing


@shows("a wrong setup code is refused")
async def wrong_code(garage: Garage) -> None:
    finish = await (await garage.discovery()).async_start_pairing(garage.device_id)
    try:
        await finish("111-22-333")
    except AuthenticationError:
        return
    raise AssertionError("a wrong setup code was accepted")


@shows("paired with the right setup code")
async def paired(garage: Garage) -> None:
    await garage.pair()
    await garage.open_sessions()


@shows("sf is 0 once paired")
async def announced_as_paired(garage: Garage) -> None:
    await garage.status_flags_become(0)


# Reading and writing


@shows("listed with every service and characteristic of the Kilgo garage")
async def listed(garage: Garage) -> None:
    await garage.second.list_accessories_and_characteristics()
    accessories = await garage.owner.list_accessories_and_characteristics()
    expect([accessory["aid"] for accessory in accessories], [1], "the accessories")
    for service_type, expected in SERVICES.items():
        service = garage.owner.service(service_type)
        for characteristic in expected:
            assert service.has(full_type(characteristic)), f"service {service_type} has no {characteristic}"
    information = garage.owner.service(ACCESSORY_INFORMATION)
    expect(information.iid, 1, "the iid of Accessory Information")
    expect(information.value(full_type("20")), "Kilgo Devices, Inc.", "Manufacturer")


@shows("every readable characteristic read with all flags")
async def read_with_all_flags(garage: Garage) -> None:
    listing = await garage.owner.connection.get_json("/accessories")
    characteristics = {characteristic["iid"]: characteristic
                       for service in listing["accessories"][0]["services"]
                       for characteristic in service["characteristics"] if "pr" in characteristic["perms"]}
    ids = ",".join(f"1.{iid}" for iid in characteristics)
    target = f"/characteristics?id={ids}&meta=1&perms=1&type=1&ev=1"
    answer = await garage.owner.connection.get_json(target)
    expect([item["iid"] for item in answer["characteristics"]], list(characteristics), "the order of the answer")
    for item in answer["characteristics"]:
        known = characteristics[item["iid"]]
        for key in ("type", "perms", "format", "unit", "minValue", "maxValue", "minStep", "value"):
            expect(item.get(key), known.get(key), f"{key} of 1.{item['iid']}")
        if "ev" in known["perms"]:
            expect(bool(item.get("ev")), False, f"ev of 1.{item['iid']} before any subscription")


@shows("written and read back")
async def written(garage: Garage) -> None:
    light = garage.owner.identifier(LIGHTBULB, ON)
    brightness = garage.owner.identifier(LIGHTBULB, BRIGHTNESS)
    expect(await garage.owner.put_characteristics([(*light, True), (*brightness, 42)]), {}, "the answer")
    expect(await garage.second.read(light), 1, "On")
    expect(await garage.second.read(brightness), 42, "Brightness")


@shows("the fade rate written and read back")
async def fade_rate(garage: Garage) -> None:
    fade = garage.owner.identifier(LIGHTBULB, FADE_RATE)
    expect(await garage.owner.write(fade, 2.5), {}, "the answer")
    expect(await garage.second.read(fade), 2.5, "the fade rate")


@shows("a timed write is executed, with a wrong pid it is not")
async def timed_write(garage: Garage) -> None:
    brightness = garage.owner.identifier(LIGHTBULB, BRIGHTNESS)
    await prepare(garage.owner, 11)
    expect(await garage.owner.write(brightness, 31, pid=11), {}, "the answer to the timed write")
    expect(await garage.owner.read(brightness), 31, "Brightness after the timed write")
    await prepare(garage.owner, 12)
    aid, iid = brightness
    refusal = {"characteristics": [{"aid": aid, "iid": iid, "status": INVALID_VALUE}]}
    expect(await garage.owner.write(brightness, 77, pid=13), refusal, "the answer with a wrong pid")
    expect(await garage.owner.read(brightness), 31, "Brightness after the wrong pid")


async def prepare(session: Session, pid: int) -> None:
    expect(await session.connection.put_json("/prepare", {"ttl": 5000, "pid": pid}), {"status": 0}, "/prepare")


# Events


@shows("subscribed on one session, written on another: the event arrives")
async def event_arrives(garage: Garage) -> None:
    light = garage.owner.identifier(LIGHTBULB, ON)
    expect(await garage.owner.subscribe([light]), {}, "the answer to the subscription")
    value = await garage.second.write_other(light)
    await garage.owner.expect_event(light, value, PATIENCE)


@shows("no echo of the written value to its writer")
async def no_echo(garage: Garage) -> None:
    light = garage.owner.identifier(LIGHTBULB, ON)
    expect(await garage.owner.subscribe([light]), {}, "the answer to the owner's subscription")
    expect(await garage.second.subscribe([light]), {}, "the answer to the other session's subscription")
    # Waits: a late change from an earlier step would look like an echo.
    await asyncio.sleep(SILENCE)
    garage.owner.events.clear()
    garage.second.events.clear()
    value = await garage.owner.write_other(light)
    await garage.second.expect_event(light, value, PATIENCE)
    # Waits: an echo would come in this time.
    await asyncio.sleep(SILENCE)
    expect(garage.owner.events, [], "what the writer heard")


@shows("a boolean written to Target Door State is accepted")
async def boolean_to_target_door_state(garage: Garage) -> None:
    current = garage.owner.identifier(GARAGE_DOOR_OPENER, CURRENT_DOOR_STATE)
    target = garage.owner.identifier(GARAGE_DOOR_OPENER, TARGET_DOOR_STATE)
    expect(await garage.owner.read(current), CLOSED, "Current Door State before")
    expect(await garage.owner.subscribe([current, target]), {}, "the answer to the subscription")
    garage.owner.events.clear()
    expect(await garage.owner.write(target, False), {}, "the answer")
    expect(await garage.owner.read(target), OPEN, "Target Door State")


@shows("the writer itself receives Opening and then Open")
async def writer_receives_consequences(garage: Garage) -> None:
    current = garage.owner.identifier(GARAGE_DOOR_OPENER, CURRENT_DOOR_STATE)
    target = garage.owner.identifier(GARAGE_DOOR_OPENER, TARGET_DOOR_STATE)
    await garage.owner.expect_event(current, OPEN, DOOR_LIMIT)
    states = [value for identifier, value in garage.owner.events if identifier == current]
    expect(states, [OPENING, OPEN], "the events of Current Door State")
    expect([item for item in garage.owner.events if item[0] == target], [], "the events of Target Door State")


# A second controller


@shows("a second controller is added")
async def second_controller_added(garage: Garage) -> None:
    assert garage.pairing_data is not None, "not paired"
    garage.guest_data = new_controller(garage.pairing_data)
    guest = garage.guest_data
    expect(await garage.owner.add_pairing(guest["iOSPairingId"], guest["iOSDeviceLTPK"], "User"), True, "the answer")
    pairings = {item["pairingId"]: item["controllerType"] for item in await garage.owner.list_pairings()}
    expect(pairings, {garage.pairing_data["iOSPairingId"]: "admin", guest["iOSPairingId"]: "regular"}, "the pairings")


@shows("the second controller reads and writes, and may not list the pairings")
async def second_controller_used(garage: Garage) -> None:
    assert garage.guest_data is not None, "no second controller was added"
    garage.guest = Session(garage.controller, garage.guest_data)
    await garage.guest.list_accessories_and_characteristics()
    light = garage.guest.identifier(LIGHTBULB, ON)
    value = await garage.guest.write_other(light)
    expect(await garage.owner.read(light), value, "On")
    try:
        await garage.guest.list_pairings()
    except UnpairedError:  # aiohomekit's name for the TLV error Authentication here
        return
    raise AssertionError("a regular user listed the pairings")


@shows("the second controller is removed, its session closed, its return refused")
async def second_controller_removed(garage: Garage) -> None:
    assert garage.guest is not None and garage.guest_data is not None, "no second controller was added"
    await garage.guest.open()
    connection = garage.guest.connection.protocol
    await garage.owner.remove_pairing(garage.guest_data["iOSPairingId"])
    await expect_closed(garage.guest, connection, "the removed controller's session")
    pairings = [item["pairingId"] for item in await garage.owner.list_pairings()]
    expect(pairings, [garage.owner.pairing_data["iOSPairingId"]], "the pairings")


async def expect_closed(session: Session, connection: Any, what: str) -> None:
    """Waits until the accessory has closed a connection and refused the next pair-verify."""
    await until(lambda: session.connection.protocol is not connection, PATIENCE, f"{what} is closed")
    assert await session.refuses_to_return(PATIENCE), f"{what}: {session.connection.last_connector_error!r}"


# Restarts and the end


@shows("the server restarted: the session resumes without pairing")
async def restarted(garage: Garage) -> None:
    before = dict(garage.published)
    expect(await garage.server.stop(), 0, "the exit status after SIGTERM")
    garage.ready = await garage.server.start()
    expect(garage.published, dict(before, paired=True), "the ready file after the restart")
    await garage.owner.open()
    await garage.second.open()
    light = garage.owner.identifier(LIGHTBULB, ON)
    garage.owner.events.clear()
    value = await garage.second.write_other(light)
    await garage.owner.expect_event(light, value, PATIENCE)


@shows("unpaired: every session closed, sf back to 1")
async def unpaired(garage: Garage) -> None:
    connection = garage.second.connection.protocol
    await garage.owner.remove_pairing(garage.owner.pairing_data["iOSPairingId"])
    await expect_closed(garage.second, connection, "the other session")
    await garage.status_flags_become(1)
    await garage.second.shutdown()


@shows("paired again")
async def paired_again(garage: Garage) -> None:
    await garage.pair()


@shows("kill -9 right after pairing: the pairing is still there")
async def killed(garage: Garage) -> None:
    device_id = garage.device_id
    expect(await garage.server.stop(by=signal.SIGKILL), -signal.SIGKILL, "the exit status")
    garage.ready = await garage.server.start()
    expect(garage.published["paired"], True, "paired")
    expect(garage.device_id, device_id, "the device ID")
    await garage.open_sessions()
    pairings = [item["pairingId"] for item in await garage.owner.list_pairings()]
    expect(pairings, [garage.owner.pairing_data["iOSPairingId"]], "the pairings")


@shows("SIGTERM ends the server with status 0 and withdraws its records")
async def ended(garage: Garage) -> None:
    name = (await garage.discovery()).description.name
    await until(lambda: name in garage.announced, PATIENCE, f"{name} is announced again after the restart")
    await garage.status_flags_become(0)
    expect(await garage.server.stop(), 0, "the exit status")
    await until(lambda: name not in garage.announced, PATIENCE, f"{name} is withdrawn")
