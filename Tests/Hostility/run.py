"""Attacks `hap serve`, as a process on the loopback, and looks at what a paired controller notices of it.

    run.py [--hap BINARY] [--seconds N] [--only NAME,...]

Prints a line per attack; exit status 1 when a claim of README.md is broken.
"""

from __future__ import annotations

import argparse
import base64
import collections
import http.client
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacks import ATTACKS, SETUP_M1, SETUP_M3
from wire import Wire

CODE = "031-45-154"
READS = 300
PAUSE = 0.003
SESSION_EVERY = 0.5
# The allowed increase of memory: the allocator keeps some of the memory that was freed.
MEMORY_MARGIN = 4 << 20
RECOVERY = 20.0
# The seconds for which a host that repeats M1 may keep pair-setup, the seconds in which the user of the other host
# types the code, and the pause between two rounds of M1.
TURN = 30.0
TYPING = 40.0
CROWD_PAUSE = 0.02
# A limit on descriptors that is lower than the number of connections that the server would accept.
SCARCE = 128
# The maximum increase of the server's memory during an attack; attacks that are not listed have no limit.
PEAKS = {"large-answers": 128 << 20, "api-escapes": 32 << 20, "api-bodies": 32 << 20}
# Attacks on a server with values of LARGE bytes.
ON_LARGE_VALUES = ["large-answers"]
LARGE = 60_000
# The connections to each port before the first attack; fewer than SCARCE descriptors allow.
USED = 32
# The servers that end while clients connect to their API, and the seconds in which each of them ends.
ENDS = 10
END_TIME = 5.0
# On a busy machine, a median of two scheduling delays does not count as slow.
LATENCY_MARGIN = 50e-6


class Server:
    """`hap serve` with a file, or else with the Kilgo garage."""

    def __init__(self, binary: Path, folder: Path, descriptors: int | None = None, file: Path | None = None) -> None:
        self.ready = folder / "ready.json"
        command = [str(binary), "serve", "--port", "0", "--bind", "127.0.0.1", "--state", str(folder / "state"),
                   "--setup-code", CODE, "--advertise", "off", "--ready-file", str(self.ready)]
        if file is not None:
            command.append(str(file))
        if descriptors is not None:
            command = ["prlimit", f"--nofile={descriptors}:{descriptors}", *command]
        self.log = folder / "server.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + 10
        while not self.ready.exists():
            assert self.process.poll() is None and time.monotonic() < end, self.log.read_text()
            time.sleep(0.02)
        ready = json.loads(self.ready.read_text())
        self.port = int(ready["servers"][0]["port"])
        self.console = int(ready["console"].rsplit(":", 1)[1])
        self.token = (folder / "state" / "console.token").read_text()
        self.socket = str(folder / "state" / "serve.sock")

    @property
    def anonymous(self) -> int:
        """The resident anonymous memory of the server in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("RssAnon"))

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def ask_api(self) -> None:
        """Asks the API with the token of its owner, on a new connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.console, timeout=5)
        connection.request("GET", "/api/v1/status", headers={"Authorization": f"Bearer {self.token}"})
        assert connection.getresponse().status == 200
        connection.close()

    def use(self) -> None:
        """Uses the API and many connections once, and returns after they are closed."""
        before = self.descriptors
        self.ask_api()
        held = [socket.create_connection(("127.0.0.1", port)) for port in (self.port, self.console) * USED]
        for each in held:
            each.close()
        end = time.monotonic() + RECOVERY
        while self.descriptors > before and time.monotonic() < end:
            time.sleep(0.1)

    @property
    def cpu(self) -> float:
        """The seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@dataclass
class Outcome:
    """The result of one attack."""

    name: str
    idle: float
    reads: list[float] = field(default_factory=list)
    verifies: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    cpu: float = 0
    memory: tuple[int, int, int] = (0, 0, 0)
    descriptors: tuple[int, int, int] = (0, 0, 0)
    attacker: dict[str, int] = field(default_factory=dict)

    @property
    def median(self) -> float:
        return statistics.median(self.reads) if self.reads else float("inf")

    @property
    def is_slow(self) -> bool:
        return self.median >= 2 * self.idle + LATENCY_MARGIN

    def broken(self) -> list[str]:
        claims = list(dict.fromkeys(self.failures))
        if self.is_slow:
            claims.append(f"the median latency is {self.median / self.idle:.1f} times the idle one")
        if not self.verifies:
            claims.append("no new session got in")
        if self.memory[2] > self.memory[0] + MEMORY_MARGIN:
            claims.append("memory did not return to where it was")
        if self.memory[1] > self.memory[0] + PEAKS.get(self.name, self.memory[1]):
            claims.append("the server held more memory than it may")
        if self.descriptors[2] > self.descriptors[0]:
            claims.append("descriptors did not return to where they were")
        return claims


def timed_read(wire: Wire, target: str) -> float:
    begin = time.perf_counter()
    status, _ = wire.get(target)
    assert status == 200, f"a read was answered with {status}"
    return time.perf_counter() - begin


def lamp(wire: Wire) -> str:
    """The request target for reading the lamp's switch."""
    for accessory in json.loads(wire.get("/accessories")[1])["accessories"]:
        for service in accessory["services"]:
            for characteristic in service["characteristics"]:
                if characteristic["type"] == "25":
                    return f"/characteristics?id={accessory['aid']}.{characteristic['iid']}"
    raise AssertionError("there is no lamp")


