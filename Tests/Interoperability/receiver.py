"""A Cast receiver for tests of a sender, which operate it with JSON lines. It is independent of this project.

    receiver.py [--port NUMBER] [--name TEXT] [--id HEX] [--certificate FOLDER] [--advertise ADDRESS] [--launch-status]

It listens with TLS on 127.0.0.1, and runs the apps CC1AD845 (media) and QUIZ (media, and a channel that echoes). Time
passes for the player only when a call says so. The folder keeps root.pem, which certifies the device, for later runs;
all other certificates are new in every run. --advertise names the interface of the announcement.

The output begins with {"listening": PORT}. {"connected": N} and {"disconnected": N} number the connections, from 1. A
message of a sender is {"request": JSON, "namespace": N, "source": S, "destination": D, "connection": N}, except for
PING and PONG; text that is not JSON is a string, and bytes are {"binary": HEX}.

A line of the input is a call, such as {"call": "advance", "seconds": 30}, and is answered by {"answer": VALUE} or
{"error": TEXT}; the methods below "Calls" are the calls. The end of the input ends it.

It runs in the virtual environment of pychromecast, so it imports nothing of the other programs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import ssl
import struct
import subprocess
import sys
import tempfile
import traceback
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError
from pychromecast.generated.cast_channel_pb2 import RSASSA_PSS, SHA256, AuthError, CastMessage, DeviceAuthMessage

Json = dict[str, Any]

HOST, SERVICE_TYPE = "127.0.0.1", "_googlecast._tcp.local."
PREFIX = "urn:x-cast:com.google.cast."
AUTHENTICATION, CONNECTION, HEARTBEAT = PREFIX + "tp.deviceauth", PREFIX + "tp.connection", PREFIX + "tp.heartbeat"
RECEIVER, MEDIA, QUIZ = PREFIX + "receiver", PREFIX + "media", "urn:x-cast:com.example.quiz"
PLATFORM, EVERYONE = "receiver-0", "*"
#: The contents of messages, except in the channel of the quiz, which takes any.
CONTENTS = {AUTHENTICATION: bytes, RECEIVER: dict, MEDIA: dict}
#: The names and the namespaces of the apps.
APPS = {"CC1AD845": ("Default Media Receiver", [MEDIA]), "QUIZ": ("Quiz", [MEDIA, QUIZ])}

FRAME_LIMIT, WRONG_LENGTH = 65_536, 0xFFFF_FFFF
PING_INTERVAL, SLOW = 5.0, 3.0
#: Bits of supportedMediaCommands. The first are pause, the volume of the stream, mute, and tracks.
BASIC, CAN_SEEK, NEXT, PREVIOUS, ORDER, CAN_SKIP, CAN_CHANGE_RATE = 4109, 2, 64, 128, 256 | 1024 | 2048, 512, 8192
REPEAT_MODES = ("REPEAT_OFF", "REPEAT_ALL", "REPEAT_SINGLE", "REPEAT_ALL_AND_SHUFFLE")
UNSUPPORTED_SOURCE = 104

#: What is wrong with the frame of the next answer: its length, its second half, or the JSON in it.
FRAME_FAULTS = ("wrong_length", "half_frame", "not_json")
#: `silent` sends nothing at all, `slow` answers later, and `bare_status` answers with a status that says nothing. The
#: others concern LOAD and QUEUE_LOAD, or LAUNCH; with `close_on_load`, nothing is loaded.
FAULTS = (*FRAME_FAULTS, "silent", "slow", "bare_status", "load_failed", "close_on_load", "launch_error")


def write(**line: Any) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


class Refused(Exception):
    """The answer to a request that is not possible."""

    def __init__(self, kind: str, **members: Any) -> None:
        super().__init__(kind)
        self.answer = {"type": kind, **members}


def invalid(reason: str) -> Refused:
    return Refused("INVALID_REQUEST", reason=reason)


def number(value: Any) -> float | None:
    """Returns a number, or `None` for null and for what is absent."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise invalid("INVALID_PARAMS")
    return float(value)


def checked_rate(rate: float) -> float:
    if not 0.5 <= rate <= 2.0:
        raise invalid("INVALID_PARAMS")
    return rate


def changed_volume(volume: Json, change: Json) -> Json:
    """Returns a volume with another level, or another state of mute."""
    level, muted = number(change.get("level")), change.get("muted")
    return {**volume, "level": volume["level"] if level is None else min(max(level, 0.0), 1.0),
            "muted": volume["muted"] if muted is None else bool(muted)}


