"""Tests the AirPlay receiver of `hap serve` with pyatv, a sender for AirPlay 1, and aiohomekit.

    airplay.py [--hap BINARY] [--until TEXT] [--log FOLDER] [--pyatv PYTHON]

It serves Accessories/speaker-airplay.yaml and records what senders play. Tones are streamed, and found again in the
recordings. Two senders on pyatv, which airplay_sender.py operates, and a session of aiohomekit are there during the
whole run; raop_sender.py is an independent sender for AirPlay 1. Prints a line for each claim and their number. Exit
status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import plistlib
import re
import socket
import struct
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

import program
import tones
from airplay_video import HOST, PRIVATE, Playlists, isolated
from claims import check, selected
from kitchen import DEFINITION, PATIENCE, SECONDS, Kitchen, Refusal, Speaker, check_tone
from processes import PrivateDiscovery, Server
from raop_sender import Plan, Refused, Remote, alac
from sessions import close_all
from tones import RATE
from waiting import until

Step = Callable[[Kitchen], Awaitable[None]]

#: The silence after a tone for which nothing waits, in seconds: packets are recorded as they arrive.
SILENCE = 0.2
#: Values of Current Media State and Target Media State.
PLAY, PAUSE, STOP = 0, 1, 2
#: As much of the status flags of a receiver as says that it needs a PIN.
NEEDS_PIN = 0x208
#: As pyatv writes them.
TRANSIENT = "7472616e7369656e74:::"
#: Not a picture that any program could show; only its length and its type matter.
PICTURE = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40 + b"\xff\xd9"
LIST = "application/x-apple-binary-plist"
#: What is not RTSP.
NO_REQUESTS = (
    b"\r\n\r\n", b"GET\r\n\r\n", b"OPTIONS * RTSP/9.9\r\nCSeq: 1\r\n\r\n",
    b"SETUP rtsp://x RTSP/1.0\r\nNo colon\r\n\r\n", b"SET_PARAMETER * RTSP/1.0\r\nContent-Length: -1\r\n\r\n",
    b"ANNOUNCE * RTSP/1.0\r\nContent-Length: 99999999999\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"A" * 100_000, b"\x00" * 5_000,
)
#: Property lists that are none, or that are not what a request expects.
LISTS: tuple[Any, ...] = (
    {}, {"streams": []}, {"streams": 1}, {"streams": [1]}, {"streams": [{}]}, {"streams": [{"type": "96"}]},
    {"streams": [{"type": 96, "ct": 1, "shk": b"short", "controlPort": 99_999, "spf": 0, "sr": -1}]},
    {"streams": [{"type": 103}, {"type": 130}]}, {"timingProtocol": 5, "timingPort": "x", "sessionUUID": []},
    {"name": "N" * 5_000, "deviceID": b"\xff" * 500}, {str(number): number for number in range(2_000)},
)
NO_LISTS = (b"", b"bplist00", b"bplist00" + b"\xff" * 40, b"<plist>", b"\x00" * 1_000,
            # A list that contains itself.
            bytes.fromhex("62706c6973743030a10008000000000000010100000000000000010000000000000000000000000000000a"))

STEPS: dict[str, Step] = {}


def shows(claim: str) -> Callable[[Step], Step]:
    """Registers the step of a claim."""

    def enter(step: Step) -> Step:
        STEPS[claim] = step
        return step

    return enter


def expect(actual: Any, expected: Any, what: str) -> None:
    assert actual == expected, f"{what} is {actual!r}, not {expected!r}"


async def records(kitchen: Kitchen, sender: Any) -> None:
    """A sender on pyatv streams the tone to its end; it is found in the recording."""
    await sender.completes()
    check_tone(await kitchen.speaker.heard())


# Discovery


@shows("the ready file lists the receiver with its address and a PIN of four digits")
async def listed(kitchen: Kitchen) -> None:
    receiver = kitchen.speaker.receiver
    expect({type(receiver[key]) for key in ("name", "host", "pin")}, {str}, "the types of name, host and pin")
    assert re.fullmatch("[0-9]{4}", receiver["pin"]), f"the PIN is {receiver['pin']}"
    driver = await kitchen.speaker.driver()
    expect(driver["endpoints"], [f"{receiver['host']}:{receiver['port']}"], "where the API says that it listens")


async def find(kitchen: Kitchen) -> dict[str, Any] | None:
    """What the first sender finds of the receiver.

    Avahi answers a unicast query with at most 512 bytes, which is not enough for two services.
    """
    device: dict[str, Any] | None = None
    for protocol in ("RAOP", "AirPlay"):
        for found in await kitchen.first("scan", "127.0.0.1", timeout=4, protocols=[protocol]):
            if found["name"] == kitchen.speaker.receiver["name"]:
                device = {**found, "services": (device or {}).get("services", {}) | found["services"]}
    return device


def check_found(kitchen: Kitchen, device: dict[str, Any] | None) -> None:
    assert device is not None, "pyatv does not find it"
    assert re.fullmatch("([0-9A-F]{2}:){5}[0-9A-F]{2}", device["mac"] or ""), f"the device id is {device['mac']}"
    expect(sorted(device["services"]), ["AirPlay", "RAOP"], "its services")
    airplay, raop = device["services"]["AirPlay"], device["services"]["RAOP"]
    expect((airplay["port"], raop["port"]), (kitchen.speaker.receiver["port"],) * 2, "the ports")
    expect(airplay["identifier"], device["mac"], "the identifier of AirPlay")
    expect(raop["identifier"], device["mac"].replace(":", ""), "the identifier of RAOP")
    expect(airplay["properties"]["features"], raop["properties"]["ft"], "the features")
    low, high = (int(word, 16) for word in airplay["properties"]["features"].split(","))
    bits = {bit for bit in range(64) if (high << 32 | low) >> bit & 1}
    assert {9, 38, 46, 48} <= bits, f"the features are {sorted(bits)}"
    expect(airplay["properties"]["model"], device["model"], "the model")
    expect(int(airplay["properties"]["flags"], 16) & NEEDS_PIN, 0, "the status about a PIN")
    expect((airplay["pairing"], airplay["password"]), ("NotNeeded", False), "what pyatv needs")
    expect(raop["properties"]["md"], "0,1,2", "the metadata that it accepts")


@shows("pyatv finds the receiver: name, model, device id, and the features of AirPlay 2; its scan is no session")
async def found(kitchen: Kitchen) -> None:
    await kitchen.speaker.forget_events()
    check_found(kitchen, await until_found(kitchen, True))
    expect(await kitchen.speaker.events(), [], "the events of the receiver")


@shows("aiohomekit pairs with the same speaker, which is stopped, with AirPlay enabled")
async def paired(kitchen: Kitchen) -> None:
    await kitchen.pair()
    await kitchen.reads(CurrentMediaState=STOP, AirPlayEnable=1)


# Pairing


@shows("pairing by pyatv with a wrong PIN is refused")
async def wrong_pin(kitchen: Kitchen) -> None:
    await kitchen.use(kitchen.first)
    wrong = f"{(int(kitchen.speaker.receiver['pin']) + 1) % 10_000:04}"
    await kitchen.first("begin_pairing")
    refusal = await kitchen.first.refused("finish_pairing", wrong)
    assert "PairingError" in str(refusal), refusal


@shows("pairing by pyatv with the PIN of the ready file gives credentials, and is an event")
async def right_pin(kitchen: Kitchen) -> None:
    await kitchen.speaker.forget_events()
    await kitchen.first("begin_pairing")
    answer = await kitchen.first("finish_pairing", kitchen.speaker.receiver["pin"])
    expect(answer["paired"], True, "has_paired")
    kitchen.credentials = answer["credentials"]
    expect(len(kitchen.credentials.split(":")), 4, "the number of parts of the credentials")
    await kitchen.speaker.reports("paired")


@shows("with these credentials pyatv streams 3 s of 440 Hz: they are in the recording, sample by sample")
async def verified(kitchen: Kitchen) -> None:
    await kitchen.first("sign_in", kitchen.credentials)
    await kitchen.plays(kitchen.first)
    await records(kitchen, kitchen.first)


# A stream


@shows("without a PIN pyatv streams 3 s of 440 Hz, which are in the recording; media state is Play, then Stop")
async def transient(kitchen: Kitchen) -> None:
    await kitchen.use(kitchen.first)
    await kitchen.first("sign_in")
    await kitchen.plays(kitchen.first, title="A Tone", artist="The Generator", album="Sines", artwork=picture(kitchen))
    await kitchen.speaker.shows(sender="pyatv", player="PLAYING", title="A Tone", artist="The Generator", album="Sines",
                                duration=SECONDS, artwork=len(PICTURE))
    await until_reading(kitchen, "packets")
    await records(kitchen, kitchen.first)
    await kitchen.expect_events(CurrentMediaState=STOP)


def picture(kitchen: Kitchen) -> str:
    file = kitchen.folder / "artwork.jpeg"
    file.write_bytes(PICTURE)
    return str(file)


@shows("the events tell of the session, its metadata and the recording; no packet was lost")
async def reported(kitchen: Kitchen) -> None:
    speaker = kitchen.speaker
    await speaker.reports("sessionStarted", sender="pyatv", version="2")
    await speaker.reports("metadata", title="A Tone", artist="The Generator", album="Sines")
    await speaker.reports("artwork", type="image/jpeg", bytes=str(len(PICTURE)))
    await speaker.reports("playing", title="A Tone")
    await speaker.reports("sessionEnded", sender="pyatv", reason="ended")
    recorded = await speaker.reports("recorded")
    expect(Path(recorded["file"]), await speaker.recording(), "the file of the recording")
    expect([name for name, _ in await speaker.events() if name in ("packetsLost", "rejected")], [], "what went wrong")
    await speaker.shows(sender="", title=None)


@shows("a second sender is refused while the first one plays (453), and plays after it")
async def in_use(kitchen: Kitchen) -> None:
    await kitchen.use(kitchen.second)
    await kitchen.plays(kitchen.first)
    await kitchen.second.stream(kitchen.tone)
    expect((await kitchen.second.fails())["status"], 453, "the status")
    await kitchen.speaker.reports("sessionRefused", status="453")
    async with kitchen.speaker.raop() as third:
        await third.options()
        expect((await third.announce(allowed=range(600))).status, 453, "the answer to AirPlay 1")
    await records(kitchen, kitchen.first)
    await kitchen.plays(kitchen.second)
    await records(kitchen, kitchen.second)


@shows("pyatv presses pause: the stream ends early, and media state is Stop")
async def paused_by_sender(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await until_reading(kitchen, "packets", 100)
    await kitchen.first("remote", "pause")
    await kitchen.first.completes()
    await kitchen.expect_events(CurrentMediaState=STOP)
    sound = (await kitchen.speaker.heard())[0]
    assert sound.seconds < SECONDS - 0.5 and sound.deviations == 0, sound


@shows("the process of a sender is killed: its session ends, and the next one may play")
async def vanished(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await kitchen.first.kill()
    await kitchen.first.start(kitchen.python, kitchen.folder / "first.log", kitchen.speaker.server.environment)
    await kitchen.use(kitchen.first)
    await kitchen.speaker.reports("sessionEnded", reason="disconnected")
    await kitchen.expect_events(CurrentMediaState=STOP)
    await kitchen.plays(kitchen.first)
    await records(kitchen, kitchen.first)


# Volume and HomeKit


@shows("pyatv sets the volume during a stream: HomeKit's Volume is an event; 0 is Mute")
async def volume_by_sender(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await kitchen.first("set_volume", 60)
    await kitchen.expect_events(Volume=60)
    await kitchen.first("set_volume", 0)
    await kitchen.expect_events(Mute=1)
    await kitchen.first("set_volume", 25)
    await kitchen.expect_events(Mute=0, Volume=25)
    await kitchen.first.completes()


@shows("HomeKit writes Volume and Mute: the receiver has them, and the next session of pyatv begins with them")
async def volume_by_homekit(kitchen: Kitchen) -> None:
    async with kitchen.speaker.raop() as sender:
        await sender.start()
        await kitchen.writes(Volume=50)
        expect(await sender.volume(), -15.0, "the volume in dB")
        await kitchen.writes(Mute=True)
        expect(await sender.volume(), -144.0, "the volume in dB, if it is muted")
        await kitchen.writes(Mute=False, Volume=80)
        expect(await sender.volume(), -6.0, "the volume in dB")
        await sender.teardown()
    await kitchen.plays(kitchen.first)
    expect(round(await kitchen.first("volume")), 80, "the volume of pyatv")
    await kitchen.first.completes()
    await kitchen.reads(Volume=80)


@shows("HomeKit writes Target Media State: pyatv is asked to pause and to play, and media state is an event")
async def paused_by_homekit(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    for target, command in ((PAUSE, "pause"), (PLAY, "play")):
        kitchen.home.events.clear()
        await kitchen.writes(TargetMediaState=target)
        await kitchen.speaker.reports("remoteCommand", command=command, sent="true")
        await kitchen.expect_events(CurrentMediaState=target)
    await records(kitchen, kitchen.first)


@shows("HomeKit writes AirPlay Enable 0: session and announcement end, sessions are refused; 1 undoes it")
async def disabled(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await kitchen.writes(AirPlayEnable=0)
    await kitchen.first.fails()
    await kitchen.speaker.reports("sessionEnded", reason="disabled")
    await kitchen.expect_events(CurrentMediaState=STOP)
    await until_found(kitchen, False)
    await kitchen.use(kitchen.first)
    await kitchen.first.stream(kitchen.tone)
    await kitchen.first.fails()
    async with kitchen.speaker.raop() as sender:
        status = (await sender.announce(allowed=range(600))).status
        assert status >= 400, f"AirPlay 1 is answered with {status}"
    await kitchen.writes(AirPlayEnable=1)
    await until_found(kitchen, True)
    await kitchen.use(kitchen.first)
    await kitchen.plays(kitchen.first)
    await records(kitchen, kitchen.first)


async def until_found(kitchen: Kitchen, expected: bool) -> dict[str, Any] | None:
    """Waits until pyatv finds the receiver, or does not find it; returns what it finds."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                # An announcement is complete after a second, and pyatv takes the first answer.
                found = await find(kitchen)
                if (found is not None) == expected:
                    return found
                await asyncio.sleep(0.3)
    except TimeoutError:
        raise AssertionError(f"pyatv {'does not find' if expected else 'finds'} the receiver") from None