def idle_latency(wire: Wire, target: str) -> float:
    latencies = []
    for _ in range(READS):
        latencies.append(timed_read(wire, target))
        time.sleep(PAUSE)
    return statistics.median(latencies)


def under(name: str, server: Server, wire: Wire, target: str, pairing: dict[str, Any], file: Path,
          seconds: float) -> Outcome:
    outcome = Outcome(name, idle_latency(wire, target))
    before = (server.anonymous, server.descriptors)
    most = before
    cpu, begin = server.cpu, time.monotonic()
    is_api = name.startswith("api-")
    port = server.console if is_api else server.port
    attacker = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("attacks.py")), name, str(port), str(seconds), str(file)],
        stdout=subprocess.PIPE,
    )
    next_session = begin + 1
    try:
        # The attack begins only after the attacker's interpreter has started.
        time.sleep(0.5)
        while attacker.poll() is None:
            outcome.reads.append(timed_read(wire, target))
            if time.monotonic() >= next_session:
                next_session = time.monotonic() + SESSION_EVERY
                most = (max(most[0], server.anonymous), max(most[1], server.descriptors))
                began = time.perf_counter()
                try:
                    fresh = Wire(server.port).verify(pairing)
                    timed_read(fresh, target)
                    fresh.close()
                    outcome.verifies.append(time.perf_counter() - began)
                except (OSError, AssertionError) as error:
                    outcome.failures.append(f"a new session did not get in: {error!r}")
                try:
                    if is_api:
                        server.ask_api()
                except (OSError, AssertionError, http.client.HTTPException) as error:
                    outcome.failures.append(f"the owner of the API was not answered: {error!r}")
            time.sleep(PAUSE)
    except (OSError, AssertionError) as error:
        outcome.failures.append(f"the paired controller was cut off: {error!r}")
    finally:
        attacker.terminate() if attacker.poll() is None and outcome.failures else None
        output = attacker.communicate(timeout=seconds + 30)[0]
    outcome.attacker = json.loads(output or b"{}")
    outcome.cpu = (server.cpu - cpu) / (time.monotonic() - begin)
    end = time.monotonic() + RECOVERY
    while time.monotonic() < end and (
        server.descriptors > before[1] or server.anonymous > before[0] + MEMORY_MARGIN
    ):
        time.sleep(0.1)
    outcome.memory = (before[0], most[0], server.anonymous)
    outcome.descriptors = (before[1], most[1], server.descriptors)
    return outcome


def line(name: str, outcome: Outcome) -> str:
    megabytes = " ".join(f"{size / (1 << 20):5.1f}" for size in outcome.memory)
    descriptors = " ".join(f"{count:4d}" for count in outcome.descriptors)
    verify = statistics.median(outcome.verifies) * 1e3 if outcome.verifies else float("nan")
    return (f"{ATTACKS[name][0]:45} {outcome.idle * 1e6:6.0f} {outcome.median * 1e6:7.0f} {outcome.cpu * 100:5.0f} "
            f"{len(outcome.verifies):5d} {verify:7.1f}  {megabytes}  {descriptors}  "
            f"{outcome.attacker.get('opened', 0):6d} {outcome.attacker.get('dropped', 0):6d} "
            f"{outcome.attacker.get('sent', 0):7d}")


