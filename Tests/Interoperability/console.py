"""Checks the API of a running server: with schemathesis, promtool and curl's view of it, and by attacking it.

    console.py --hap BINARY [--examples N] [--only TEXT]

Everything happens on loopback in namespaces of its own. Prints a line for each claim and their number. Exit status 1 if
one failed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from zeroconf.asyncio import AsyncZeroconf

from claims import Account
from controller import CODE, Controller, HapPython
from gallery import pair
import program
from processes import Server
from sessions import BRIGHTNESS, FADE_RATE, LIGHTBULB, ON, Session, close_all
from waiting import until

PROMTOOL = program.ROOT / ".build/promtool"
ALL = 600.0
ONE_CLAIM = 200.0
PATIENCE = 20.0
STREAMS = 64
SCHEMATHESIS = """\
[checks.positive_data_acceptance]
# Names and values that the schema cannot know: unknown, ambiguous, refused by a device.
expected-statuses = ["2xx", "404", "409", "422"]

[[operations]]
include-name = "POST /api/v1/session"
# No schema can know the token.
checks.positive_data_acceptance.expected-statuses = ["401"]

[[operations]]
include-path = "/api/v1/messages"
# A stream, which is read for this time.
request-timeout = 2
"""


@dataclass
class Answer:
    """The response to a request."""

    status: int
    head: str
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Api:
    """The API of a server, over TCP or over its Unix socket."""

    def __init__(self, server: Server, ready: dict[str, Any]) -> None:
        self.server = server
        self.host, port = ready["console"].removeprefix("http://").split(":")
        self.port = int(port)
        self.token = (server.state / "console.token").read_text()
        self.socket = server.state / "serve.sock"

    async def connect(self, receive_buffer: int | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        connection = socket.socket()
        if receive_buffer is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, (self.host, self.port))
        return await asyncio.open_connection(sock=connection)

    def head(self, method: str, path: str, fields: dict[str, str | None]) -> bytes:
        """Returns the head of a request with the token; a field that is None is left out."""
        all_fields = {"Host": f"{self.host}:{self.port}", "Authorization": f"Bearer {self.token}"} | fields
        lines = [f"{name}: {value}" for name, value in all_fields.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode()

    async def ask(self, method: str, path: str, body: bytes | None = None, *, over_socket: bool = False,
                  **fields: str | None) -> Answer:
        """Sends a request on a connection of its own; `_` in a field's name is `-`."""
        named = {name.replace("_", "-"): value for name, value in fields.items()} | {"Connection": "close"}
        if body is not None:
            named = {"Content-Type": "application/json", "Content-Length": str(len(body))} | named
        if over_socket:
            reader, writer = await asyncio.open_unix_connection(str(self.socket))
        else:
            reader, writer = await self.connect()
        try:
            writer.write(self.head(method, path, named) + (body or b""))
            return await receive(reader)
        finally:
            writer.close()

    async def command(self, text: str) -> None:
        answer = await self.ask("POST", "/api/v1/commands", json.dumps({"command": text}).encode())
        assert answer.status == 200, answer

    async def stream(self, path: str = "/api/v1/events", receive_buffer: int | None = None, **fields: str | None) \
            -> tuple[asyncio.StreamReader, asyncio.StreamWriter, int]:
        """Opens an event stream, and returns its status."""
        reader, writer = await self.connect(receive_buffer)
        try:
            writer.write(self.head("GET", path, {name.replace("_", "-"): value for name, value in fields.items()}))
            status = int((await reader.readline()).split()[1])
            while (await reader.readline()).strip():
                pass
        except BaseException:
            writer.close()
            raise
        return reader, writer, status


async def receive(reader: asyncio.StreamReader) -> Answer:
    async with asyncio.timeout(60):
        everything = await reader.read()
    head, _, body = everything.partition(b"\r\n\r\n")
    text = head.decode()
    if "transfer-encoding: chunked" in text.lower():
        chunks, rest = b"", body
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            count = int(size, 16)
            chunks, rest = chunks + rest[:count], rest[count + 2:]
        body = chunks
    return Answer(int(text.split()[1]) if text else 0, text, body)


def resident(process: int) -> int:
    """Returns the anonymous memory of a process in KiB."""
    return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1])