class Identity:
    """The keys and certificates of the device, in a folder."""

    SETTINGS = """
        [req]
        distinguished_name = name
        [name]
        [root]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, digitalSignature
        [device]
        keyUsage = critical, digitalSignature
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "openssl.cnf").write_text(self.SETTINGS)
        if not (folder / "root.key").exists():
            self.make("root", "root", "-days", "3650")
        self.make("device", "device", "-days", "2", "-CA", str(folder / "root.pem"), "-CAkey", str(folder / "root.key"))
        self.make("tls", "device", "-days", "2")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / "tls.pem", folder / "tls.key")

    def make(self, name: str, section: str, *options: str) -> None:
        """Makes a key and its certificate, self-signed unless the options name another one."""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN=Cast receiver: {name}",
             "-config", str(self.folder / "openssl.cnf"), "-extensions", section, *options,
             "-keyout", str(self.folder / f"{name}.key"), "-out", str(self.folder / f"{name}.pem")],
            check=True, capture_output=True)

    def der(self, name: str) -> bytes:
        return ssl.PEM_cert_to_DER_cert((self.folder / f"{name}.pem").read_text())

    def answer(self, payload: bytes) -> bytes:
        """Answers the message of a challenge."""
        challenge, answer = DeviceAuthMessage.FromString(payload).challenge, DeviceAuthMessage()
        if challenge.signature_algorithm == RSASSA_PSS:
            answer.error.error_type = AuthError.SIGNATURE_ALGORITHM_UNAVAILABLE
            return answer.SerializeToString()
        algorithm = "-sha256" if challenge.hash_algorithm == SHA256 else "-sha1"
        answer.response.signature = subprocess.run(
            ["openssl", "dgst", algorithm, "-sign", str(self.folder / "device.key")],
            input=challenge.sender_nonce + self.der("tls"), check=True, capture_output=True).stdout
        answer.response.client_auth_certificate = self.der("device")
        answer.response.sender_nonce = challenge.sender_nonce
        answer.response.hash_algorithm = challenge.hash_algorithm
        return answer.SerializeToString()


@dataclass
class Ad:
    """A break that is played, the clip of it, and the position at which the content goes on."""

    entry: Json
    clips: list[Json]
    resume: float
    #: The time in the clip, and that of the clips before it.
    time: float = 0.0
    before: float = 0.0

    @property
    def length(self) -> float:
        return number(self.clips[0].get("duration")) or 0.0

    def status(self) -> Json:
        status = {"breakId": self.entry["id"], "breakClipId": self.clips[0]["id"],
                  "currentBreakTime": self.before + self.time, "currentBreakClipTime": self.time}
        skippable = self.clips[0].get("whenSkippable")
        return status if skippable is None else {**status, "whenSkippable": skippable}


class Player:
    """The queue of a media session, with a clock that stands still except for `advance`."""

    def __init__(self) -> None:
        self.session = self.last_item = self.sequence = 0
        self.state, self.reason = "IDLE", None
        self.items: list[Json] = []
        self.item: Json = {}
        self.position, self.rate, self.repeat = 0.0, 1.0, "REPEAT_OFF"
        self.volume: Json = {"level": 1.0, "muted": False}
        self.tracks: list[int] = []
        self.ad: Ad | None = None

    @property
    def media(self) -> Json:
        return self.item.get("media") or {}

    @property
    def is_live(self) -> bool:
        return self.media.get("streamType") == "LIVE"

    @property
    def duration(self) -> float:
        """Returns infinity for a content that does not end."""
        return math.inf if self.is_live else number(self.media.get("duration")) or math.inf

    @property
    def index(self) -> int:
        return self.items.index(self.item) if self.item in self.items else 0

    @property
    def ids(self) -> list[int]:
        return [item["itemId"] for item in self.items]

    def status(self) -> Json:
        before, after = self.items[max(self.index - 1, 0):self.index], self.items[self.index + 1:self.index + 2]
        commands = BASIC | NEXT * bool(after) | PREVIOUS * bool(before) | ORDER * (len(self.items) > 1)
        if self.ad is not None:
            commands |= CAN_SKIP * ("whenSkippable" in self.ad.status())
        elif not self.is_live:
            commands |= CAN_SEEK | CAN_CHANGE_RATE
        status = {
            "mediaSessionId": self.session, "media": self.media, "playerState": self.state,
            "currentTime": self.position, "playbackRate": self.rate if self.ad is None else 1.0,
            "supportedMediaCommands": commands, "volume": self.volume, "activeTrackIds": self.tracks,
            "currentItemId": self.item.get("itemId"), "repeatMode": self.repeat,
            "items": [*before, *self.items[self.index:self.index + 1], *after],
        }
        if self.reason is not None:
            status["idleReason"] = self.reason
        if self.ad is not None:
            status["breakStatus"] = self.ad.status()
        return status

    # Time

    def advance(self, seconds: float) -> Iterator[None]:
        """Plays for some seconds; yields after each beginning and end of an ad or an item."""
        while self.state == "PLAYING":
            distance, event = self.next_event()
            if seconds < distance:
                if self.ad is None:
                    self.position += seconds * self.rate
                else:
                    self.ad.time += seconds
                return
            seconds -= distance
            event()
            yield

    def next_event(self) -> tuple[float, Any]:
        """Returns the seconds until the next event, and the event."""
        if self.ad is not None:
            return self.ad.length - self.ad.time, self.end_clip
        events = [(position, partial(self.begin, position, entry, position))
                  for position, entry in self.breaks() if position >= self.position]
        position, event = min([*events, (self.duration, self.end_item)], key=itemgetter(0))
        return (position - self.position) / self.rate, event

    def breaks(self) -> list[tuple[float, Json]]:
        """Returns the breaks that were not watched, with their positions."""
        entries = [entry for entry in self.media.get("breaks") or [] if not entry.get("isWatched")]
        return [(self.duration if entry["position"] == -1 else entry["position"], entry) for entry in entries]

    def begin(self, position: float, entry: Json, resume: float) -> None:
        """Begins a break."""
        entry["isWatched"] = True
        clips = {clip["id"]: clip for clip in self.media.get("breakClips") or []}
        if known := [clips[name] for name in entry["breakClipIds"] if name in clips]:
            self.position, self.ad = position, Ad(entry, known, resume)

    def end_clip(self) -> None:
        self.ad.time = self.ad.length
        self.next_clip()

    def next_clip(self) -> None:
        self.ad.before, self.ad.time = self.ad.before + self.ad.time, 0.0
        self.ad.clips = self.ad.clips[1:]
        if not self.ad.clips:
            self.position, self.ad = self.ad.resume, None

    def move(self, start: float, end: float) -> None:
        """Moves to a position. The break nearest to it, of those on the way, is played before."""
        self.position = end = min(end, self.duration)
        if passed := [entry for entry in self.breaks() if start < entry[0] <= end]:
            self.begin(*max(passed, key=itemgetter(0)), end)

    def end_item(self) -> None:
        self.position = self.duration
        last = self.index == len(self.items) - 1
        if self.repeat == "REPEAT_SINGLE":
            self.start(self.item)
        elif last and self.repeat == "REPEAT_OFF":
            self.end("FINISHED")
        else:
            self.start(self.items[0 if last else self.index + 1])

    def start(self, item: Json, position: float | None = None, autoplay: bool | None = None) -> None:
        """Begins to play an item."""
        self.item, self.ad, self.reason = item, None, None
        self.state = "PAUSED" if (item.get("autoplay") if autoplay is None else autoplay) is False else "PLAYING"
        self.tracks = item.get("activeTrackIds") or []
        self.move(-math.inf, number(item.get("startTime")) or 0.0 if position is None else position)

    def end(self, reason: str) -> None:
        self.state, self.reason, self.ad = "IDLE", reason, None

    # Commands

    def load(self, request: Json) -> Json:
        """Loads the content or the queue of LOAD, or the queue of QUEUE_LOAD."""
        queue = request if request["type"] == "QUEUE_LOAD" else request.get("queueData") or {}
        items = self.numbered(queue.get("items") or [{}], request.get("media"))
        first, rate = items[queue.get("startIndex") or 0], number(request.get("playbackRate"))
        position = number(queue.get("startTime") if request.get("currentTime") is None else request["currentTime"])
        self.rate = 1.0 if rate is None else checked_rate(rate)
        self.session, self.items, self.repeat = self.session + 1, items, queue.get("repeatMode") or "REPEAT_OFF"
        self.start(first, position, request.get("autoplay"))
        self.tracks = request.get("activeTrackIds") or self.tracks
        return self.change("INSERT", itemIds=self.ids)

    def numbered(self, items: list[Json], media: Json | None = None) -> list[Json]:
        """Returns items with ids of the receiver, and with a content."""
        items = [{"media": media, **item} for item in items]
        for item in items:
            if not isinstance(item["media"], dict):
                raise invalid("INVALID_PARAMS")
            self.last_item += 1
            item["itemId"] = self.last_item
        return items

    def change(self, kind: str, **members: Any) -> Json:
        self.sequence += 1
        return {"type": "QUEUE_CHANGE", "requestId": 0, "changeType": kind, "sequenceNumber": self.sequence, **members}

    def find(self, item: int | None) -> Json:
        """Returns an item of the queue by its id."""
        for entry in self.items:
            if entry["itemId"] == item:
                return entry
        raise invalid("INVALID_PARAMS")

    def place(self, request: Json, items: list[Json]) -> int:
        """Returns the index before which items are inserted."""
        before = request.get("insertBefore")
        return len(items) if before is None else items.index(self.find(before))

    def perform(self, request: Json) -> Json | None:
        """Performs another request. Returns the QUEUE_CHANGE of it, if any."""
        match request["type"]:
            case "PLAY":
                self.state = "PLAYING"
            case "PAUSE":
                self.state = "PAUSED"
            case "STOP":
                self.end("CANCELLED")
            case "SET_VOLUME":
                self.volume = changed_volume(self.volume, request.get("volume") or {})
            case "SEEK":
                self.seek(request)
            case "SET_PLAYBACK_RATE":
                self.set_rate(request)
            case "EDIT_TRACKS_INFO":
                tracks = request.get("activeTrackIds") or []
                if not {track["trackId"] for track in self.media.get("tracks") or []}.issuperset(tracks):
                    raise invalid("INVALID_PARAMS")
                self.tracks = tracks
            case "SKIP_AD":
                status = {} if self.ad is None else self.ad.status()
                if status.get("whenSkippable", math.inf) > status.get("currentBreakClipTime", 0.0):
                    raise Refused("INVALID_PLAYER_STATE")
                self.next_clip()
            case "QUEUE_INSERT":
                return self.insert(request)
            case "QUEUE_UPDATE":
                return self.update(request)
            case "QUEUE_REMOVE":
                return self.remove(request)
            case "QUEUE_REORDER":
                moved = [self.find(item) for item in request["itemIds"]]
                rest = [item for item in self.items if item not in moved]
                place = self.place(request, rest)
                self.items = [*rest[:place], *moved, *rest[place:]]
                return self.change("UPDATE", itemIds=self.ids, insertBefore=request.get("insertBefore"),
                                   reorderItemIds=request["itemIds"])
            case _:
                raise invalid("INVALID_COMMAND")
        return None

    def seek(self, request: Json) -> None:
        if self.ad is not None or self.is_live:
            raise Refused("INVALID_PLAYER_STATE")
        position, distance = number(request.get("currentTime")), number(request.get("relativeTime")) or 0.0
        states = {"PLAYBACK_START": "PLAYING", "PLAYBACK_PAUSE": "PAUSED"}
        self.state = states.get(request.get("resumeState"), self.state)
        self.move(self.position, max(self.position + distance if position is None else position, 0.0))
        for _ in self.advance(0):  # what is at its end now
            pass

    def set_rate(self, request: Json) -> None:
        if self.ad is not None or self.is_live:
            raise Refused("INVALID_PLAYER_STATE")
        rate, factor = number(request.get("playbackRate")), number(request.get("relativePlaybackRate"))
        self.rate = checked_rate((factor or 0.0) * self.rate if rate is None else rate)

    def insert(self, request: Json) -> Json:
        place, items = self.place(request, self.items), self.numbered(request["items"])
        self.items[place:place] = items
        index, item = request.get("currentItemIndex"), request.get("currentItemId")
        if index is not None or item is not None:
            self.start(self.find(item) if index is None else items[index], number(request.get("currentTime")))
        added = [entry["itemId"] for entry in items]
        return self.change("INSERT", itemIds=added, insertBefore=request.get("insertBefore"))

    def update(self, request: Json) -> Json | None:
        """Changes items, the order, the repeat mode and the current item."""
        change, repeat = None, request.get("repeatMode") or self.repeat
        if repeat not in REPEAT_MODES:
            raise invalid("INVALID_PARAMS")
        self.repeat = repeat
        if items := request.get("items"):
            for item in items:
                self.find(item["itemId"]).update(item)
            change = self.change("ITEMS_CHANGE", itemIds=[item["itemId"] for item in items])
        if request.get("shuffle"):
            self.items.reverse()  # an order that tests know
            change = self.change("UPDATE", itemIds=self.ids)
        if (item := request.get("currentItemId")) is not None:
            self.start(self.find(item), number(request.get("currentTime")))
        elif jump := request.get("jump"):
            self.start(self.items[(self.index + jump) % len(self.items)], number(request.get("currentTime")))
        return change

    def remove(self, request: Json) -> Json:
        """Removes items. The next one of those that remain follows the one that is played, or the session ends."""
        removed, rest = request["itemIds"], self.items[self.index:]
        self.items = [item for item in self.items if item["itemId"] not in removed]
        if self.item["itemId"] in removed:
            following = [item for item in rest if item in self.items]
            self.start(following[0]) if following else self.end("CANCELLED")
        return self.change("REMOVE", itemIds=removed)


class Connection:
    """A TLS connection, which has several senders and destinations."""

    def __init__(self, number: int, receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        self.number, self.receiver, self.writer = number, receiver, writer
        #: The senders and the destinations to which they are connected.
        self.pairs: set[tuple[str, str]] = set()
        #: What is wrong with the next frame.
        self.fault: str | None = None

    def senders(self, destination: str) -> set[str]:
        return {source for source, target in self.pairs if target == destination}

    def send(self, source: str, destination: str, namespace: str, content: Json | str | bytes) -> None:
        if self.receiver.faults["silent"] or self.writer.is_closing():
            return
        fault, self.fault = self.fault, None
        message = CastMessage(protocol_version=0, source_id=source, destination_id=destination, namespace=namespace,
                              payload_type=int(isinstance(content, bytes)))
        if isinstance(content, bytes):
            message.payload_binary = content
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            message.payload_utf8 = text[:-1] if fault == "not_json" else text
        body = message.SerializeToString()
        frame = struct.pack(">I", WRONG_LENGTH if fault == "wrong_length" else len(body)) + body
        self.writer.write(frame[:len(frame) // 2] if fault == "half_frame" else frame)
        if fault == "half_frame":
            self.writer.close()


@dataclass
class Request:
    """A message of a sender."""

    connection: Connection
    source: str
    destination: str
    namespace: str
    content: Any

    @property
    def type(self) -> str | None:
        return self.content.get("type") if isinstance(self.content, dict) else None

    def reply(self, content: Json | str | bytes) -> None:
        self.connection.send(self.destination, self.source, self.namespace, content)

    def answer(self, **members: Any) -> None:
        self.reply({"requestId": self.content.get("requestId") or 0, **members})


@dataclass
class App:
    """An app that runs."""

    id: str
    session: str = field(default_factory=lambda: str(uuid.uuid4()))
    player: Player = field(default_factory=Player)

    @property
    def namespaces(self) -> list[str]:
        return APPS[self.id][1]

    def status(self) -> Json:
        return {"appId": self.id, "universalAppId": self.id, "displayName": APPS[self.id][0], "iconUrl": "",
                "isIdleScreen": False, "launchedFromCloud": False, "statusText": "Ready To Cast",
                "namespaces": [{"name": name} for name in self.namespaces],
                "sessionId": self.session, "transportId": self.session}


class Receiver:
    """The device: its volume, its app, its senders, and its faults."""

    def __init__(self, identity: Identity, launch_status: bool) -> None:
        self.identity = identity
        self.launch_status = launch_status
        self.volume: Json = {"controlType": "attenuation", "level": 0.5, "muted": False, "stepInterval": 0.05}
        self.app: App | None = None
        self.accepted = 0
        self.connections: list[Connection] = []
        #: How often each fault is still to occur.
        self.faults: Counter[str] = Counter()

    def take(self, fault: str) -> bool:
        """Returns whether a fault occurs now."""
        occurs = self.faults[fault] > 0
        self.faults[fault] -= occurs
        return occurs

    # Connections

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        connection = Connection(self.accepted, self, writer)
        self.connections.append(connection)
        write(connected=connection.number)
        try:
            while True:
                length = struct.unpack(">I", await reader.readexactly(4))[0]
                if length > FRAME_LIMIT:
                    break
                self.receive(connection, CastMessage.FromString(await reader.readexactly(length)))
        except (asyncio.IncompleteReadError, OSError, DecodeError, asyncio.CancelledError):
            pass  # the sender has left, or has sent no message, or the receiver ends
        finally:
            self.connections.remove(connection)
            writer.close()
            write(disconnected=connection.number)

    async def ping(self) -> None:
        while True:
            # Waits: as a receiver does, which asks for signs of life.
            await asyncio.sleep(PING_INTERVAL)
            for connection in self.connections:
                connection.send(PLATFORM, EVERYONE, HEARTBEAT, {"type": "PING"})

    def broadcast(self, source: str, namespace: str, content: Json | str, besides: Request | None = None) -> None:
        """Sends to all senders that are connected to a source, besides the one of a request."""
        for connection in list(self.connections):
            senders = connection.senders(source)
            if besides is not None and connection is besides.connection:
                for sender in senders - {besides.source}:
                    connection.send(source, sender, namespace, content)
            elif senders:
                connection.send(source, EVERYONE, namespace, content)

    def receive(self, connection: Connection, message: CastMessage) -> None:
        if message.payload_type == CastMessage.BINARY:
            content, shown = message.payload_binary, {"binary": message.payload_binary.hex()}
        else:
            try:
                content = shown = json.loads(message.payload_utf8)
            except ValueError:
                content = shown = message.payload_utf8
        request = Request(connection, message.source_id, message.destination_id, message.namespace, content)
        if request.namespace == HEARTBEAT:
            if request.type == "PING":
                request.reply({"type": "PONG"})
            return
        write(request=shown, namespace=request.namespace, source=request.source, destination=request.destination,
              connection=connection.number)
        if request.namespace == CONNECTION:
            self.connect(request)
        elif (handle := self.handler(request)) is not None and not self.take("silent"):
            if self.take("slow"):
                asyncio.get_running_loop().call_later(SLOW, self.handle, handle, request)
            else:
                self.handle(handle, request)

    def connect(self, request: Request) -> None:
        pair = (request.source, request.destination)
        if request.type == "CLOSE":
            request.connection.pairs.discard(pair)
        elif request.destination == PLATFORM or self.app is not None and request.destination == self.app.session:
            request.connection.pairs.add(pair)
        else:
            request.reply({"type": "CLOSE"})

    def handler(self, request: Request) -> Any:
        """Returns the method that handles a request, or `None` if there is none."""
        if not isinstance(request.content, CONTENTS.get(request.namespace, object)):
            return None
        if request.destination == PLATFORM:
            return {AUTHENTICATION: self.authenticate, RECEIVER: self.control}.get(request.namespace)
        if self.app is None or request.source not in request.connection.senders(self.app.session) \
                or request.destination != self.app.session or request.namespace not in self.app.namespaces:
            return None
        return {MEDIA: self.play, QUIZ: self.echo}[request.namespace]

    def handle(self, handle: Any, request: Request) -> None:
        request.connection.fault = next((fault for fault in FRAME_FAULTS if self.take(fault)), None)
        try:
            handle(request)
        except Refused as refusal:
            request.answer(**refusal.answer)
        except (AttributeError, LookupError, TypeError, ValueError):
            traceback.print_exc()
            request.answer(type="INVALID_REQUEST", reason="INVALID_PARAMS")
        request.connection.fault = None

    def authenticate(self, request: Request) -> None:
        request.reply(self.identity.answer(request.content))

    def echo(self, request: Request) -> None:
        if isinstance(request.content, bytes):
            request.reply(request.content[::-1])
        else:
            request.reply(request.content if isinstance(request.content, str) else {"echo": request.content})

    def answer(self, request: Request, kind: str, status: Any) -> None:
        """Answers with a status, or with one that says nothing: of two of these, the first is empty."""
        if self.faults["bare_status"]:
            members = [{}, dict.fromkeys(self.status() if kind == "RECEIVER_STATUS" else Player().status())]
            bare = members[self.faults["bare_status"] % 2]
            status = bare if kind == "RECEIVER_STATUS" else [bare]
            self.take("bare_status")
        request.answer(type=kind, status=status)

    # The platform

    def status(self) -> Json:
        apps = {} if self.app is None else {"applications": [self.app.status()]}
        return {**apps, "isActiveInput": True, "isStandBy": False, "userEq": {}, "volume": self.volume}

    def control(self, request: Request) -> None:
        """Answers a request to the platform, and tells the other senders of a change."""
        before, content = self.status(), request.content
        if request.type == "GET_APP_AVAILABILITY":
            apps = {app: "APP_AVAILABLE" if app in APPS else "APP_UNAVAILABLE" for app in content["appId"]}
            return request.answer(responseType="GET_APP_AVAILABILITY", availability=apps)
        if request.type == "LAUNCH":
            if self.take("launch_error") or content.get("appId") not in APPS:
                raise Refused("LAUNCH_ERROR", reason="NOT_FOUND")
            if self.launch_status:
                request.reply({"type": "LAUNCH_STATUS", "launchRequestId": content.get("requestId") or 0,
                               "status": "USER_ALLOWED"})
            self.run(content["appId"])
        elif request.type == "STOP":
            if self.app is None or content.get("sessionId") not in (None, self.app.session):
                raise invalid("INVALID_SESSION_ID")
            self.run(None)
        elif request.type == "SET_VOLUME":
            self.volume = changed_volume(self.volume, content.get("volume") or {})
        elif request.type != "GET_STATUS":
            raise invalid("INVALID_COMMAND")
        self.answer(request, "RECEIVER_STATUS", self.status())
        if self.status() != before:
            self.tell(request)

    def tell(self, besides: Request | None = None) -> None:
        status = {"type": "RECEIVER_STATUS", "requestId": 0, "status": self.status()}
        self.broadcast(PLATFORM, RECEIVER, status, besides)

    def run(self, app: str | None) -> None:
        """Runs another app, or none. An app that runs already goes on."""
        if self.app is not None and self.app.id != app:
            for connection in self.connections:
                for sender in connection.senders(self.app.session):
                    connection.send(self.app.session, sender, CONNECTION, {"type": "CLOSE"})
                    connection.pairs.discard((sender, self.app.session))
            self.app = None
        if self.app is None and app is not None:
            self.app = App(app)

    # Media

    def play(self, request: Request) -> None:
        """Answers a request to the player, and tells the other senders."""
        player, content = self.app.player, request.content
        if request.type == "GET_STATUS":
            self.answer(request, "MEDIA_STATUS", [] if player.state == "IDLE" else [player.status()])
        elif request.type in ("LOAD", "QUEUE_LOAD"):
            self.load(request)
        elif player.state == "IDLE":
            raise Refused("INVALID_PLAYER_STATE")
        elif content.get("mediaSessionId") not in (None, player.session):
            raise invalid("INVALID_MEDIA_SESSION_ID")
        elif request.type == "QUEUE_GET_ITEM_IDS":
            request.answer(type="QUEUE_ITEM_IDS", itemIds=player.ids, sequenceNumber=player.sequence)
        elif request.type == "QUEUE_GET_ITEMS":
            request.answer(type="QUEUE_ITEMS", items=[player.find(item) for item in content["itemIds"]])
        else:
            self.show(request, player.perform(content))

    def load(self, request: Request) -> None:
        player = self.app.player
        if self.take("close_on_load"):
            loading = {"mediaSessionId": player.session + 1, "playerState": "IDLE",
                       "extendedStatus": {"playerState": "LOADING", "media": request.content.get("media")}}
            request.reply({"type": "MEDIA_STATUS", "requestId": 0, "status": [loading]})
            request.connection.writer.close()
            return
        interrupted = {**player.status(), "playerState": "IDLE", "idleReason": "INTERRUPTED"}
        interrupted.pop("breakStatus", None)
        plays, change = player.state != "IDLE", player.load(request.content)
        if plays:
            self.tell_media(interrupted)
        if self.take("load_failed") or not {"contentId", "contentUrl", "entity"} & player.media.keys():
            player.end("ERROR")
            self.tell_media(player.status(), request)
            raise Refused("LOAD_FAILED", detailedErrorCode=UNSUPPORTED_SOURCE, itemId=player.item["itemId"])
        self.show(request, change)

    def show(self, request: Request | None = None, change: Json | None = None) -> None:
        """Answers with the status of the player, and tells the others, and all of them of a change of the queue."""
        status = self.app.player.status()
        if request is not None:
            self.answer(request, "MEDIA_STATUS", [status])
        self.tell_media(status, request)
        if change is not None:
            self.broadcast(self.app.session, MEDIA, change)

    def tell_media(self, status: Json, besides: Request | None = None) -> None:
        content = {"type": "MEDIA_STATUS", "requestId": 0, "status": [status]}
        self.broadcast(self.app.session, MEDIA, content, besides)

    # Calls

    def set_volume(self, level: float | None = None, muted: bool | None = None) -> None:
        self.volume = changed_volume(self.volume, {"level": level, "muted": muted})
        self.tell()

    def launch(self, app: str) -> None:
        if app not in APPS:
            raise ValueError(f"there is no app {app}")
        self.run(app)
        self.tell()

    def stop_app(self) -> None:
        self.run(None)
        self.tell()

    def player(self, state: str) -> None:
        """Changes the state of the player; IDLE ends the content."""
        if self.app is None or self.app.player.state == "IDLE":
            raise ValueError("nothing is loaded")
        if state == "IDLE":
            self.app.player.end("CANCELLED")
        elif state in ("PLAYING", "PAUSED", "BUFFERING"):
            self.app.player.state = state
        else:
            raise ValueError(f"there is no state {state}")
        self.show()

    def advance(self, seconds: float) -> None:
        """Lets time pass, and tells of each beginning and end of an ad or an item."""
        if self.app is not None:
            for _ in self.app.player.advance(seconds):
                self.show()

    def send(self, namespace: str, text: str) -> None:
        """Sends a text from the app to all of its senders."""
        if self.app is None or namespace not in self.app.namespaces:
            raise ValueError(f"no app with {namespace} runs")
        self.broadcast(self.app.session, namespace, text)

    def state(self) -> Json:
        player = Player() if self.app is None else self.app.player
        return {"app": self.app and self.app.id, "state": player.state, "position": player.position,
                "rate": player.rate, "volume": self.volume["level"], "muted": self.volume["muted"],
                "items": player.ids, "item": player.item.get("itemId"), "ad": player.ad and player.ad.status()}

    def drop(self) -> None:
        """Breaks off all connections."""
        for connection in self.connections:
            connection.writer.transport.abort()

    def misbehave(self, kind: str, count: int = 1) -> None:
        """Sets how often a fault occurs. PING, PONG, CONNECT and CLOSE do not count; 0 ends the fault."""
        if kind not in FAULTS:
            raise ValueError(f"there is no fault {kind}")
        self.faults[kind] = count

    CALLS = {"set_volume", "launch", "stop_app", "player", "advance", "send", "state", "drop", "misbehave"}

    async def obey(self) -> None:
        """Performs the calls of the input until it ends."""
        while line := await asyncio.to_thread(sys.stdin.readline):
            try:
                arguments = json.loads(line)
                if (call := arguments.pop("call")) not in self.CALLS:
                    raise ValueError(f"there is no call {call}")
                answer = getattr(self, call)(**arguments)
            except Exception as error:  # any error is the answer
                write(error=f"{type(error).__name__}: {error}")
            else:
                write(answer=answer)


async def advertise(options: argparse.Namespace, port: int) -> Any:
    """Announces the receiver on one interface only."""
    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncZeroconf

    properties = {"id": options.id, "ve": "05", "md": "Chromecast", "fn": options.name, "ca": "5", "st": "0", "rs": "",
                  "ic": "/setup/icon.png"}
    zeroconf = AsyncZeroconf(interfaces=[options.advertise])
    await zeroconf.async_register_service(ServiceInfo(
        SERVICE_TYPE, f"Chromecast-{options.id}.{SERVICE_TYPE}", port=port, parsed_addresses=[HOST],
        properties=properties, server=f"{options.id}.local."))
    return zeroconf


async def serve(options: argparse.Namespace, folder: Path) -> None:
    receiver = Receiver(Identity(folder), options.launch_status)
    server = await asyncio.start_server(receiver.accept, HOST, options.port, ssl=receiver.identity.context)
    port = server.sockets[0].getsockname()[1]
    zeroconf = await advertise(options, port) if options.advertise else None
    write(listening=port)
    pings = asyncio.create_task(receiver.ping())
    await receiver.obey()
    pings.cancel()
    server.close()
    receiver.drop()
    if zeroconf is not None:
        await zeroconf.async_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="the port; 0 for any")
    parser.add_argument("--name", default="Living Room", help="the name that senders show")
    parser.add_argument("--id", default=uuid.uuid4().hex, help="the id of the device, a UUID without dashes")
    parser.add_argument("--certificate", type=Path, metavar="FOLDER", help="the folder of the certificates")
    parser.add_argument("--advertise", metavar="ADDRESS", help="announces it on the interface with this address")
    parser.add_argument("--launch-status", action="store_true", help="sends LAUNCH_STATUS before a launch is answered")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.certificate or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        asyncio.run(serve(options, folder))


if __name__ == "__main__":
    main()
