"""Decodes the QR code in the terminal output of `hap serve`.

    qr_check.py OUTPUT-FILE SETUP-URI

Prints the decoded text. Exit status 1 if it is not the setup URI.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCKS = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}
COLOUR = re.compile("\x1b\\[[0-9;]*m")
SMALLEST_WIDTH = 21
PIXELS_PER_MODULE = 6


def block_lines(output: str) -> list[str]:
    """Returns the first lines that consist only of blocks, without their colors."""
    found: list[str] = []
    for line in COLOUR.sub("", output).splitlines():
        if len(line) >= SMALLEST_WIDTH and set(line) <= set(BLOCKS):
            found.append(line)
        elif found:
            break
    return found


def light_rows(lines: list[str]) -> list[list[bool]]:
    """Returns the rows of modules as a dark terminal shows them; true means light."""
    rows: list[list[bool]] = []
    for line in lines:
        halves = [BLOCKS[character] for character in line]
        rows.append([upper for upper, _ in halves])
        rows.append([lower for _, lower in halves])
    return rows


def portable_gray_map(rows: list[list[bool]]) -> bytes:
    width = max(len(row) for row in rows)
    image = bytearray(f"P5 {width * PIXELS_PER_MODULE} {len(rows) * PIXELS_PER_MODULE} 255\n".encode())
    for row in rows:
        padded = row + [False] * (width - len(row))
        pixels = b"".join((b"\xff" if light else b"\x00") * PIXELS_PER_MODULE for light in padded)
        image += pixels * PIXELS_PER_MODULE
    return bytes(image)


def decoded(output: str) -> str | None:
    """Returns the decoded text, or `None` if the output contains no QR code."""
    lines = block_lines(output)
    if not lines:
        return None
    with tempfile.NamedTemporaryFile(suffix=".pgm") as image:
        image.write(portable_gray_map(light_rows(lines)))
        image.flush()
        command = ["zbarimg", "--raw", "-q", image.name]
        reader = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return reader.stdout.strip() or None


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: qr_check.py OUTPUT-FILE SETUP-URI", file=sys.stderr)
        return 64
    text = decoded(Path(sys.argv[1]).read_text(errors="replace"))
    print(text if text is not None else "no QR code found")
    return 0 if text == sys.argv[2] else 1


if __name__ == "__main__":
    sys.exit(main())