# AirPlay 1


async def play_raop(kitchen: Kitchen, *, plan: Plan | None = None, **more: Any) -> Any:
    """A sender for AirPlay 1 plays the tone to its end; returns it."""
    await kitchen.forget()
    async with kitchen.speaker.raop(**more) as sender:
        sender.plan = plan or Plan()
        await sender.start()
        await sender.play(tones.tone(SECONDS), silence=SILENCE)
        await sender.teardown()
    return sender


@shows("AirPlay 1 with Apple Lossless: the tone, metadata, artwork, position and volume arrive")
async def lossless(kitchen: Kitchen) -> None:
    await kitchen.forget()
    async with kitchen.speaker.raop() as sender:
        await sender.start()
        await sender.set_metadata("Second Tone", "Python", "Sines")
        await sender.set_artwork(PICTURE)
        await sender.set_progress(60, 180)
        await sender.set_volume(-12.0)
        playing = asyncio.create_task(sender.play(tones.tone(SECONDS), silence=SILENCE))
        await kitchen.expect_events(CurrentMediaState=PLAY, Volume=60)
        await kitchen.speaker.shows(title="Second Tone", artist="Python", duration=180, artwork=len(PICTURE), lost=0)
        position = (await kitchen.speaker.readings())["position"]
        assert 60 <= position < 70, f"the position is {position}"
        await playing
        await sender.teardown()
    await kitchen.expect_events(CurrentMediaState=STOP)
    check_tone(await kitchen.speaker.heard())
    expect(sender.resend_requests, [], "what the receiver has asked for again")


