"""Checks that aiohomekit sees every fault and every quirk.

    faults.py --hap BINARY [--only TEXT]

The faults are typed at the prompt of `hap serve`. Each case has a probe with a real session, which must see the fault
while it is active and must not see it otherwise. The log must report when the fault acts and when it is over, and the
store must not change. Prints a line for each claim and their number. Exit status 1 if one failed, or if the server has
a fault without a case.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohomekit.exceptions import HttpErrorResponse
from zeroconf.asyncio import AsyncServiceBrowser

from claims import Account, say
from faulty import GRACE, PATIENCE, RECORD, Faulty, Quick, answered, brightness, lamp, quiet, record_what_comes
from kept import Kept
import program
from processes import PrivateDiscovery
from sessions import full_type, new_controller
from waiting import until

ALL = 1800.0
ONE_CASE = 240.0
# The number of attempts of a probe that a stall of the machine could disturb.
TRIES = 10
DELAY = 1.0
STATELESS_PROGRAMMABLE_SWITCH = "89"
PROGRAMMABLE_SWITCH_EVENT = "73"
Probe = Callable[[Faulty], Awaitable[bool]]
# The only fault that deletes something.
DELETING = "forgetPairings"
EVERY_FAULT = "every fault and every quirk that the server knows has a case"


@dataclass
class Case:
    """A fault with its parameters, and the probe that sees it."""

    fault: str
    sees: str
    probe: Probe
    # The text after its name.
    details: str
    on: str | None
    # Whether the probe starts the fault itself with `begin`, because it compares with the state before.
    begins: bool
    # Whether the fault ends by itself after the probe has seen it.
    ends: bool

    @property
    def claim(self) -> str:
        return f"{self.fault}{f' {self.details}' if self.details else ''}: {self.sees}, and not without it"

    @property
    def phrase(self) -> str:
        return " ".join(filter(None, [self.fault, self.on and f"on {self.on}", self.details]))

    @property
    def logged(self) -> str:
        """Returns a pattern of the fault in the log, which may name the server and the service before the target."""
        return f"Fault {self.fault}" + (f" on (?:.+/)?{'/(?:.+/)?'.join(map(re.escape, self.on.split('/')))}" if self.on else "")


CASES: list[Case] = []


def case(fault: str, sees: str, details: str = "", on: str | None = None, *, begins: bool = False,
         ends: bool = False) -> Callable[[Probe], Probe]:
    """Registers the probe of a fault."""

    def enter(probe: Probe) -> Probe:
        CASES.append(Case(fault, sees, probe, details, on, begins, ends))
        return probe

    return enter


class Switch:
    """Starts the fault of a case, or does nothing."""

    def __init__(self, faulty: Faulty, case: Case, is_on: bool) -> None:
        self.faulty, self.case, self.is_on = faulty, case, is_on
        # The number of lines that the server had printed before.
        self.said = len(faulty.lines)

    async def begin(self) -> None:
        if self.is_on:
            await self.faulty.begin(self.case.phrase)

    async def acts(self) -> None:
        """Waits until the log says that the fault acts."""
        if self.is_on:
            await self.faulty.terminal.line(rf"{self.case.logged} was applied to .+\.", self.said)

    async def is_over(self) -> None:
        """Waits until the log says that the fault is over."""
        if self.is_on:
            await self.faulty.terminal.line(rf"{self.case.logged} has ended\.", self.said)

    @property
    def patience(self) -> float:
        """Returns the time limit for an effect that must occur with the fault, and must not occur without it."""
        return PATIENCE if self.is_on else GRACE

    @property
    def grace(self) -> float:
        """Returns the time limit for an effect that must not occur with the fault, and must occur without it."""
        return GRACE if self.is_on else PATIENCE

    async def pass_hour(self) -> None:
        """Advances simulated time by the hour that the fault lasts."""
        if self.is_on:
            await self.faulty.pass_hour()


# Set for each run of a probe; a probe that starts its fault itself calls it.
SWITCH: Switch | None = None


async def begin() -> None:
    await SWITCH.begin()


async def is_late(act: Callable[[], Awaitable[Any]]) -> bool:
    """Returns whether an act takes as long as its fault delays it: without the fault, one of several attempts does not.
    """
    for _ in range(1 if SWITCH.is_on else TRIES):
        before = time.monotonic()
        await act()
        if time.monotonic() - before < DELAY:
            return False
    return True


# Requests and responses


@case("slowPairSetup", "M2 is delayed", f"delay={DELAY:g}s")
async def slow_pair_setup(faulty: Faulty) -> bool:
    discovery = await faulty.discovery()
    return await is_late(lambda: discovery.async_start_pairing("probe"))


@case("latency", "the response is delayed", f"delay={DELAY:g}s requests=reads", on="Far Lamp")
async def latency(faulty: Faulty) -> bool:
    session = await faulty.session()
    return await is_late(lambda: session.read(lamp(session, 2)))


@case("status", "one item has the status, the other its value, and the write is not applied", "code=-70408",
      on="Far Lamp/On")
async def status(faulty: Faulty) -> bool:
    session = await faulty.session()
    there, here = lamp(session, 2), lamp(session, 1)
    answer = await session.get_characteristics([there, here])
    assert answer[here]["value"] in (0, 1), f"the other item is {answer[here]}"
    written = await session.write(there, True)
    await faulty.clear()
    value = await session.read(there)
    if value:
        await session.write(there, False)
    statuses = [item["status"] for item in written.get("characteristics", [])]
    return answer[there].get("status") == -70408 and statuses == [-70408] and value == 0


@case("silence", "a read is never answered, and no event follows on its connection", "requests=reads times 1",
      on="Far Lamp/On", ends=True)
async def silence(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    witness, _ = await subscribed(faulty)
    reading = asyncio.create_task(session.read(lamp(session, 2)))
    await SWITCH.acts()
    value = await faulty.change()
    await witness.expect_event(identifier, value, PATIENCE)
    return await quiet(reading, SWITCH.grace) == "silence" and session.events == []


@case("halfResponse", "a response begins and never ends", "requests=reads times 1", on="Far Lamp/Light Bulb", ends=True)
async def half_response(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    reading = asyncio.create_task(session.read(lamp(session, 2)))
    await until(lambda: RECORD.text, PATIENCE, "an answer begins")
    outcome = await quiet(reading, SWITCH.grace)
    return outcome == "silence" and RECORD.text.startswith(b"HTTP/1.1 200") and not RECORD.text.endswith(b"}]}")


@case("resetInResponse", "a response begins, and the connection is lost", "requests=reads times 1", ends=True)
async def reset_in_response(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    outcome = await quiet(session.read(lamp(session, 2)), PATIENCE)
    return outcome == "AccessoryDisconnectedError" and not RECORD.text.endswith(b"}]}")


@case("corruptFrame", "a frame cannot be decrypted", begins=True, ends=True)
async def corrupt_frame(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    RECORD.clear()
    outcome = await quiet(session.read(lamp(session, 2)), SWITCH.grace)
    return outcome != "done" and RECORD.text == b""


@case("unreachable", "the bridged device has -70402 and no events, but the bridge works", on="Far Lamp",
      begins=True)
async def unreachable(faulty: Faulty) -> bool:
    session, there = await subscribed(faulty)
    here = brightness(session, 1)
    await begin()
    await faulty.change()
    answer = await session.get_characteristics([there, here])
    assert "value" in answer[here], f"the bridge itself is {answer[here]}"
    return answer[there].get("status") == -70402 and session.events == []


# Events


async def subscribed(faulty: Faulty) -> tuple[Any, Any]:
    """Returns a session that is subscribed to the far lamp's brightness, and that characteristic."""
    session = await faulty.session()
    identifier = brightness(session, 2)
    await session.subscribe([identifier])
    await answered(session)
    session.events.clear()
    return session, identifier


