#!/usr/bin/env python3
"""Measures the Cast receiver of a release binary: the first status, status requests, connected and silent senders.

    Benchmarks/cast.py [--hap BINARY]

Only loopback is used. Memory is RssAnon; time is CPU time of the process, unless it is called wall time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEFINITION = """accessory: Living Room
driver: { cast: { port: 0 } }
services: [{ type: Television }, { type: Speaker }]
"""
RECEIVER = "urn:x-cast:com.google.cast.receiver"
CONNECTION = "urn:x-cast:com.google.cast.tp.connection"
TICKS = os.sysconf("SC_CLK_TCK")


def field(number: int, content: bytes) -> bytes:
    length = len(content)
    head = bytes([length]) if length < 128 else bytes([length & 0x7F | 0x80, length >> 7])
    return bytes([number << 3 | 2]) + head + content


def frame(namespace: str, message: dict[str, object]) -> bytes:
    body = b"\x08\x00" + field(2, b"sender-0") + field(3, b"receiver-0") + field(4, namespace.encode())
    body += b"\x28\x00" + field(6, json.dumps(message).encode())
    return len(body).to_bytes(4, "big") + body


def connect(port: int) -> ssl.SSLSocket:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(connection)


def read_frames(sender: ssl.SSLSocket, count: int) -> None:
    buffer = b""
    while count > 0:
        received = sender.recv(65_536)
        if not received:
            raise SystemExit("The receiver has closed the connection.")
        buffer += received
        while len(buffer) >= 4 and len(buffer) >= 4 + int.from_bytes(buffer[:4], "big"):
            buffer = buffer[4 + int.from_bytes(buffer[:4], "big") :]
            count -= 1


class Process:
    def __init__(self, binary: Path, definition: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hap-cast-bench-"))
        (self.folder / "tv.yaml").write_text(definition)
        ready = self.folder / "ready"
        arguments = [binary, "serve", self.folder / "tv.yaml", "--advertise", "off", "--bind", "127.0.0.1"]
        arguments += ["--state", self.folder / "state", "--ready-file", ready]
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not ready.exists() or not ready.read_text():
            time.sleep(0.005)
        self.ready = json.loads(ready.read_text())

    @property
    def memory(self) -> int:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("RssAnon")).split()[1])

    @property
    def seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hap", type=Path, default=ROOT / ".build/release/hap", help="the binary")
    binary = parser.parse_args().hap.resolve()
    plain = Process(binary, DEFINITION.replace("driver: { cast: { port: 0 } }\n", ""))
    print(f"without the driver: {plain.memory / 1000:.1f} MB")
    plain.end()
    process = Process(binary, DEFINITION)
    try:
        measure(process)
    finally:
        process.end()


def measure(process: Process) -> None:
    port = process.ready["receivers"][0]["port"]
    print(f"with the driver: {process.memory / 1000:.1f} MB")
    times = []
    for _ in range(20):
        start = time.perf_counter()
        sender = connect(port)
        sender.sendall(frame(CONNECTION, {"type": "CONNECT"}) + frame(RECEIVER, {"type": "GET_STATUS", "requestId": 1}))
        read_frames(sender, 1)
        times.append(time.perf_counter() - start)
        sender.close()
    print(f"the first status of a sender: {sorted(times)[10] * 1000:.1f} ms of wall time, median of 20")

    sender = connect(port)
    sender.sendall(frame(CONNECTION, {"type": "CONNECT"}))
    batch = frame(RECEIVER, {"type": "GET_STATUS", "requestId": 1}) * 50
    before, start, count = process.seconds, time.perf_counter(), 20_000
    for _ in range(count // 50):
        sender.sendall(batch)
        read_frames(sender, 50)
    used, wall = process.seconds - before, time.perf_counter() - start
    print(f"status requests: {count / used:.0f} a second of CPU time, {count / wall:.0f} a second of wall time")
    sender.close()

    before = process.memory
    senders = []
    for _ in range(200):
        senders.append(connect(port))
        senders[-1].sendall(frame(CONNECTION, {"type": "CONNECT"}) + frame(RECEIVER, {"type": "GET_STATUS", "requestId": 1}))
        read_frames(senders[-1], 1)
    print(f"200 connected senders: {(process.memory - before) / 1000:.1f} MB more")
    for sender in senders:
        sender.close()

    before = process.memory
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(1_000)]
    time.sleep(0.5)
    print(f"1,000 silent connections: {(process.memory - before) / 1000:.1f} MB more")
    time.sleep(11)
    for connection in silent:
        connection.setblocking(False)
    open_count = 0
    for connection in silent:
        try:
            connection.recv(1)
        except BlockingIOError:
            open_count += 1
        except ConnectionResetError:
            pass
    print(f"of which {open_count} are open after 11 s")


if __name__ == "__main__":
    main()
