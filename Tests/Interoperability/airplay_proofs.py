"""Tests the AirPlay receiver of `hap serve` with PulseAudio, PipeWire, pyatv and ffmpeg, beside shairport-sync.

    airplay_proofs.py [--hap BINARY] [--log FOLDER] [--pyatv PYTHON] [--shairport BINARY]

The senders, each unmodified, play tones to Accessories/speaker-airplay.yaml and to shairport-sync, which is an
independent receiver for AirPlay 1. The tones are found again in what both have played. The same requests are sent to
both, and their answers are printed as a table. pyatv finds a receiver on another host by multicast DNS, and plays a
video that ffmpeg has made. Prints a line for each claim with its duration in seconds. Exit status 1 if a claim failed.
Needs root, a machine that allows network namespaces, and the programs that make airplay-proofs installs.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import program
import raop_sender
import stage
import tones
from airplay_peers import PIPEWIRE, PULSEAUDIO, WIREPLUMBER, PipeWire, PulseAudio, Shairport
from airplay_video import Playlists
from claims import say
from hosts import Host, make_switch
from kitchen import DEFINITION, PATIENCE, TOLERANCE, Sender, Speaker, check_tone
from processes import PrivateDiscovery, Server

ALL = 600.0
#: Long enough that a sender whose last second is dropped still has played most of it.
SECONDS = 6.0
#: What a receiver may miss at the begin and at the end of a stream, in seconds.
EDGES = 2.6
PASSWORD = "secret"
TRANSIENT = "7472616e7369656e74:::"
PICTURE = b"\xff\xd8\xff\xe0" + bytes(2_000) + b"\xff\xd9"

PASSWORD_SPEAKER = f"""\
accessory: Hall Speaker
driver: {{ airplay: {{ port: 0, password: {PASSWORD} }} }}
services:
  - type: SmartSpeaker
    characteristics: {{ CurrentMediaState: Stop, TargetMediaState: Stop, Volume: 40, Mute: false }}
"""
#: The name that senders see.
NAME = "Upstairs"
BEDROOM = f"""\
accessory: Bedroom
driver: {{ airplay: {{ address: 10.77.0.2, fetch: true, name: {NAME} }} }}
services:
  - type: Television
    characteristics:
      Active: Inactive
      ActiveIdentifier: 0
      ConfiguredName: Bedroom
      SleepDiscoveryMode: AlwaysDiscoverable
      RemoteKey: null
      CurrentMediaState: Stop
      TargetMediaState: Stop
