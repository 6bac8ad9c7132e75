"""Records the first minute with `hap` in two terminals, as an animated picture for the documents.

    recording.py --hap BINARY OUT.svg

A server and a controller run in terminals on loopback, in namespaces and a folder of their own. The script decides how
long each frame is shown, and the setup code and all ids are fixed, so that the picture changes only if the output does.
OUT.svg has at most 150 kB, contains no script and no font, and shows its last frame if motion is reduced.
"""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

sys.path.append(str(Path(__file__).resolve().parents[1] / "Interoperability"))

import program
import pyte
from claims import say

LIMIT = 150_000
PATIENCE = 60.0
# The size of the terminals, and the rows of the server after the terminal of the controller has opened below it.
COLUMNS, ROWS, SERVER_ROWS = 94, 26, 10
CODE = "101-48-005"
PORT = 51826
# The options that pin what differs from run to run; those that change the network are typed.
CONFIGURATION = f"files: [garage.yaml]\nport: {PORT}\nconsole: 127.0.0.1:8181\nseed: 1\nstate: server\n"
IDENTITY = f"deviceID: 4A:14:A4:8B:D4:19\nsetupID: KILG\nsetupCode: {CODE}\n"
# Each run has a new token, a new controller and another time.
STEADY = (("token=[0-9a-f]+", "token=…"), (r"([Cc]ontroller) [0-9A-F]{8}\b", r"\1 5E1C07A3"),
          (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "2026-11-27 09:41:00"))
PRIVATE = re.compile(r"[0-9a-f]{32}|/(?:tmp|home|root|work)\b")
SHELL_PROMPT = "\x1b[1;32m$\x1b[m "
SERVER_PROMPT = "> \r\x1b[2C"

# The size of a character, and the space around the terminal.
WIDTH, HEIGHT, BASELINE, MARGIN, BAR = 9, 18, 13, 14, 32
COLORS = {"default": "#e6e8eb", "brightwhite": "#ffffff", "black": "#000000", "green": "#5fd38a"}
REVERSED = ("black", "brightwhite")
BLOCKS = {"█": (0, HEIGHT), "▀": (0, HEIGHT // 2), "▄": (HEIGHT // 2, HEIGHT // 2)}
FONTS = "ui-monospace,SFMono-Regular,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
TITLE = "The first minute with hap: serve, pair, and open the garage door"
DESCRIPTION = (
    "In one terminal, hap serve prints a QR code and the setup code of a simulated garage door. In a second terminal, "
    "hap pair pairs with it, hap accessories shows its values, and hap put opens the door. The server prints that the "
    "door is opening, and then that it is open. Waiting times are shortened.")

#: A row of characters with foreground, background and weight, or the row between the terminals.
Row = tuple[Any, ...]
DIVIDER: Row = ("controller",)


class Shell:
    """A shell in a terminal, and the screen that it shows."""

    def __init__(self, folder: Path, rows: int) -> None:
        environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
                       "XDG_STATE_HOME": str(folder / "controller"), "LANG": "C.UTF-8", "TERM": "xterm-256color",
                       "PS1": r"\[\e[1;32m\]$\[\e[m\] ", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/no-bus"}
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (rows, COLUMNS))
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "bash", "--norc", "--noprofile", "--noediting", "-i"], stdin=slave, stdout=slave,
            stderr=slave, env=environment, cwd=folder)
        os.close(slave)
        self.screen = pyte.Screen(COLUMNS, rows)
        self.stream = pyte.Stream(self.screen)

    def until(self, end: str) -> str:
        """Returns the output up to an end that a pattern describes, without what differs in each run."""
        wanted, seen, limit = re.compile(rf"(?s:{end})\Z"), b"", time.monotonic() + PATIENCE
        while not wanted.search(text := seen.decode(errors="replace")):
            assert time.monotonic() < limit, f"{end!r} is not printed: {text[-500:]!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                seen += os.read(self.master, 1 << 16)
        for pattern, steady in STEADY:
            text = re.sub(pattern, steady, text)
        return text

    def end(self) -> None:
        """Ends the program in the foreground, then the shell."""
        try:
            if (group := os.tcgetpgrp(self.master)) != self.process.pid:
                os.killpg(group, signal.SIGTERM)
                self.until(re.escape(SHELL_PROMPT))
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.master)