@case("dropEvents", "a change is not reported, but another one is", on="Far Lamp/Brightness")
async def drop_events(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    on = lamp(session, 2)
    await session.subscribe([on])
    other = not await session.read(on)
    await faulty.change()
    await faulty.set(("On", other))
    await session.expect_event(on, other, PATIENCE)
    return session.events == [(on, other)]


@case("delayEvents", "a change is reported late", f"delay={DELAY:g}s", on="Far Lamp/Light Bulb")
async def delay_events(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)

    async def is_told() -> None:
        await session.expect_event(identifier, await faulty.change(), PATIENCE)

    return await is_late(is_told)


@case("duplicateEvents", "a change is reported twice", on="Far Lamp")
async def duplicate_events(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    value = await faulty.change()
    await answered(session)
    assert session.events, "it is not told at all"
    return session.events == [(identifier, value)] * 2


@case("echoEvents", "the writer receives its own change", on="Far Lamp/Brightness")
async def echo_events(faulty: Faulty) -> bool:
    return await echo(faulty)


@case("echoedEvents", "the writer receives its own change")
async def echoed_events(faulty: Faulty) -> bool:
    return await echo(faulty)


async def echo(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    value = faulty.next_value()
    assert await session.write(identifier, value) == {}
    await answered(session)
    return session.events == [(identifier, value)]


@case("eventsAfterUnsubscribe", "a controller that has unsubscribed receives a change", on="Far Lamp/Light Bulb")
async def events_after_unsubscribe(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    await session.unsubscribe([identifier])
    value = await faulty.change()
    await answered(session)
    return session.events == [(identifier, value)]


# Connections


@case("refuseConnections", "no new connection can be opened, and the old one continues", begins=True)
async def refuse_connections(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    comes = await faulty.new_session().connects()
    await session.read(lamp(session, 2))
    return not comes


@case("closeConnections", "the session is closed, and a new one can be opened", begins=True, ends=True)
async def close_connections(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    is_closed = await quiet(answered(session), PATIENCE) not in ("done", "silence")
    assert await faulty.new_session().connects(), "no new session comes about"
    return is_closed


@case("connectionLimit", "the third connection is closed", "maximum=2", begins=True)
async def connection_limit(faulty: Faulty) -> bool:
    await faulty.session()
    await begin()
    assert await faulty.new_session().connects(), "the second does not come about"
    return not await faulty.new_session().connects()


@case("networkLoss", "connections are lost and refused, and the port returns by itself", "how=refuse for 1h", begins=True,
      ends=True)
async def network_loss(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    is_lost = await faulty.is_refused()
    outcome = await quiet(session.read(lamp(session, 2)), PATIENCE)
    await SWITCH.pass_hour()
    await faulty.session()
    return is_lost and outcome != "done"


@case("networkLoss", "the server does not answer, and returns by itself", "how=silence for 1h", begins=True, ends=True)
async def network_silence(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    outcome = await quiet(session.read(lamp(session, 2)), SWITCH.grace)
    is_refused = await faulty.is_refused()
    await SWITCH.pass_hour()
    await faulty.session()
    return outcome == "silence" and not is_refused


@case("reboot", "the session ends, the port is closed, and the server returns there with c# + 1", "away=1h", begins=True,
      ends=True)
async def reboot(faulty: Faulty) -> bool:
    session = await faulty.session()
    before = faulty.description.config_num
    await begin()
    is_refused = await faulty.is_refused()
    outcome = await quiet(session.read(lamp(session, 2)), PATIENCE)
    await SWITCH.pass_hour()
    await faulty.session()
    raised = await announces(faulty, lambda found: found is not None and found.config_num == before + 1)
    return is_refused and outcome != "done" and raised


# The announcement


async def announces(faulty: Faulty, condition: Callable[[Any], bool]) -> bool:
    """Returns whether the announcement satisfies a condition within a time."""
    with suppress(AssertionError):
        await until(lambda: condition(faulty.description), SWITCH.patience, "it is announced")
        return True
    return False


@case("configurationNumber", "another c# is announced", "number=4711")
async def configuration_number(faulty: Faulty) -> bool:
    return await announces(faulty, lambda found: found is not None and found.config_num == 4711)


@case("statusFlag", "sf says that the accessory is not paired", "flags=1")
async def status_flag(faulty: Faulty) -> bool:
    return await announces(faulty, lambda found: found is not None and int(found.status_flags) == 1)


@case("wrongPort", "another port is announced", "port=9")
async def wrong_port(faulty: Faulty) -> bool:
    return await announces(faulty, lambda found: found is not None and found.port == 9)


@case("vanish", "nothing is announced, but a session continues", begins=True)
async def vanish(faulty: Faulty) -> bool:
    session = await faulty.session()
    is_there = False

    def seen(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        nonlocal is_there
        is_there = state_change.name != "Removed"

    browser = AsyncServiceBrowser(faulty.zeroconf.zeroconf, ["_hap._tcp.local."], handlers=[seen])
    try:
        await until(lambda: is_there, PATIENCE, "it is announced")
        await begin()
        with suppress(AssertionError):
            await until(lambda: not is_there, SWITCH.patience, "it vanishes")
        # The last record of the case before may vanish only now, but then the correct one is announced.
        with suppress(AssertionError):
            await until(lambda: is_there, SWITCH.grace, "it is back")
    finally:
        await browser.async_cancel()
    await session.read(lamp(session, 2))
    return not is_there


# Quirks


@case("chunkedBodies", "a body has chunks and the same content")
async def chunked_bodies(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b"Transfer-Encoding: chunked" in RECORD.text and b"Content-Length" not in RECORD.text


@case("blanksInJSON", "JSON has blanks and the same content")
async def blanks(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b'"value" : ' in RECORD.text


@case("oddHeaderCase", "headers have another case and the same content")
async def header_case(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b"content-type: " in RECORD.text and b"CONTENT-LENGTH: " in RECORD.text


@case("splitSegments", "a response has many pieces and the same content", "bytes=20")
async def split_segments(faulty: Faulty) -> bool:
    session = await faulty.session()
    # A busy machine may read several pieces at once, but not every time.
    for _ in range(TRIES if SWITCH.is_on else 1):
        RECORD.clear()
        assert await session.read(lamp(session, 2)) in (0, 1)
        if len(RECORD.pieces) >= 3:
            return True
    return False


@case("reversedEvents", "the latest change comes first")
async def reversed_events(faulty: Faulty) -> bool:
    session, other = await subscribed(faulty)
    on = lamp(session, 2)
    await session.subscribe([on])
    writer = await faulty.session()
    values = [(on, not await writer.read(on)), (other, faulty.next_value())]
    items = [{"aid": aid, "iid": iid, "value": value} for (aid, iid), value in values]
    session.events.clear()
    await writer.connection.put_json("/characteristics", {"characteristics": items})
    await until(lambda: len(session.events) == 2, PATIENCE, f"both changes are told, only {session.events}")
    return [identifier for identifier, _ in session.events] == [other, on]


@case("coalescing", "two changes after another one arrive together, 250 ms after the first", "time=250ms")
async def coalescing(faulty: Faulty) -> bool:
    # Between the two changes the machine may stall for longer than changes are collected, but not every time.
    for _ in range(TRIES if SWITCH.is_on else 1):
        session, identifier = await subscribed(faulty)
        on = lamp(session, 2)
        await session.subscribe([on])
        other, value = not await session.read(on), faulty.next_value()
        RECORD.clear()
        await faulty.set(("Brightness", value), ("On", other))
        await until(lambda: len(session.events) == 2, PATIENCE, f"both changes are told, only {session.events}")
        if RECORD.text.count(b"EVENT/1.0") == 1 and session.events == [(identifier, value), (on, other)]:
            return True
    return False


@case("coalescing", "each of several changes has its own message at once", "time=none")
async def no_coalescing(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    values = [faulty.next_value() for _ in range(4)]
    await faulty.set(*(("Brightness", value) for value in values))
    await answered(session)
    return session.events == [(identifier, value) for value in values]


@case("booleansAsWords", "booleans are true and false, also in events")
async def booleans(faulty: Faulty) -> bool:
    session = await faulty.session()
    on = lamp(session, 2)
    await session.subscribe([on])
    RECORD.clear()
    value = not await session.read(on)
    await faulty.set(("On", value))
    await session.expect_event(on, value, PATIENCE)
    answer, _, event = RECORD.text.partition(b"EVENT/1.0")
    return all(b'"value":true' in text or b'"value":false' in text for text in (answer, event))


async def refused(session: Quick, method: str, target: str, headers: list[tuple[str, str]] | None = None,
                  body: bytes | None = None) -> bytes | None:
    """Sends a request with headers of its own; returns the first line of a refusal, or `None` if it is handled."""
    RECORD.clear()
    with suppress(HttpErrorResponse):
        await session.connection.request(method, target, headers, body)
        return None
    return RECORD.text.partition(b"\r\n")[0]


@case("requestSize", "a large request is not answered, and a small one is", "maximum=400")
async def request_size(faulty: Faulty) -> bool:
    session = await faulty.session()
    await answered(session)
    request = session.connection.request("GET", "/accessories", [("X-Padding", "x" * 400)])
    return await quiet(request, SWITCH.grace) == "silence"


@case("pathSize", "a long path is answered with 414, and a short one is read", "maximum=100")
async def path_size(faulty: Faulty) -> bool:
    session = await faulty.session()
    await answered(session)
    ids = ",".join(["2.9"] * 30)
    return await refused(session, "GET", f"/characteristics?id={ids}") == b"HTTP/1.1 414 URI Too Long"


@case("readSize", "two characteristics together have -70407, and each alone is read", "maximum=1")
async def read_size(faulty: Faulty) -> bool:
    session = await faulty.session()
    ids = [lamp(session, 1), lamp(session, 2)]
    for each in ids:
        assert await session.read(each) in (0, 1)
    query = ",".join(f"{aid}.{iid}" for aid, iid in ids)
    return await session.connection.get_json(f"/characteristics?id={query}") == {"status": -70407}


@case("subscriptionsByAccessory", "one request for two accessories subscribes to nothing, and two requests do")
async def subscriptions_by_accessory(faulty: Faulty) -> bool:
    session = await faulty.session()
    ids = [lamp(session, 1), brightness(session, 2)]
    both = {"characteristics": [{"aid": aid, "iid": iid, "ev": True} for aid, iid in ids]}
    assert await session.connection.put_json("/characteristics", both) == {}
    await faulty.change()
    await answered(session)
    is_forgotten = session.events == []
    await session.subscribe([ids[1]])
    await session.expect_event(ids[1], await faulty.change(), PATIENCE)
    return is_forgotten


@case("trailingCommas", "a comma follows the last element, and the content is the same")
async def trailing_commas(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b"},]" in RECORD.text


@case("ignoredTrue", "true has no effect, and 1 has")
async def ignored_true(faulty: Faulty) -> bool:
    session = await faulty.session()
    on = lamp(session, 2)
    assert await session.write(on, 0) == {}
    assert await session.write(on, True) == {}
    is_ignored = not await session.read(on)
    assert await session.write(on, 1) == {}
    assert await session.read(on), "1 has no effect"
    return is_ignored


@case("writesWithoutIDs", "a write is answered with a status without ids")
async def writes_without_ids(faulty: Faulty) -> bool:
    session = await faulty.session()
    return await session.write(lamp(session, 2), 1) == {"characteristics": [{"status": 0}]}


@case("rememberedPress", "a button reads as its last press")
async def remembered_press(faulty: Faulty) -> bool:
    session = await faulty.session()
    service = session.accessories.aid(3).services.first(service_type=full_type(STATELESS_PROGRAMMABLE_SWITCH))
    button = (3, service[full_type(PROGRAMMABLE_SWITCH_EVENT)].iid)
    assert await session.read(button) is None, "it was pressed before"
    await session.subscribe([button])
    await faulty.terminal.type("press Button double", r"Double-pressed Button/.*\.")
    await session.expect_event(button, 1, PATIENCE)
    return await session.read(button) == 1


@case("lengthBeforeType", "Content-Type before Content-Length is refused, and after it is not")
async def length_before_type(faulty: Faulty) -> bool:
    session = await faulty.session()
    body = b'{"ttl":1000,"pid":1}'
    headers = [("Content-Length", str(len(body))), ("Content-Type", "application/hap+json")]
    assert await refused(session, "PUT", "/prepare", headers, body) is None
    return await refused(session, "PUT", "/prepare", headers[::-1], body) == b"HTTP/1.1 400 Bad Request"


@case("hostWithoutPort", "a Host with a port is refused, and without one is not")
async def host_without_port(faulty: Faulty) -> bool:
    session = await faulty.session()
    assert await refused(session, "GET", "/accessories") is None
    session.connection.host_header = "Host: 127.0.0.1:5000"
    return await refused(session, "GET", "/accessories") == b"HTTP/1.1 400 Bad Request"


@case("pairingsWithoutSeparators", "two pairings follow each other without a separator")
async def pairings_without_separators(faulty: Faulty) -> bool:
    session = await faulty.session()
    other = new_controller(faulty.data)
    await session.add_pairing(other["iOSPairingId"], other["iOSDeviceLTPK"], "User")
    RECORD.clear()
    with suppress(Exception):
        await session.list_pairings()
    body, types = RECORD.text.partition(b"\r\n\r\n")[2], []
    while body:
        types.append(body[0])
        body = body[2 + body[1]:]
    await session.remove_pairing(other["iOSPairingId"])
    assert types.count(1) == 2, f"the types are {types}"
    return 0xFF not in types


# The last case, because it removes the pairings.
@case(DELETING, "the controller is no longer known", begins=True, ends=True)
async def forget_pairings(faulty: Faulty) -> bool:
    await faulty.session()
    await begin()
    return not await faulty.new_session().connects()


async def run_case(faulty: Faulty, case: Case) -> None:
    global SWITCH
    for is_on in (False, True):
        SWITCH = Switch(faulty, case, is_on)
        kept = faulty.kept
        try:
            async with asyncio.timeout(ONE_CASE):
                if not case.begins:
                    await SWITCH.begin()
                sees = await case.probe(faulty)
                if case.ends:
                    await SWITCH.is_over()
        finally:
            await faulty.close_sessions()
            await faulty.clear()
        assert sees == is_on, f"it is {'not ' if is_on else ''}seen with the fault {'on' if is_on else 'off'}"
        await check_log(SWITCH)
        check_store(faulty, case, is_on, kept)


async def check_log(switch: Switch) -> None:
    """Checks that lines name the fault when it acts and when it is over, and that there are none without it."""
    await switch.acts()
    await switch.is_over()
    name, lines = switch.case.fault, switch.faulty.lines[switch.said:]
    told = [line for line in lines if re.match(rf"Fault {name}\b", line)]
    assert switch.is_on or not told, f"with the fault off the log says {told}"
    if switch.is_on and name == DELETING:
        assert any(re.fullmatch(r"Controller .* is no longer paired\.", line) for line in lines), f"it says {lines}"


def check_store(faulty: Faulty, case: Case, is_on: bool, before: Kept) -> None:
    """Checks that the server's identity is unchanged, and its pairings except for the fault that deletes them."""
    now = faulty.kept
    assert now.identity == before.identity, f"{now.identity} was kept as {before.identity}"
    if is_on and case.fault == DELETING:
        assert before.pairings and not now.pairings, f"{len(now.pairings)} of {len(before.pairings)} pairings are kept"
    else:
        assert now.pairings == before.pairings, f"{now.pairings} was kept as {before.pairings}"


# The faults of drivers, which act on the program of an accessory.
DRIVER_FAULTS = {
    "lostReports": "a lost report of a program changes no value, and the next one does",
    "ignoredWrites": "a write that a program does not get is answered with -70408",
}

# The faults of Cast receivers, which senders see: cast.py, cast_proofs.py and CastDriverTests check them.
CAST_FAULTS = {
    "appCrash", "busyReceiver", "halfFrame", "ignoredVolume", "loadFailure", "noHeartbeat", "receiverReboot",
    "rejectedAuthentication", "slowLaunch", "wrongRequestID",
}

# The faults of AirPlay receivers, which senders see: airplay.py and AirPlayDriverTests check them.
AIRPLAY_FAULTS = {
    "clockDrift", "deviceInUse", "droppedFeedback", "latePackets", "lostPackets", "refusedSession", "resendStorm",
    "wrongPIN",
}

REPORTER = """import json, sys
print(json.dumps({"values": {"On": False}}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "action" in message:
        print(json.dumps({"values": {"On": True}}), flush=True)
        print(json.dumps({"action": message["action"]}), flush=True)
    if "write" in message:
        print(json.dumps({"write": message["write"]}), flush=True)
"""

DRIVER_STEPS = {
    "lostReports": """
  - { device: Shed, action: report }
  - stays: { characteristic: Shed/On, value: "off", for: 0s }
  - { device: Shed, action: report }
  - expect: { characteristic: Shed/On, becomes: "on", within: 0s }
""",
    "ignoredWrites": """
  - { set: Shed/On, to: "on" }
""",
}


def driver_problem(binary: Path, folder: Path, fault: str) -> str | None:
    """Runs a scenario with a fault of a driver; returns what is wrong, if anything."""
    (folder / "reporter.py").write_text(REPORTER)
    command = json.dumps([sys.executable, str(folder / "reporter.py")])
    (folder / "shed.yaml").write_text(
        f"accessory: Shed\ndriver: {{ command: {{ run: {command}, actions: [report] }} }}\nservices: [{{ type: Switch }}]\n"
    )
    scenario = folder / f"{fault}.yaml"
    scenario.write_text(
        f"scenario: {fault}\nserve: shed.yaml\nsteps:\n  - expect: {{ device: Shed, event: reachable, within: 20s }}\n"
        f"  - {{ fault: {fault}, on: Shed, count: 1 }}{DRIVER_STEPS[fault]}"
    )
    ran = subprocess.run(
        [binary, "run", scenario, "--allow-commands"], capture_output=True, text=True, timeout=60, check=False
    )
    said = ran.stdout + ran.stderr
    if fault == "ignoredWrites":
        return None if ran.returncode == 1 and "-70408" in said else said
    return None if ran.returncode == 0 else said


async def check(binary: Path, folder: Path, only: str | None) -> bool:
    cases = [each for each in CASES if only is None or only in each.claim]
    account = Account((EVERY_FAULT, *DRIVER_FAULTS.values(), *(each.claim for each in cases)))
    discovery = PrivateDiscovery(folder)
    faulty = Faulty(binary, folder, discovery.environment)
    try:
        async with asyncio.timeout(ALL):
            await discovery.start()
            await faulty.open()
            odd = await faulty.faults() ^ ({each.fault for each in CASES} | set(DRIVER_FAULTS) | CAST_FAULTS | AIRPLAY_FAULTS)
            if odd:
                account.fails(EVERY_FAULT, f"{', '.join(sorted(odd))}: known to the server or to a case, and not to both")
            else:
                account.passes(EVERY_FAULT)
            for fault, claim in DRIVER_FAULTS.items():
                began = time.monotonic()
                problem = await asyncio.to_thread(driver_problem, binary, folder, fault)
                if problem:
                    account.fails(claim, problem)
                else:
                    account.passes(claim, time.monotonic() - began)
            for each in cases:
                if each.fault != "slowPairSetup" and not faulty.data:
                    await faulty.pair()
                began = time.monotonic()
                try:
                    await run_case(faulty, each)
                except Exception as error:  # any error decides the claim of the case
                    account.fails(each.claim, f"{type(error).__name__}: {error}")
                else:
                    account.passes(each.claim, time.monotonic() - began)
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    except Exception as error:  # the summary below lists the claims that were not reached
        say(f"The run ended early: {type(error).__name__}: {error}")
    finally:
        await faulty.close()
        discovery.end()
    passed = account.complete()
    if not passed:
        say("--- what the server said last\n" + "\n".join(faulty.lines[-20:]) + "\n---")
    account.sum()
    return passed


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("--only", metavar="TEXT", help="the cases alone whose claims contain TEXT")
    options = parser.parse_args()
    record_what_comes()
    return program.perform(options, "faults", lambda hap, folder: check(hap, folder, options.only))


if __name__ == "__main__":
    sys.exit(main())
