"""Attacks on an accessory, each at a bounded rate and for a bounded time.

    attacks.py NAME PORT SECONDS [PAIRING]

A process of its own, so that the attacker and the controller that is measured do not wait for each other. PAIRING is a
file with the pairing of a controller that has turned hostile, for the attacks within sessions.
"""

from __future__ import annotations

import errno
import json
import random
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from wire import HOST, Wire, connect, post

TICK = 0.01
CROWD = 2_000
KEY = bytes(range(1, 33))
VERIFY_M1 = post("/pair-verify", bytes([6, 1, 1, 3, 32]) + KEY)
SETUP_M1 = post("/pair-setup", bytes([6, 1, 1, 0, 1, 0]))
SETUP_M3 = post("/pair-setup", bytes([6, 1, 3, 3, 255]) + bytes([7] * 255) + bytes([3, 129]) + bytes([7] * 129)
                + bytes([4, 64]) + bytes(64))
READ = b"GET /characteristics?id=1.2 HTTP/1.1\r\nHost: x\r\n\r\n"


class Crowd:
    """Connections that never block the attacker; one that the accessory closes is opened again."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.end = time.monotonic() + seconds
        self.members: list[socket.socket] = []
        self.opened = 0
        self.dropped = 0
        self.sent = 0

    def ticks(self) -> Any:
        """Yields a step every TICK seconds until the time is over."""
        while (now := time.monotonic()) < self.end:
            yield now
            time.sleep(max(0, TICK - (time.monotonic() - now)))

    def join(self, count: int) -> list[socket.socket]:
        """Begins `count` connections."""
        new = []
        for _ in range(count):
            sock = socket.socket()
            sock.setblocking(False)
            with suppress(BlockingIOError):
                sock.connect((HOST, self.port))
            new.append(sock)
        self.members += new
        self.opened += count
        return new

    def fill(self, size: int, rate: int) -> list[socket.socket]:
        """Opens up to `rate` connections a second until there are `size`."""
        return self.join(min(size - len(self.members), int(rate * TICK)))

    def send(self, sock: socket.socket, message: bytes) -> bool:
        """Sends what fits; forgets a connection that has ended."""
        try:
            self.sent += sock.send(message) > 0
            return True
        except BlockingIOError:
            return True
        except OSError as error:
            if error.errno in (errno.ENOTCONN, errno.EAGAIN):
                return True
            self.leave(sock)
            return False

    def leave(self, sock: socket.socket) -> None:
        sock.close()
        if sock in self.members:
            self.members.remove(sock)
        self.dropped += 1

    def listen(self) -> None:
        """Reads and discards the responses, and counts the connections that the accessory closed."""
        poll = select.poll()
        by_number = {sock.fileno(): sock for sock in self.members}
        for number in by_number:
            poll.register(number, select.POLLIN)
        for number, event in poll.poll(0):
            sock = by_number[number]
            try:
                if event & select.POLLIN and sock.recv(65536):
                    continue
            except BlockingIOError:
                continue
            except OSError:
                pass
            self.leave(sock)


def hold(crowd: Crowd, _: Any) -> None:
    """2,000 connections that send nothing."""
    for _tick in crowd.ticks():
        crowd.fill(CROWD, 500)
        crowd.listen()


def trickle(crowd: Crowd, _: Any) -> None:
    """2,000 connections that send one byte a second."""
    positions: dict[socket.socket, int] = {}
    message = b"POST /pair-verify HTTP/1.1\r\nX: " + b"x" * 1_000
    turn = 0
    for _tick in crowd.ticks():
        crowd.fill(CROWD, 500)
        for sock in crowd.members[turn::100]:
            position = positions.get(sock, 0)
            crowd.send(sock, message[position:position + 1])
            positions[sock] = position + 1
        turn = (turn + 1) % 100
        if turn % 10 == 0:
            crowd.listen()


def storm(crowd: Crowd, _: Any) -> None:
    """1,000 connections a second that close at once, half of them with a reset."""
    for _tick in crowd.ticks():
        for number, sock in enumerate(crowd.join(10)):
            if number % 2:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()
        crowd.members.clear()


def flood(message: bytes, rate: int) -> Callable[[Crowd, Any], None]:
    """200 connections that send the same message repeatedly, `rate` times a second in total."""

    def attack(crowd: Crowd, _: Any) -> None:
        for _tick in crowd.ticks():
            crowd.fill(200, 2_000)
            for sock in random.sample(crowd.members, min(len(crowd.members), int(rate * TICK))):
                crowd.send(sock, message)
            crowd.listen()

    return attack


def half_open(crowd: Crowd, _: Any) -> None:
    """2,000 connections that begin pair-verify and then send nothing."""
    silent: set[socket.socket] = set()
    for _tick in crowd.ticks():
        new = crowd.fill(CROWD, 500)
        for sock in new:
            crowd.send(sock, VERIFY_M1)
            silent.add(sock)
        crowd.listen()


def endless(start: bytes, rest: bytes) -> Callable[[Crowd, Any], None]:
    """100 connections that send endless requests, 1,000 pieces a second in total."""

    def attack(crowd: Crowd, _: Any) -> None:
        for _tick in crowd.ticks():
            for sock in crowd.fill(100, 500):
                crowd.send(sock, start)
            for sock in random.sample(crowd.members, min(len(crowd.members), 10)):
                crowd.send(sock, rest)
            crowd.listen()

    return attack


def large_bodies(crowd: Crowd, _: Any) -> None:
    """400 connections, each with nearly all of the largest body that is accepted without a session."""
    body = b"POST /pair-setup HTTP/1.1\r\nHost: x\r\nContent-Length: 16384\r\n\r\n" + bytes(16_000)
    for _tick in crowd.ticks():
        for sock in crowd.fill(400, 1_000):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 18)
            crowd.send(sock, body)
        crowd.listen()


def pipeline(crowd: Crowd, _: Any) -> None:
    """16 connections that send 10,000 small requests a second in all, 100 in one piece."""
    batch = b"GET /accessories HTTP/1.1\r\n\r\n" * 100
    for _tick in crowd.ticks():
        crowd.fill(16, 500)
        if crowd.members:
            crowd.send(random.choice(crowd.members), batch)
        crowd.listen()


def sessions(crowd: Crowd, pairing: Any, count: int) -> list[Wire]:
    """Sessions of a paired controller that attacks."""
    wires = []
    for _ in range(count):
        wires.append(Wire(crowd.port).verify(pairing))
        time.sleep(0.005)
    crowd.opened += count
    return wires


def push(crowd: Crowd, wire: Wire, message: bytes) -> None:
    """Sends as much as is possible without waiting."""
    wire.socket.setblocking(False)
    with suppress(OSError):
        crowd.sent += wire.socket.send(message) > 0


def unfinished_frames(crowd: Crowd, pairing: Any) -> None:
    """100 sessions, each with a frame that never completes."""
    for wire in sessions(crowd, pairing, 100):
        push(crowd, wire, wire.sealed(b"x" * 1_024)[:700])
        crowd.members.append(wire.socket)
    for _tick in crowd.ticks():
        crowd.listen()


def unfinished_bodies(crowd: Crowd, pairing: Any) -> None:
    """60 sessions, each with most of a body of 4 MiB."""
    head = b"PUT /characteristics HTTP/1.1\r\nHost: x\r\nContent-Length: 4194304\r\n\r\n"
    wires = [(wire, bytearray(wire.sealed(head + bytes(1 << 20)))) for wire in sessions(crowd, pairing, 60)]
    for _tick in crowd.ticks():
        for wire, rest in random.sample(wires, 10):
            wire.socket.setblocking(False)
            with suppress(OSError):
                sent = wire.socket.send(rest[:65_536])
                del rest[:sent]
                crowd.sent += 1


def deaf(crowd: Crowd, pairing: Any) -> None:
    """50 sessions that repeatedly request the database and never read the responses."""
    request = b"GET /accessories HTTP/1.1\r\nHost: x\r\n\r\n"
    wires = []
    for wire in sessions(crowd, pairing, 50):
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        wires.append(wire)
    for _tick in crowd.ticks():
        for wire in random.sample(wires, 4):
            push(crowd, wire, wire.sealed(request))


def session_pipeline(crowd: Crowd, pairing: Any) -> None:
    """4 sessions that send 5,000 reads a second in all, 50 in one piece."""
    wires = sessions(crowd, pairing, 4)
    for _tick in crowd.ticks():
        wire = random.choice(wires)
        push(crowd, wire, wire.sealed(READ * 50))
        with suppress(OSError):
            while wire.socket.recv(65_536):
                pass


def large_answers(crowd: Crowd, pairing: Any) -> None:
    """40 sessions that request large values, each of them many times, 20 times a second; half of them never read."""
    ids = [f"{aid}.{iid}" for aid, iid in large_values(crowd, pairing)]
    targets = [f"/characteristics?meta=1&id={','.join(named)}" for named in (ids[:1] * 2_000, ids * 100, ids)]
    requests = [f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for target in [*targets, "/accessories"]]
    wires = sessions(crowd, pairing, 40)
    for wire in wires[::2]:
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    for tick, _now in enumerate(crowd.ticks()):
        if tick % 5 == 0:
            wire = random.choice(wires)
            push(crowd, wire, wire.sealed(random.choice(requests)))
        for reader in wires[1::2]:
            reader.socket.setblocking(False)
            with suppress(OSError):
                reader.socket.recv(1 << 20)


def large_values(crowd: Crowd, pairing: Any) -> list[tuple[int, int]]:
    """Returns the ids of the characteristics with `data` values."""
    wire = Wire(crowd.port).verify(pairing)
    database = json.loads(wire.get("/accessories")[1])
    wire.close()
    return [
        (accessory["aid"], characteristic["iid"])
        for accessory in database["accessories"]
        for service in accessory["services"]
        for characteristic in service["characteristics"]
        if characteristic["format"] == "data" and "pr" in characteristic["perms"]
    ]


ENDLESS_HEAD = endless(b"GET / HTTP/1.1\r\n", b"X-Endless: " + b"x" * 20_000)
ENDLESS_BODY = endless(b"POST /pair-setup HTTP/1.1\r\nContent-Length: 16000\r\n\r\n", b"x" * 1_500)
OVERSIZED = endless(b"POST /pair-setup HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", b"x" * 20_000)

API_ESCAPES = endless(b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                      b"Content-Length: 1048576\r\n\r\n{\"token\":\"", b"\\u0041" * 3_000)


def api_bodies(crowd: Crowd, _: Any) -> None:
    """250 bodies of almost 1 MiB that never complete, each as far as the API takes it."""
    head = (b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1048576\r\n\r\n")
    rest: dict[socket.socket, int] = {}
    for _tick in crowd.ticks():
        for sock in crowd.fill(250, 500):
            rest[sock] = 0
        for sock in list(crowd.members):
            if not rest[sock]:
                rest[sock] += crowd.send(sock, head)
            elif rest[sock] < 60:
                rest[sock] += crowd.send(sock, b" " * 16_000)
        crowd.listen()


API_PIPELINE = flood(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100, 2_000)


# The title of each attack in the table, and the attack itself, which receives the pairing of the attacking controller.
ATTACKS: dict[str, tuple[str, Callable[[Crowd, Any], None]]] = {
    "hold": ("2,000 connections held open", hold),
    "trickle": ("2,000 senders of a byte a second", trickle),
    "storm": ("1,000 connects and closes a second", storm),
    "setup-flood": ("2,000 pair-setup M1 a second", flood(SETUP_M1, 2_000)),
    "setup-sequence": ("1,000 pair-setup M3 out of sequence a second", flood(SETUP_M3, 1_000)),
    "verify-flood": ("2,000 pair-verify M1 a second", flood(VERIFY_M1, 2_000)),
    "half-open": ("2,000 half-open pair-verifies", half_open),
    "endless-head": ("endless header lines", ENDLESS_HEAD),
    "endless-body": ("bodies that go on and on", ENDLESS_BODY),
    "oversized": ("a Content-Length of a terabyte", OVERSIZED),
    "large-bodies": ("400 bodies of 16 KiB less a bit", large_bodies),
    "pipeline": ("10,000 pipelined requests a second", pipeline),
    "frames": ("100 sessions, frames never complete", unfinished_frames),
    "session-bodies": ("60 sessions, bodies never complete", unfinished_bodies),
    "deaf": ("50 sessions that never read", deaf),
    "large-answers": ("40 sessions that ask for large values", large_answers),
    "api-hold": ("API: 2,000 connections held open", hold),
    "api-trickle": ("API: 2,000 senders of a byte a second", trickle),
    "api-storm": ("API: 1,000 connects and closes a second", storm),
    "api-escapes": ("API: bodies of escapes without a token", API_ESCAPES),
    "api-pipeline": ("API: 200,000 pipelined requests a second", API_PIPELINE),
    "api-bodies": ("API: 250 bodies never complete", api_bodies),
    "session-pipeline": ("5,000 pipelined reads a second", session_pipeline),
}


def main() -> None:
    name, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    pairing = json.loads(Path(sys.argv[4]).read_text()) if len(sys.argv) > 4 else None
    crowd = Crowd(port, seconds)
    with suppress(ConnectionError, TimeoutError, AssertionError):
        ATTACKS[name][1](crowd, pairing)
    time.sleep(max(0, crowd.end - time.monotonic()))
    print(json.dumps({"opened": crowd.opened, "dropped": crowd.dropped, "sent": crowd.sent}))


if __name__ == "__main__":
    main()
