"""Tests every command of the controller of `hap`, as a process, with HAP-python and with `hap serve`.

    controller.py [--hap BINARY] [--log FOLDER]

Prints a line for each claim and their number. Exit status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from claims import Account
import program
from processes import Child, PrivateDiscovery, Server
from terminal import Terminal
from waiting import until

CODE = "031-45-154"
WRONG = "031-45-155"
ALL = 240.0
COMMAND = 30.0
#: The maximum time until a missing accessory is reported as unreachable.
UNREACHABLE = 10.0

CLAIMS = (
    "a wrong setup code is refused with status 2, and counted",
    "interrupted when the last message of the pairing is sent, it completes and stores the pairing",
    "unpaired although the response is lost: the accessory refuses the next session, which confirms it",
    "paired by its address, with an alias derived from its name",
    "a second controller is refused, because it is already paired",
    "the pairings show this controller and its permission",
    "all characteristics are listed, as text and as JSON",
    "read by id, by name and by the name of its service",
    "written by the name of a value, a number and on or off, and read back",
    "a refused value ends with 2 and the HAP status",
    "an unknown name is reported with similar names",
    "watched: a change by another process arrives, and --count ends it",
    "watched during a restart of the accessory: lost, back, and the next change",
    "identified",
    "unpaired, and no longer stored",
    "paired again by the text of the QR code",
    "unreachable: status 69 within ten seconds, and unpaired by force",
)

#: The claims that do not depend on the accessory.
OTHER_CLAIMS = (
    "an address that drops packets: status 69 within ten seconds, for pair and for a paired accessory",
    "a device ID that is not announced: status 69 within ten seconds",
    "bash completes commands, aliases, characteristics, and the values behind a '='",
)


@dataclass
class Outcome:
    """The exit status and the output of a command."""

    status: int
    output: str
    errors: str

    @property
    def json(self) -> dict:
        return json.loads(self.output)

    def expect(self, status: int, *texts: str) -> "Outcome":
        assert self.status == status, f"status {self.status} instead of {status}: {self.output}{self.errors}"
        for text in texts:
            assert text in self.output + self.errors, f"{text!r} is not in {self.output!r}{self.errors!r}"
        if status != 0 and not self.errors.startswith("hap: "):
            # With --json, errors are JSON, too.
            assert json.loads(self.errors)["diagnostics"][0]["severity"] == "error", self.errors
        return self


class Watch:
    """A running `hap watch` and its lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def next(self, **wanted: object) -> dict:
        """Returns the next line with these members, and skips the lines before it."""
        async with asyncio.timeout(COMMAND):
            while True:
                line = await self.process.stdout.readline()
                assert line, f"the watch has ended: {(await self.process.stderr.read()).decode()}"
                told = json.loads(line)
                if all(told.get(key) == value for key, value in wanted.items()):
                    return told

    async def end(self) -> int:
        async with asyncio.timeout(COMMAND):
            return await self.process.wait()

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()


class Controller:
    """The commands with one state folder."""

    def __init__(self, binary: Path, state: Path, bus: Path | None = None) -> None:
        self.binary = binary
        self.state = state
        self.bus = bus or state / "no-bus"

    async def __call__(self, *arguments: str) -> Outcome:
        process = await self.start(*arguments)
        try:
            return await self.ends(process)
        except BaseException:
            process.kill()
            raise

    async def watch(self, *arguments: str) -> Watch:
        watch = Watch(await self.start("watch", *arguments, "--json"))
        await watch.next(event="connected")
        return watch

    async def ends(self, process: asyncio.subprocess.Process) -> Outcome:
        async with asyncio.timeout(COMMAND):
            output, errors = await process.communicate()
        return Outcome(process.returncode, output.decode(), errors.decode())

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self.command(*arguments), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, env=self.environment,
        )

    def command(self, *arguments: str) -> list[str]:
        return [str(self.binary), *arguments, "--state", str(self.state)]

    @property
    def environment(self) -> dict[str, str]:
        return dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.bus}")


