"""The claims of run.py, in order, and their results."""

from __future__ import annotations

import sys

CLAIMS: tuple[str, ...] = (
    "the ready file tells what listens",
    "the QR code in the terminal decodes to the setup URI",
    "discovered through a private Avahi on loopback",
    "a wrong setup code is refused",
    "paired with the right setup code",
    "sf is 0 once paired",
    "listed with every service and characteristic of the Kilgo garage",
    "every readable characteristic read with all flags",
    "written and read back",
    "the fade rate written and read back",
    "a timed write is executed, with a wrong pid it is not",
    "subscribed on one session, written on another: the event arrives",
    "no echo of the written value to its writer",
    "a boolean written to Target Door State is accepted",
    "the writer itself receives Opening and then Open",
    "a second controller is added",
    "the second controller reads and writes, and may not list the pairings",
    "the second controller is removed, its session closed, its return refused",
    "the server restarted: the session resumes without pairing",
    "unpaired: every session closed, sf back to 1",
    "paired again",
    "kill -9 right after pairing: the pairing is still there",
    "SIGTERM ends the server with status 0 and withdraws its records",
)


class Account:
    """Prints a line for each claim when it is decided, and counts them."""

    def __init__(self, claims: tuple[str, ...]) -> None:
        self.claims = claims
        self.passed: list[str] = []
        self.failed: list[str] = []

    def passes(self, claim: str, seconds: float | None = None) -> None:
        self.passed.append(claim)
        say(f"ok  {claim}" if seconds is None else f"ok  {seconds:5.1f} s  {claim}")

    def fails(self, claim: str, reason: str) -> None:
        self.failed.append(claim)
        say(f"FAILED  {claim}: {reason}")

    def complete(self) -> bool:
        """Fails every claim without a result; returns whether every claim passed and no other was reported."""
        for claim in self.claims:
            if claim not in self.passed and claim not in self.failed:
                self.fails(claim, "not reached")
        return not self.failed and sorted(self.passed) == sorted(self.claims)

    def sum(self) -> None:
        say(f"{len(self.passed)} passed, {len(self.failed)} failed")


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit("This file holds the list of claims; run.py checks them.")
