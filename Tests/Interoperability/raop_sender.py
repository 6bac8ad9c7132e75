"""An AirPlay 1 sender in plain Python, which shares no code with other senders.

    raop_sender.py HOST PORT [FILE] [--seconds N] [--codec alac|pcm] [--password TEXT] [--lose NUMBERS]

It plays a WAV file of 44.1 kHz, 16 bits and two channels, or a tone, and prints what the receiver answered as JSON.
Other programs use the class Sender, which can lose, delay and repeat packets, and answers requests to send them again.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import json
import os
import random
import struct
import sys
import time
import wave
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tones import RATE, tone

PATIENCE = 10.0
FRAMES = 352
FRAME = 4
#: The packets that may be asked for again.
BACKLOG = 1000
#: The time from the packet until its sound, in frames.
LATENCY = RATE
#: Seconds from 1900 to 1970.
EPOCH = 2_208_988_800
AGENT = "iTunes/12.9 (Windows; N)"

TIMING_REQUEST, TIMING_ANSWER, SYNC, RESEND, RESENT = 0x52, 0x53, 0x54, 0x55, 0x56
AUDIO = 0x60
MARK = 0x80


class Refused(AssertionError):
    """The receiver has answered another status than 200."""

    def __init__(self, method: str, answer: Answer) -> None:
        super().__init__(f"{method} is answered with {answer.status} {answer.reason}")
        self.answer = answer


@dataclass
class Answer:
    status: int
    reason: str
    fields: dict[str, str]
    body: bytes


def ntp(seconds: float | None = None) -> int:
    """Returns a time as NTP does, in 64 bits."""
    now = time.time() if seconds is None else seconds
    return int((now + EPOCH) * (1 << 32)) & ((1 << 64) - 1)


def big_endian(samples: bytes) -> bytes:
    """Returns samples of 16 bits in the other byte order."""
    swapped = bytearray(samples)
    swapped[0::2], swapped[1::2] = samples[1::2], samples[0::2]
    return bytes(swapped)


def alac(samples: bytes, *, end: bool = True) -> bytes:
    """Returns a frame of Apple Lossless without compression, as libraop and PulseAudio write it.

    `end` adds the tag that ends a frame, which some senders omit.
    """
    count = len(samples) // FRAME
    # Two channels, reserved bits, a size of its own, no shift, not compressed, and that size.
    bits = 0b001 << 20 | 0b1_00_1
    bits = bits << 32 | count
    bits = bits << 8 * len(samples) | int.from_bytes(big_endian(samples), "big")
    length = 23 + 32 + 8 * len(samples)
    if end:
        bits, length = bits << 3 | 0b111, length + 3
    padding = -length % 8
    return (bits << padding).to_bytes((length + padding) // 8, "big")


def tagged(tag: str, content: bytes) -> bytes:
    """Returns a tag of DMAP."""
    return tag.encode() + struct.pack(">I", len(content)) + content


class Datagrams(asyncio.DatagramProtocol):
    """A UDP socket."""

    def __init__(self, received: Callable[[bytes, tuple[str, int]], None]) -> None:
        self.received = received
        self.transport: asyncio.DatagramTransport | None = None

    @classmethod
    async def open(cls, address: str, received: Callable[[bytes, tuple[str, int]], None]) -> Datagrams:
        loop = asyncio.get_running_loop()
        return (await loop.create_datagram_endpoint(lambda: cls(received), local_addr=(address, 0)))[1]

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        self.received(data, address)

    def error_received(self, error: Exception) -> None:
        pass

    @property
    def port(self) -> int:
        return self.transport.get_extra_info("sockname")[1]

    def send(self, data: bytes, address: tuple[str, int]) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.sendto(data, address)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()


@dataclass
class Plan:
    """What happens to packets, by their number from 0."""

    #: Packets that are not sent, unless the receiver asks for them.
    lost: set[int] = field(default_factory=set)
    #: Packets that are sent so many packets later.
    late: dict[int, int] = field(default_factory=dict)
    #: Packets that are sent twice.
    twice: set[int] = field(default_factory=set)
    #: Whether requests to send packets again are answered.
    resends: bool = True


class Sender:
    """A session with a receiver. Every attribute may be changed before the request that uses it."""

    def __init__(self, host: str, port: int, *, codec: str = "alac", password: str | None = None,
                 local: str = "127.0.0.1") -> None:
        self.host, self.port = host, port
        self.codec = codec
        self.password = password
        self.local = local
        self.plan = Plan()
        #: The time between two synchronizations, in seconds.
        self.interval = 1.0
        self.session_id = random.randrange(1 << 32)
        self.dacp_id = f"{random.randrange(1 << 64):016X}"
        self.active_remote = str(random.randrange(1 << 32))
        self.sequence = random.randrange(1 << 16)
        self.timestamp = random.randrange(1 << 32)
        #: What the receiver has asked for, as (first sequence number, count), counted from the first packet.
        self.resend_requests: list[tuple[int, int]] = []
        self.timing_requests = 0
        self.answers: list[tuple[str, int]] = []
        self.server_port = self.control_port = 0
        self.session = ""
        self.first_sequence = self.sequence
        self._count = 0
        self._number = 0
        self._nonce: dict[str, str] = {}
        self._backlog: dict[int, bytes] = {}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._audio: Datagrams | None = None
        self._control: Datagrams | None = None
        self._timing: Datagrams | None = None

    # Requests

    async def connect(self) -> None:
        self._reader, self._writer = await asyncio.wait_for(
            asyncio.open_connection(self.host, self.port, local_addr=(self.local, 0)), PATIENCE)
        self._audio = await Datagrams.open(self.local, lambda *_: None)
        self._control = await Datagrams.open(self.local, self._controlled)
        self._timing = await Datagrams.open(self.local, self._timed)

    def close(self) -> None:
        for each in (self._audio, self._control, self._timing, self._writer):
            if each is not None:
                each.close()

    async def __aenter__(self) -> Sender:
        await self.connect()
        return self

    async def __aexit__(self, *_: Any) -> None:
        self.close()

    @property
    def uri(self) -> str:
        return f"rtsp://{self.local}/{self.session_id}"

    async def request(self, method: str, uri: str | None = None, *, body: bytes = b"", kind: str = "",
                      allowed: Iterable[int] = (200,), **fields: str) -> Answer:
        """Sends a request, and returns its answer; `_` in the name of a field is `-`.

        It proves the password if the receiver asks for it, and fails if the status is not allowed.
        """
        answer = await self._exchange(method, uri or self.uri, body, kind, fields)
        if answer.status == 401 and self.password is not None and not self._nonce:
            self._nonce = challenge(answer.fields.get("www-authenticate", ""))
            answer = await self._exchange(method, uri or self.uri, body, kind, fields)
        self.answers.append((method, answer.status))
        if answer.status not in allowed:
            raise Refused(method, answer)
        return answer

    async def _exchange(self, method: str, uri: str, body: bytes, kind: str, fields: dict[str, str]) -> Answer:
        assert self._reader is not None and self._writer is not None, "not connected"
        self._count += 1
        all_fields = {"CSeq": str(self._count), "User-Agent": AGENT, "Client-Instance": self.dacp_id,
                      "DACP-ID": self.dacp_id, "Active-Remote": self.active_remote}
        if self.session:
            all_fields["Session"] = self.session
        if self._nonce:
            all_fields["Authorization"] = authorization(method, uri, self.password or "", self._nonce)
        if body:
            all_fields |= {"Content-Type": kind, "Content-Length": str(len(body))}
        all_fields |= {name.replace("_", "-"): value for name, value in fields.items()}
        lines = [f"{method} {uri} RTSP/1.0", *(f"{name}: {value}" for name, value in all_fields.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode() + body)
        async with asyncio.timeout(PATIENCE):
            answer = await read_answer(self._reader)
        # A request that cannot be read may have no number.
        number = answer.fields.get("cseq", "" if answer.status < 400 else str(self._count))
        assert number == str(self._count), f"{method} is answered with CSeq {number!r}"
        return answer

    async def options(self) -> Answer:
        # A receiver without Apple's key cannot answer the challenge.
        challenged = base64.b64encode(os.urandom(16)).decode().rstrip("=")
        return await self.request("OPTIONS", "*", Apple_Challenge=challenged)

    async def announce(self, **more: Any) -> Answer:
        format_lines = {
            "alac": f"a=rtpmap:96 AppleLossless\r\na=fmtp:96 {FRAMES} 0 16 40 10 14 2 255 0 0 {RATE}\r\n",
            "pcm": f"a=rtpmap:96 L16/{RATE}/2\r\n",
        }[self.codec]
        body = (f"v=0\r\no=iTunes {self.session_id} 0 IN IP4 {self.local}\r\ns=iTunes\r\nc=IN IP4 {self.host}\r\n"
                f"t=0 0\r\nm=audio 0 RTP/AVP 96\r\n{format_lines}")
        return await self.request("ANNOUNCE", body=body.encode(), kind="application/sdp", **more)

    async def setup(self, **more: Any) -> Answer:
        assert self._control is not None and self._timing is not None, "not connected"
        transport = ("RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;"
                     f"control_port={self._control.port};timing_port={self._timing.port}")
        answer = await self.request("SETUP", Transport=transport, **more)
        if answer.status == 200:
            ports = dict(part.split("=", 1) for part in answer.fields["transport"].split(";") if "=" in part)
            self.server_port, self.control_port = int(ports["server_port"]), int(ports["control_port"])
            self.session = answer.fields["session"].split(";")[0]
        return answer

    async def record(self) -> Answer:
        self.first_sequence = self.sequence
        return await self.request("RECORD", Range="npt=0-", RTP_Info=self.position)

    async def set_parameter(self, text: str) -> Answer:
        return await self.request("SET_PARAMETER", body=f"{text}\r\n".encode(), kind="text/parameters")

    async def set_volume(self, decibels: float) -> Answer:
        return await self.set_parameter(f"volume: {decibels:f}")

    async def volume(self) -> float:
        """Asks for the volume, in dB."""
        answer = await self.request("GET_PARAMETER", body=b"volume\r\n", kind="text/parameters")
        name, _, value = answer.body.decode().partition(":")
        assert name == "volume", f"the volume is {answer.body!r}"
        return float(value)

    async def set_progress(self, seconds: float, duration: float) -> Answer:
        """Reports the position of the next packet in a title."""
        start = (self.timestamp - round(seconds * RATE)) % (1 << 32)
        end = (start + round(duration * RATE)) % (1 << 32)
        return await self.set_parameter(f"progress: {start}/{self.timestamp}/{end}")

    async def set_metadata(self, title: str, artist: str, album: str) -> Answer:
        tags = (("minm", title), ("asar", artist), ("asal", album))
        body = tagged("mlit", b"".join(tagged(tag, text.encode()) for tag, text in tags))
        return await self.request("SET_PARAMETER", body=body, kind="application/x-dmap-tagged", RTP_Info=self.position)

    async def set_artwork(self, picture: bytes, kind: str = "image/jpeg", **more: Any) -> Answer:
        return await self.request("SET_PARAMETER", body=picture, kind=kind, RTP_Info=self.position, **more)

    async def flush(self) -> Answer:
        return await self.request("FLUSH", RTP_Info=self.position)

    async def teardown(self) -> Answer:
        answer = await self.request("TEARDOWN")
        self.session = ""
        return answer

    @property
    def position(self) -> str:
        return f"seq={self.sequence};rtptime={self.timestamp}"

    # A whole session

    async def start(self) -> None:
        """Sends everything before the first packet."""
        await self.options()
        await self.announce()
        await self.setup()
        await self.record()

    async def play(self, samples: bytes, *, silence: float = LATENCY / RATE) -> None:
        """Sends samples in real time, and then silence until their sound has been heard."""
        await self.send(samples)
        await self.send(bytes(round(silence * RATE) * FRAME))

    async def send(self, samples: bytes) -> None:
        """Sends samples in real time, as its plan says."""
        began, sent, synced = time.monotonic(), 0, -1.0
        waiting: dict[int, list[bytes]] = {}
        for at in range(0, len(samples), FRAMES * FRAME):
            elapsed = sent / RATE
            await asyncio.sleep(max(0.0, began + elapsed - time.monotonic()))
            if synced < 0 or elapsed >= synced + self.interval:
                self.synchronize(first=synced < 0 and self._number == 0)
                synced = elapsed
            part = samples[at:at + FRAMES * FRAME]
            packet = self.packet(part + bytes(FRAMES * FRAME - len(part)))
            number = self._number
            if number in self.plan.late:
                waiting.setdefault(number + self.plan.late[number], []).append(packet)
            elif number not in self.plan.lost:
                for _ in range(2 if number in self.plan.twice else 1):
                    self.transmit(packet)
            for delayed in waiting.pop(number, []):
                self.transmit(delayed)
            self._number += 1
            sent += FRAMES
        for delayed in (each for packets in waiting.values() for each in packets):
            self.transmit(delayed)

    # Packets

    def packet(self, samples: bytes) -> bytes:
        """Returns the next packet, which can be asked for again."""
        kind = AUDIO | (MARK if self._number == 0 else 0)
        header = struct.pack(">BBHII", 0x80, kind, self.sequence, self.timestamp, self.session_id)
        packet = header + (alac(samples) if self.codec == "alac" else big_endian(samples))
        self._backlog[self.sequence] = packet
        self._backlog.pop((self.sequence - BACKLOG) % (1 << 16), None)
        self.sequence = (self.sequence + 1) % (1 << 16)
        self.timestamp = (self.timestamp + FRAMES) % (1 << 32)
        return packet

    def transmit(self, packet: bytes) -> None:
        assert self._audio is not None, "not connected"
        self._audio.send(packet, (self.host, self.server_port))

    def synchronize(self, *, first: bool = False) -> None:
        """Reports which packet is heard now."""
        assert self._control is not None, "not connected"
        heard = (self.timestamp - LATENCY) % (1 << 32)
        packet = struct.pack(">BBHIQI", 0x90 if first else 0x80, MARK | SYNC, 7, heard, ntp(), self.timestamp)
        self._control.send(packet, (self.host, self.control_port))

    def _controlled(self, data: bytes, address: tuple[str, int]) -> None:
        if len(data) < 8 or data[1] & 0x7F != RESEND:
            return
        first, count = struct.unpack_from(">HH", data, 4)
        self.resend_requests.append(((first - self.first_sequence) % (1 << 16), count))
        for number in (first + each for each in range(count if self.plan.resends else 0)):
            packet = self._backlog.get(number % (1 << 16))
            if packet is not None and self._control is not None:
                self._control.send(struct.pack(">BBH", 0x80, MARK | RESENT, 1) + packet, address)

    def _timed(self, data: bytes, address: tuple[str, int]) -> None:
        if len(data) < 32 or data[1] & 0x7F != TIMING_REQUEST or self._timing is None:
            return
        self.timing_requests += 1
        received = ntp()
        head = struct.pack(">BBHI", 0x80, MARK | TIMING_ANSWER, 7, 0)
        self._timing.send(head + data[24:32] + struct.pack(">QQ", received, ntp()), address)


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    version, status, *reason = head[0].split(" ", 2)
    assert version in ("RTSP/1.0", "HTTP/1.1"), head[0]
    pairs = (line.partition(":") for line in head[1:] if line)
    fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(fields.get("content-length", 0)))
    return Answer(int(status), " ".join(reason), fields, body)


def challenge(text: str) -> dict[str, str]:
    """Returns the parameters of a digest challenge."""
    kind, _, rest = text.partition(" ")
    assert kind.lower() == "digest", f"the challenge is {text!r}"
    pairs = (each.partition("=") for each in rest.split(","))
    return {name.strip(): value.strip().strip('"') for name, _, value in pairs}


def authorization(method: str, uri: str, password: str, nonce: dict[str, str], user: str = "iTunes") -> str:
    def digest(*parts: str) -> str:
        return hashlib.md5(":".join(parts).encode()).hexdigest()

    response = digest(digest(user, nonce["realm"], password), nonce["nonce"], digest(method, uri))
    return (f'Digest username="{user}", realm="{nonce["realm"]}", nonce="{nonce["nonce"]}", uri="{uri}", '
            f'response="{response}"')


class Remote:
    """What a receiver asks of a sender: an HTTP server for DACP, which records the requests and answers 204."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str | None]] = []
        self._server: asyncio.Server | None = None

    async def open(self, address: str = "127.0.0.1") -> int:
        """Returns the port."""
        self._server = await asyncio.start_server(self._answer, address, 0)
        return self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    @property
    def paths(self) -> list[str]:
        """What was asked, such as `/ctrl-int/1/pause`."""
        return [path for path, _ in self.requests]

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode(errors="replace").split("\r\n")
                fields = {name.strip().lower(): value.strip()
                          for name, _, value in (line.partition(":") for line in head[1:])}
                self.requests.append((head[0].split(" ")[1], fields.get("active-remote")))
                writer.write(b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError, IndexError):
            writer.close()


