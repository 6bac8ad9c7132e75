#!/usr/bin/env python3
"""Measures the Cast receiver of a release binary: the first status, status requests, connected and silent senders, and
HAP requests of the same process while senders load it.

    Benchmarks/cast.py [--hap BINARY]

Only loopback is used. Memory is RssAnon; time is CPU time of the process, unless it is called wall time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
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
    length, head = len(content), b""
    while length >= 128:
        head += bytes([length & 0x7F | 0x80])
        length >>= 7
    return bytes([number << 3 | 2]) + head + bytes([length]) + content


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
    process, other = Process(binary, DEFINITION), Process(binary, DEFINITION)
    try:
        measure(process, other)
    finally:
        process.end()
        other.end()


def identify_time(process: Process) -> float:
    """Returns the median time of POST /identify, which an unpaired accessory answers."""
    connection = socket.create_connection(("127.0.0.1", process.ready["servers"][0]["port"]))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    times = []
    for _ in range(300):
        start = time.perf_counter()
        connection.sendall(b"POST /identify HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        if not connection.recv(4_096).startswith(b"HTTP/1.1 204"):
            raise SystemExit("The accessory has not answered the request to identify itself.")
        times.append(time.perf_counter() - start)
    connection.close()
    return sorted(times)[150]


@contextlib.contextmanager
def flood(port: int, count: int) -> Iterator[None]:
    """Lets senders load long contents and ask for the status as fast as they are answered."""
    script = "import sys; sys.path[0] = sys.argv[1]; import cast; cast.load_forever(int(sys.argv[2]))"
    arguments = [sys.executable, "-c", script, str(Path(__file__).parent), str(port)]
    senders = [subprocess.Popen(arguments) for _ in range(count)]
    time.sleep(2)
    try:
        yield
    finally:
        for sender in senders:
            sender.terminate()
        for sender in senders:
            sender.wait()


def load_forever(port: int) -> None:
    sender = connect(port)
    sender.sendall(frame(CONNECTION, {"type": "CONNECT"}))
    media = {"contentId": "a", "duration": 60, "customData": "x" * 16_000}
    load = frame(RECEIVER, {"type": "LAUNCH", "appId": "CC1AD845", "requestId": 1})
    load += frame(RECEIVER, {"type": "GET_STATUS", "requestId": 1, "media": media}) * 8
    while True:
        sender.sendall(load)
        read_frames(sender, 9)


def measure(process: Process, other: Process) -> None:
    """Measures one process; the other one is loaded for comparison, as the senders need the same processors."""
    port, other_port = (each.ready["receivers"][0]["port"] for each in (process, other))
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

    print(f"a HAP request: {identify_time(process) * 1000:.2f} ms of wall time, median of 300")
    for count in (1, 4, 16):
        with flood(other_port, count):
            elsewhere = identify_time(process)
        with flood(port, count):
            here = identify_time(process)
        print(
            f"while {count} senders load another process and ask it: {elsewhere * 1000:.2f} ms, "
            f"this process: {here * 1000:.2f} ms, ratio {here / elsewhere:.2f}"
        )

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
