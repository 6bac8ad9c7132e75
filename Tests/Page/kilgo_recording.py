"""Records the Kilgo app of Examples/KilgoApp in a terminal with its simulated garage, as an animated picture.

    kilgo_recording.py --app BINARY OUT.svg
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Interoperability"))

import program
from claims import say
from recording import PATIENCE, Recording, Shell, save

DOWN, LEFT = "\x1b[B", "\x1b[D"
TITLE = "The Kilgo app in a terminal"
DESCRIPTION = (
    "The app kilgo with a simulated garage. It has no home yet. An accessory is added with its setup code, and a tile "
    "for the door and one for the light appear. The door opens, the light is turned on, and its brightness is changed.")
# The simulator chooses another code at each start.
CODE = (r"\d{3}-\d\d-\d{3}", "031-45-154")


def until_shown(shell: Shell, text: str) -> None:
    """Shows the output in the terminal until its screen has a text."""
    limit = time.monotonic() + PATIENCE
    while not any(text in line for line in shell.screen.display):
        assert time.monotonic() < limit, f"{text!r} is not shown:\n" + "\n".join(shell.screen.display)
        if select.select([shell.master], [], [], 0.1)[0]:
            shell.stream.feed(re.sub(*CODE, os.read(shell.master, 1 << 16).decode(errors="replace")))


def record(folder: Path) -> Recording:
    recording = Recording(height=12)
    try:
        shell = recording.open(folder, 0.8)

        def press(keys: str, text: str, seconds: float) -> None:
            os.write(shell.master, keys.encode())
            until_shown(shell, text)
            recording.show("", seconds)

        for typed in re.findall("..?", "kilgo --simulate"):
            press(typed, typed, 0.1)
        press("\r", "no home yet", 2.5)
        press("a", "Name of your home", 1.5)
        press("\r", "Setup code", 2)
        press("\r", "Garage Light", 3)
        press(" ", "Opening", 1.5)
        press(DOWN + " ", " On ", 2)
        until_shown(shell, " Open ")
        recording.show("", 3)
        press("s", "Fade Rate", 2)
        press(DOWN, "Brightness", 0.5)
        for brightness in range(95, 65, -5):
            press(LEFT, f"{brightness}%", 0.3)
        recording.show("", 5)
    finally:
        for shell in reversed(recording.shells):
            shell.end()
    return recording


def main() -> int:
    parser = program.arguments(__doc__)
    parser.add_argument("--app", type=Path, required=True, help="the program kilgo")
    parser.add_argument("out", type=Path, metavar="OUT.svg", help="the file of the picture")
    options = parser.parse_args()
    app = options.app.resolve()

    async def run(_: Path, folder: Path) -> bool:
        (folder / "kilgo").symlink_to(app)
        say(save(options.out, record(folder), "kilgo", TITLE, DESCRIPTION))
        return True

    return program.perform(options, "kilgo-recording", run)


if __name__ == "__main__":
    sys.exit(main())
