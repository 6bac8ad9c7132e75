#!/usr/bin/env python3
"""Runs mixed work on a release server, and compares its memory, descriptors and threads with those at the start.

    soak.py --hapload FILE --hap FILE [--minutes N]

A round consists of reads, writes, /accessories, events and reconnections over 8 sessions, and then of connections
that verify and close. Without --minutes, it runs 20 rounds, with 1 million requests and 20,000 connections in all. A
table is printed to standard output. Exit status: 1 if the median of RssAnon in the last quarter of the rounds exceeds
that in the first quarter by more than 5 % and 512 KiB, if descriptors or threads are left over, or if an answer is
wrong.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CODE = "031-45-154"
PORT = 21827
REQUESTS = 1_000_000
CONNECTIONS = 20_000
ROUNDS = 20
GROWTH = 0.05
GROWTH_KIB = 512
# Descriptors and threads that still exist after this time count as left over.
PATIENCE = 15


class Server:
    """The server under test, on a state folder of its own."""

    def __init__(self, hap, folder):
        command = [hap, "serve", "--port", str(PORT), "--state", folder, "--setup-code", CODE, "--advertise", "off",
                   "--bind", "127.0.0.1", "--ready-file", os.path.join(folder, "ready.json")]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.folder = folder
        for _ in range(200):
            if os.path.exists(os.path.join(folder, "ready.json")):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit("The server did not start.")

    def status(self, key):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(key + ":"))

    def sample(self):
        """Returns RssAnon in KiB, the number of open descriptors, and the number of threads."""
        return self.status("RssAnon"), len(os.listdir(f"/proc/{self.process.pid}/fd")), self.status("Threads")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


class Load:
    """The runs of hapload against the server."""

    def __init__(self, hapload, folder, server):
        self.command = [hapload, "-p", str(PORT), "-c", CODE, "-f", os.path.join(folder, "pairing"),
                        "-P", str(server.process.pid)]
        self.requests = self.connections = self.events = 0
        self.faults = []

    def run(self, *arguments):
        result = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True, check=False)
        try:
            line = json.loads(result.stdout.strip().splitlines()[-1])
        except (IndexError, ValueError):
            line = {"error": result.stderr.strip()[:200] or f"hapload ended with {result.returncode}"}
        for key in ("error", "errors", "missed"):
            if line.get(key):
                self.faults.append(f"{' '.join(map(str, arguments))}: {key}: {line[key]}")
        if line.get("readback_ok") is False:
            self.faults.append(f"{' '.join(map(str, arguments))}: a write does not read back")
        return line

    def round(self, seconds, connections):
        mixed = self.run("soak", 8, seconds)
        self.requests += mixed.get("ops", 0)
        self.connections += 8 + mixed.get("reconnects", 0)
        self.run("event", 3, 7, "-", 1)
        self.events += 3 * 7
        self.run("verify", connections, 4)
        self.connections += connections + 8

    def fill(self, requests):
        """Reads and writes until the total number of requests is reached."""
        missing = max(0, requests - self.requests)
        for mode, share in (("get", 0.7), ("put", 0.3)):
            if missing * share >= 100:
                self.run(mode, int(missing * share), 8)
                self.connections += 8
        self.requests += missing


def quarter(samples):
    return max(1, len(samples) // 4)


def judge(before, after, anonymous, faults, status):
    """Yields a sentence for each problem."""
    if faults:
        yield f"{len(faults)} faults, the first: {faults[0]}"
    first = statistics.median(anonymous[:quarter(anonymous)])
    last = statistics.median(anonymous[-quarter(anonymous):])
    print(f"\nRssAnon: {first:,.0f} KiB at the median of the first quarter, {last:,.0f} KiB of the last "
          f"({(last / first - 1) * 100:+.1f} %).")
    print(f"Descriptors: {before[1]} before, {after[1]} after. Threads: {before[2]} before, {after[2]} after.")
    if last - first > max(first * GROWTH, GROWTH_KIB):
        yield f"RssAnon grows by {last - first:,.0f} KiB"
    if after[1] > before[1]:
        yield f"{after[1] - before[1]} descriptors are left over"
    if status != 0:
        yield f"the server ended with status {status}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hapload", required=True, type=Path)
    parser.add_argument("--hap", required=True, type=Path)
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    # Exits normally, so that the server is stopped too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    hap, hapload = str(options.hap.resolve()), str(options.hapload.resolve())

    with tempfile.TemporaryDirectory(prefix="hap-soak-") as folder:
        server = Server(hap, folder)
        try:
            load = Load(hapload, folder, server)
            load.run("pair")
            load.run("verify", 100, 4)
            time.sleep(1)
            before, began, anonymous, number = server.sample(), time.monotonic(), [], 0
            print(f"{'round':>5} {'s':>6} {'requests':>10} {'connections':>12} {'RssAnon KiB':>12} {'fds':>4} "
                  f"{'threads':>7}")
            while not load.faults:
                if options.minutes is None:
                    if number == ROUNDS:
                        break
                    load.round(3, CONNECTIONS // ROUNDS)
                    load.fill(REQUESTS * (number + 1) // ROUNDS)
                else:
                    # At least eight rounds, so that a quarter has more than one.
                    if time.monotonic() - began >= options.minutes * 60 and number >= 8:
                        break
                    load.round(max(1, min(10, round(options.minutes * 60 / 20))), 500)
                number += 1
                sample = server.sample()
                anonymous.append(sample[0])
                print(f"{number:>5} {time.monotonic() - began:>6.0f} {load.requests:>10,} {load.connections:>12,} "
                      f"{sample[0]:>12,} {sample[1]:>4} {sample[2]:>7}", flush=True)
            for _ in range(PATIENCE * 10):
                after = server.sample()
                if after[1] <= before[1]:
                    break
                time.sleep(0.1)
        finally:
            status = server.stop()
    verdict = list(judge(before, after, anonymous or [before[0]], load.faults, status))
    for sentence in verdict:
        print(f"soak: {sentence}.", file=sys.stderr)
    if not verdict:
        print(f"soak: {load.requests:,} requests, {load.connections:,} connections, {load.events:,} events, no fault.")
    return 1 if verdict else 0


if __name__ == "__main__":
    sys.exit(main())