CLAIMS: dict[str, Callable[[Api, Any], Awaitable[None]]] = {}
#: The claims that mostly wait: each has a server of its own, and is checked while the others are.
WAITING: set[str] = set()


def shows(claim: str, *, waits: bool = False) -> Callable[[Any], Any]:
    def add(check: Any) -> Any:
        CLAIMS[claim] = check
        if waits:
            WAITING.add(claim)
        return check

    return add


@shows("promtool accepts the metrics, and the alerts of docs/alerts.yaml")
async def promtool(api: Api, options: Any) -> None:
    assert PROMTOOL.exists(), f"{PROMTOOL} is missing; make {PROMTOOL.relative_to(program.ROOT)}"
    metrics = await api.ask("GET", "/metrics")
    for arguments, text in ((["metrics"], metrics.body), (["rules", str(program.ROOT / "docs/alerts.yaml")], b"")):
        child = await asyncio.create_subprocess_exec(
            str(PROMTOOL), "check", *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT)
        output, _ = await child.communicate(text)
        assert child.returncode == 0, output.decode()
    names = set(re.findall(rb"^(hap_\w+?)(?:_bucket|_sum|_count)?\{", metrics.body, re.M))
    shown = json.loads((program.ROOT / "docs/grafana-dashboard.json").read_text())
    assert shown["panels"] and names, names


@shows("the example of twenty lines drives a server, and aiohomekit sees motion and fault")
async def example(api: Api, options: Any) -> None:
    path = f"{options.hap.resolve().parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    child = await asyncio.create_subprocess_exec(
        str(program.ROOT / "Examples/drive-a-server.sh"), env=dict(os.environ, PATH=path),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    output, _ = await child.communicate()
    assert child.returncode == 0 and b"were seen" in output, output.decode()


@shows("without the token, nothing is answered but the start page, health and the description of the API")
async def no_token(api: Api, options: Any) -> None:
    description = (await api.ask("GET", "/openapi.json", Authorization=None)).json
    wrong = "0" * 64
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            for secret in (None, "Bearer", f"Bearer {wrong}", f"Basic {api.token}", f"Bearer {api.token[:-1]}"):
                answer = await api.ask(method.upper(), path.replace("{", "").replace("}", ""), b"{}"
                                       if "requestBody" in operation else None, Authorization=secret)
                if operation["security"]:
                    assert answer.status == 401 and answer.json["code"] == "token-missing", (path, answer)
                else:
                    assert answer.status in (200, 400, 401, 404), (path, answer)
                assert api.token.encode() not in answer.body
    assert (await api.ask("GET", "/unknown", Authorization=None)).status == 401
    assert (await api.ask("GET", "/api/v1/servers", over_socket=True, Authorization=None)).status == 200


@shows("a browser turns the token into a cookie that scripts of pages cannot read")
async def cookie(api: Api, options: Any) -> None:
    body = json.dumps({"token": api.token}).encode()
    answer = await api.ask("POST", "/api/v1/session", body, Authorization=None)
    found = re.search(r"(?i)set-cookie: (hap-\d+=\S+); HttpOnly; SameSite=Strict; Path=/; Max-Age=604800\r?$", answer.head, re.M)
    assert answer.status == 204 and found, answer
    assert (await api.ask("GET", "/api/v1/servers", Authorization=None, Cookie=found[1])).status == 200
    wrong = json.dumps({"token": "0" * 64}).encode()
    assert (await api.ask("POST", "/api/v1/session", wrong, Authorization=None)).status == 401


@shows("a host name that was rebound to this machine is refused")
async def rebinding(api: Api, options: Any) -> None:
    for host in ("evil.example", f"evil.example:{api.port}", "127.0.0.1.evil.example", ""):
        answer = await api.ask("GET", "/api/v1/servers", Host=host)
        assert answer.status in (421, 400), (host, answer)


@shows("requests of pages of other sites are refused, also with the token and without effect")
async def foreign_page(api: Api, options: Any) -> None:
    command = json.dumps({"command": "pause"}).encode()
    for fields in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
        assert (await api.ask("POST", "/api/v1/commands", command, **fields)).status == 403, fields
    form = await api.ask("POST", "/api/v1/commands", command, Content_Type="text/plain")
    assert form.status == 415, form
    assert (await api.ask("GET", "/api/v1/time")).json["paused"] is False


