"""Serves many garages from one process and compares one of them with a garage that is served alone.

    many.py --hapload FILE [--hap FILE] [--copies N] [--sampled N] [--rounds N]

Prints the start time, the memory and the descriptors, then the median latency of reads from a garage that is served
alone and from one among the others, measured alternately. Exit status: 1 if a bound is exceeded: 200 KB of RssAnon per
server, and twice the latency of a garage that is served alone. A garage that exceeds the latency is measured up to three
times, because other work on the machine may be the cause.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CODE = "031-45-154"
BYTES_PER_SERVER = 200_000
LATENCY_FACTOR = 2.0
READS = 2_000
REPETITIONS = 3


class Served:
    """`hap serve` with a number of copies; it is stopped when the block is left."""

    def __init__(self, hap: Path, folder: Path, copies: int, port: int):
        self.ready = folder / f"ready-{copies}.json"
        self.log = folder / f"log-{copies}"
        began = time.monotonic()
        self.process = subprocess.Popen(
            [hap, "serve", "--copies", str(copies), "--advertise", "off", "--bind", "127.0.0.1", "--port", str(port)]
            + ["--state", folder / f"state-{copies}", "--setup-code", CODE, "--ready-file", self.ready],
            stdout=self.log.open("w"),
            cwd=folder,
        )
        while not self.ready.exists():
            if self.process.poll() is not None or time.monotonic() - began > 120:
                raise SystemExit(f"{copies} servers did not start: see {self.log}")
            time.sleep(0.005)
        self.start_seconds = time.monotonic() - began
        self.ports = [server["port"] for server in json.loads(self.ready.read_text())["servers"]]

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def memory(self, key: str) -> int:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1]) * 1024
        raise SystemExit(f"/proc tells no {key}")

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def hapload(binary: Path, folder: Path, port: int, *arguments: str) -> dict:
    command = [binary, "-p", str(port), "-c", CODE, "-f", folder / f"pairing-{port}", *arguments]
    outcome = subprocess.run(command, capture_output=True, text=True)
    if outcome.returncode != 0:
        raise SystemExit(f"hapload {' '.join(arguments)} on port {port}: {outcome.stdout}{outcome.stderr}")
    return json.loads(outcome.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hap", type=Path, default=Path(".build/release/hap"))
    parser.add_argument("--hapload", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=1_000)
    parser.add_argument("--sampled", type=int, default=8, help="how many of the many are measured")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    hap, binary = options.hap.resolve(), options.hapload.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Served(hap, folder, 1, 19_000) as alone, Served(hap, folder, options.copies, 20_000) as many:
            time.sleep(2)
            anonymous = many.memory("RssAnon")
            print(
                f"{options.copies} servers: started in {many.start_seconds:.1f} s (one: {alone.start_seconds:.3f} s), "
                f"RssAnon {anonymous / 1e6:.1f} MB, VmRSS {many.memory('VmRSS') / 1e6:.1f} MB, "
                f"{many.descriptors()} descriptors"
            )
            chosen = random.Random(options.copies).sample(many.ports, min(options.sampled, len(many.ports)))
            for port in [*alone.ports, *chosen]:
                hapload(binary, folder, port, "pair")

            def median(port: int) -> float:
                return hapload(binary, folder, port, "get", str(READS), "1")["lat_us"]["p50"]

            exceeding = chosen
            for _ in range(REPETITIONS):
                single: list[float] = []
                among: dict[int, list[float]] = {port: [] for port in exceeding}
                for _ in range(options.rounds):
                    for port in exceeding:
                        single.append(median(alone.ports[0]))
                        among[port].append(median(port))
                one = statistics.median(single)
                medians = {port: statistics.median(values) for port, values in among.items()}
                print(
                    f"median latency of a read: alone {one:.1f} µs; among {options.copies}: median "
                    f"{statistics.median(medians.values()):.1f} µs, worst of {len(medians)} servers "
                    f"{max(medians.values()):.1f} µs", flush=True,
                )
                exceeding = [port for port, latency in medians.items() if latency > LATENCY_FACTOR * one]
                if not exceeding:
                    break
    faults = []
    if anonymous > BYTES_PER_SERVER * options.copies:
        faults.append("more than 200 KB of RssAnon a server")
    if exceeding:
        faults.append("more than twice the latency of a server that is alone")
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