class Recording:
    """The frames of one or two terminals: their seconds, their rows, and the position of the cursor, if it is shown."""

    def __init__(self, height: int = ROWS) -> None:
        """`height` is the number of rows."""
        self.height = height
        self.shells: list[Shell] = []
        self.frames: list[tuple[float, list[Row], tuple[int, int], bool]] = []

    def open(self, folder: Path, seconds: float) -> Shell:
        """Opens a terminal: the first one is the server's, and the second one the controller's."""
        self.shells.append(shell := Shell(folder, self.height))
        self.show(shell.until(re.escape(SHELL_PROMPT)), seconds)
        return shell

    def show(self, output: str, seconds: float, server: str = "") -> None:
        """Shows output of the newest terminal, and of the server above it, as one frame."""
        self.shells[0].stream.feed(server)
        self.shells[-1].stream.feed(output)
        above: list[Row] = []
        if len(self.shells) > 1:
            above = [*self.rows(self.shells[0], SERVER_ROWS)[0], DIVIDER]
        rows, (x, y) = self.rows(self.shells[-1], self.height - len(above))
        is_cursor_shown = not self.shells[-1].screen.cursor.hidden
        self.frames.append((seconds, [*above, *rows], (x, y + len(above)), is_cursor_shown))

    def rows(self, shell: Shell, count: int) -> tuple[list[Row], tuple[int, int]]:
        """Returns the rows of a screen that end with its cursor, as many as fit, and the position of the cursor."""
        screen = shell.screen
        first = max(0, screen.cursor.y + 1 - count)
        cells = [[screen.buffer[row][column] for column in range(COLUMNS)] for row in range(first, first + count)]
        rows = [
            tuple((cell.data, *(REVERSED if cell.reverse else (cell.fg, cell.bg)), cell.bold) for cell in row)
            for row in cells
        ]
        return rows, (screen.cursor.x, screen.cursor.y - first)

    def type(self, command: str, end: str) -> str:
        """Types a command, two characters in each frame, and returns its output."""
        shell = self.shells[-1]
        for typed in re.findall("..?", command):
            os.write(shell.master, typed.encode())
            self.show(shell.until(re.escape(typed)), 0.1)
        self.show("", 0.5)
        os.write(shell.master, b"\r")
        return shell.until(end)


def record(folder: Path) -> Recording:
    prompt, ready = re.escape(SHELL_PROMPT), ".*" + re.escape(SERVER_PROMPT)
    recording = Recording()
    try:
        server = recording.open(folder, 0.8)
        banner, rest = re.split(r"(?<=paired\.\r\n)", recording.type(
            "hap serve --advertise off --bind 127.0.0.1", "Type help" + ready))
        recording.show(banner, 4)
        recording.show(rest, 2.5)
        recording.open(folder, 1.2)

        output = recording.type(f"hap pair 127.0.0.1:{PORT} {CODE} --as garage", r"Paired.*\n" + prompt)
        *progress, done = re.split(r"(?=\r\x1b\[K)", output)
        for step in progress:
            recording.show(step, 0.25)
        recording.show(done, 2, server.until("opened a session" + ready))

        output = recording.type("hap accessories garage | grep -A 6 Opener", r"Lock Target.*\n" + prompt)
        recording.show(output, 3.5, server.until("opened a session" + ready))

        output = recording.type('hap put garage "Target Door State=open"', r"Open.*\n" + prompt)
        recording.show(output, 3.5, server.until("Current Door State: Opening" + ready))
        recording.show("", 6, server.until("Current Door State: Open\r" + ready))
    finally:
        for shell in reversed(recording.shells):
            shell.end()
    return recording


def drawn(row: Row) -> str:
    """Returns the elements of a row. Blocks are drawn as rectangles, because fonts leave gaps between them."""
    if row == DIVIDER:
        return (f'<path class="bar" d="M-{MARGIN}-2h{COLUMNS * WIDTH + 2 * MARGIN}v{HEIGHT}H-{MARGIN}z"/>'
                f'<text class="title" y="{BASELINE - 2}">{DIVIDER[0]}</text>')
    paths: dict[str, str] = {}
    for place, (character, color, background, _) in enumerate(row):
        fills = [(background, (0, HEIGHT))] if background != "default" else []
        for fill, (y, height) in [*fills, *([(color, BLOCKS[character])] if character in BLOCKS else [])]:
            # A rectangle that ends here becomes wider.
            path, left = paths.get(fill, ""), place * WIDTH
            if last := re.search(rf"M(\d+) {y}H{left}v{height}H\1z\Z", path):
                path, left = path[:last.start()], int(last[1])
            paths[fill] = path + f"M{left} {y}H{(place + 1) * WIDTH}v{height}H{left}z"
    elements = [f'<path fill="{COLORS[fill]}" d="{path}"/>' for fill, path in paths.items()]
    start = 0
    for (color, bold), cells in groupby(row, key=lambda cell: (cell[1], cell[3])):
        style = ("" if color == "default" else f' fill="{COLORS[color]}"') + (' font-weight="bold"' if bold else "")
        text = "".join(" " if cell[0] in BLOCKS else cell[0] for cell in cells)
        # Text after several spaces begins in its own column, even if the font has another width.
        for match in re.finditer(r"\S+(?: \S+)*", text):
            elements.append(f'<text x="{(start + match.start()) * WIDTH}" y="{BASELINE}" '
                            f'textLength="{len(match[0]) * WIDTH}"{style}>{escape(match[0])}</text>')
        start += len(text)
    return "".join(elements)