@shows("AirPlay 1 with PCM: the tone is in the recording, sample by sample")
async def pcm(kitchen: Kitchen) -> None:
    await play_raop(kitchen, codec="pcm")
    check_tone(await kitchen.speaker.heard())


@shows("pyatv streams by AirPlay 1: the tone is in the recording")
async def first_version(kitchen: Kitchen) -> None:
    await use_first_version(kitchen, kitchen.first)
    await kitchen.plays(kitchen.first, title="A Tone", artist="", album="")
    await kitchen.speaker.reports("sessionStarted", version="1")
    await records(kitchen, kitchen.first)
    await kitchen.use(kitchen.first)


async def use_first_version(kitchen: Kitchen, sender: Any, speaker: Speaker | None = None, **more: Any) -> None:
    """Lets a sender on pyatv use AirPlay 1. With the feature of pairing without a PIN, it would pair nevertheless."""
    features = "0x00448200,0x00004040"
    await kitchen.use(sender, speaker, airplay={"features": features}, raop={"ft": features})
    await sender("sign_in", version="1", **more)


@shows("lost packets are asked for again, and exactly they; the recording has all samples")
async def resent(kitchen: Kitchen) -> None:
    lost = {50, 51, 52, 120}
    sender = await play_raop(kitchen, plan=Plan(lost=lost))
    asked = {first + each for first, count in sender.resend_requests for each in range(count)}
    expect(asked, lost, "what the receiver has asked for")
    check_tone(await kitchen.speaker.heard())