"""

STEPS = stage.Steps()
shows = STEPS.shows


class Studio:
    """Two receivers of `hap` and two of shairport-sync on loopback, one on another host, and their senders."""

    def __init__(self, binary: Path, folder: Path, python: Path, shairport: Path) -> None:
        # PulseAudio and PipeWire read the tone as another user.
        folder.chmod(0o711)
        self.binary, self.folder, self.python = binary, folder, python
        self.discovery = PrivateDiscovery(folder)
        self.shairport = shairport
        self.speaker = self.make("kitchen", DEFINITION.read_text())
        self.hall = self.make("hall", PASSWORD_SPEAKER)
        self.host = Host("first", "10.77.0.2", binary, folder)
        self.hosts = (self.host,)
        self.bedroom = self.make("bedroom", BEDROOM, self.host)
        self.tone = tones.write_tone(folder / "tone.wav", SECONDS)
        self.tone.chmod(0o644)
        self.sender = Sender("pyatv")
        self.reference: Shairport | None = None
        self.closed_reference: Shairport | None = None

    def make(self, name: str, definition: str, host: Host | None = None) -> Speaker:
        folder = self.folder / name
        folder.mkdir()
        file = folder / f"{name}.yaml"
        file.write_text(definition)
        recordings = folder / "recordings"
        more = ("--record", str(recordings))
        if host is None:
            server = Server(self.binary, folder, dict(os.environ), files=[file], advertise="off", more=more)
        else:
            server = Server(self.binary, folder, host.environment, on=host.on, bind=host.address, files=[file],
                            more=more)
            host.server = server
        return Speaker(server, recordings)

    async def open(self) -> None:
        await self.discovery.start()
        environment = self.discovery.environment
        self.reference = Shairport(self.shairport, self.folder / "shairport", environment, port=5100)
        self.closed_reference = Shairport(self.shairport, self.folder / "shairport-password", environment, port=5200,
                                          password=PASSWORD)
        for reference in (self.reference, self.closed_reference):
            await reference.ready()
        make_switch()
        self.host.plug_in()
        await self.host.start_bus()
        await self.host.start_avahi()
        for speaker in (self.speaker, self.hall, self.bedroom):
            await speaker.start()
        await self.sender.start(self.python, self.folder / "shairport" / "pyatv.log", dict(os.environ))

    async def close(self) -> None:
        await self.sender.end()
        for reference in (self.reference, self.closed_reference):
            if reference is not None:
                reference.end()
        self.discovery.end()
        for speaker in (self.speaker, self.hall):
            speaker.server.end()
        self.host.end()

    async def check(self, seconds: float) -> None:
        """Has no invariants."""

    @asynccontextmanager
    async def pulseaudio(self, name: str) -> AsyncIterator[PulseAudio]:
        server = PulseAudio(self.folder / name)
        try:
            await server.start()
            yield server
        finally:
            server.end()

    @asynccontextmanager
    async def pipewire(self, name: str, host: str, port: int) -> AsyncIterator[PipeWire]:
        server = PipeWire(self.folder / name)
        try:
            await server.start(host, port)
            yield server
        finally:
            server.end()


def check_sound(sounds: Sequence[tones.Sound], *, exact: bool = False) -> None:
    """Fails unless both channels have most of their tones.

    A receiver that adapts to the clock of a sender changes samples, so only hap is exact.
    """
    check_tone(sounds, SECONDS, exact=exact, tolerance=EDGES)


# PulseAudio


@shows("PulseAudio plays 440 Hz to shairport-sync")
async def pulseaudio_reference(studio: Studio) -> None:
    studio.reference.forget()
    async with studio.pulseaudio("pulseaudio-reference") as server:
        await server.play(await server.connect("127.0.0.1", studio.reference.port), studio.tone)
        await asyncio.sleep(0.3)
        check_sound(studio.reference.heard())


@shows("PulseAudio plays 440 Hz to hap: its session, its volume and the recording, in which no sample is missing")
async def pulseaudio(studio: Studio) -> None:
    speaker = studio.speaker
    await speaker.forget_events()
    speaker.forget_recordings()
    async with studio.pulseaudio("pulseaudio") as server:
        sink = await server.connect(*speaker.address)
        playing = asyncio.create_task(server.play(sink, studio.tone))
        await speaker.reports("sessionStarted", version="1")
        await speaker.reports("playing")
        await speaker.shows(player="PLAYING", lost=0)
        await playing
        await speaker.forget_events()
        await server.set_volume(sink, 50)
        await speaker.reports("volume")
        await server.disconnect()
        await speaker.reports("sessionEnded")
    check_sound(await speaker.heard(), exact=True)


@shows("PulseAudio with a password announces without it, so shairport-sync and hap refuse it")
async def pulseaudio_password(studio: Studio) -> None:
    studio.closed_reference.forget()
    studio.hall.forget_recordings()
    for number, address in enumerate((("127.0.0.1", studio.closed_reference.port), studio.hall.address)):
        async with studio.pulseaudio(f"pulseaudio-password-{number}") as server:
            sink = await server.connect(*address, PASSWORD)
            try:
                await server.play(sink, studio.tone, limit=SECONDS + 4)
            except AssertionError:
                pass
    assert not any(sound.seconds for sound in studio.closed_reference.heard()), studio.closed_reference.heard()
    assert not list(studio.hall.recordings.rglob("*.wav")), "hap has recorded something"


# PipeWire


@shows("PipeWire plays 440 Hz to shairport-sync")
async def pipewire_reference(studio: Studio) -> None:
    studio.reference.forget()
    async with studio.pipewire("pipewire-reference", "127.0.0.1", studio.reference.port) as server:
        await server.play(studio.tone)
        await asyncio.sleep(0.3)
        check_sound(studio.reference.heard())


@shows("PipeWire plays 440 Hz to hap, and closes its connection: the session ends")
async def pipewire(studio: Studio) -> None:
    speaker = studio.speaker
    await speaker.forget_events()
    speaker.forget_recordings()
    async with studio.pipewire("pipewire", *speaker.address) as server:
        await server.play(studio.tone)
    await speaker.reports("sessionEnded")
    # It adapts the samples to its own clock.
    check_sound(await speaker.heard())


# The same script for both


class Script:
    """A session of AirPlay 1, and what was observed of the receiver."""

    def __init__(self, host: str, port: int, password: str | None = None) -> None:
        self.sender = raop_sender.Sender(host, port, password=password)
        self.seen: dict[str, str] = {}

    async def run(self) -> None:
        sender = self.sender
        sender.plan = raop_sender.Plan(lost={100, 101, 300}, late={150: 2, 200: 4}, twice={250})
        async with sender:
            await self.step("OPTIONS", sender.options())
            await self.step("ANNOUNCE", sender.announce())
            await self.step("SETUP", sender.setup())
            await self.step("RECORD", sender.record())
            await self.step("volume", sender.set_volume(-12))
            await self.step("metadata", sender.set_metadata("A Tone", "Python", "Sines"))
            await self.step("artwork", sender.set_artwork(PICTURE))
            await self.step("progress", sender.set_progress(10, 180))
            await sender.play(tones.tone(SECONDS), silence=2.5)
            await self.step("GET_PARAMETER volume", sender.request(
                "GET_PARAMETER", body=b"volume\r\n", kind="text/parameters", allowed=range(600)))
            await self.step("an unknown method", sender.request("SING", allowed=range(600)))
            await self.step("POST /feedback", sender.request("POST", "/feedback", allowed=range(600)))
            await self.step("FLUSH", sender.flush())
            await self.step("TEARDOWN", sender.teardown())
        asked = {first + each for first, count in sender.resend_requests for each in range(count)}
        self.seen["packets asked for again"] = str(sorted(asked))
        self.seen["requests for the time"] = "some" if sender.timing_requests else "none"

    async def step(self, name: str, request: Any) -> None:
        answer = await request
        told = {name: value for name, value in answer.fields.items() if name in ("audio-latency", "session", "server")}
        self.seen[name] = " ".join([str(answer.status), *(f"{name}={value}" for name, value in sorted(told.items()))])


def hear(sounds: Sequence[tones.Sound]) -> str:
    sound = sounds[0]
    return f"{sound.seconds:.1f} s, {sound.frequency:.1f} Hz, {sound.deviations} samples differ"


def print_table(reference: dict[str, str], own: dict[str, str]) -> None:
    rows = [("", "shairport-sync", "hap")]
    rows += [(name, reference.get(name, "-"), own.get(name, "-")) for name in dict.fromkeys([*reference, *own])]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, first, second in rows:
        mark = "  " if not name or first == second else "* "
        say(f"    {mark}{name:{widths[0]}}  {first:{widths[1]}}  {second}")


@shows("one script of AirPlay 1 for shairport-sync and hap: both play the tone, and answer every request alike")
async def compared(studio: Studio) -> None:
    studio.reference.forget()
    first = Script("127.0.0.1", studio.reference.port)
    await first.run()
    metadata = studio.reference.metadata()
    first.seen["title, artist, album"] = ", ".join(metadata[code].decode() for code in ("minm", "asar", "asal"))
    first.seen["bytes of the artwork"] = str(len(metadata["PICT"]))
    first.seen["volume in dB"] = f"{float(metadata['pvol'].split(b',')[0]):g}"
    first.seen["sound"] = hear(studio.reference.heard())
    check_sound(studio.reference.heard())

    speaker = studio.speaker
    await speaker.forget_events()
    speaker.forget_recordings()
    second = Script(*speaker.address)
    await second.run()
    track = await speaker.reports("metadata")
    second.seen["title, artist, album"] = ", ".join(track[name] for name in ("title", "artist", "album"))
    second.seen["bytes of the artwork"] = (await speaker.reports("artwork"))["bytes"]
    second.seen["volume in dB"] = f"{float((await speaker.reports('volume'))['decibels']):g}"
    sounds = await speaker.heard()
    second.seen["sound"] = hear(sounds)
    print_table(first.seen, second.seen)
    check_tone(sounds, SECONDS)
    for name in ("OPTIONS", "ANNOUNCE", "SETUP", "RECORD", "volume", "metadata", "artwork", "progress", "FLUSH",
                 "TEARDOWN"):
        assert first.seen[name].split()[0] == second.seen[name].split()[0] == "200", f"{name} is answered differently"
    for name in ("title, artist, album", "bytes of the artwork", "volume in dB", "packets asked for again"):
        assert first.seen[name] == second.seen[name], f"{name} differ"


FORMATS = {
    "alac": ("m4a", "caf", 4096, "a=rtpmap:96 AppleLossless\r\na=fmtp:96 4096 0 16 40 10 14 2 255 0 0 44100\r\n"),
    "aac": ("m4a", "aac", 1024, "a=rtpmap:96 mpeg4-generic/44100/2\r\n"),
}


def ffmpeg(*arguments: object) -> bytes:
    return subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *map(str, arguments)], check=True, capture_output=True).stdout


def packets(file: Path) -> list[bytes]:
    """Returns the packets of a file."""
    command = ["ffprobe", "-loglevel", "error", "-show_packets", "-of", "json", str(file)]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packets"]
    data = file.read_bytes()
    return [data[int(each["pos"]):int(each["pos"]) + int(each["size"])] for each in listed]


@shows("compressed Apple Lossless and AAC of ffmpeg are stored as they were sent: ffmpeg decodes the same samples")
async def compressed(studio: Studio) -> None:
    for codec, (suffix, stored, frames, description) in FORMATS.items():
        source = studio.folder / f"{codec}.{suffix}"
        ffmpeg("-f", "lavfi", "-i", "sine=frequency=440:duration=3:sample_rate=44100", "-ac", "2", *(
            ("-sample_fmt", "s16p") if codec == "alac" else ()), "-c:a", codec, source)
        await studio.speaker.forget_events()
        async with raop_sender.Sender(*studio.speaker.address) as sender:
            await sender.request("ANNOUNCE", body=f"v=0\r\ni=ffmpeg\r\n{description}".encode(), kind="application/sdp")
            await sender.setup()
            await sender.record()
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as audio:
                for number, packet in enumerate(packets(source)):
                    head = struct.pack(">BBHII", 0x80, 0x60, number, number * frames, 1)
                    audio.sendto(head + packet, (studio.speaker.address[0], sender.server_port))
                    await asyncio.sleep(0.005)
            await asyncio.sleep(0.3)
            await sender.teardown()
        recorded = Path((await studio.speaker.reports("recorded"))["file"])
        assert recorded.suffix == f".{stored}", recorded
        # A container says how many samples of AAC precede the sound; packets do not.
        expected, heard = (ffmpeg("-flags2", "+skip_manual", "-i", each, "-f", "s16le", "-") for each in (source, recorded))
        length = min(len(expected), len(heard))
        is_same = expected[-length:] == heard[-length:] or expected[:length] == heard[:length]
        assert length > 2.9 * 44100 * 4 and is_same, f"{codec}: {len(expected)} and {len(heard)} bytes are decoded"
        recorded.unlink()


@shows("a password: shairport-sync and hap refuse the same script without it, and play it with it")
async def compared_password(studio: Studio) -> None:
    for host, port in (("127.0.0.1", studio.closed_reference.port), studio.hall.address):
        for wrong in (None, "another"):
            try:
                async with raop_sender.Sender(host, port, password=wrong) as sender:
                    await sender.start()
            except raop_sender.Refused as refusal:
                assert refusal.answer.status == 401, refusal
            else:
                raise AssertionError(f"port {port} accepts the password {wrong}")
    studio.closed_reference.forget()
    await Script("127.0.0.1", studio.closed_reference.port, PASSWORD).run()
    check_sound(studio.closed_reference.heard())
    studio.hall.forget_recordings()
    await Script(*studio.hall.address, PASSWORD).run()
    check_tone(await studio.hall.heard(), SECONDS)


# pyatv on the network


@shows("pyatv finds a receiver on another host by multicast, and streams 440 Hz to it")
async def multicast(studio: Studio) -> None:
    for _ in range(10):
        found = [each for each in await studio.sender("scan", timeout=3) if each["name"] == NAME]
        # The answer to a query of pyatv has at most 512 bytes, so both text records have to be short.
        if found and found[0]["services"].get("AirPlay", {}).get("properties", {}).get("features"):
            break
    else:
        raise AssertionError(f"pyatv finds only {found}")
    [device] = found
    assert device["address"] == "10.77.0.2" and sorted(device["services"]) == ["AirPlay", "RAOP"], device
    await studio.sender("choose", NAME)
    studio.bedroom.forget_recordings()
    await studio.sender.stream(studio.tone, title="A Tone")
    await studio.sender.completes(3 * PATIENCE)
    check_tone(await studio.bedroom.heard(), SECONDS, tolerance=TOLERANCE)


@shows("pyatv plays a video in HLS that ffmpeg has made: the largest variant, its duration and its end")
async def video(studio: Studio) -> None:
    files = studio.folder / "video"
    files.mkdir()
    await asyncio.to_thread(make_video, files)
    bedroom = studio.bedroom
    await bedroom.forget_events()
    # The receiver is on another host, which reaches the web server at a public address.
    with Playlists(files) as playlists:
        studio.host.ip("route", "add", playlists.host, "via", "10.77.0.1")
        await studio.sender("use", NAME, *bedroom.address)
        await studio.sender("sign_in", TRANSIENT)
        await studio.sender("connect")
        studio.sender.ends.clear()
        await studio.sender("play_url", playlists.master)
        loaded = await bedroom.reports("videoLoaded", url=playlists.master)
        assert abs(float(loaded["duration"].split()[0]) - 8) < 0.2 and loaded["resolution"] == "640x360", loaded
        await bedroom.shows(player="PLAYING", duration=8, resolution="640x360")
        await bedroom.simulate("advance", "9s")
        await bedroom.reports("videoEnded")
        await studio.sender.completes()
    await studio.sender("close")


def make_video(folder: Path) -> None:
    """Makes 8 s of a test picture in two sizes as HLS."""
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=duration=8:size=640x360:rate=10",
         "-f", "lavfi", "-i", "sine=frequency=440:duration=8",
         "-filter_complex", "[0:v]split=2[large][v2];[v2]scale=320:180[small]",
         "-map", "[small]", "-map", "1:a", "-map", "[large]", "-map", "1:a",
         "-c:v", "libx264", "-g", "20", "-c:a", "aac", "-b:v:0", "100k", "-b:v:1", "400k", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
         "-master_pl_name", "master.m3u8", "-var_stream_map", "v:0,a:0 v:1,a:1", str(folder / "%v.m3u8")],
        check=True, stdin=subprocess.DEVNULL,
    )


def main() -> int:
    parser = stage.arguments(__doc__)
    parser.add_argument("--pyatv", type=Path, default=program.ROOT / ".build/pyatv-venv/bin/python",
                        help="the Python that has pyatv")
    parser.add_argument("--shairport", type=Path, default=program.ROOT / ".build/shairport-sync",
                        help="the program shairport-sync")
    options = parser.parse_args()
    for name in (PULSEAUDIO, PIPEWIRE, WIREPLUMBER, "pactl", "pw-cat", "setpriv", "ffmpeg", options.pyatv,
                 options.shairport):
        if shutil.which(name) is None:
            sys.exit(f"{name} is missing: make airplay-proofs installs it.")
    return stage.perform(options, STEPS, lambda hap, folder: Studio(hap, folder, options.pyatv, options.shairport), ALL)


if __name__ == "__main__":
    sys.exit(main())