@shows("huge, endless and malformed messages are refused, and the server answers afterwards")
async def huge(api: Api, options: Any) -> None:
    answer = await api.ask("POST", "/api/v1/commands", b" " * (2**20 + 1))
    assert answer.status == 413, answer
    answer = await api.ask("POST", "/api/v1/commands", b"[" * 100_000)
    assert answer.status == 400, answer
    for head in (b"GET / HTTP/1.1\r\n" + b"A: " + b"b" * 100_000, b"\x16\x03\x01\x00" * 100, b"GET " + b"/" * 200_000,
                 b"GET / HTTP/1.1\r\n" + b"".join(b"A%d: b\r\n" % n for n in range(1000)) + b"\r\n"):
        reader, writer = await api.connect()
        writer.write(head)
        async with asyncio.timeout(PATIENCE):
            assert b" 200 " not in await reader.read(), head[:40]
        writer.close()
    assert (await api.ask("GET", "/healthz")).status == 200


@shows("a body that does not arrive ends after 10 s, and a head that does not after 30 s", waits=True)
async def slow(api: Api, options: Any) -> None:
    async def body() -> None:
        begin = time.monotonic()
        reader, writer = await api.connect()
        writer.write(api.head("POST", "/api/v1/commands", {"Content-Type": "application/json", "Content-Length": "99"}))
        writer.write(b"{")
        answer = await receive(reader)
        assert answer.status == 408 and 9 < time.monotonic() - begin < 25, answer
        writer.close()

    async def head() -> None:
        begin = time.monotonic()
        reader, writer = await api.connect()
        for byte in b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20:
            writer.write(bytes([byte]))
            if reader.at_eof() or writer.is_closing():
                break
            # Waits: the bytes come so slowly that only the limit for the whole head ends the connection.
            await asyncio.sleep(0.5)
            if time.monotonic() - begin > 35:
                break
        async with asyncio.timeout(10):
            assert await reader.read() == b"", "a slow head was answered"
        assert time.monotonic() - begin < 45
        writer.close()

    await asyncio.gather(body(), head())


@shows("of 1,000 streams at the same time, 64 are served; HAP, the API and memory do not suffer")
async def streams(api: Api, options: Any) -> None:
    before = resident(api.server.child.process.pid)

    opened: list[tuple[Any, int]] = []

    async def open_one() -> None:
        try:
            _, writer, status = await api.stream()
            opened.append((writer, status))
        except (ConnectionError, IndexError):
            opened.append((None, 0))

    pending = {asyncio.create_task(open_one()) for _ in range(1000)}
    answered, statuses = -1, []
    # The last ones wait for one of the others to end, so they are not answered.
    while pending and (answered < len(opened) or statuses.count(200) < STREAMS):
        answered = len(opened)
        _, pending = await asyncio.wait(pending, timeout=2)
        statuses = [status for _, status in opened]
    for task in pending:
        task.cancel()
    assert statuses.count(200) == STREAMS, {status: statuses.count(status) for status in set(statuses)}
    assert set(statuses) <= {0, 200, 503}, set(statuses)
    answer = await api.ask("GET", "/api/v1/status", over_socket=True, Authorization=None)
    assert answer.status == 200, answer
    grown = resident(api.server.child.process.pid) - before
    assert grown < 32_768, f"{grown} KiB"
    for writer, _ in opened:
        if writer is not None:
            writer.close()
    async def again() -> bool:
        return (await api.ask("GET", "/healthz")).status == 200
    assert await again()


@shows("a stream continues after a reconnect, and reports events that were dropped")
async def reconnect(api: Api, options: Any) -> None:
    await api.command("pause")
    await api.command("resume")
    events = (await api.ask("GET", "/api/v1/events/latest?kinds=command")).json
    first, second = events[-2:]
    assert (first["name"], second["name"]) == ("pause", "resume"), events
    reader, writer, status = await api.stream(Last_Event_ID=str(first["id"]))
    assert status == 200
    text = ""
    async with asyncio.timeout(PATIENCE):
        while f"id: {second['id']}\n" not in text:
            text += (await reader.readline()).decode()
    writer.close()
    assert f"id: {first['id']}\n" not in text


