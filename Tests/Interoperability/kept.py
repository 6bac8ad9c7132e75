"""The saved state of a server and its pairings, read from its store."""

from __future__ import annotations

import sqlite3
from pathlib import Path

# The tables that faults may not change, except for one fault, which empties the first table.
PAIRINGS = "pairing"
IDENTITY = ("server", "identity", "accessory", "object")


class Kept:
    """The rows of a store at one moment."""

    def __init__(self, folder: Path) -> None:
        store = sqlite3.connect(f"file:{folder / 'hap.sqlite'}?mode=ro", uri=True)
        try:
            self.pairings = self._rows(store, PAIRINGS)
            self.identity = {table: self._rows(store, table) for table in IDENTITY}
        finally:
            store.close()

    @staticmethod
    def _rows(store: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
        return sorted(store.execute(f"SELECT * FROM {table}"), key=repr)
