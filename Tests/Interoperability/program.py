"""The common parts of the programs here: command line, private network and temporary folder."""

from __future__ import annotations

import argparse
import asyncio
import logging
import shutil
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import namespaces

ROOT = Path(__file__).resolve().parents[2]


def arguments(description: str | None, log: str | None = None) -> argparse.ArgumentParser:
    """Returns the parser of the common command line, with `--log` for programs that save what `log` describes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hap", type=Path, default=ROOT / ".build/release/hap", help="the binary under test")
    if log is not None:
        parser.add_argument("--log", type=Path, help=log)
    return parser


def perform(
    options: argparse.Namespace,
    name: str,
    check: Callable[[Path, Path], Awaitable[bool]],
    keep: Callable[[Path], None] | None = None,
) -> int:
    """Runs checks with the binary in a folder; returns the exit status.

    The log of aiohomekit and zeroconf is not printed, because several checks cause refusals. `keep` saves the content
    of the folder before it is deleted.
    """
    if not options.hap.exists():
        sys.exit(f"{options.hap} is missing: build it with swift build -c release --product hap.")
    namespaces.enter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix=f"hap-{name}-"))
    try:
        return 0 if asyncio.run(check(options.hap.resolve(), folder)) else 1
    finally:
        if keep is not None:
            keep(folder)
        shutil.rmtree(folder, ignore_errors=True)


def keep_all(log: Path | None) -> Callable[[Path], None]:
    """Saves the content of the folder except its bus."""

    def keep(folder: Path) -> None:
        if log is not None:
            shutil.copytree(folder, log, dirs_exist_ok=True, ignore=shutil.ignore_patterns("bus"))

    return keep