@shows("an event reaches a stream in less than 20 ms at the median")
async def latency(api: Api, options: Any) -> None:
    reader, writer, _ = await api.stream("/api/v1/events?kinds=command")
    taken = []
    for number in range(41):
        begin = time.monotonic()
        await api.command("pause" if number % 2 == 0 else "resume")
        async with asyncio.timeout(PATIENCE):
            while not (await reader.readline()).startswith(b"data: {"):
                pass
        taken.append(time.monotonic() - begin)
    writer.close()
    await api.command("resume")
    assert sorted(taken)[20] < 0.02, sorted(taken)


async def growth(api: Api) -> int:
    """Returns by how many KiB the memory of the server grows while a value changes 2,000 times."""
    process = api.server.child.process.pid
    before = resident(process)
    reader, writer = await api.connect()
    for number in range(2000):
        body = json.dumps({"command": f"set Garage Light/Brightness to {number % 100 + 1}"}).encode()
        fields = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        writer.write(api.head("POST", "/api/v1/commands", fields) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head, head
        await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
    writer.close()
    return resident(process) - before


@shows("a client that does not read is disconnected, and costs less than 1 MiB", waits=True)
async def unread(api: Api, options: Any) -> None:
    # The events themselves are kept for a while.
    without = await growth(api)
    _, writer, status = await api.stream("/api/v1/events?after=0", receive_buffer=4096)
    assert status == 200
    writer.transport.pause_reading()
    descriptor = writer.get_extra_info("socket")
    grown = await growth(api) - without
    assert grown < 1024, f"{grown} KiB"
    table = Path(f"/proc/{api.server.child.process.pid}/net/tcp")
    local = f"{descriptor.getsockname()[1]:04X}"

    def is_closed() -> bool:
        # Of the connections to this port, the one of the server that is established.
        return not any(line.split()[2].endswith(":" + local) and line.split()[3] == "01"
                       for line in table.read_text().splitlines()[1:])

    await until(is_closed, 30, "the server closes the connection")
    writer.close()


@shows("another user of the machine cannot open the socket or read the token")
async def other_user(api: Api, options: Any) -> None:
    assert os.geteuid() == 0, "this needs root to become another user"
    program_text = "import socket,sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    for arguments in ([sys.executable, "-c", program_text, str(api.socket)],
                      ["cat", str(api.server.state / "console.token")]):
        child = await asyncio.create_subprocess_exec(
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *arguments, stderr=asyncio.subprocess.PIPE)
        _, errors = await child.communicate()
        assert child.returncode != 0 and b"ermission denied" in errors, errors


@shows("the token is in no answer, no event and no metric")
async def token_is_secret(api: Api, options: Any) -> None:
    for path in ("/", "/page/main.js", "/openapi.json", "/metrics", "/api/v1/status", "/api/v1/servers",
                 "/api/v1/events/latest", "/api/v1/servers/0/accessories", "/api/v1/servers/0/qr.svg"):
        answer = await api.ask("GET", path)
        assert answer.status == 200 and api.token.encode() not in answer.body, path


