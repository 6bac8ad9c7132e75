"""A process in a terminal: its output line by line, and the lines typed at its prompt."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import subprocess
import termios
from collections.abc import Sequence

from waiting import until

# The escape sequences that remove the prompt before a line is printed above it.
ERASURE = "\x1b[K"
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# The time at the beginning of a line about an event.
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  ")
PATIENCE = 60.0
LAST_PATIENCE = 15.0


class Terminal:
    """A process that is connected to a terminal. Its lines are without the times at their beginnings."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self.lines: list[str] = []
        self._rest = ""
        self._master, slave = pty.openpty()
        os.set_blocking(self._master, False)
        self.process = subprocess.Popen(
            list(command), stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    @property
    def unfinished(self) -> str:
        """The text after the last complete line, such as a progress line, without what it replaced."""
        return visible(self._rest)

    async def line(self, pattern: str, since: int = 0) -> re.Match[str]:
        """Waits for a line from the index `since` on that the pattern matches completely."""
        return (await self._found(pattern, since))[1]

    async def type(self, text: str, answer: str) -> re.Match[str]:
        """Types a line, and waits for the line that answers it."""
        return (await self.type_all([(text, answer)]))[0]

    async def type_all(self, texts: Sequence[tuple[str, str]]) -> list[re.Match[str]]:
        """Types several lines at once, and waits for the answer of each, in order."""
        place = len(self.lines)
        os.write(self._master, "".join(f"{text}\r" for text, _ in texts).encode())
        answers = []
        for _, answer in texts:
            place, match = await self._found(answer, place)
            answers.append(match)
        return answers

    async def _found(self, pattern: str, since: int) -> tuple[int, re.Match[str]]:
        """Returns the line that a pattern matches, with the index of the next line."""
        wanted = re.compile(pattern)

        def found() -> tuple[int, re.Match[str]] | None:
            runs = self.runs
            while self._read():
                pass
            for place in range(since, len(self.lines)):
                if match := wanted.fullmatch(self.lines[place]):
                    return place + 1, match
            assert runs, f"it ended with {self.process.returncode}"
            return None

        try:
            return await until(found, PATIENCE, f"a line {pattern}")
        except AssertionError as error:
            raise AssertionError(f"{error}; it said {self.lines[since:][-10:]}") from None

    def close(self) -> int | None:
        """Ends the process, by force if it does not end by itself; returns its exit status."""
        asyncio.get_running_loop().remove_reader(self._master)
        os.set_blocking(self._master, True)
        self.process.terminate()
        try:
            self.process.wait(LAST_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
        return self.process.returncode

    def _read(self) -> bool:
        """Returns whether there was anything to read."""
        try:
            data = os.read(self._master, 1 << 16)
        except BlockingIOError:
            return False
        except OSError:  # the other end is closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
            return False
        *lines, self._rest = (self._rest + data.decode(errors="replace")).split("\n")
        for line in lines:
            line = visible(line)
            self.lines.append(line[time.end():] if (time := TIME.match(line)) else line)
        return True


def visible(line: str) -> str:
    """Returns what remains of a line on the screen."""
    return ESCAPE.sub("", line.split(ERASURE)[-1]).strip("\r")