@shows("packets that are late, in another order or doubled do not change the recording")
async def disordered(kitchen: Kitchen) -> None:
    await play_raop(kitchen, plan=Plan(late={30: 1, 60: 3, 61: 2, 100: 4}, twice={40, 41, 200}))
    check_tone(await kitchen.speaker.heard())


@shows("packets that are lost for good are counted, and are silence of their length in the recording")
async def lost(kitchen: Kitchen) -> None:
    sender = await play_raop(kitchen, plan=Plan(lost={50, 51, 52, 120}, resends=False))
    assert sender.resend_requests, "the receiver has asked for nothing"
    counted = [int(details["count"]) for name, details in await kitchen.speaker.events() if name == "packetsLost"]
    expect(sum(counted), 4, "the number of lost packets")
    sounds = await kitchen.speaker.heard()
    check_tone(sounds, exact=False)
    assert all(4 * 300 <= sound.deviations <= 4 * 352 for sound in sounds), sounds[0]


@shows("a flush drops what was sent before it, and the stream goes on after it")
async def flushed(kitchen: Kitchen) -> None:
    await kitchen.forget()
    async with kitchen.speaker.raop() as sender:
        await sender.start()
        await sender.send(tones.tone(1.0))
        await sender.flush()
        await kitchen.expect_events(CurrentMediaState=PAUSE)
        await sender.send(tones.tone(SECONDS))
        await kitchen.expect_events(CurrentMediaState=PLAY)
        await sender.teardown()
    sound = (await kitchen.speaker.heard())[0]
    assert SECONDS - 0.2 <= sound.seconds <= SECONDS + 1.2, sound