@shows("a session of aiohomekit is recorded without secrets, and repeated on HAP-python")
async def trace(api: Api, options: Any) -> None:
    folder = Path(tempfile.mkdtemp(dir=api.server.state.parent))
    file = folder / "garage.trace"
    traced = Server(options.hap.resolve(), folder / "traced", dict(os.environ), advertise="off",
                    more=("--console", "off", "--trace", str(file)))
    peer = HapPython(options.hap.resolve(), folder)
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    session: Session | None = None
    try:
        entry = (await traced.start())["servers"][0]
        session = Session(IpController(CharacteristicCacheMemory(), zeroconf), await pair(IpController(
            CharacteristicCacheMemory(), zeroconf), entry))
        await session.open()
        await session.list_accessories_and_characteristics()
        light = session.identifier(LIGHTBULB, ON)
        brightness = session.identifier(LIGHTBULB, BRIGHTNESS)
        fade_rate = session.identifier(LIGHTBULB, FADE_RATE)
        await session.subscribe([brightness])
        for identifier, value in ((light, True), (brightness, 40)):
            await session.write(identifier, value)
        await session.get_characteristics([light, brightness, fade_rate])
        key = session.pairing_data["iOSDeviceLTSK"]
        await close_all(session)
        assert await traced.stop() == 0

        text = file.read_text()
        for secret in (traced.SETUP_CODE, key):
            assert secret not in text, "a secret is in the trace"
        assert file.stat().st_mode & 0o777 == 0o600
        records = [json.loads(line) for line in text.splitlines()]
        assert {record["kind"] for record in records} >= {"trace", "accessories", "request", "response", "closed"}
        controllers = {record["session"] for record in records if record.get("controller") and record["kind"] == "request"}

        await peer.start()
        hap = Controller(options.hap.resolve(), folder / "controller")
        assert (await hap("pair", f"127.0.0.1:{peer.port}", CODE, "--as", "peer")).status == 0
        answer = await hap("trace", str(file), "--replay", "peer", "--session", str(max(controllers)), "--json")
        report = json.loads(answer.output)
        # The two writes and the read; the subscription is not repeated.
        assert report["requests"] == 3 and report["skipped"] == 1 and not report["differences"], report
        # HAP-python's lamp has no fade rate.
        assert any(FADE_RATE in name for name in report["unmatched"]), report
        read = await hap("get", "peer", "Brightness", "--json")
        assert json.loads(read.output)["characteristics"][0]["value"] == 40, read
    finally:
        traced.end()
        peer.end()
        await zeroconf.async_close()


@shows("schemathesis finds no failure in any operation")
async def schemathesis(api: Api, options: Any) -> None:
    folder = api.server.state.parent
    (folder / "schemathesis.toml").write_text(SCHEMATHESIS)
    (folder / "openapi.json").write_bytes((await api.ask("GET", "/openapi.json")).body)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(folder / "schemathesis.toml"), "run",
        str(folder / "openapi.json"), "--url", f"http://{api.host}:{api.port}", "-H",
        f"Authorization: Bearer {api.token}", "--checks", "all", "--exclude-path", "/api/v1/events",
        "--exclude-path", "/openapi.json", "--max-examples", str(options.examples), "--request-timeout", "30",
        "--phases", "examples,coverage,fuzzing", "--seed", "1", "--no-color", cwd=folder,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    output, _ = await child.communicate()
    assert child.returncode == 0, output.decode()[-3000:]
    assert re.search(r"Tested: [345]\d", output.decode()), output.decode()[-3000:]


async def check(options: Any, folder: Path) -> bool:
    wanted = {claim: run for claim, run in CLAIMS.items() if options.only in claim}
    account = Account(tuple(wanted))

    async def check_all(claims: list[str]) -> None:
        """Checks claims one after the other with a server of their own."""
        place = folder / str(len(list(folder.iterdir())))
        place.mkdir()
        server = Server(options.hap.resolve(), place, dict(os.environ, XDG_RUNTIME_DIR=str(place)), advertise="off")
        try:
            api = Api(server, await server.start())
            for claim in claims:
                begin = time.monotonic()
                try:
                    async with asyncio.timeout(ONE_CLAIM):
                        await wanted[claim](api, options)
                    account.passes(claim, time.monotonic() - begin)
                except (AssertionError, OSError, TimeoutError, KeyError, ValueError) as error:
                    account.fails(claim, f"{type(error).__name__}: {error}")
            if await server.stop() != 0:
                account.fails("SIGTERM ends the server with status 0", server.log_tail())
        finally:
            server.end()

    others = [claim for claim in wanted if claim not in WAITING]
    async with asyncio.timeout(ALL):
        await asyncio.gather(check_all(others), *(check_all([claim]) for claim in wanted if claim in WAITING))
    complete = account.complete()
    account.sum()
    return complete


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("--examples", type=int, default=10, help="the number of examples of schemathesis")
    parser.add_argument("--only", default="", help="only claims with this text")
    options = parser.parse_args()

    async def run(_: Path, folder: Path) -> bool:
        return await check(options, folder)

    return program.perform(options, "console", run)


if __name__ == "__main__":
    sys.exit(main())
