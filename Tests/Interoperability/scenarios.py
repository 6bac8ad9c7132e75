#!/usr/bin/env python3
"""Runs the scenarios of Config/scenarios twice each, and compares the results.

    .venv/bin/python Tests/Interoperability/scenarios.py --hap .build/release/hap

Each scenario must end with 0, print the same in both runs, and write a report without failures. One that cannot succeed
must end with 1 and report what happened instead. Then prompt.py tests the prompt in terminals. Exit status: 0 if
everything is correct, 1 otherwise.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as tree
from pathlib import Path

import program
import prompt

SCENARIOS = ["garage-day", "obstruction", "flaky-network", "power-cut", "house-week", "garage-by-hand", "television-cables",
             "film-with-ads"]
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
        file = str(program.ROOT / f"Config/scenarios/{name}.yaml")
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


def several(hap, folder):
    """Checks one run of several scenarios: all run although one fails, and one report has the results of all."""
    good, bad = str(program.ROOT / "Config/scenarios/garage-by-hand.yaml"), folder / "opens.yaml"
    bad.write_text(
        "scenario: Opens\nsteps:\n  - { set: Target Door State, to: Open }\n"
        "  - never: { characteristic: Current Door State, becomes: Open, within: 20s }\n"
    )
    report = folder / "several.xml"
    done = subprocess.run(
        [hap, "run", "--quiet", "--report", str(report), good, str(bad), good],
        capture_output=True, text=True, timeout=60,
    )
    check(done.returncode == 1, f"one of three fails, and the run ends with {done.returncode}: {done.stderr}")
    last = done.stdout.splitlines()[-1]
    check(last == f"2 of 3 scenarios passed. Failed or not run: {bad}.", f"it ends with {last}")
    suites = tree.parse(report).getroot().findall("testsuite")
    check([suite.get("failures") for suite in suites] == ["0", "1", "0"], "the report has other failures")
    check([suite.get("file") for suite in suites] == [good, str(bad), good], "the report has other files")
    message = suites[1].find(".//failure").get("message")
    check("never becomes Open" in message and "is Open" in message, f"the report says {message}")
    bad.write_text("scenario: Wrong\nsteps:\n  - { set: Target Dor State, to: Open }\n")
    done = subprocess.run([hap, "run", good, str(bad)], capture_output=True, text=True, timeout=60)
    check(done.returncode == 65 and done.stdout == "", f"a wrong file does not prevent the run of another: {done}")


def unstartable(hap, folder):
    """Checks that the other scenarios run if one cannot start, because its second port is taken."""
    good, two = str(program.ROOT / "Config/scenarios/garage-by-hand.yaml"), folder / "two.yaml"
    gallery = program.ROOT / "Accessories"
    two.write_text(
        f"scenario: Two\nserve: [{gallery}/garage.yaml, {gallery}/switch.yaml]\nsteps:\n  - {{ log: Begun }}\n"
    )
    report = folder / "unstartable.xml"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [hap, "run", "--port", str(port - 1), "--report", str(report), good, str(two), good],
            capture_output=True, text=True, timeout=60,
        )
    check(done.returncode == 1 and f"port {port}" in done.stdout, f"one of three cannot start: {done}")
    check("2 of 3 scenarios passed" in done.stdout, f"the others did not run: {done.stdout[-300:]}")
    suites = tree.parse(report).getroot().findall("testsuite")
    check([suite.get("failures") for suite in suites] == ["0", "1", "0"], "the report does not say which one failed")


def interrupted(hap, folder):
    """Checks that a signal ends all of several scenarios, and that the report says so."""
    file, report = folder / "waits.yaml", folder / "interrupted.xml"
    file.write_text("scenario: Waits\nsteps:\n  - { log: Begun }\n  - expect: { controller: pairs, within: 1h }\n")
    process = subprocess.Popen(
        [hap, "run", "--report", str(report), str(file), str(file)], stdout=subprocess.PIPE, text=True
    )
    for line in process.stdout:
        if "✔" in line:
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    suites = tree.parse(report).getroot().findall("testsuite")
    counts = [[suite.get(name) for name in ("tests", "errors", "skipped")] for suite in suites]
    check(process.returncode == 1, f"an interrupted run ends with {process.returncode}")
    check(counts == [["2", "1", "0"], ["2", "0", "2"]], f"the report of an interrupted run has {counts}")


def clocks(hap, folder):
    """Checks the speed of `--real-time` and `--time-scale`."""
    file = folder / "clock.yaml"
    file.write_text(
        "scenario: Clock\nsteps:\n  - { set: Target Door State, to: Open }\n"
        "  - expect: { characteristic: Current Door State, becomes: Opening, within: 10s }\n"
        "  - { after: 400ms, log: Waited }\n"
    )
    for arguments, least in [(["--real-time"], 0.4), (["--time-scale", "0.5"], 0.8), (["--time-scale", "2"], 0.2)]:
        begin = time.monotonic()
        done = subprocess.run([hap, "run", *arguments, str(file)], capture_output=True, text=True, timeout=60)
        seconds = time.monotonic() - begin
        check(done.returncode == 0 and "Waited" in done.stdout, f"{arguments} ends with {done}")
        check(seconds >= least, f"{arguments}: 400 ms have passed in {seconds} s")
    file.write_text(
        "scenario: Fast\nsteps:\n  - { set: Target Door State, to: Open }\n"
        "  - expect: { characteristic: Current Door State, becomes: Open, within: 15min }\n  - { after: 1h, log: Waited }\n"
    )
    command = [hap, "run", "--time-scale", "10000", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    check(done.returncode == 0 and "Waited" in done.stdout, f"10000 times as fast it ends with {done}")


def state(hap, folder):
    """Checks that a run leaves nothing behind: its state, including the home, is in a temporary folder."""
    place = folder / "temporary"
    place.mkdir()
    file = str(program.ROOT / "Config/scenarios/house-week.yaml")
    environment = {**os.environ, "TMPDIR": str(place), "HOME": str(place), "XDG_STATE_HOME": str(place)}
    process = subprocess.Popen(
        [hap, "run", "--real-time", "--ready-file", str(folder / "ready"), file],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    for line in process.stdout:
        if line.startswith("Home: "):
            break
    kept = {path.relative_to(place).parts[1:] for path in place.rglob("*")}
    check(("served-homes", "homes.sqlite") in kept, f"the home is not kept with the rest: {kept}")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    check(process.returncode == 1, f"a run that was ended ends with {process.returncode}")
    check(list(place.iterdir()) == [], f"it leaves behind {list(place.iterdir())}")


async def run_all(hap, folder):
    for part in [scenarios, failing, several, unstartable, interrupted, clocks, state]:
        part(str(hap), folder)
    prompt.run(str(hap), folder, check)
    print(f"{len(problems)} problems" if problems else "All as it should be.")
    return not problems


def main():
    return program.perform(program.arguments(__doc__).parse_args(), "scenarios", run_all)


if __name__ == "__main__":
    sys.exit(main())
