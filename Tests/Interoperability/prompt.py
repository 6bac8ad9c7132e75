"""Tests the prompt of `hap serve` in terminals; scenarios.py runs it."""

import json
import os
import pty
import select
import signal
import subprocess
import termios
import time
from pathlib import Path

LAMP = "accessory: Lamp\nid: lamp\nservices:\n  - type: Lightbulb\n    name: {}\n"
HOME = """
home: House
accessories:
  - accessory: Kilgo Garage
    services: { GarageDoorOpener: Door, Lightbulb: Light }
automations:
  Open:
    when: { interval: 1h, from: 2026-01-01 00:00 }
    run: [{ set: Door/TargetDoorState, to: Open }]
  Shut:
    when: { characteristic: Door/CurrentDoorState, becomes: Open }
    run: [{ set: Light/On, to: true }]
    end: { after: 10min, set: [{ set: Door/TargetDoorState, to: Closed }, { set: Light/On, to: false }] }
"""


# The time limit for anything, on a busy machine.
PATIENCE = 60


class Terminal:
    """`hap serve` in a terminal."""

    def __init__(self, hap, folder, check, *arguments):
        self.check = check
        self.seen = b""
        command = [hap, "serve", "--state", str(folder), "--advertise", "off", "--bind", "127.0.0.1", *arguments]
        self.terminal, other = pty.openpty()
        # The process changes these settings as soon as it runs.
        self.before = termios.tcgetattr(self.terminal)
        self.process = os.fork()
        if self.process == 0:
            os.login_tty(other)
            os.execv(hap, command)
        os.close(other)
        self.read("Type help")

    def read(self, until, limit=PATIENCE):
        """Reads until a text was printed after the last typed line."""
        end = time.monotonic() + limit
        while until.encode() not in self.seen and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536)
                except OSError:
                    break
        self.check(until.encode() in self.seen, f"the prompt does not say {until!r}: {self.seen[-400:]!r}")
        return self.seen.decode(errors="replace")

    def type(self, typed, answer):
        self.seen = b""
        data = typed if isinstance(typed, bytes) else typed.encode()
        while data:
            data = data[os.write(self.terminal, data[:1000]):]
        return self.read(answer)

    def end(self, how):
        """Ends it with a key, a command or a signal; the terminal must then have its original settings."""
        self.seen = b""
        during = termios.tcgetattr(self.terminal)
        self.check(not during[3] & (termios.ECHO | termios.ICANON), f"the prompt does not read each key, before {how!r}")
        if isinstance(how, signal.Signals):
            os.kill(self.process, how)
        else:
            os.write(self.terminal, how.encode())
        self.read("Stopping.")
        status = self.status()
        self.check(status == 0, f"by {how!r} it ends with {status}")
        after = termios.tcgetattr(self.terminal)
        self.check(after == self.before, f"after {how!r} the terminal is not as before: {self.before} {after}")
        os.close(self.terminal)

    def status(self):
        """Returns the exit status; a process that does not end in time is killed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        self.check(False, f"it does not end within {PATIENCE} s")
        os.kill(self.process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def commands(hap, folder, check):
    terminal = Terminal(hap, folder / "state", check)
    for typed, answer in [
        ("sh\tGarage Door\r", "Garage Door/Current Door State: Closed"),
        ("set Target Door State to Open\r", "Current Door State: Opening"),
        ("pause\r", "Time is paused."),
        ("advance 12s\r", "Current Door State: Open"),
        ("stp\r", "Did you mean \"stop\"?"),
        ("set Target Dor State to Open\r", "Did you mean"),
        ("advance 3651d\r", "from 0s to 3650d"),
        ("scale nan\r", "from 0.001 to 1000000"),
        ("set Current Door State to Open\r", "Current Door State: Open"),
        ("fault reboot times 3\r", "cannot have a count"),
        (b"\x00\x01\x1b[31m\xff\xc3sh\xc3\xbcw\r", "There is no command \"shüw\""),
        ("x" * 1_001 + "\r", "at most 1000 characters"),
        ("log 車庫\r" * 30 + "show Garage Light/On\r", "Garage Light/On: false"),
    ]:
        terminal.type(typed, answer)
    terminal.end(signal.SIGTERM)


def endings(hap, folder, check):
    for how in ["quit\r", "\x04", "\x03", signal.SIGTERM, signal.SIGINT]:
        terminal = Terminal(hap, folder / "state", check)
        # A half-typed line, and keys that would stop the process or end it with a core dump.
        terminal.type("sho\x1a\x1c\x15show Garage Light/On\r", "Garage Light/On: false")
        terminal.end(how)


def without_terminal(hap, folder, check):
    """Without a terminal as input there is no prompt, even if the output is a terminal."""
    ready = folder / "ready"
    terminal, output = pty.openpty()
    command = [hap, "serve", "--state", str(folder / "state"), "--advertise", "off", "--bind", "127.0.0.1"]
    process = subprocess.Popen([*command, "--ready-file", str(ready)], stdin=subprocess.PIPE, stdout=output)
    os.close(output)
    process.stdin.write(b"quit\n")
    process.stdin.close()
    end = time.monotonic() + PATIENCE
    while not ready.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    check(ready.exists() and process.poll() is None, "without a terminal it does not serve")
    process.terminate()
    seen = b""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 65536)
        except OSError:
            break
    else:
        process.kill()
    check(process.wait(PATIENCE) == 0, f"without a terminal it ends with {process.returncode}")
    check(b"Stopping." in seen and b"Type help" not in seen, f"there is a prompt without a terminal: {seen[-300:]!r}")
    os.close(terminal)


def reload(hap, folder, check):
    lamp = folder / "lamp.yaml"
    lamp.write_text(LAMP.format("Desk"))
    terminal = Terminal(hap, folder / "state", check, str(lamp))
    terminal.type("show Desk/On\r", "Desk/On: false")
    terminal.seen = b""
    lamp.write_text(LAMP.format("Shelf") + "    characteristics: { Brightness: 40 }\n")
    terminal.read("reloaded")
    terminal.type("show Shelf\r", "Shelf/Brightness: 40 %")
    terminal.type("set She\tOn to true\r", "Shelf/On: true")
    terminal.type("show Desk/On\r", "There is no")
    terminal.end("quit\r")


def home(hap, folder, check):
    """Advancing time also advances a home: every automation runs at its time, in order with the devices."""
    file = folder / "home.yaml"
    file.write_text(HOME)
    terminal = Terminal(hap, folder / "state", check, "--home", str(file))
    # Time is paused at any minute of an hour. Three hours and a quarter contain three whole hours, and possibly the
    # beginning of a fourth.
    terminal.type("pause\r", "Time is paused.")
    terminal.type("advance 195min\r", "Time advanced by ")
    terminal.end("quit\r")
    command = [hap, "home", "journal", "--served", "--state", str(folder / "state"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    entries = [(entry["automation"], entry["kind"], entry["time"][14:19]) for entry in json.loads(done.stdout)["entries"]]
    hour = [("Open", "ran", "00:00"), ("Shut", "ran", "00:12"), ("Shut", "ended", "10:12")]
    whole = len(entries) >= 3 * len(hour) and entries == (hour * 4)[: len(entries)]
    check(whole, f"with a home, three hours and a quarter bring {entries}")


def run(hap, folder, check):
    for part in [commands, endings, without_terminal, reload, home]:
        place = Path(folder) / part.__name__
        place.mkdir()
        part(hap, place, check)