async def play(options: argparse.Namespace) -> dict[str, Any]:
    samples = tone(options.seconds)
    if options.file:
        with wave.open(options.file, "rb") as source:
            assert source.getparams()[:3] == (2, 2, RATE), "the file needs 44.1 kHz, 16 bits and two channels"
            samples = source.readframes(source.getnframes())
    async with Sender(options.host, options.port, codec=options.codec, password=options.password) as sender:
        sender.plan.lost = {int(each) for each in options.lose.split(",") if each}
        await sender.start()
        await sender.set_volume(0)
        await sender.set_metadata("A Tone", "raop_sender.py", "Interoperability")
        await sender.set_progress(0, len(samples) / FRAME / RATE)
        await sender.play(samples)
        await sender.flush()
        await sender.teardown()
        return {"answers": sender.answers, "resendRequests": sender.resend_requests,
                "timingRequests": sender.timing_requests}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("file", nargs="?", help="the WAV file; a tone without one")
    parser.add_argument("--seconds", type=float, default=3.0, help="the length of the tone")
    parser.add_argument("--codec", choices=("alac", "pcm"), default="alac")
    parser.add_argument("--password")
    parser.add_argument("--lose", default="", metavar="NUMBERS", help="the packets that are lost, such as 10,11,50")
    try:
        print(json.dumps(asyncio.run(play(parser.parse_args()))))
    except Refused as refusal:
        print(f"raop_sender.py: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