@shows("packets of another address are ignored, also if they continue the stream")
async def foreign(kitchen: Kitchen) -> None:
    await kitchen.forget()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.2", 0))
        async with kitchen.speaker.raop() as sender:
            await sender.start()
            playing = asyncio.create_task(sender.play(tones.tone(SECONDS), silence=SILENCE))
            noise = alac(bytes(range(256)) * 5 + bytes(128))
            for _ in range(20):
                await asyncio.sleep(0.1)
                header = struct.pack(">BBHII", 0x80, 0x60, (sender.sequence + 2) % (1 << 16), sender.timestamp,
                                     sender.session_id)
                other.sendto(header + noise, (sender.host, sender.server_port))
                other.sendto(bytes.fromhex("80d60001") + header + noise, (sender.host, sender.control_port))
            await playing
            await sender.teardown()
    check_tone(await kitchen.speaker.heard())


@shows("HomeKit's Target Media State and Volume reach a sender for AirPlay 1 by DACP, with its token")
async def dacp(kitchen: Kitchen) -> None:
    remote = Remote()
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    async with kitchen.speaker.raop() as sender:
        kind = "_dacp._tcp.local."
        service = ServiceInfo(kind, f"iTunes_Ctrl_{sender.dacp_id}.{kind}", await remote.open(),
                              properties={"txtvers": "1", "Ver": "131075", "DbId": "1", "OSsi": "0x1"},
                              addresses=[socket.inet_aton("127.0.0.1")], server="raop-sender.local.")
        await (await zeroconf.async_register_service(service))
        try:
            await sender.start()
            playing = asyncio.create_task(sender.send(bytes(RATE * 4 * 30)))
            await kitchen.forget()
            for target, command in ((PAUSE, "pause"), (PLAY, "play"), (STOP, "stop")):
                await kitchen.writes(TargetMediaState=target)
                await until(lambda: f"/ctrl-int/1/{command}" in remote.paths, PATIENCE,
                            f"{command} arrives, only {remote.requests}")
            for command, name in (("next", "nextitem"), ("previous", "previtem")):
                await kitchen.speaker.simulate("ask", kitchen.speaker.entry["name"], command)
                await until(lambda: f"/ctrl-int/1/{name}" in remote.paths, PATIENCE, f"{name} arrives")
            await kitchen.writes(Volume=50)
            path = await until(lambda: next((path for path in remote.paths if "/setproperty?" in path), None), PATIENCE,
                               f"the volume arrives, only {remote.requests}")
            expect(float(path.partition("dmcp.device-volume=")[2]), -15.0, "the volume in dB")
            expect({token for _, token in remote.requests}, {sender.active_remote}, "the tokens")
            playing.cancel()
            await sender.teardown()
        finally:
            await zeroconf.async_unregister_all_services()
            await zeroconf.async_close()
            remote.close()


PASSWORD_SPEAKER = """\
accessory: Hall Speaker
driver: { airplay: { port: 0, password: the password } }
services:
  - type: SmartSpeaker
    characteristics: { CurrentMediaState: Stop, TargetMediaState: Stop, Volume: 40, Mute: false }
"""


@shows("a password: AirPlay 1 needs it by a digest, pyatv plays with it and is refused without")
async def password(kitchen: Kitchen) -> None:
    hall = await kitchen.serve("hall", PASSWORD_SPEAKER)
    for wrong in (None, "another password"):
        async with hall.raop(password=wrong) as sender:
            await sender.options()
            try:
                await sender.announce()
            except Refused as refusal:
                expect(refusal.answer.status, 401, "the status")
            else:
                raise AssertionError(f"the password {wrong} is accepted")
    hall.forget_recordings()
    async with hall.raop(password="the password") as sender:
        await sender.start()
        await sender.play(tones.tone(SECONDS), silence=SILENCE)
        await sender.teardown()
    check_tone(await hall.heard())
    await use_first_version(kitchen, kitchen.second, hall, password="the password")
    hall.forget_recordings()
    await kitchen.second.stream(kitchen.tone)
    await kitchen.second.completes()
    check_tone(await hall.heard())
    for options in ({"password": "another password"}, {}):
        await use_first_version(kitchen, kitchen.second, hall, **options)
        await kitchen.second.stream(kitchen.tone)
        await kitchen.second.fails()
    await kitchen.use(kitchen.second, hall)
    await kitchen.second.stream(kitchen.tone)
    await kitchen.second.fails()
    expect(await hall.server.stop(), 0, "the exit status")


