"""Measures the controller with simulated garages on loopback: concurrent sessions, memory, and the latency of events.

    controller.py [--hap FILE] [--benchmark FILE] [--copies N] [--sessions N] [--events N]

Prints three results: the time to open a session with every garage concurrently and to read from each; the memory of
all live sessions; and the time from a write on another connection until `hap watch` has printed its line. That time
includes the write and the server. Exit status: 1 if a bound in docs/performance.md is exceeded.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from many import Served

MILLISECONDS_FOR_ALL = 400.0
BYTES_FOR_SESSIONS = 100_000_000
MILLISECONDS_TO_LINE = 2.0
# A server sends at most one event message per second to a connection.
PAUSE = 1.1


def run(binary: Path, *arguments: object) -> str:
    outcome = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    if outcome.returncode != 0:
        raise SystemExit(f"{binary.name} {' '.join(map(str, arguments))}: {outcome.stdout}{outcome.stderr}")
    return outcome.stdout


def watch_latencies(hap: Path, benchmark: Path, state: Path, events: int) -> list[float]:
    """Returns the times in milliseconds from the start of a write to the line that reports it."""
    watch = subprocess.Popen([hap, "watch", "1", "--state", state, "--json"], stdout=subprocess.PIPE, text=True)
    flip = subprocess.Popen([benchmark, "flip", state, "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        while json.loads(watch.stdout.readline()).get("event") != "connected":
            pass
        latencies = []
        for _ in range(events + 1):
            time.sleep(PAUSE)
            flip.stdin.write("\n")
            flip.stdin.flush()
            while "iid" not in json.loads(watch.stdout.readline()):
                pass
            seen = time.monotonic_ns()
            latencies.append((seen - int(flip.stdout.readline())) / 1e6)
        # The first write is left out, because it also opens the connection of the writer.
        return sorted(latencies[1:])
    finally:
        for process in (watch, flip):
            process.terminate()
            process.wait(10)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hap", type=Path, default=Path(".build/release/hap"))
    parser.add_argument("--benchmark", type=Path, default=Path(".build/release/ControllerBenchmark"))
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--events", type=int, default=20)
    options = parser.parse_args()
    hap, benchmark = options.hap.resolve(), options.benchmark.resolve()
    with tempfile.TemporaryDirectory(prefix="hap-controller-") as path:
        folder = Path(path)
        os.environ["HOME"] = str(folder)
        state = folder / "controller"
        with Served(hap, folder, options.copies, 21_000) as served:
            run(benchmark, "pair", state, served.ready)
            measured = json.loads(run(benchmark, "sessions", state, options.sessions))
            latencies = watch_latencies(hap, benchmark, state, options.events)
    took = statistics.median(measured["milliseconds"])
    line = statistics.median(latencies)
    print(f"pair-verify and a read with {measured['accessories']} accessories side by side: {took:.0f} ms"
          f" (best {measured['milliseconds'][0]:.0f})")
    print(f"{measured['sessions']} live sessions: {measured['anonymous'] / 1e6:.1f} MB of RssAnon"
          f" ({measured['before'] / 1e6:.1f} MB before them)")
    print(f"from a write elsewhere to the line of hap watch: {line:.2f} ms (most {latencies[-1]:.2f})")
    broken = [sentence for holds, sentence in (
        (took < MILLISECONDS_FOR_ALL, f"sessions side by side take {took:.0f} ms, {MILLISECONDS_FOR_ALL:.0f} are allowed"),
        (measured["anonymous"] < BYTES_FOR_SESSIONS, "the sessions take more than 100 MB"),
        (line < MILLISECONDS_TO_LINE, f"a line comes after {line:.2f} ms, {MILLISECONDS_TO_LINE:g} are allowed"),
    ) if not holds]
    for sentence in broken:
        print(f"BOUND: {sentence}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
