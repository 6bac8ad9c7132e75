"""Shows every fault and every quirk to a controller that others wrote: aiohomekit.

    faults.py --server BINARY [--only TEXT]

Each case is a probe of a real session: it says whether the controller sees the fault. It must with the fault, and it must not
without it. A line per claim and their sum; exit status 1 when one failed, or when the catalogue has a fault without a case.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zeroconf.asyncio import AsyncServiceBrowser

from claims import Account, say
from faulty import GRACE, PATIENCE, RECORD, Faulty, brightness, lamp, quiet, record_what_comes
import namespaces
from processes import PrivateDiscovery
from waiting import until

ALL = 400.0
ONE_CASE = 40.0
Probe = Callable[[Faulty], Awaitable[bool]]


@dataclass
class Case:
    """A fault with what it is told, and what shows it."""

    fault: str
    sees: str
    probe: Probe
    order: dict[str, Any] = field(default_factory=dict)
    # Whether the probe lets the fault begin itself, by `begin`, since it looks at what was before.
    begins: bool = False

    @property
    def claim(self) -> str:
        return f"{self.fault}: {self.sees}, and not without it"


CASES: list[Case] = []


def case(fault: str, sees: str, begins: bool = False, **order: Any) -> Callable[[Probe], Probe]:
    """Enters the probe that shows a fault."""

    def enter(probe: Probe) -> Probe:
        CASES.append(Case(fault, sees, probe, order, begins))
        return probe

    return enter


class Switch:
    """Begins the fault of a case, or does not."""

    def __init__(self, faulty: Faulty, case: Case, is_on: bool) -> None:
        self.faulty, self.case, self.is_on = faulty, case, is_on

    async def begin(self) -> None:
        if self.is_on:
            await self.faulty.order(fault=self.case.fault, **self.case.order)


# Set for each run of a probe; a probe that begins its fault itself does it by this.
SWITCH: Switch | None = None


async def begin() -> None:
    await SWITCH.begin()


# Requests and answers


@case("slowPairSetup", "M2 comes late", arguments={"delay": 1.0})
async def slow_pair_setup(faulty: Faulty) -> bool:
    before = time.monotonic()
    await (await faulty.discovery()).async_start_pairing("probe")
    return time.monotonic() - before >= 1.0


@case("latency", "the answer comes late", arguments={"delay": 1.0, "requests": "reads"})
async def latency(faulty: Faulty) -> bool:
    session = await faulty.session()
    before = time.monotonic()
    await session.read(lamp(session, 2))
    return time.monotonic() - before >= 1.0


@case("status", "one item has the status, the other its value, and what was written is not", on=[2, 0],
      arguments={"code": -70408})
async def status(faulty: Faulty) -> bool:
    session = await faulty.session()
    there, here = lamp(session, 2), lamp(session, 1)
    answer = await session.get_characteristics([there, here])
    assert answer[here]["value"] in (0, 1), f"the other item is {answer[here]}"
    written = await session.write(there, True)
    await faulty.order(clear=True)
    value = await session.read(there)
    if value:
        await session.write(there, False)
    statuses = [item["status"] for item in written.get("characteristics", [])]
    return answer[there].get("status") == -70408 and statuses == [-70408] and value == 0


@case("silence", "a read is never answered, nor is what follows on its connection", count=1, arguments={"requests": "reads"})
async def silence(faulty: Faulty) -> bool:
    session = await faulty.session()
    return await quiet(session.read(lamp(session, 2))) == "silence"


@case("halfResponse", "an answer begins and never ends", count=1, arguments={"requests": "reads"})
async def half_response(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    outcome = await quiet(session.read(lamp(session, 2)))
    return outcome == "silence" and RECORD.text.startswith(b"HTTP/1.1 200") and not RECORD.text.endswith(b"}]}")


@case("resetInResponse", "an answer begins, and the connection is lost", count=1, arguments={"requests": "reads"})
async def reset_in_response(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    outcome = await quiet(session.read(lamp(session, 2)))
    return outcome == "AccessoryDisconnectedError" and not RECORD.text.endswith(b"}]}")


@case("corruptFrame", "a frame does not open", begins=True)
async def corrupt_frame(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    RECORD.clear()
    outcome = await quiet(session.read(lamp(session, 2)))
    return outcome != "done" and RECORD.text == b""


@case("unreachable", "the device behind the bridge has -70402 and no events, the bridge itself is there", on=[2])
async def unreachable(faulty: Faulty) -> bool:
    session = await faulty.session()
    there, here = brightness(session, 2), brightness(session, 1)
    answer = await session.get_characteristics([there, here])
    assert "value" in answer[here], f"the bridge itself is {answer[here]}"
    return answer[there].get("status") == -70402


# Events


async def subscribed(faulty: Faulty) -> tuple[Any, Any]:
    """A session that has subscribed to the lamp's brightness, and that characteristic."""
    session = await faulty.session()
    identifier = brightness(session, 2)
    await session.subscribe([identifier])
    await asyncio.sleep(0.1)
    session.events.clear()
    return session, identifier


