"""Tests the Cast receiver of `hap serve` with pychromecast, catt and aiohomekit, each unmodified.

    cast.py [--hap BINARY] [--until TEXT] [--log FOLDER] [--pychromecast PYTHON] [--catt COMMAND]

It serves Accessories/television-cast.yaml. Two senders on pychromecast, which sender.py operates, and a session of
aiohomekit are connected during the whole run, so that each claim is checked on all sides. Prints a line for each claim
and their number. Exit status 1 if one failed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import program
from claims import check, selected
from livingroom import DEFINITION, NAME, PATIENCE, LivingRoom
from processes import PrivateDiscovery, Server
from sessions import close_all

Step = Callable[[LivingRoom], Awaitable[None]]

PLAYER, QUIZ = "CC1AD845", "KILGOQZ1"
QUIZ_NAMESPACE = "urn:x-cast:com.example.quiz"
#: The identifiers of the inputs.
ANTENNA, PLAYER_INPUT, QUIZ_INPUT = 1, 2, 3
#: Values of Current Media State and Target Media State.
PLAY, PAUSE, STOP = 0, 1, 2
#: Values of Remote Key.
NEXT_KEY, PREVIOUS_KEY, SELECT_KEY = 2, 3, 8

FILM = "http://example.com/own-film.mp4"
NEXT_FILM = "http://example.com/next-film.mp4"
#: An ad of 20 minutes can be skipped after 10, so that no real time matters.
ADS = {
    "duration": 7200,
    "breaks": [{"id": "before", "breakClipIds": ["long"], "position": 0}],
    "breakClips": [{"id": "long", "title": "A Long Ad", "duration": 1200, "whenSkippable": 600}],
}

STEPS: dict[str, Step] = {}


def shows(claim: str) -> Callable[[Step], Step]:
    """Registers the step of a claim."""

    def enter(step: Step) -> Step:
        STEPS[claim] = step
        return step

    return enter


def expect(actual: Any, expected: Any, what: str) -> None:
    assert actual == expected, f"{what} is {actual!r}, not {expected!r}"


async def play(room: LivingRoom, content: str = FILM, **media: Any) -> None:
    """The first sender loads a film of two hours."""
    await room.first("media_controller.play_media", content, "video/mp4", title="A Film", stream_type="BUFFERED",
                     media_info={"duration": 7200, **media})
    await room.senders_see(state="PLAYING", content=content)


# Connections


@shows("pychromecast discovers the receiver: id, name, model, port 8009")
async def discovered(room: LivingRoom) -> None:
    room.receiver = await room.first("find", NAME)
    expect(room.receiver, {**room.receiver, "name": NAME, "model": "Chromecast", "type": "cast", "port": 8009}, "it")
    assert re.fullmatch("[0-9a-f]{32}", room.receiver["id"] or ""), f"the id is {room.receiver['id']}"


@shows("a second sender connects to the address and the port of the ready file")
async def connected(room: LivingRoom) -> None:
    receivers = room.ready["receivers"]
    expect([(each["kind"], each["name"]) for each in receivers], [("cast", NAME)], "the list of receivers")
    await room.second("connect", receivers[0]["host"], receivers[0]["port"])
    await room.senders_see(app=None, volume=0.4, muted=False)


@shows("aiohomekit pairs with the same television, which is off, stopped and shows the antenna")
async def paired(room: LivingRoom) -> None:
    await room.pair()
    await room.reads(Active=0, ActiveIdentifier=ANTENNA, CurrentMediaState=STOP, Volume=40, Mute=False)


# Apps and media


@shows("an app is launched: Active is 1, its input is shown, and the other sender is notified")
async def launched(room: LivingRoom) -> None:
    await room.first("start_app", PLAYER)
    await room.expect_events(Active=1, ActiveIdentifier=PLAYER_INPUT)
    await room.senders_see(app=PLAYER)


@shows("loaded with the ads of the sender: the ad plays for both senders, and Current Media State is Play")
async def loaded(room: LivingRoom) -> None:
    await play(room, **ADS)
    await room.expect_events(CurrentMediaState=PLAY, TargetMediaState=PLAY)
    for sender in room.senders:
        ad = await sender.until(lambda: sender.ad, "sees an ad")
        expect({key: ad.get(key) for key in ("breakId", "breakClipId", "whenSkippable")},
               {"breakId": "before", "breakClipId": "long", "whenSkippable": 600}, "the ad")


@shows("an ad is not skipped before its time: INVALID_PLAYER_STATE; 10 simulated minutes later it is")
async def skipped(room: LivingRoom) -> None:
    expect(await room.first("skip_ad"), "INVALID_PLAYER_STATE", "the answer")
    await room.advance("10min")
    expect(await room.first("skip_ad"), "MEDIA_STATUS", "the answer")
    for sender in room.senders:
        await sender.until(lambda: sender.ad is None, "sees no ad")
    await room.senders_see(state="PLAYING", content=FILM, title="A Film")


@shows("rate 2 is shown to both senders, and the film is played twice as fast; rate 4 is refused")
async def rated(room: LivingRoom) -> None:
    await room.first("media_controller.set_playback_rate", 2)
    await room.senders_see(rate=2)
    before = room.first.media["time"]
    await room.advance("10min")
    await room.first("media_controller.pause")
    played = room.first.media["time"] - before
    assert 1200 <= played < 1200 + 4 * PATIENCE, f"{played} s were played in 10 simulated minutes"
    await room.first("media_controller.play")
    room.forget()
    await room.first("media_controller.set_playback_rate", 4)
    await room.first.until(lambda: [each for each in room.first.messages if each.get("type") == "INVALID_REQUEST"],
                           "receives INVALID_REQUEST")
    expect(room.first.media["rate"], 2, "the rate")
    await room.first("media_controller.set_playback_rate", 1)
    await room.senders_see(rate=1)


@shows("a sender pauses, plays and seeks: aiohomekit and the other sender are notified")
async def paused(room: LivingRoom) -> None:
    room.forget()
    await room.second("media_controller.pause")
    await room.expect_events(CurrentMediaState=PAUSE, TargetMediaState=PAUSE)
    await room.senders_see(state="PAUSED")
    await room.second("media_controller.play")
    await room.expect_events(CurrentMediaState=PLAY, TargetMediaState=PLAY)
    await room.senders_see(state="PLAYING")
    await room.second("media_controller.seek", 5000)
    await room.first.until(lambda: room.first.media["time"] >= 5000, "sees the position")


@shows("a film is enqueued; next and previous by a sender, then by Remote Key: both senders see the item")
async def queued(room: LivingRoom) -> None:
    room.forget()
    await room.first("media_controller.play_media", NEXT_FILM, "video/mp4", stream_type="BUFFERED", enqueue=True,
                     media_info={"duration": 7200})

    def inserted() -> list[str | None]:
        return [each.get("changeType") for each in room.second.messages if each.get("type") == "QUEUE_CHANGE"]

    await room.second.until(lambda: "INSERT" in inserted(), "receives QUEUE_CHANGE INSERT")
    await room.first("media_controller.queue_next")
    await room.senders_see(state="PLAYING", content=NEXT_FILM)
    await room.first("media_controller.queue_prev")
    await room.senders_see(state="PLAYING", content=FILM)
    await room.writes(RemoteKey=NEXT_KEY)
    await room.senders_see(state="PLAYING", content=NEXT_FILM)
    await room.writes(RemoteKey=PREVIOUS_KEY)
    await room.senders_see(state="PLAYING", content=FILM)


@shows("a sender sets volume and mute: Volume and Mute of the Speaker are events")
async def volume_set(room: LivingRoom) -> None:
    await room.first("set_volume", 0.3)
    await room.expect_events(Volume=30)
    await room.first("set_volume_muted", True)
    await room.expect_events(Mute=1)
    await room.senders_see(volume=0.3, muted=True)


# HomeKit acts


@shows("HomeKit writes Target Media State: both senders see PAUSED and PLAYING, and Current Media State is an event")
async def homekit_pauses(room: LivingRoom) -> None:
    room.forget()
    for target, state in ((PAUSE, "PAUSED"), (PLAY, "PLAYING")):
        await room.writes(TargetMediaState=target)
        await room.senders_see(state=state)
        await room.expect_events(CurrentMediaState=target)


@shows("HomeKit writes Volume and Mute: both senders see the level")
async def homekit_volume(room: LivingRoom) -> None:
    await room.writes(Volume=55, Mute=False)
    await room.senders_see(volume=0.55, muted=False)


@shows("Remote Key Select skips an ad, and does nothing before that is possible")
async def homekit_skips(room: LivingRoom) -> None:
    await play(room, **ADS)
    await room.first.until(lambda: room.first.ad, "sees an ad")
    await room.writes(RemoteKey=SELECT_KEY)
    await room.first("media_controller.pause")
    assert room.first.ad, "the ad was skipped at its beginning"
    await room.first("media_controller.play")
    await room.advance("10min")
    await room.writes(RemoteKey=SELECT_KEY)
    for sender in room.senders:
        await sender.until(lambda: sender.ad is None, "sees no ad")
    await room.senders_see(state="PLAYING", content=FILM)


@shows("HomeKit writes Active 0: the app ends, and both senders see that")
async def homekit_off(room: LivingRoom) -> None:
    room.forget()
    await room.writes(Active=0)
    await room.senders_see(app=None)
    await room.expect_events(CurrentMediaState=STOP, ActiveIdentifier=ANTENNA)


@shows("HomeKit writes Active 1 and then an input: its app runs, and both senders see that")
async def homekit_on(room: LivingRoom) -> None:
    await room.writes(Active=1)
    await room.senders_see(app=PLAYER)
    await room.writes(ActiveIdentifier=QUIZ_INPUT)
    await room.senders_see(app=QUIZ)


# Channels and ends


@shows("a message in the namespace of an app is answered as the file says, and only its sender receives it")
async def echoed(room: LivingRoom) -> None:
    room.forget()
    for sender in room.senders:
        await sender("listen", QUIZ_NAMESPACE)
    answer = await room.first("request", QUIZ_NAMESPACE, {"question": "How many?"})
    expect(answer and answer.get("question"), "How many?", "the echo")
    await room.second("request", QUIZ_NAMESPACE, {"question": "Where?"})
    expect([each["question"] for each in room.second.messages if "question" in each], ["Where?"], "what it received")


@shows("a sender ends the app: the former input is shown, the television stays on, and the other sender is notified")
async def quit_app(room: LivingRoom) -> None:
    await room.writes(ActiveIdentifier=ANTENNA)
    await room.first("start_app", PLAYER)
    await room.expect_events(ActiveIdentifier=PLAYER_INPUT)
    room.forget()
    await room.first("quit_app")
    await room.senders_see(app=None)
    await room.expect_events(ActiveIdentifier=ANTENNA)
    await room.reads(Active=1, CurrentMediaState=STOP)


@shows("a sender stops the film: IDLE CANCELLED for both, and Current Media State is Stop")
async def stopped(room: LivingRoom) -> None:
    await room.first("start_app", PLAYER)
    await play(room)
    await room.expect_events(CurrentMediaState=PLAY)
    room.forget()
    await room.first("media_controller.stop")
    await room.senders_see(state="IDLE", reason="CANCELLED", app=PLAYER)
    await room.expect_events(CurrentMediaState=STOP)


@shows("`hap simulate advance 2h` plays a film of two hours to its end, on the connections that were open before")
async def advanced(room: LivingRoom) -> None:
    await play(room)
    room.forget()
    await room.advance("2h")
    await room.senders_see(state="IDLE", reason="FINISHED", app=PLAYER)
    await room.expect_events(CurrentMediaState=STOP)
    await room.second("media_controller.update_status")
    for sender in room.senders:
        expect(sender.connections, ["CONNECTING", "CONNECTED"], f"the connections of {sender.title}")


# catt


@shows("catt casts an address, pauses, plays, sets the volume and shows the status: senders and aiohomekit see it")
async def catt_casts(room: LivingRoom) -> None:
    room.forget()
    address = room.film_address()
    await room.catt("cast", "--force-default", "--stream-type", "BUFFERED", address)
    await room.senders_see(state="PLAYING", content=address, title="film")
    await room.expect_events(CurrentMediaState=PLAY)
    await room.catt("pause")
    await room.senders_see(state="PAUSED")
    await room.expect_events(CurrentMediaState=PAUSE)
    await room.catt("volume", "20")
    await room.senders_see(volume=0.2)
    await room.expect_events(Volume=20)
    status = await room.catt("status")
    assert "State: PAUSED" in status and "Volume: 20" in status, f"catt status prints {status}"
    await room.catt("play")
    await room.senders_see(state="PLAYING")


@shows("catt stops: the app ends")
async def catt_stops(room: LivingRoom) -> None:
    await room.catt("stop")
    await room.senders_see(app=None)
    await room.reads(CurrentMediaState=STOP, ActiveIdentifier=ANTENNA)


# Faults


async def inject(room: LivingRoom, fault: str, *parameters: str) -> None:
    status = await room.server.simulate("fault", fault, "on", NAME, *parameters, "times", "1")
    expect(status, 0, f"the exit status of hap simulate fault {fault}")


@shows("a slow launch: pychromecast waits for it, and the app runs after 5 simulated seconds")
async def launched_slowly(room: LivingRoom) -> None:
    await inject(room, "slowLaunch", "seconds=5")
    launch = asyncio.create_task(room.first("start_app", PLAYER))
    await room.advance("5s")
    await launch
    await room.senders_see(app=PLAYER)


@shows("a content that cannot be loaded: pychromecast notifies its listener of the number of the error")
async def load_failed(room: LivingRoom) -> None:
    room.forget()
    await inject(room, "loadFailure", "code=103")
    await room.first("media_controller.play_media", FILM, "video/mp4")
    await room.first.until(lambda: {"loadFailed": 103} in room.first.messages, "is notified")


@shows("the receiver starts again: both senders lose their connection once, and are back")
async def rebooted(room: LivingRoom) -> None:
    for sender in room.senders:
        sender.connections.clear()
    await inject(room, "receiverReboot")
    await room.first("media_controller.update_status")
    for sender in room.senders:
        await sender.until(lambda: "CONNECTED" in sender.connections, "connects again")
    await room.second("set_volume", 0.25)
    await room.senders_see(volume=0.25)
    for sender in room.senders:
        expect(sender.connections.count("LOST"), 1, f"the number of lost connections of {sender.title}")


# The process


@shows("the server restarted: the same receiver, the same pairing, and both senders connect again by themselves")
async def restarted(room: LivingRoom) -> None:
    await room.writes(Active=0)
    await room.writes(ActiveIdentifier=ANTENNA)
    volume = await room.home.read(room.identifier("Volume"))
    await close_all(room.home)
    for sender in room.senders:
        sender.connections.clear()
    expect(await room.server.stop(), 0, "the exit status after SIGTERM")
    room.ready = await room.server.start()
    for sender in room.senders:
        await sender.until(lambda: "CONNECTED" in sender.connections, "connects again")
    await room.catt("info")
    await room.open_session()
    await room.reads(Volume=volume, ActiveIdentifier=ANTENNA)
    await room.first("start_app", PLAYER)
    await room.expect_events(ActiveIdentifier=PLAYER_INPUT)
    await room.first("end")
    expect((await room.first("find", NAME))["id"], room.receiver["id"], "the id of the receiver")


@shows("the example test of Examples/Cast passes")
async def example(room: LivingRoom) -> None:
    environment = dict(os.environ, HAP=str(room.server.binary), XDG_STATE_HOME=str(room.folder))
    process = await asyncio.create_subprocess_exec(
        room.pychromecast, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", program.ROOT / "Examples/Cast",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, f"pytest ends with {process.returncode}: {output.decode(errors='replace')}"


@shows("SIGTERM ends the server with status 0")
async def ended(room: LivingRoom) -> None:
    expect(await room.server.stop(), 0, "the exit status")


@shows("the trace has the messages of both senders")
async def traced(room: LivingRoom) -> None:
    command = [str(room.server.binary), "trace", str(room.folder / "trace"), "--json"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    records = [record for record in map(json.loads, lines) if record["kind"] in ("received", "sent")]
    expect({record["accessory"] for record in records}, {NAME}, "the accessories of the messages")
    expect(len({record["peer"] for record in records}) >= 2, True, "there are two peers")
    types = {record["body"]["type"] for record in records if "body" in record}
    expect({"CONNECT", "PING", "PONG", "RECEIVER_STATUS"} <= types, True, f"the types of messages are there: {types}")


async def check_room(claims: tuple[str, ...], options: Any, binary: Path, folder: Path) -> bool:
    discovery = PrivateDiscovery(folder)
    server = Server(binary, folder / "television", discovery.environment, files=[DEFINITION], advertise="auto",
                    more=("--trace", str(folder / "trace")))
    room = LivingRoom(server, folder, options.pychromecast, options.catt)
    return await check(claims, STEPS, room, server, discovery)


def main() -> int:
    parser = program.arguments(__doc__, log="keep the logs in this folder")
    parser.add_argument("--until", metavar="TEXT", help="stop after the first claim that contains TEXT")
    parser.add_argument("--pychromecast", type=Path, default=program.ROOT / ".build/pychromecast-venv/bin/python",
                        help="the Python that has pychromecast")
    parser.add_argument("--catt", type=Path, default=program.ROOT / ".build/catt-venv/bin/catt",
                        help="the command catt")
    options = parser.parse_args()
    for tool in (options.pychromecast, options.catt):
        if not tool.exists():
            sys.exit(f"{tool} is missing: install it with make interoperability-cast.")
    claims = selected(tuple(STEPS), options.until)
    return program.perform(options, "cast", lambda hap, folder: check_room(claims, options, hap, folder),
                           program.keep_all(options.log))


if __name__ == "__main__":
    sys.exit(main())
