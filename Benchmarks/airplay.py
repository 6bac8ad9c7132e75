#!/usr/bin/env python3
"""Measures the AirPlay receivers of a release binary: ten encrypted audio sessions at once, their lost packets, and the
memory of a receiver with and without a session.

    Benchmarks/airplay.py [--hap BINARY] [--sessions N] [--seconds N] [--python PYTHON]

The senders are pyatv in a process of their own. Only loopback is used. Memory is RssAnon; time is CPU time of the
process that serves the receivers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TICKS = os.sysconf("SC_CLK_TCK")
SPEAKER = """accessory: Speaker {number}
driver: {{ airplay: {{ port: 0 }} }}
services: [{{ type: SmartSpeaker }}]
"""

#: Streams a file to the ports that its arguments name.
SENDERS = """
import asyncio, sys
from ipaddress import IPv4Address
import pyatv
from pyatv.conf import AppleTV, ManualService
from pyatv.const import Protocol

PROPERTIES = {"features": "0x004F8200,0x14040", "ft": "0x004F8200,0x14040", "md": "0,1,2", "sr": "44100", "ss": "16",
              "ch": "2"}

async def stream(port: int, file: str) -> None:
    config = AppleTV(IPv4Address("127.0.0.1"), f"Speaker {port}")
    for protocol in (Protocol.AirPlay, Protocol.RAOP):
        config.add_service(ManualService(str(port), protocol, port, dict(PROPERTIES)))
    device = await pyatv.connect(config, asyncio.get_running_loop())
    try:
        await device.stream.stream_file(file)
    finally:
        await asyncio.gather(*device.close())

async def main() -> None:
    await asyncio.gather(*(stream(int(port), sys.argv[1]) for port in sys.argv[2:]))

asyncio.run(main())
"""


class Process:
    """A server with a number of speakers."""

    def __init__(self, binary: Path, definitions: list[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hap-airplay-bench-"))
        files = []
        for number, definition in enumerate(definitions):
            files.append(self.folder / f"speaker{number}.yaml")
            files[-1].write_text(definition)
        self.log = self.folder / "log"
        arguments = [binary, "serve", *files, "--advertise", "off", "--bind", "127.0.0.1", "--console", "off"]
        arguments += ["--state", self.folder / "state", "--ready-file", self.folder / "ready"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(arguments, stdout=log, stderr=log)
        ready = self.folder / "ready"
        while not ready.exists() or not ready.read_text():
            if self.process.poll() is not None:
                raise SystemExit(self.log.read_text())
            time.sleep(0.005)
        self.ready = json.loads(ready.read_text())

    @property
    def memory(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1000

    @property
    def seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hap", type=Path, default=ROOT / ".build/release/hap", help="the binary")
    parser.add_argument("--sessions", type=int, default=10, help="how many senders play at once")
    parser.add_argument("--seconds", type=int, default=20, help="how long they play")
    parser.add_argument("--python", type=Path, default=ROOT / ".build/pyatv-venv/bin/python", help="a Python with pyatv")
    options = parser.parse_args()
    binary = options.hap.resolve()
    for name, definition in (("without", SPEAKER.replace("driver: {{ airplay: {{ port: 0 }} }}\n", "")),
                             ("with", SPEAKER)):
        process = Process(binary, [definition.format(number=0)])
        print(f"one speaker {name} the driver: {process.memory:.2f} MB")
        process.end()
    process = Process(binary, [SPEAKER.format(number=number) for number in range(options.sessions)])
    try:
        return measure(process, options)
    finally:
        process.end()


def measure(process: Process, options: argparse.Namespace) -> int:
    file = process.folder / "noise.wav"
    with wave.open(str(file), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(44_100)
        sound.writeframes(os.urandom(44_100 * 4 * options.seconds))
    before = process.memory
    ports = [str(receiver["port"]) for receiver in process.ready["receivers"]]
    senders = subprocess.Popen([options.python, "-c", SENDERS, str(file), *ports])
    time.sleep(options.seconds / 4)
    start, wall = process.seconds, time.monotonic()
    time.sleep(options.seconds / 2)
    used, elapsed = process.seconds - start, time.monotonic() - wall
    memory = process.memory
    if senders.wait() != 0:
        return 1
    time.sleep(1)
    received = re.findall(r"received, .*?lost: (\d+), packets: (\d+)", process.log.read_text())
    packets = sum(int(count) for _, count in received)
    lost = sum(int(count) for count, _ in received)
    print(f"{len(received)} sessions at once: {used / elapsed:.3f} of a core, {lost} of {packets} packets lost")
    print(f"{memory - before:.2f} MB for {len(received)} sessions")
    # The goals of docs/performance.md.
    return 0 if len(received) == options.sessions and used / elapsed < 0.25 and lost == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