def refuses_more_proofs(binary: Path, folder: Path) -> list[str]:
    """Lets 8 connections try wrong setup codes on an unpaired accessory."""
    server = Server(binary, folder)
    try:
        before = (server.anonymous, server.descriptors)
        wires = [Wire(server.port) for _ in range(8)]
        answers: collections.Counter[str] = collections.Counter()
        begin = time.monotonic()
        for number in range(1_000):
            wire = wires[number % len(wires)]
            error = pairing_error(wire.request(SETUP_M1)[1])
            answers[f"M2 {error}"] += 1
            if error is None:
                answers[f"M4 {pairing_error(wire.request(SETUP_M3)[1])}"] += 1
        seconds = time.monotonic() - begin
        for wire in wires:
            wire.close()
        end = time.monotonic() + RECOVERY
        while time.monotonic() < end and server.descriptors > before[1]:
            time.sleep(0.1)
        print(f"1,000 wrong proofs to an unpaired accessory in {seconds:.1f} s: {dict(answers)}, "
              f"RssAnon {before[0] / (1 << 20):.1f} {server.anonymous / (1 << 20):.1f} MB", flush=True)
        broken = []
        if answers != {"M2 None": 100, "M4 2": 100, "M2 5": 900}:
            broken.append("not exactly 100 proofs were checked")
        if server.descriptors > before[1] or server.anonymous > before[0] + MEMORY_MARGIN:
            broken.append("memory or descriptors did not return to where they were")
        return broken
    finally:
        server.end()


def ends_properly(binary: Path, folder: Path) -> list[str]:
    """Ends servers while 8 clients connect to the API, on the Unix socket and on TCP."""
    broken: collections.Counter[str] = collections.Counter()
    longest = 0.0
    for number in range(ENDS):
        (place := folder / str(number)).mkdir(parents=True)
        server = Server(binary, place)
        is_over = threading.Event()

        def connect(family: int, address: Any) -> None:
            while not is_over.is_set():
                with suppress(OSError), socket.socket(family) as client:
                    client.settimeout(2)
                    client.connect(address)
                    client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    client.recv(4096)
                time.sleep(0.0005)

        clients = [threading.Thread(target=connect, args=target) for target in
                   4 * [(socket.AF_UNIX, server.socket), (socket.AF_INET, ("127.0.0.1", server.console))]]
        for client in clients:
            client.start()
        time.sleep(0.2)
        begin = time.monotonic()
        status = server.end()
        longest = max(longest, time.monotonic() - begin)
        is_over.set()
        for client in clients:
            client.join()
        if status != 0:
            broken[f"the server ended with status {status}"] += 1
        if server.ready.exists():
            broken["the ready file stayed"] += 1
    if longest > END_TIME:
        broken[f"the end took {longest:.1f} s"] += 1
    print(f"{ENDS} servers that end while clients connect to the API: longest end {longest:.2f} s", flush=True)
    return [f"{claim}, {count} times" for claim, count in broken.items()]


def shares_pair_setup(binary: Path, folder: Path) -> list[str]:
    """Lets 8 connections of one host repeat M1 while another host pairs, whose user types the code slowly."""
    folder.mkdir()
    server = Server(binary, folder)
    crowd = [Wire(server.port) for _ in range(8)]
    begun = 0

    def attack() -> None:
        nonlocal begun
        begun += sum(pairing_error(wire.request(SETUP_M1)[1]) is None for wire in crowd)
        time.sleep(CROWD_PAUSE)

    try:
        attack()
        honest = Wire(server.port, "127.0.0.2")
        begin, tries = time.monotonic(), 1
        while pairing_error(honest.request(SETUP_M1)[1]) is not None and time.monotonic() < begin + TURN + 15:
            for _ in range(20):
                attack()
            tries += 1
        waited, before = time.monotonic() - begin, begun
        while time.monotonic() < begin + waited + TYPING:
            attack()
        status, body = honest.request(SETUP_M3)
        print(f"Pair-setup beside 8 connections of another host: begun after {waited:.0f} s at try {tries}; the proof of "
              f"{TYPING} s later was answered with {status} {pairing_error(body)}", flush=True)
        broken = []
        if waited > TURN + 5:
            broken.append("it had no turn in time")
        if begun > before:
            broken.append("the other host had a turn in between")
        # The proof is wrong on purpose. The error Authentication shows that it was checked.
        if (status, pairing_error(body)) != (200, 2):
            broken.append("the exchange was lost while the code was typed")
        return broken
    finally:
        server.end()


def pairing_error(body: bytes) -> int | None:
    """The value of the error item of a pairing message."""
    while body:
        if body[0] == 7:
            return body[2]
        body = body[2 + body[1]:]
    return None


HEADER = (f"{'':45} {'read µs':>14} {'CPU':>5} {'new sessions':>13}  {'RssAnon in MB':>17}  {'descriptors':>14}  "
          f"{'attacker':>21}\n"
          f"{'attack':45} {'idle':>6} {'under':>7} {'%':>5} {'n':>5} {'ms':>7}  {'before':>5} {'most':>4} {'after':>5}  "
          f"{'bef.':>4} {'most':>4} {'aft.':>4}  {'opened':>6} {'closed':>6} {'sent':>7}")


