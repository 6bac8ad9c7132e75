#!/usr/bin/env python3
"""Runs the scenarios of Config/scenarios twice each, and compares what happened.

    .venv/bin/python Tests/Interoperability/scenarios.py --hap .build/release/hap

Each has to end with 0, to say the same in both runs, and to write a report that says that nothing failed. One that cannot
come true has to end with 1 and say what was seen instead. Then the prompt is typed at in a terminal of its own.
Exit status: 0 all as it should be, 1 not.
"""

import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = ["garage-day", "obstruction", "flaky-network", "power-cut", "house-week"]
problems = []


def check(holds, text):
    if not holds:
        problems.append(text)
        print(f"✘ {text}")


def run(hap, file, report):
    begin = time.monotonic()
    done = subprocess.run([hap, "run", file, "--report", report], capture_output=True, text=True, timeout=300)
    return done, time.monotonic() - begin


def scenarios(hap, folder):
    for name in SCENARIOS:
        file = str(ROOT / f"Config/scenarios/{name}.yaml")
        reports = [str(folder / f"{name}-{number}.xml") for number in (1, 2)]
        (first, seconds), (second, _) = [run(hap, file, report) for report in reports]
        lines = first.stdout.splitlines()
        check(first.returncode == 0, f"{name} ends with {first.returncode}: {lines[-3:]} {first.stderr[-300:]}")
        check(first.stdout == second.stdout, f"{name} is another one the second time")
        suite = tree.parse(reports[0]).getroot().find("testsuite")
        check(suite.get("failures") == "0" and int(suite.get("tests")) > 3, f"{name}'s report tells {suite.attrib}")
        print(f"{name}: {len(lines)} lines in {seconds:.2f} s")


def failing(hap, folder):
    file = folder / "never.yaml"
    file.write_text(
        "scenario: Never\nsteps:\n  - { set: Target Door State, to: Open }\n"
        "  - expect: { characteristic: Current Door State, becomes: Open, within: 5s }\n  - log: Not reached\n"
    )
    report = folder / "never.xml"
    done, _ = run(hap, str(file), str(report))
    check(done.returncode == 1, f"what cannot come true ends with {done.returncode}")
    failure = tree.parse(report).getroot().find(".//failure")
    check("is Opening" in failure.get("message"), f"the report says {failure.get('message')}")
    check(len(tree.parse(report).getroot().findall(".//skipped")) == 1, "the step behind is not skipped")
    file.write_text("scenario: Wrong\nsteps:\n  - { set: Target Dor State, to: Open }\n  - { set: On, to: maybe }\n")
    done, _ = run(hap, str(file), str(report))
    check(done.returncode == 65, f"a wrong one ends with {done.returncode}")
    check("never.yaml:3:" in done.stderr and "Target Door State" in done.stderr, f"it is refused with {done.stderr}")
    check("never.yaml:4:" in done.stderr and "on or off" in done.stderr, f"it is refused with {done.stderr}")


def prompt(hap, folder):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(hap, [hap, "serve", "--state", str(folder / "state"), "--advertise", "off", "--bind", "127.0.0.1"])
    seen = b""

    def read(until, limit=20):
        nonlocal seen
        end = time.monotonic() + limit
        while until.encode() not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
        check(until.encode() in seen, f"the prompt does not say {until!r}: {seen[-400:]!r}")

    read("Type help")
    for typed, answer in [
        ("sh\tGarage Door\r", "Garage Door/Current Door State: Closed"),
        ("set Target Door State to Open\r", "Current Door State: Opening"),
        ("pause\r", "Time stands still."),
        ("advance 12s\r", "Current Door State: Open"),
        ("stp\r", "Did you mean \"stop\"?"),
        ("set Target Dor State to Open\r", "Did you mean"),
    ]:
        seen = b""
        os.write(terminal, typed.encode())
        read(answer)
    os.kill(pid, signal.SIGTERM)
    seen = b""
    read("Stopping.")
    _, status = os.waitpid(pid, 0)
    check(os.waitstatus_to_exitcode(status) == 0, f"it ends with {status}")
    os.close(terminal)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hap", required=True)
    options = parser.parse_args()
    hap = str(Path(options.hap).resolve())
    with tempfile.TemporaryDirectory() as folder:
        scenarios(hap, Path(folder))
        failing(hap, Path(folder))
        prompt(hap, Path(folder))
    print(f"{len(problems)} problems" if problems else "All as it should be.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
