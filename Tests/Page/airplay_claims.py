"""The claims about an AirPlay receiver: the title, the picture and the progress of what a sender plays."""

from __future__ import annotations

import socket
import struct

from cast_claims import IS_LATER, until_shown
from stage import Stage, shows

SPEAKER = "Kitchen"
#: A JPEG file of one pixel.
PICTURE = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300080606070605080707070909080a0c140d0c0b0b0c1912130f141d1a1f1e1d1a1c"
    "1c20242e2720222c231c1c2837292c30313434341f27393d38323c2e333432ffc0000b080001000101011100ffc4001f00000105010101010101"
    "00000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114"
    "328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a63646566"
    "6768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3"
    "d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda0008010100003f00fbd3ffd9"
)
DESCRIPTION = b"v=0\r\ni=Radio\r\na=rtpmap:96 AppleLossless\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n"
TRANSPORT = "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002"

HAS_PICTURE = """
const picture = document.querySelector(".driver img.artwork");
return !picture.hidden && picture.complete && picture.naturalWidth === 1 && picture.alt === arguments[0];
"""
HAS_NO_PICTURE = 'return document.querySelector(".driver img.artwork").hidden'
HAS_PROGRESS = """
const progress = document.querySelector(".driver progress");
return !progress.hidden && progress.max === 240 && progress.value >= 60 && progress.value < 240;
"""


class Sender:
    """A sender of AirPlay 1 that plays nothing, but says what it plays."""

    def __init__(self, host: str, port: int) -> None:
        self.connection = socket.create_connection((host, port), timeout=10)
        self.count = 0

    def request(self, method: str, body: bytes = b"", **fields: str) -> None:
        self.count += 1
        head = [f"{method} rtsp://127.0.0.1/1 RTSP/1.0", f"CSeq: {self.count}", f"Content-Length: {len(body)}"]
        head += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        self.connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
        answer = self.connection.recv(4096)
        assert answer.startswith(b"RTSP/1.0 200 OK\r\n"), answer

    def play(self, title: str, picture: bytes = PICTURE) -> None:
        self.request("ANNOUNCE", DESCRIPTION, Content_Type="application/sdp")
        self.request("SETUP", Transport=TRANSPORT)
        tags = b"".join(tag + struct.pack(">I", len(text)) + text
                        for tag, text in ((b"minm", title.encode()), (b"asar", b"An Artist")))
        self.request("SET_PARAMETER", b"mlit" + struct.pack(">I", len(tags)) + tags,
                     Content_Type="application/x-dmap-tagged")
        self.request("SET_PARAMETER", picture, Content_Type="image/jpeg")
        start, rate = 1000, 44_100
        progress = f"progress: {start}/{start + 60 * rate}/{start + 240 * rate}\r\n"
        self.request("SET_PARAMETER", progress.encode(), Content_Type="text/parameters")


@shows("an AirPlay receiver shows title, artist, picture and progress of what a sender plays, and none afterwards")
async def playing(stage: Stage) -> None:
    site = await stage.site("airplay")
    await stage.open("airplay", f"accessories/{SPEAKER.replace(' ', '%20')}")
    page = stage.browser
    await until_shown(stage, sender="", title=None)
    assert await page.js(HAS_NO_PICTURE)
    [receiver] = site.ready["receivers"]
    sender = Sender(receiver["host"], receiver["port"])
    sender.play("A Song")
    await until_shown(stage, sender="Radio", title="A Song", artist="An Artist", duration="240 s")
    await page.until(HAS_PICTURE, "the picture is shown", "A Song")
    await page.until(HAS_PROGRESS, "the progress is shown")
    sender.connection.close()
    await until_shown(stage, sender="", title=None)
    await page.until(HAS_NO_PICTURE, "the picture is gone")


@shows("the action start of an AirPlay receiver plays without a sender, and its position moves")
async def started(stage: Stage) -> None:
    site = await stage.site("airplay")
    path = f"servers/{SPEAKER.replace(' ', '%20')}/accessories/1/actions"
    await site.ask("POST", path, {"action": "start", "with": {"title": "A Walk", "duration": "900"}})
    await stage.open("airplay", f"accessories/{SPEAKER.replace(' ', '%20')}")
    await until_shown(stage, player="PLAYING", title="A Walk", duration="900 s")
    await stage.browser.until(IS_LATER, "the position moves", 2)
    await site.ask("POST", path, {"action": "disconnect"})
    await until_shown(stage, sender="", player=None)