def picture(recording: Recording, bar: str, title: str, description: str) -> str:
    """Returns the SVG, with a text in its bar: the frames are below each other, and an animation moves them through a
    window in steps."""
    names: dict[Row, str] = {}
    films, steps, now, total = [], [], 0.0, sum(frame[0] for frame in recording.frames)
    height = recording.height * HEIGHT
    for number, (seconds, rows, (x, y), is_cursor_shown) in enumerate(recording.frames):
        uses = []
        if is_cursor_shown:
            uses.append(f'<rect class="cursor" x="{x * WIDTH}" y="{y * HEIGHT}" width="{WIDTH}" height="{HEIGHT}"/>')
        for place, row in enumerate(rows):
            if row == DIVIDER or any(cell[0] != " " or cell[2] != "default" for cell in row):
                name = names.setdefault(row, f"r{len(names)}")
                uses.append(f'<use href="#{name}"' + (f' y="{place * HEIGHT}"' if place else "") + "/>")
        films.append(f'<g transform="translate(0 {number * height})">{"".join(uses)}</g>')
        steps.append(f"{100 * now / total:.3f}%{{transform:translateY({-number * height}px)}}")
        now += seconds
    last = -(len(films) - 1) * height
    width, outer = COLUMNS * WIDTH, (COLUMNS * WIDTH + 2 * MARGIN, height + BAR + 2 * MARGIN)
    rows = "\n".join(f'<g id="{name}">{drawn(row)}</g>' for row, name in names.items())
    films = "\n".join(films)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {outer[0]} {outer[1]}" width="{outer[0]}" height="{outer[1]}" \
fill="{COLORS["default"]}" role="img" aria-labelledby="title description">
<title id="title">{escape(title)}</title>
<desc id="description">{escape(description)}</desc>
<style>
text{{font:15px {FONTS}}}
.bar{{fill:#2a2e37}} .title{{font-size:13px;fill:#a9b1bd}} .cursor{{fill:#7d8590}}
path{{shape-rendering:crispEdges}}
.film{{transform:translateY({last}px)}}
@media (prefers-reduced-motion:no-preference){{.film{{animation:play {total:g}s step-end infinite}}}}
@keyframes play{{{"".join(steps)}100%{{transform:translateY({last}px)}}}}
</style>
<defs>
{rows}
<clipPath id="window"><rect width="{outer[0]}" height="{outer[1]}" rx="10"/></clipPath>
</defs>
<g clip-path="url(#window)">
<rect width="{outer[0]}" height="{outer[1]}" fill="#16181d"/>
<path class="bar" d="M0 0h{outer[0]}v{BAR}H0z"/>
<text class="title" x="{MARGIN}" y="{BAR - 11}">{bar}</text>
<svg y="{BAR + MARGIN}" width="{outer[0]}" height="{height}" viewBox="-{MARGIN} 0 {outer[0]} {height}">
<g class="film" transform="translate(0 {last})">
{films}
</g>
</svg>
</g>
<rect x=".5" y=".5" width="{outer[0] - 1}" height="{outer[1] - 1}" rx="9.5" fill="none" stroke="#4b525e"/>
</svg>
"""


def save(out: Path, recording: Recording, bar: str, title: str, description: str) -> str:
    """Writes the picture, and returns a line about it."""
    text = picture(recording, bar, title, description)
    assert len(text.encode()) <= LIMIT, f"the picture has {len(text.encode())} bytes"
    assert not (found := PRIVATE.search(text)), f"the picture contains {found[0]!r}"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text)
    return f"{out.name}: {len(text.encode()) / 1000:.0f} kB"


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT.svg", help="the file of the picture")
    options = parser.parse_args()

    async def run(hap: Path, folder: Path) -> bool:
        (folder / "hap").symlink_to(hap)
        (folder / "Config").mkdir()
        (folder / "Config/hap.yaml").write_text(CONFIGURATION)
        (folder / "garage.yaml").write_text(IDENTITY + (program.ROOT / "Accessories/garage.yaml").read_text())
        say(save(options.out, record(folder), "server", TITLE, DESCRIPTION))
        return True

    return program.perform(options, "recording", run)


if __name__ == "__main__":
    sys.exit(main())