class Between:
    """A proxy between a command and an accessory that knows the number of the current request."""

    def __init__(self, port: int) -> None:
        self.accessory = port
        self.server: asyncio.Server | None = None
        #: Called with the number of a request of a connection, from 1; the request is forwarded when it returns.
        self.asked: Callable[[int], Awaitable[None]] = self.forward
        #: The request whose response is dropped; the connection then ends. Applies to one connection.
        self.lost: int | None = None

    async def __aenter__(self) -> "Between":
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()

    @staticmethod
    async def forward(number: int) -> None:
        """Lets every request pass at once."""

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number, is_asking = 0, False
        there, back = await asyncio.open_connection("127.0.0.1", self.accessory)

        async def requests() -> None:
            nonlocal number, is_asking
            while data := await reader.read(65536):
                if not is_asking:
                    number, is_asking = number + 1, True
                    await self.asked(number)
                back.write(data)

        async def answers() -> None:
            nonlocal is_asking
            while data := await there.read(65536):
                is_asking = False
                if number == self.lost:
                    self.lost = None
                    return
                writer.write(data)

        tasks = {asyncio.create_task(requests()), asyncio.create_task(answers())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.close()
            back.close()


@dataclass
class Names:
    """The names of corresponding objects in the two accessories."""

    alias: str
    name: str
    door: str
    current_door: str
    light: str
    brightness: str
    #: An assignment that is refused with a status, after others that prepare it.
    prepare: tuple[str, ...]
    refused: str
    status: str
    undo: tuple[str, ...]


class HapPython:
    """The accessory of peer.py."""

    title = "HAP-python"
    names = Names(
        alias="peer-bridge", name="Peer Bridge", door="Garage/TargetDoorState", current_door="Garage/CurrentDoorState",
        light="Reading Light/On", brightness="Brightness", prepare=(), refused="Hue=120", status="-70402", undo=(),
    )

    def __init__(self, _: Path, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "peer.log"
        self.child: Child | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    async def start(self) -> None:
        command = [sys.executable, "-B", str(Path(__file__).with_name("peer.py")), str(self.port), str(self.folder), CODE]
        self.child = Child(command, self.log, dict(os.environ))
        await until(self._listens, COMMAND, "HAP-python listens")

    async def stop(self) -> None:
        await self.child.stop()

    def end(self) -> None:
        if self.child is not None:
            self.child.end()

    def payload(self) -> str | None:
        """HAP-python announces nothing here, so it cannot be found by a payload."""
        return None

    def is_identified(self) -> bool:
        return "identified Peer Bridge" in self.log.read_text()

    def _listens(self) -> bool:
        assert self.child.runs, self.child.log_tail()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Ours:
    """The Kilgo garage of `hap serve`."""

    title = "hap serve"
    names = Names(
        alias="kilgo-garage", name="Kilgo Garage", door="TargetDoorState", current_door="Current Door State",
        light="Lightbulb/On", brightness="Brightness", prepare=("LockTargetState=Secured",),
        refused="TargetDoorState=Open", status="-70412", undo=("LockTargetState=Unsecured",),
    )

    def __init__(self, binary: Path, folder: Path) -> None:
        self.server = Server(binary, folder, dict(os.environ), advertise="off")
        self.port = 0
        self.uri: str | None = None

    async def start(self) -> None:
        ready = (await self.server.start())["servers"][0]
        self.port, self.uri = ready["port"], ready["setupURI"]

    async def stop(self) -> None:
        assert await self.server.stop() == 0, self.server.log_tail()

    def end(self) -> None:
        self.server.end()

    def payload(self) -> str | None:
        return self.uri

    def is_identified(self) -> bool:
        return "identifies itself." in self.server.log_text()


async def check(account: Account, peer: HapPython | Ours, binary: Path, folder: Path) -> None:
    names = peer.names
    hap = Controller(binary, folder / "controller")
    other = Controller(binary, folder / "other")
    claims = iter(CLAIMS)

    def passes() -> None:
        account.passes(f"{peer.title}: {next(claims)}")

    await peer.start()
    place = f"127.0.0.1:{peer.port}"

    (await hap("pair", place, "--code", WRONG)).expect(2, "The accessory rejects the setup code (1 try so far).")
    (await hap("pair", place, "--code", WRONG)).expect(2, "The accessory rejects the setup code (2 tries so far).")
    assert (await hap("pairings", "--json")).expect(0).json == {"accessories": []}
    passes()

    async with Between(peer.port) as between:
        async def interrupt(number: int) -> None:
            if number == 3:
                terminal.process.send_signal(signal.SIGINT)
                # A busy machine may pair before the signal is handled.
                await until(lambda: terminal.unfinished.startswith("Finishing the pairing"), COMMAND, "it is interrupted")

        between.asked = interrupt
        terminal = Terminal(hap.command("pair", between.place, "--code", CODE, "--as", "early"), hap.environment)
        try:
            await terminal.line(r"Paired with .+ as early\.")
            await until(lambda: not terminal.runs, COMMAND, "the pairing ends")
        finally:
            status = terminal.close()
        assert status == 0, f"status {status}: {terminal.lines}"
        kept = (await hap("pairings", "--json")).expect(0).json["accessories"]
        assert [one["alias"] for one in kept] == ["early"], kept
        passes()

        between.asked, between.lost = between.forward, 3
        (await hap("unpair", "early")).expect(0, "no longer paired with this controller")
        assert between.lost is None, "the answer was not lost"
        assert (await hap("pairings", "--json")).expect(0).json == {"accessories": []}
        passes()

    (await hap("pair", place, "--code", WRONG)).expect(2)
    paired = (await hap("pair", place, "--code", CODE, "--json")).expect(0).json
    assert (paired["alias"], paired["name"]) == (names.alias, names.name), paired
    kept = (await hap("pairings", "--json")).expect(0).json["accessories"]
    assert [(one["alias"], one["deviceID"], one["port"]) for one in kept] == [
        (names.alias, paired["deviceID"], peer.port)], kept
    passes()

    (await other("pair", place, "--code", CODE)).expect(2, "paired")
    assert (await other("pairings", "--json")).expect(0).json == {"accessories": []}
    passes()

    pairings = (await hap("pairings", names.alias, "--json")).expect(0).json["pairings"]
    assert [(one["admin"], one["own"]) for one in pairings] == [(True, True)], pairings
    passes()

    (await hap("accessories", names.alias)).expect(0, names.name, "Target Door State", "Closed", "Light Bulb")
    listed = (await hap("accessories", names.alias, "--json")).expect(0).json["accessories"]
    by_name = {
        one["name"]: (accessory["aid"], one["iid"])
        for accessory in listed for service in accessory["services"] for one in service["characteristics"]
    }
    assert {"Current Door State", "Target Door State", "On", "Brightness"} <= by_name.keys(), by_name
    passes()

    aid, iid = by_name["Target Door State"]
    for text in (f"{aid}.{iid}", names.door, "target door state", f"{aid}/GarageDoorOpener/Target-Door-State"):
        (await hap("get", names.alias, text)).expect(0, "Closed")
    read = (await hap("get", names.alias, f"{aid}.{iid}", names.light, "--json")).expect(0).json["characteristics"]
    assert [(one["value"], one.get("valueName"), one["status"]) for one in read] == [
        (1, "Closed", 0), (False, None, 0)], read
    passes()

    (await hap("put", names.alias, f"{names.light}=on", f"{names.brightness}=40%", f"{aid}.{iid}=open")).expect(0)
    (await hap("get", names.alias, names.light, names.brightness, names.door)).expect(0, "true", "40 %", "Open")
    (await hap("put", names.alias, f"{names.door}=Closed")).expect(0, "Closed")
    passes()

    for assignment in names.prepare:
        (await hap("put", names.alias, assignment)).expect(0)
    if names.prepare:
        # The bolt takes a second, after the door has closed.
        async with asyncio.timeout(COMMAND):
            while "Secured" not in (await hap("get", names.alias, "LockCurrentState")).expect(0).output:
                await asyncio.sleep(0.2)
    (await hap("put", names.alias, names.refused)).expect(2, names.status)
    refused = (await hap("put", names.alias, names.refused, f"{names.brightness}=50", "--json")).expect(2)
    assert [one["status"] for one in refused.json["characteristics"]] == [int(names.status), 0], refused
    for assignment in names.undo:
        (await hap("put", names.alias, assignment)).expect(0)
    passes()

    (await hap("get", names.alias, "Brigthness")).expect(64, "Did you mean \"Brightness\"?")
    (await hap("put", names.alias, f"{names.brightness}=101")).expect(64, "from 0 to 100 %")
    (await hap("get", "unknown", "On")).expect(64, names.alias)
    passes()

    watch = await hap.watch(names.alias, names.brightness, "--count", "2")
    try:
        for value in (60, 70):
            (await hap("put", names.alias, f"{names.brightness}={value}")).expect(0)
            change = await watch.next(value=value)
            assert change["name"] == "Brightness" and change["unit"] == "percentage", change
        assert await watch.end() == 0
    finally:
        watch.kill()
    passes()

    watch = await hap.watch(names.alias, names.light, names.brightness)
    try:
        await peer.stop()
        await watch.next(event="disconnected")
        await peer.start()
        await watch.next(event="connected")
        (await hap("put", names.alias, f"{names.brightness}=33")).expect(0)
        await watch.next(name="Brightness", value=33)
    finally:
        watch.kill()
        await watch.end()
    passes()

    (await hap("identify", names.alias)).expect(0)
    await until(peer.is_identified, COMMAND, "it is identified")
    passes()

    (await hap("unpair", names.alias)).expect(0)
    (await hap("get", names.alias, "On")).expect(64)
    assert (await hap("pairings", "--json")).expect(0).json == {"accessories": []}
    passes()

    (await hap("pair", f"127.0.0.1:{peer.port}", "--code", peer.payload() or CODE, "--as", "again")).expect(0, "again")
    (await hap("get", "again", names.door)).expect(0)
    passes()

    await peer.stop()
    begin = time.monotonic()
    (await hap("get", "again", names.door)).expect(69)
    assert time.monotonic() - begin < UNREACHABLE, "it takes too long"
    (await hap("unpair", "again")).expect(69, "--force")
    (await hap("unpair", "again", "--force")).expect(0, "was removed")
    assert (await hap("pairings", "--json")).expect(0).json == {"accessories": []}
    passes()


#: Calls the completion script like bash: a "=" is a separate word, and the word after it is completed.
COMPLETE = """
export PATH="${0%/*}:$PATH" XDG_STATE_HOME="$1"; source <(hap --generate-completion-script bash)
COMP_LINE="$2" COMP_POINT=${#2} COMP_WORDS=(${2//=/ = }) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
current="${COMP_WORDS[COMP_CWORD]}"; [[ "$current" == "=" ]] && current=
__hap_words hap "$current" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
"""


class DroppingPort:
    """A port whose queue is full, so that the system drops new connections."""

    def __init__(self, port: int = 0) -> None:
        self.listening = socket.socket()
        self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listening.bind(("127.0.0.1", port))
        self.listening.listen(0)
        self.place = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.filling = socket.create_connection(self.listening.getsockname())

    def close(self) -> None:
        self.filling.close()
        self.listening.close()


async def check_nobody(account: Account, binary: Path, folder: Path) -> None:
    discovery = PrivateDiscovery(folder)
    hap = Controller(binary, folder / "controller", discovery.socket)
    peer = Ours(binary, folder)

    async def is_unreachable(*arguments: str) -> None:
        began = time.monotonic()
        errors = (await hap(*arguments)).expect(69).errors
        # Most commands say how long they have tried. A busy machine adds to it.
        limit = re.search(r" within ([\d.]+) s", errors)
        seconds = float(limit[1]) if limit else time.monotonic() - began
        assert seconds < UNREACHABLE, f"{arguments[0]} takes {seconds:.1f} s: {errors}"

    try:
        await discovery.start()
        await peer.start()
        (await hap("pair", f"127.0.0.1:{peer.port}", "--code", CODE, "--as", "garage")).expect(0)
        await peer.stop()
        dropping = DroppingPort(peer.port)
        try:
            await asyncio.gather(*(is_unreachable(*command) for command in (
                ("pair", dropping.place, "--code", CODE), ("get", "garage", "On"), ("put", "garage", "On=on"),
                ("accessories", "garage"), ("pairings", "garage"), ("identify", "garage"), ("unpair", "garage"),
                ("watch", "garage"))))
        finally:
            dropping.close()
        account.passes(OTHER_CLAIMS[0])

        await is_unreachable("pair", "00:11:22:33:44:55", "--code", CODE)
        account.passes(OTHER_CLAIMS[1])

        (folder / "xdg").mkdir()
        (folder / "xdg/hap").symlink_to(folder / "controller")
        for line, offered in (
            ("hap unp", ["unpair"]), ("hap get gar", ["garage"]), ("hap get garage Cur", ["CurrentDoorState"]),
            ("hap put garage Targ", ["TargetDoorState="]), ("hap put garage TargetDoorState=", ["Open", "Closed"]),
            ("hap put garage On=on TargetDoorState=C", ["Closed"]),
        ):
            shell = await asyncio.create_subprocess_exec(
                "bash", "-c", COMPLETE, str(binary), str(folder / "xdg"), line, stdout=asyncio.subprocess.PIPE)
            output, _ = await shell.communicate()
            assert output.decode().split() == offered, f"{line!r} is offered {output.decode()!r}"
        account.passes(OTHER_CLAIMS[2])
    finally:
        peer.end()
        discovery.end()


async def run(binary: Path, folder: Path) -> bool:
    peers = (Ours, HapPython)
    account = Account(tuple(f"{peer.title}: {claim}" for peer in peers for claim in CLAIMS) + OTHER_CLAIMS)
    for kind in peers:
        place = folder / kind.__name__
        place.mkdir()
        peer = kind(binary, place)
        try:
            async with asyncio.timeout(ALL):
                await check(account, peer, binary, place)
        except Exception as error:  # any error decides the first claim without a result
            open_claims = [claim for claim in account.claims
                           if claim.startswith(f"{kind.title}: ") and claim not in account.passed]
            account.fails(open_claims[0], f"{type(error).__name__}: {error}")
        finally:
            peer.end()
    place = folder / "unreachable"
    place.mkdir()
    try:
        async with asyncio.timeout(ALL):
            await check_nobody(account, binary, place)
    except Exception as error:
        account.fails(next(claim for claim in OTHER_CLAIMS if claim not in account.passed), f"{type(error).__name__}: {error}")
    passed = account.complete()
    account.sum()
    return passed


def main() -> int:
    options = program.arguments(__doc__, log="keep what was written in this folder").parse_args()
    return program.perform(options, "controller", run, program.keep_all(options.log))


if __name__ == "__main__":
    sys.exit(main())
