"""Converts with `hap convert` in both directions, and checks the files with Python's plistlib."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from exports import Export

EXPORT = "a real export → YAML → .hasaccessory → YAML: both YAML equal and short, and plistlib finds what real ones have"
GARAGE = "Accessories/garage.hasaccessory is garage.yaml with a setup code, and plistlib finds what real ones have"

SETUP_CODE = "031-45-154"

LIMIT = 20.0
SHORT = 60


def convert(binary: Path, source: Path, target: Path) -> bytes:
    """Converts a file and returns the result."""
    command = [str(binary), "convert", str(source), str(target)]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert result.returncode == 0, f"{source.name} → {target.name}: status {result.returncode}, {result.stderr.strip()}"
    return target.read_bytes()


def check_archive(file: Path) -> None:
    faults = list(Export(file).faults())
    assert not faults, f"{file.name}: {'; '.join(faults)}"


def check_export(binary: Path, source: Path, folder: Path) -> None:
    """Converts in both directions, and once more: nothing is lost, and the result has no unreadable parts."""
    written, archive, again = folder / "first.yaml", folder / "written.hasaccessory", folder / "second.yaml"
    first = convert(binary, source, written)
    convert(binary, written, archive)
    assert convert(binary, archive, again) == first, f"the second YAML is another one:\n{again.read_text()}"
    lines = first.decode().splitlines()
    assert len(lines) <= SHORT, f"the YAML has {len(lines)} lines"
    opaque = [line for line in lines if re.search(r"[A-Za-z0-9+/=]{40}", line) or len(line) > 120]
    assert not opaque, f"{opaque[0]!r} is nothing that people write"
    check_archive(archive)
    old, new = (list(Export(file).characteristics()) for file in (source, archive))
    assert [each[:2] for each in old] == [each[:2] for each in new], f"ids and types are {new}, not {old}"
    # A number that was typed in is a decimal in a real export, and a dictionary here.
    changed = [(one, other) for one, other in zip(old, new) if not isinstance(one[2], dict) and one != other]
    assert not changed, f"values have changed: {changed}"


def check_garage(binary: Path, source: Path, folder: Path) -> None:
    """The converted definition equals the committed export, except for the setup code, which HAS requires."""
    definition, archive = folder / "garage.yaml", folder / "garage.hasaccessory"
    definition.write_text(source.read_text() + f'setupCode: "{SETUP_CODE}"\n')
    assert convert(binary, definition, archive) == source.with_suffix(".hasaccessory").read_bytes(), \
        f"it is another file: add setupCode {SETUP_CODE} to a copy of {source.name} and convert that"
    check_archive(archive)
    values = {value for _, _, value in Export(archive).characteristics()}
    assert {"Kilgo Garage", "Kilgo Devices, Inc.", "Garage Door", "Garage Light"} <= values, f"it has {values}"
