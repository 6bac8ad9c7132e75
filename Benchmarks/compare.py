#!/usr/bin/env python3
"""Measures hap, HAP-python and the limit of the machine itself in one run, and prints a table of the results.

    compare.py --suite FOLDER --hap FILE --bridge FILE --python FILE [--runs 3] [--seconds 1.5] [--quiet 5]

FOLDER contains suite.py and a built hapload. Progress is printed to standard error, the table in Markdown to standard
output, and all figures are written to results.json in the folder. Exit status: 1 if a server fails or gives a wrong
answer.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

CODE = "031-45-154"
PORT = 21826
# The row that is measured with bridges; all other rows are measured with a single accessory.
BRIDGE_ROWS = "acc8"


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_suite(options, label, command, *more):
    """Runs the suite with one server, and returns the summary."""
    say(f"{label}: {' '.join(command)}")
    began = time.monotonic()
    # The folder is on the same disk as the sources, because a real state folder is on a disk too.
    folder = options.suite / "state"
    folder.mkdir(exist_ok=True)
    arguments = [sys.executable, options.suite / "suite.py", "--label", label, "--port", PORT, "--code", CODE, "--pin",
                 "--runs", options.runs, "--seconds", options.seconds, "--quiet", options.quiet,
                 "--out", options.suite / "lines.jsonl", "--tmp", folder, *more, "--", *command]
    result = subprocess.run([str(argument) for argument in arguments], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{label}: the suite ended with status {result.returncode}.")
    summary = json.loads(result.stdout.strip().splitlines()[-1])
    faults = {key: summary[key] for key in ("errors", "failed", "bad_readback", "missed_events") if summary[key]}
    if faults:
        sys.exit(f"{label}: {faults}")
    say(f"{label}: {time.monotonic() - began:.0f} s; others used {summary['worst_other_cpu']} cores at worst.")
    return summary


def floor(options, *arguments):
    result = subprocess.run(
        [options.suite / "hapload" / "floor", *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(result.stdout)


def sealed(options, sessions, response, count):
    """Measures exchanges without a server: requests per second, µs at the median and 99th percentile, CPU µs."""
    # The core is kept awake, as in the suite: an idle core of a virtual machine takes longer to wake than an exchange.
    with subprocess.Popen([options.suite / "hapload" / "floor", "awake"]) as awake:
        try:
            result = floor(options, "sealed", count, sessions, 71, response)
        finally:
            awake.kill()
    return {"rate": result["rate"], "p50": result["lat_us"]["p50"], "p99": result["lat_us"]["p99"],
            "srv_us": result["server_cpu_us_per_op"]}


def number(value, digits=0):
    return "–" if value is None else f"{value:,.{digits}f}"


def rate(row):
    """Returns a table cell with a rate, its latencies and its cost."""
    if not row or row.get("rate") is None:
        return "–"
    return f"{number(row['rate'])} ({number(row['p50'])} / {number(row['p99'])}; {number(row['srv_us'], 1)})"


def event(row):
    if not row or row.get("p50") is None:
        return "–"
    return f"{number(row['p50'] / 1e3, 2)} / {number(row['p99'] / 1e3, 2)}"


def megabytes(kilobytes):
    return None if kilobytes is None else kilobytes / 1024


def rows(hap, peer, bridge, peer_bridge, machine):
    """Returns the table: one row per measurement, with a cell for hap, HAP-python and the floor."""
    crypto = machine["crypto"]
    yield ("pair-setup, wait for the server, ms", number(hap["pair_wait_ms"], 2), number(peer["pair_wait_ms"], 2),
           number(crypto["pair_setup_server_us"] / 1e3, 2))
    for row, title in (("verify1", "1 at a time"), ("verify4", "4 at a time")):
        yield (f"pair-verify, {title}", rate(hap[row]), rate(peer[row]),
               f"(CPU {number(crypto['pair_verify_server_us'])})")
    for row, title in (("get1", "read one value, 1 session"), ("get8", "read one value, 8 sessions"),
                       ("put1", "write one value, 1 session"), ("put8", "write one value, 8 sessions"),
                       ("acc1", "`/accessories`, 1 session"), ("acc8", "`/accessories`, 8 sessions")):
        yield title, rate(hap[row]), rate(peer[row]), rate(machine.get(row.replace("put", "get")))
    yield (f"`/accessories` of a bridge with 149 ({number(bridge['acc_kb'])} / {number(peer_bridge['acc_kb'])} kB), "
           "8 sessions", rate(bridge["acc8"]), rate(peer_bridge["acc8"]), rate(machine["bridge8"]))
    for row, title in (("lone1", "lone event, 1 subscriber, ms"), ("lone7", "lone event, all of 7 subscribers, ms"),
                       ("event1", "event after event, 1 subscriber, ms"),
                       ("event7", "event after event, all of 7, ms")):
        yield title, event(hap[row]), event(peer[row]), "–"
    yield "mixed work, 8 sessions, operations/s", number(hap["soak_rate"]), number(peer["soak_rate"]), "–"
    yield ("resident memory, idle / after all this, MB", *(
        f"{number(megabytes(one['rss_idle_kb']), 1)} / {number(megabytes(one['rss_after_kb']), 1)}"
        for one in (hap, peer)), "–")
    yield ("of it anonymous, MB", *(
        f"{number(megabytes(one['anon_idle_kb']), 1)} / {number(megabytes(one['anon_after_kb']), 1)}"
        for one in (hap, peer)), "–")
    yield ("process start to open port, ms", number(hap["open_ms"]), number(peer["open_ms"]), "–")


def processor():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.machine())
    cores = sum(1 for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("processor"))
    return f"{model}, {cores} cores, Linux {platform.release()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--hap", type=Path, required=True)
    parser.add_argument("--bridge", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--quiet", type=float, default=5)
    options = parser.parse_args()
    for name in ("suite", "hap", "bridge", "python"):
        # Links are not resolved, because Python finds its virtual environment by the link to the interpreter.
        setattr(options, name, getattr(options, name).absolute())

    peer = [str(options.python), str(Path(__file__).resolve().parent / "peers" / "hap_python.py")]
    here = ["{port}", "{dir}", CODE]
    soak = ("--soak", max(1, round(options.seconds * 6)))
    bridge_rows = ("--only", BRIDGE_ROWS, "--soak", 0)
    results = {
        "hap": run_suite(options, "hap", [str(options.hap), "serve", "--port", "{port}", "--state", "{dir}",
                                          "--setup-code", CODE, "--advertise", "off"], *soak),
        "peer": run_suite(options, "HAP-python", [*peer, *here], *soak),
        "bridge": run_suite(options, "hap-bridge", [str(options.bridge), *here], *bridge_rows),
        "peer_bridge": run_suite(options, "HAP-python-bridge", [*peer, *here, "bridge"], *bridge_rows),
    }
    say("floor")
    lines = [json.loads(line) for line in open(options.suite / "lines.jsonl", encoding="utf-8")]
    for key, label in (("bridge", "hap-bridge"), ("peer_bridge", "HAP-python-bridge")):
        bodies = [line["body_bytes"] for line in lines if line["label"] == label and "body_bytes" in line]
        results[key]["acc_kb"] = bodies[-1] / 1e3 if bodies else None
    count = int(min(100_000, 40_000 * options.seconds))
    body = int(results["hap"]["acc_body"] or 4_000)
    machine = {
        "crypto": floor(options, "crypto"),
        "get1": sealed(options, 1, 125, count // 4), "get8": sealed(options, 8, 125, count),
        "acc1": sealed(options, 1, body + 100, count // 4), "acc8": sealed(options, 8, body + 100, count // 2),
        "bridge8": sealed(options, 8, int((results["bridge"]["acc_kb"] or 100) * 1e3) + 100, max(200, count // 20)),
    }
    (options.suite / "results.json").write_text(json.dumps({**results, "floor": machine}, indent=1), encoding="utf-8")

    version = subprocess.run([options.python, "-c", "import pyhap.const as c; print(c.__version__)"],
                             stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    print(f"{date.today().isoformat()}; {processor()}; the server on one core, the load on another. Rates are requests "
          "a second, in brackets µs at the median / 99th percentile and the server's CPU µs for each. The floor is the "
          "arithmetic alone, or the same bytes sealed, sent and opened with nothing behind.\n")
    print(f"| | hap | HAP-python {version} | floor |\n|---|---|---|---|")
    for title, *cells in rows(results["hap"], results["peer"], results["bridge"], results["peer_bridge"], machine):
        print(f"| {title} | **{cells[0]}** | {' | '.join(cells[1:])} |")


main()
