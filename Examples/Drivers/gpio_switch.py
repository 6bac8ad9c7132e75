#!/usr/bin/env python3
"""A driver for `driver: command`: a switch whose state is a file with 0 or 1, as in /sys/class/gpio/gpio17/value."""
import json
import pathlib
import select
import sys

value = pathlib.Path(sys.argv[1])
last = None
while True:
    if select.select([sys.stdin], [], [], 0.2)[0]:
        line = sys.stdin.readline()
        if not line:
            break  # The server has ended.
        message = json.loads(line)
        if "write" in message:
            last = bool(message["values"]["Switch.On"])
            value.write_text(f"{int(last)}\n")
            print(json.dumps({"write": message["write"]}), flush=True)
    state = value.read_text().strip() == "1"
    if state != last:
        print(json.dumps({"values": {"Switch.On": state}}), flush=True)
        last = state