# Input of any kind


@shows("bytes that are no RTSP are answered with 400 or closed, and nothing else ends")
async def no_rtsp(kitchen: Kitchen) -> None:
    for content in NO_REQUESTS:
        status = await exchange(kitchen, content)
        assert status is None or status >= 400, f"{content[:40]!r} is answered with {status}"
    await works(kitchen)


@shows("property lists of any shape are answered or closed, with and without encryption, and nothing else ends")
async def any_list(kitchen: Kitchen) -> None:
    await kitchen.use(kitchen.second)
    is_open = False
    for content in [*(plistlib.dumps(each, fmt=plistlib.FMT_BINARY) for each in LISTS), *NO_LISTS]:
        data = base64.b64encode(content).decode()
        for method, uri in (("SETUP", None), ("POST", "/command"), ("POST", "/pair-setup")):
            if not is_open:
                await kitchen.second("open_control", TRANSIENT)
            try:
                answer = await kitchen.second("control", method, uri, data=data, kind=LIST)
            except Refusal as refusal:
                assert "connection" in str(refusal), refusal
                is_open = False
            else:
                is_open = True
                assert answer["status"] < 600, answer
        for method in ("SETUP *", "POST /play", "POST /configure", "POST /pair-verify", "GET /info"):
            head = f"{method} RTSP/1.0\r\nCSeq: 1\r\nContent-Type: {LIST}\r\nContent-Length: {len(content)}\r\n\r\n"
            status = await exchange(kitchen, head.encode() + content)
            assert status is None or 200 <= status < 600, f"{method} is answered with {status}"
    await kitchen.second("close_control")
    await works(kitchen)


async def exchange(kitchen: Kitchen, content: bytes) -> int | None:
    """Sends bytes on a connection of their own; returns the status of the answer, or None if there is none."""
    reader, writer = await asyncio.open_connection(*kitchen.speaker.address)
    try:
        writer.write(content)
        writer.write_eof()
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
    except TimeoutError:
        raise
    except OSError:
        # The receiver has closed the connection already.
        return None
    finally:
        writer.close()
    match = re.match(rb"(?:RTSP/1\.0|HTTP/1\.1) (\d{3}) ", answer)
    assert match or not answer, f"{content[:40]!r} is answered with {answer[:80]!r}"
    return int(match[1]) if match else None


@shows("a picture of 10 MB is refused with 413 or the connection is closed; one of 100 kB is accepted")
async def pictures(kitchen: Kitchen) -> None:
    async with kitchen.speaker.raop() as sender:
        await sender.start()
        await sender.set_artwork(PICTURE * 10)
        try:
            answer = await sender.set_artwork(bytes(10_000_000), allowed=range(600))
            expect(answer.status, 413, "the status")
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
    await works(kitchen)


async def works(kitchen: Kitchen) -> None:
    """Fails unless a sender can play."""
    await asyncio.sleep(0.1)
    await kitchen.forget()
    async with kitchen.speaker.raop() as sender:
        for attempt in range(20):
            # The former session may still be ending.
            if (await sender.announce(allowed=(200, 453))).status == 200:
                break
            await asyncio.sleep(0.2)
        await sender.setup()
        await sender.record()
        await sender.play(tones.tone(0.5), silence=0)
        await sender.teardown()
    check_tone(await kitchen.speaker.heard(), 0.5)


# Faults


@shows("fault wrongPIN: the right PIN is refused once")
async def fault_pin(kitchen: Kitchen) -> None:
    await kitchen.use(kitchen.second)
    await kitchen.speaker.inject("wrongPIN")
    await kitchen.second("begin_pairing")
    await kitchen.second.refused("finish_pairing", kitchen.speaker.receiver["pin"])
    await kitchen.second("begin_pairing")
    answer = await kitchen.second("finish_pairing", kitchen.speaker.receiver["pin"])
    expect(answer["paired"], True, "has_paired")


@shows("fault refusedSession: pyatv receives its status, and plays at the next try")
async def fault_refused(kitchen: Kitchen) -> None:
    await kitchen.use(kitchen.first)
    await kitchen.speaker.inject("refusedSession", "status=503")
    await kitchen.first.stream(kitchen.tone)
    expect((await kitchen.first.fails())["status"], 503, "the status")
    await kitchen.plays(kitchen.first)
    await records(kitchen, kitchen.first)


