"""A program for `driver: command`: a switch with readings, events and actions. While FILE exists, it ends at once.

    shed.py FILE
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def send(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def perform(number: int, name: str, arguments: dict[str, str]) -> None:
    if name == "heat":
        send(event="overheated", **{"with": {"celsius": arguments.get("celsius", "80")}})
        send(action=number)
    elif "level" in arguments:
        send(readings={"pid": os.getpid(), "pump": "ready", "level": int(arguments["level"])})
        send(action=number, text=f"Calibrated to {arguments['level']}.")
    else:
        send(action=number, error="The level is missing.")


if Path(sys.argv[1]).exists():
    sys.exit(3)
send(values={"On": False}, readings={"pid": os.getpid(), "pump": "ready"})
for line in sys.stdin:
    request = json.loads(line)
    if "action" in request:
        perform(request["action"], request["name"], request["with"])
    elif "write" in request:
        send(write=request["write"])