async def change(faulty: Faulty, session: Any, identifier: Any) -> int:
    """Lets the device report another value than the present one."""
    value = 20 if await session.read(identifier) != 20 else 30
    await faulty.set(identifier, value)
    return value


@case("dropEvents", "a change is not told")
async def drop_events(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    await change(faulty, session, identifier)
    await asyncio.sleep(GRACE)
    return session.events == []


@case("delayEvents", "a change is told late", arguments={"delay": 1.5})
async def delay_events(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    before = time.monotonic()
    value = await change(faulty, session, identifier)
    await session.expect_event(identifier, value, PATIENCE)
    return time.monotonic() - before >= 1.4


@case("duplicateEvents", "a change is told twice")
async def duplicate_events(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    value = await change(faulty, session, identifier)
    await asyncio.sleep(GRACE)
    assert session.events, "it is not told at all"
    return session.events == [(identifier, value)] * 2


@case("echoEvents", "who has written is told")
async def echo_events(faulty: Faulty) -> bool:
    return await echo(faulty)


@case("echoedEvents", "who has written is told")
async def echoed_events(faulty: Faulty) -> bool:
    return await echo(faulty)


async def echo(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    value = 20 if await session.read(identifier) != 20 else 30
    assert await session.write(identifier, value) == {}
    await asyncio.sleep(GRACE)
    return session.events == [(identifier, value)]


@case("eventsAfterUnsubscribe", "who has unsubscribed is told")
async def events_after_unsubscribe(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    await session.unsubscribe([identifier])
    value = await change(faulty, session, identifier)
    await asyncio.sleep(GRACE)
    return session.events == [(identifier, value)]


# Connections


@case("refuseConnections", "no new connection comes about, and the old one goes on", begins=True)
async def refuse_connections(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    comes = await faulty.new_session().connects()
    await session.read(lamp(session, 2))
    return not comes


@case("closeConnections", "the session is closed, and a new one comes about", begins=True)
async def close_connections(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    await asyncio.sleep(0.3)
    is_closed = not session.connection.is_connected
    assert await faulty.new_session().connects(), "no new session comes about"
    return bool(is_closed)


@case("connectionLimit", "the third connection is closed", begins=True, arguments={"most": 2})
async def connection_limit(faulty: Faulty) -> bool:
    await faulty.session()
    await begin()
    assert await faulty.new_session().connects(), "the second does not come about"
    return not await faulty.new_session().connects()


@case("networkLoss", "connections are lost and refused, and the port is back by itself", begins=True, seconds=2.0,
      arguments={"how": "refuse"})
async def network_loss(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    is_lost = await faulty.is_refused()
    outcome = await quiet(session.read(lamp(session, 2)))
    await faulty.session()
    return is_lost and outcome != "done"


@case("networkLoss", "nobody answers, and the server is back by itself", begins=True, seconds=2.5,
      arguments={"how": "silence"})
async def network_silence(faulty: Faulty) -> bool:
    session = await faulty.session()
    await begin()
    outcome = await quiet(session.read(lamp(session, 2)))
    is_refused = await faulty.is_refused()
    await faulty.session()
    return outcome == "silence" and not is_refused


@case("reboot", "the session ends, the port is closed, and the server comes back there with c# + 1", begins=True,
      arguments={"away": 2.0})
async def reboot(faulty: Faulty) -> bool:
    session = await faulty.session()
    before = faulty.description.config_num
    await begin()
    is_refused = await faulty.is_refused()
    outcome = await quiet(session.read(lamp(session, 2)))
    await faulty.session()
    with suppress(AssertionError):
        await until(lambda: faulty.description and faulty.description.config_num != before, 4.0, "c# rises")
    return is_refused and outcome != "done" and faulty.description.config_num == before + 1


# The announcement


async def announces(faulty: Faulty, condition: Callable[[Any], bool]) -> bool:
    """Whether what is announced is so within a time."""
    with suppress(AssertionError):
        await until(lambda: condition(faulty.description), 3.0, "it is announced")
        return True
    return False


@case("configurationNumber", "another c# is announced", arguments={"number": 4711})
async def configuration_number(faulty: Faulty) -> bool:
    return await announces(faulty, lambda found: found is not None and found.config_num == 4711)


@case("statusFlag", "sf says that nobody is paired", arguments={"flags": 1})
async def status_flag(faulty: Faulty) -> bool:
    return await announces(faulty, lambda found: found is not None and int(found.status_flags) == 1)


@case("wrongPort", "another port is announced", arguments={"port": 9})
async def wrong_port(faulty: Faulty) -> bool:
    return await announces(faulty, lambda found: found is not None and found.port == 9)


@case("vanish", "nothing is announced, and a session goes on", begins=True)
async def vanish(faulty: Faulty) -> bool:
    session = await faulty.session()
    gone = asyncio.Event()

    def seen(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        if state_change.name == "Removed":
            gone.set()

    browser = AsyncServiceBrowser(faulty.zeroconf.zeroconf, ["_hap._tcp.local."], handlers=[seen])
    await asyncio.sleep(0.3)
    await begin()
    outcome = await quiet(gone.wait(), 4.0)
    await browser.async_cancel()
    await session.read(lamp(session, 2))
    return outcome == "done"


# Quirks


@case("chunkedBodies", "a body comes in chunks and reads the same")
async def chunked_bodies(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b"Transfer-Encoding: chunked" in RECORD.text and b"Content-Length" not in RECORD.text


@case("blanksInJSON", "JSON has blanks and reads the same")
async def blanks(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b'"value" : ' in RECORD.text


@case("oddHeaderCase", "headers are in another case and read the same")
async def header_case(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return b"content-type: " in RECORD.text and b"CONTENT-LENGTH: " in RECORD.text


@case("splitSegments", "an answer comes in many pieces and reads the same", arguments={"bytes": 20})
async def split_segments(faulty: Faulty) -> bool:
    session = await faulty.session()
    RECORD.clear()
    assert await session.read(lamp(session, 2)) in (0, 1)
    return len(RECORD.pieces) >= 3


@case("reversedEvents", "the latest change comes first")
async def reversed_events(faulty: Faulty) -> bool:
    session, other = await subscribed(faulty)
    on = lamp(session, 2)
    await session.subscribe([on])
    writer = await faulty.session()
    values = [(on, not await writer.read(on)), (other, 20 if await writer.read(other) != 20 else 30)]
    items = [{"aid": aid, "iid": iid, "value": value} for (aid, iid), value in values]
    session.events.clear()
    await writer.connection.put_json("/characteristics", {"characteristics": items})
    await until(lambda: len(session.events) == 2, PATIENCE, f"both changes are told, only {session.events}")
    return [identifier for identifier, _ in session.events] == [other, on]


@case("coalescing", "two changes after another come together, 250 ms after the first", arguments={"time": "250ms"})
async def coalescing(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    on = lamp(session, 2)
    await session.subscribe([on])
    is_on = await session.read(on)
    await asyncio.sleep(GRACE)
    session.events.clear()
    RECORD.clear()
    value = await change(faulty, session, identifier)
    await faulty.set(on, not is_on)
    await asyncio.sleep(0.7)
    return len(session.events) == 2 and RECORD.text.count(b"EVENT/1.0") == 1 and session.events[0] == (identifier, value)


@case("coalescing", "each of several changes has its own message at once", arguments={"time": "none"})
async def no_coalescing(faulty: Faulty) -> bool:
    session, identifier = await subscribed(faulty)
    await asyncio.sleep(GRACE)
    session.events.clear()
    for value in (1, 2, 3, 4):
        await faulty.set(identifier, value)
    await asyncio.sleep(0.4)
    return session.events == [(identifier, value) for value in (1, 2, 3, 4)]


@case("booleansAsWords", "booleans are true and false, also in events")
async def booleans(faulty: Faulty) -> bool:
    session = await faulty.session()
    on = lamp(session, 2)
    RECORD.clear()
    await session.read(on)
    return b'"value":true' in RECORD.text or b'"value":false' in RECORD.text


# Last: what is paired is paired no more.
@case("forgetPairings", "the controller is not known any more", begins=True)
async def forget_pairings(faulty: Faulty) -> bool:
    await faulty.session()
    await begin()
    return not await faulty.new_session().connects()


async def run_case(faulty: Faulty, case: Case) -> None:
    global SWITCH
    if case.fault == "status":
        session = await faulty.session()
        case.order["on"] = list(lamp(session, 2))
    for is_on in (False, True):
        SWITCH = Switch(faulty, case, is_on)
        lines = len(faulty.lines)
        try:
            async with asyncio.timeout(ONE_CASE):
                if not case.begins:
                    await SWITCH.begin()
                sees = await case.probe(faulty)
        finally:
            await faulty.close_sessions()
            await faulty.order(clear=True)
        assert sees == is_on, f"it is {'not ' if is_on else ''}seen with the fault {'on' if is_on else 'off'}"
        told = [line for line in faulty.lines[lines:] if line.startswith(f"Fault {case.fault} ")]
        acts, over = any(" acts on " in line for line in told), any(line.endswith(" is over.") for line in told)
        assert (acts, over) == (is_on, is_on), f"with the fault {'on' if is_on else 'off'} the log says {told}"


async def check(binary: Path, folder: Path, only: str | None) -> bool:
    cases = [each for each in CASES if only is None or only in each.claim]
    account = Account(tuple(each.claim for each in cases))
    discovery = PrivateDiscovery(folder)
    faulty = Faulty(binary, folder, discovery.environment)
    try:
        async with asyncio.timeout(ALL):
            await discovery.start()
            await faulty.open()
            for each in cases:
                if each.fault != "slowPairSetup" and not faulty.data:
                    await faulty.pair()
                try:
                    await run_case(faulty, each)
                except Exception as error:  # whatever a case ran into decides its claim
                    account.fails(each.claim, f"{type(error).__name__}: {error}")
                else:
                    account.passes(each.claim)
    except TimeoutError:
        say(f"The run was ended after {ALL:g} s.")
    except Exception as error:  # the account below still tells which claims were not reached
        say(f"The run ended early: {type(error).__name__}: {error}")
    finally:
        await faulty.close()
        discovery.end()
    passed = account.complete()
    if not passed:
        say("--- what the server said last\n" + "\n".join(faulty.lines[-20:]) + "\n---")
    account.sum()
    return passed


def names(binary: Path) -> set[str]:
    """The faults of the catalogue."""
    listed = subprocess.run([str(binary), "--list"], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return set(listed.stdout.split())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--server", type=Path, default=root / ".build/debug/FaultServer", help="the binary under test")
    parser.add_argument("--only", metavar="TEXT", help="the cases alone whose claims contain TEXT")
    options = parser.parse_args()
    if not options.server.exists():
        sys.exit(f"{options.server} is missing: build it with swift build --product FaultServer.")
    missing = names(options.server) ^ {each.fault for each in CASES}
    if missing:
        sys.exit(f"These are in the catalogue or among the cases, and not in both: {', '.join(sorted(missing))}.")
    namespaces.enter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    logging.disable(logging.CRITICAL)
    record_what_comes()
    folder = Path(tempfile.mkdtemp(prefix="hap-faults-"))
    try:
        return 0 if asyncio.run(check(options.server.resolve(), folder, options.only)) else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