@shows("fault deviceInUse: pyatv receives 453, although no one plays")
async def fault_in_use(kitchen: Kitchen) -> None:
    # GET /info says so, too.
    await kitchen.speaker.inject("deviceInUse", times=2)
    await kitchen.first.stream(kitchen.tone)
    expect((await kitchen.first.fails())["status"], 453, "the status")
    await kitchen.speaker.clear("deviceInUse")


@shows("fault lostPackets: pyatv is asked for the packets again, and the recording has all samples")
async def fault_lost(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await kitchen.speaker.inject("lostPackets", "percent=30")
    await until_reading(kitchen, "resent")
    await records(kitchen, kitchen.first)


@shows("fault latePackets: the recording has all samples")
async def fault_late(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await kitchen.speaker.inject("latePackets", "ms=200")
    await records(kitchen, kitchen.first)
    await applied(kitchen, "latePackets")


@shows("fault resendStorm: a sender is asked for packets that have arrived, and the recording is the same")
async def fault_storm(kitchen: Kitchen) -> None:
    await kitchen.speaker.inject("resendStorm")
    sender = await play_raop(kitchen)
    asked = sum(count for _, count in sender.resend_requests)
    assert asked >= 100, f"the receiver has asked for {asked} packets"
    check_tone(await kitchen.speaker.heard())


@shows("fault droppedFeedback: pyatv waits for the missing answer at its end, and the recording has all samples")
async def fault_feedback(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await kitchen.speaker.inject("droppedFeedback")
    await kitchen.first.completes(2 * PATIENCE)
    check_tone(await kitchen.speaker.heard())
    await applied(kitchen, "droppedFeedback")


@shows("fault clockDrift: the reading of the drift shows it")
async def fault_drift(kitchen: Kitchen) -> None:
    await kitchen.speaker.inject("clockDrift", "ppm=8000")
    async with kitchen.speaker.raop() as sender:
        sender.interval = 0.3
        await sender.start()
        playing = asyncio.create_task(sender.play(tones.tone(6), silence=0))
        drift = await until_reading(kitchen, "drift", 4000)
        assert 4000 <= abs(drift) <= 12_000, f"the drift is {drift} ppm"
        await playing
        await sender.teardown()


async def until_reading(kitchen: Kitchen, name: str, least: float = 1) -> float:
    """Waits until the magnitude of a reading is at least so much; returns it."""
    readings: dict[str, Any] = {}
    for _ in range(60):
        readings = await kitchen.speaker.readings()
        if abs(readings.get(name, 0)) >= least:
            return readings[name]
        await asyncio.sleep(0.1)
    raise AssertionError(f"the readings are {readings}")


async def applied(kitchen: Kitchen, fault: str) -> None:
    """Waits until a fault has acted."""
    for _ in range(50):
        events = await kitchen.speaker.api.get("/events/latest?kinds=fault-applied")
        if any(fault in event["message"] for event in events):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{fault} has not acted")


# Videos

TELEVISION = """\
accessory: Bedroom
driver: { airplay: { port: 0, fetch: true } }
services:
  - type: Television
    characteristics:
      Active: Inactive
      ActiveIdentifier: 1
      ConfiguredName: Bedroom
      SleepDiscoveryMode: AlwaysDiscoverable
      RemoteKey: null
      CurrentMediaState: Stop
      TargetMediaState: Stop
"""


@shows("pyatv plays HLS on a television: duration and resolution are read, its end ends it, bad addresses are errors")
async def video(kitchen: Kitchen) -> None:
    assert isolated(), "this needs a network namespace of its own"
    bedroom = await kitchen.serve("bedroom", TELEVISION)
    with Playlists() as playlists:
        await kitchen.use(kitchen.second, bedroom)
        for version, credentials in (("2", TRANSIENT), ("1", None)):
            await bedroom.forget_events()
            await kitchen.second("sign_in", credentials, version=version)
            await kitchen.second("connect")
            kitchen.second.ends.clear()
            await kitchen.second("play_url", playlists.master)
            loaded = await bedroom.reports("videoLoaded", url=playlists.master)
            expect(float(loaded["duration"].split()[0]), playlists.duration, "the duration")
            expect(loaded["resolution"], playlists.best, "the resolution")
            await bedroom.shows(player="PLAYING", duration=playlists.duration, resolution=playlists.best)
            await bedroom.simulate("advance", "2s")
            position = (await bedroom.readings())["position"]
            assert 2 <= position <= 2 + PATIENCE, f"the position is {position}"
            assert not kitchen.second.ends, kitchen.second.ends
            await bedroom.simulate("advance", f"{playlists.duration:g}s")
            await bedroom.reports("videoEnded", url=playlists.master)
            await kitchen.second.completes()
        for address in (playlists.missing, playlists.address("master.m3u8", PRIVATE)):
            await bedroom.forget_events()
            kitchen.second.ends.clear()
            requests = len(playlists.requests)
            await kitchen.second("play_url", address)
            await bedroom.reports("videoFailed", url=address)
            assert "PlaybackError" in (await kitchen.second.fails())["error"], kitchen.second.ends
        expect(len(playlists.requests), requests, "the number of requests, with one for a private address")
    await kitchen.second("close")
    expect(await bedroom.server.stop(), 0, "the exit status")


@shows("pyatv stops a video: the session ends")
async def video_stopped(kitchen: Kitchen) -> None:
    television = await kitchen.serve("television", TELEVISION.replace("fetch: true", "videoDuration: 1h"))
    await kitchen.use(kitchen.second, television)
    await kitchen.second("sign_in", TRANSIENT)
    await kitchen.second("connect")
    kitchen.second.ends.clear()
    await kitchen.second("play_url", f"http://{HOST}/film.mp4", position=600)
    await television.shows(player="PLAYING", duration=3600)
    position = (await television.readings())["position"]
    assert 600 <= position <= 600 + PATIENCE, f"the position is {position}"
    await kitchen.second("remote", "stop")
    await kitchen.second.completes()
    await television.reports("sessionEnded")
    await kitchen.second("close")
    expect(await television.server.stop(), 0, "the exit status")


# The process


@shows("the server restarted: the same device id, and the credentials of the pairing are still valid")
async def restarted(kitchen: Kitchen) -> None:
    await close_all(kitchen.home)
    expect(await kitchen.speaker.server.stop(), 0, "the exit status after SIGTERM")
    before = kitchen.speaker.receiver["name"]
    await kitchen.speaker.start()
    expect(kitchen.speaker.receiver["name"], before, "the name")
    await kitchen.open_session()
    await kitchen.use(kitchen.first)
    await kitchen.first("sign_in", kitchen.credentials)
    await kitchen.plays(kitchen.first)
    await records(kitchen, kitchen.first)


@shows("the example test of Examples/AirPlay passes")
async def example(kitchen: Kitchen) -> None:
    environment = dict(os.environ, HAP=str(kitchen.speaker.server.binary), XDG_STATE_HOME=str(kitchen.folder))
    process = await asyncio.create_subprocess_exec(
        kitchen.python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", program.ROOT / "Examples/AirPlay",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, f"pytest ends with {process.returncode}: {output.decode(errors='replace')}"


@shows("SIGTERM during a stream: the server ends with status 0, and the recording has what was played")
async def ended(kitchen: Kitchen) -> None:
    await kitchen.plays(kitchen.first)
    await until_reading(kitchen, "packets", 100)
    expect(await kitchen.speaker.server.stop(), 0, "the exit status")
    await kitchen.first.ended()
    sound = (await kitchen.speaker.heard())[0]
    assert sound.seconds >= 0.7 and sound.deviations == 0, sound


@shows("the trace has the requests of pyatv since the restart")
async def traced(kitchen: Kitchen) -> None:
    command = [str(kitchen.speaker.server.binary), "trace", str(kitchen.folder / "trace"), "--json"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    paths = {record.get("path", "").split(" ")[0] for record in map(json.loads, lines) if record["kind"] == "received"}
    missing = {"GET", "POST", "SETUP", "SET_PARAMETER", "RECORD", "FLUSH", "TEARDOWN"} - paths
    expect(missing, set(), "what the trace lacks")


async def check_kitchen(claims: tuple[str, ...], options: Any, binary: Path, folder: Path) -> bool:
    discovery = PrivateDiscovery(folder)
    recordings = folder / "recordings"
    server = Server(binary, folder / "speaker", discovery.environment, files=[DEFINITION], advertise="auto",
                    more=("--record", str(recordings), "--trace", str(folder / "trace")))
    kitchen = Kitchen(Speaker(server, recordings), folder, options.pyatv)
    return await check(claims, STEPS, kitchen, server, discovery)


def main() -> int:
    parser = program.arguments(__doc__, log="keep the logs and the recordings in this folder")
    parser.add_argument("--until", metavar="TEXT", help="stop after the first claim that contains TEXT")
    parser.add_argument("--pyatv", type=Path, default=program.ROOT / ".build/pyatv-venv/bin/python",
                        help="the Python that has pyatv")
    options = parser.parse_args()
    if not options.pyatv.exists():
        sys.exit(f"{options.pyatv} is missing: install it with make interoperability-airplay.")
    claims = selected(tuple(STEPS), options.until)
    return program.perform(options, "airplay", lambda hap, folder: check_kitchen(claims, options, hap, folder),
                           program.keep_all(options.log))


if __name__ == "__main__":
    sys.exit(main())