def large_values(file: Path) -> Path:
    """Writes a dump of a lamp with ten values of LARGE bytes."""
    def characteristic(iid: int, type: str, value: Any, format: str = "string", perms: str = "pr") -> dict[str, Any]:
        return {"iid": iid, "type": type, "perms": perms.split(), "format": format, "value": value}

    value = base64.b64encode(bytes(LARGE)).decode()
    information = [characteristic(3 + place, type, "Large") for place, type in enumerate(["20", "21", "23", "30"])]
    information.append({"iid": 2, "type": "14", "perms": ["pw"], "format": "bool"})
    information.append(characteristic(7, "52", "1.0.0"))
    blobs = [characteristic(30 + number, f"0000{number:04d}-1111-4000-8000-000000000000", value, "data")
             for number in range(10)]
    services = [
        {"iid": 1, "type": "3E", "characteristics": information},
        {"iid": 20, "type": "43", "characteristics": [characteristic(21, "25", 0, "bool", "pr pw ev"), *blobs]},
    ]
    file.write_text(json.dumps({"accessories": [{"aid": 1, "services": services}]}))
    return file


def attack_all(names: list[str], binary: Path, folder: Path, seconds: float, descriptors: int | None = None,
               has_large_values: bool = False) -> bool:
    folder.mkdir()
    dump = large_values(folder / "large.json") if has_large_values else None
    server = Server(binary, folder, descriptors, dump)
    try:
        first = Wire(server.port)
        pairing = first.pair(CODE, "decc6fa3-de3e-41c9-adba-ef7409821bfc")
        first.close()
        file = folder / "pairing.json"
        file.write_text(json.dumps(pairing))
        wire = Wire(server.port).verify(pairing)
        target = lamp(wire)
        passed = True
        # What is needed for the first connections is loaded and allocated then, and kept.
        server.use()
        begin = server.anonymous
        for name in names:
            outcome = under(name, server, wire, target, pairing, file, seconds)
            if outcome.is_slow and not outcome.failures:
                # The machine is shared, so an attack counts as slow only if it is slow twice.
                first = outcome
                outcome = under(name, server, wire, target, pairing, file, seconds)
                outcome.memory = (first.memory[0], max(first.memory[1], outcome.memory[1]), outcome.memory[2])
                outcome.descriptors = (first.descriptors[0], *outcome.descriptors[1:])
            print(line(name, outcome), flush=True)
            for claim in outcome.broken():
                passed = False
                print(f"    broken: {claim}", flush=True)
            if outcome.failures:
                wire.close()
                wire = Wire(server.port).verify(pairing)
        if server.anonymous > begin + MEMORY_MARGIN:
            passed = False
            print("    broken: after all attacks memory is not back where it was", flush=True)
        return passed
    finally:
        server.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--hap", type=Path, default=root / ".build/release/hap", help="the binary under test")
    parser.add_argument("--seconds", type=float, default=10, help="how long each attack lasts")
    parser.add_argument("--only", help="the attacks to run, by name, separated by commas")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(ATTACKS)
    if unknown := [name for name in names if name not in ATTACKS]:
        sys.exit(f"There is no attack {unknown[0]!r}; there are {', '.join(ATTACKS)}.")
    folder = Path(tempfile.mkdtemp(prefix="hap-hostility-"))
    try:
        binary = options.hap.resolve()
        print(HEADER, flush=True)
        passed = True
        if plain := [name for name in names if name not in ON_LARGE_VALUES]:
            passed &= attack_all(plain, binary, folder / "plenty", options.seconds)
        if large := [name for name in names if name in ON_LARGE_VALUES]:
            passed &= attack_all(large, binary, folder / "large", options.seconds, has_large_values=True)
        if not options.only:
            print(f"The same with {SCARCE} descriptors:", flush=True)
            passed &= attack_all(["hold"], binary, folder / "scarce", options.seconds, SCARCE)
            for claim in (broken := refuses_more_proofs(binary, folder)):
                print(f"    broken: {claim}", flush=True)
            passed &= not broken
            for claim in (broken := ends_properly(binary, folder / "ends")):
                print(f"    broken: {claim}", flush=True)
            passed &= not broken
            for claim in (broken := shares_pair_setup(binary, folder / "turns")):
                print(f"    broken: {claim}", flush=True)
            passed &= not broken
        return 0 if passed else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
