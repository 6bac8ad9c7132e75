"""Computes the expected accessories of a file without `hap`, and compares them with a controller's list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from schema import Loader
from sessions import ACCESSORY_INFORMATION, PROTOCOL_INFORMATION, full_type

Listed = list[dict[str, Any]]

CATALOGUE = Path(__file__).resolve().parents[2] / "Sources/Accessories/CatalogGenerator/Input"
RANGES = {"uint8": (0, 2**8 - 1), "uint16": (0, 2**16 - 1), "uint32": (0, 2**32 - 1), "uint64": (0, 2**64 - 1),
          "int": (-(2**31), 2**31 - 1)}
# The differences between the catalog and its input; the reasons are in Sources/Accessories/CatalogGenerator/Rendering/Patch.swift.
PATCHES = {"IsConfigured": {"permissions": ["pr", "pw", "ev"]}, "ActiveIdentifier": {"permissions": ["pr", "pw", "ev"]},
           "CurrentTemperature": {"minValue": -270}}
# What a characteristic of a vendor has if its file names no permissions.
VENDOR_PERMISSIONS = ["pr", "pw", "ev"]


def plain(name: str) -> str:
    """Returns a name in the form in which the catalog compares names."""
    return name.translate(str.maketrans("", "", " -_.")).lower()


@cache
def catalog(kind: str) -> dict[str, dict[str, Any]]:
    """The definitions, `services` or `characteristics`, by name and by UUID."""
    entries = json.loads((CATALOGUE / f"{kind}.json").read_text())[kind]
    entries = [entry | PATCHES.get(entry["id"], {}) for entry in entries]
    named = {plain(alias): entry for entry in entries for alias in entry.get("aliases", [])}
    named |= {plain(entry["id"]): entry for entry in entries}
    return named | {entry["uuid"]: entry for entry in entries}


def type_of(kind: str, name: str) -> str:
    """Returns the UUID of a type of the catalog or of a vendor."""
    entry = catalog(kind).get(plain(name))
    return entry["uuid"] if entry else name.upper()


def read(file: Path) -> Any:
    return yaml.load(file.read_text(encoding="utf-8"), Loader)


def key_of(file: Path) -> str | None:
    """Returns the key of the server's state; None for a dump, which has none."""
    if file.suffix == ".json":
        return None
    definition = read(file)
    return definition.get("id") or definition.get("accessory") or definition["bridge"]


def differences(file: Path, served: Listed) -> Iterator[str]:
    """Yields the differences between the listed accessories and the file."""
    return dump_differences(file, served) if file.suffix == ".json" else definition_differences(file, served)


# Dumps: compared field by field


def with_full_types(accessories: Listed) -> Listed:
    """Returns the same accessories with full types and with default members."""
    return [
        {"aid": accessory["aid"], "services": [
            {"primary": False, "hidden": False, "linked": [], **service, "type": full_type(service["type"]).upper(),
             "characteristics": [
                 {**characteristic, "type": full_type(characteristic["type"]).upper()}
                 for characteristic in service["characteristics"]
             ]}
            for service in accessory["services"]
        ]}
        for accessory in accessories
    ]


def dump_differences(file: Path, served: Listed) -> Iterator[str]:
    dump = json.loads(file.read_text())
    dumped = with_full_types(dump if isinstance(dump, list) else dump["accessories"])
    yield from fields(dumped, with_full_types(served), "")


def fields(expected: Any, actual: Any, path: str) -> Iterator[str]:
    """Yields every different field except `ev`, which belongs to a connection."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted((expected.keys() | actual.keys()) - {"ev"}):
            if key not in actual:
                yield f"{path}.{key} is missing, it is {expected[key]!r}"
            elif key not in expected:
                yield f"{path}.{key} is {actual[key]!r}, and not in the file"
            else:
                yield from fields(expected[key], actual[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual)):
            yield from fields(*pair, f"{path}[{index}]")
    elif expected != actual:
        yield f"{path} is {actual!r}, not {expected!r}"


# Definitions: the written parts are served, and otherwise only what the type requires


def definition_differences(file: Path, served: Listed) -> Iterator[str]:
    expected = list(defined_accessories(file))
    if [accessory["aid"] for accessory in served] != list(range(1, len(expected) + 1)):
        yield f"the aids are {[accessory['aid'] for accessory in served]} of {len(expected)} accessories"
        return
    for accessory, definition in zip(served, expected):
        for difference in accessory_differences(definition, accessory):
            yield f"{definition['accessory']}: {difference}"


def defined_accessories(file: Path) -> Iterator[dict[str, Any]]:
    """Returns the accessories of a definition, with included files in their places."""
    definition = read(file)
    if "bridge" not in definition:
        yield definition
        return
    yield {**definition, "accessory": definition["bridge"]}
    for entry in definition["accessories"]:
        if "include" in entry:
            included = read(file.parent / entry["include"])
            yield {**included, "accessory": entry.get("name", included["accessory"])}
        else:
            yield entry


def accessory_differences(definition: dict[str, Any], served: dict[str, Any]) -> Iterator[str]:
    services = served["services"]
    information = {item["type"]: item.get("value") for item in services[0]["characteristics"]}
    said = {"23": definition["accessory"], "20": definition.get("manufacturer", "hap"),
            "21": definition.get("model"), "30": definition.get("serialNumber"),
            "52": definition.get("firmware", "1.0.0")}
    for short, value in said.items():
        shown = information.get(full_type(short))
        if not shown or value is not None and shown != str(value):
            yield f"{short} of Accessory Information is {shown!r}, not {value!r}"
    added = [full_type(ACCESSORY_INFORMATION)] + [full_type(PROTOCOL_INFORMATION)] * (served["aid"] == 1)
    defined = definition.get("services", [])
    types = added + [type_of("services", service["type"]) for service in defined]
    if [service["type"] for service in services] != types:
        yield f"the types of its services are {[service['type'] for service in services]}, not {types}"
        return
    own = services[len(added):]
    for service, shown in zip(defined, own):
        linked = [own[index]["iid"] for index in linked_indices(service, defined)]
        for key, value in (("primary", service.get("primary", False)), ("hidden", service.get("hidden", False)),
                           ("linked", linked)):
            if shown.get(key) != value:
                yield f"{service['type']}: {key} is {shown.get(key)!r}, not {value!r}"
        for difference in characteristic_differences(service, shown):
            yield f"{service['type']} {service.get('name', '')}: {difference}"


def linked_indices(service: dict[str, Any], defined: Listed) -> Iterator[int]:
    """Returns the positions of the services that this one links to, by id, name or type."""
    for name in service.get("linked", []):
        for key in ("id", "name", "type"):
            found = [index for index, other in enumerate(defined) if other.get(key) == name]
            if found:
                yield found[0]
                break


def characteristic_differences(service: dict[str, Any], shown: dict[str, Any]) -> Iterator[str]:
    served = {item["type"]: item for item in shown["characteristics"]}
    written = dict(service.get("characteristics", {}))
    if "name" in service:
        written["Name"] = service["name"]
    said = set()
    for name, declared in written.items():
        declared = declared if isinstance(declared, dict) else {"value": declared}
        uuid = type_of("characteristics", declared.get("type", name))
        said.add(uuid)
        if uuid in served:
            for key, value in expected_fields(uuid, declared).items():
                if served[uuid].get(key) != value:
                    yield f"{name}: {key} is {served[uuid].get(key)!r}, not {value!r}"
        else:
            yield f"{name} is missing"
    entry = catalog("services")[shown["type"]]
    required = {type_of("characteristics", item["id"]) for item in entry["required"]}
    yield from (f"{uuid} is required, and missing" for uuid in required - served.keys())
    for uuid in served.keys() - said - required:
        known = catalog("characteristics").get(uuid)
        if known is None or known["id"].replace("Current", "Target") not in written:
            yield f"{uuid} is there, but was not expected"


def expected_fields(uuid: str, declared: dict[str, Any]) -> dict[str, Any]:
    """Returns the expected facts of a characteristic: those of the catalog, unless the file replaces them."""
    entry = catalog("characteristics").get(uuid, {})
    form = declared.get("format") or entry["format"]
    least, greatest = bounds(declared, entry)
    whole = RANGES.get(form, (None, None))
    fields = {
        "format": form,
        "perms": declared.get("permissions", entry.get("permissions", VENDOR_PERMISSIONS)),
        "unit": declared.get("unit", entry.get("unit")),
        "minStep": declared.get("step", entry.get("stepValue")),
        "minValue": None if least == whole[0] else least,
        "maxValue": None if greatest == whole[1] else greatest,
    }
    if "description" in declared:
        fields["description"] = declared["description"]
    names = entry.get("validValues") or {}
    if "validValues" in declared:
        valid = [number(value, names) for value in declared["validValues"]]
        fields["valid-values"] = None if valid == sorted(names.values()) else valid
    if declared.get("value") is not None:
        fields["value"] = number(declared["value"], names)
    return fields


def bounds(declared: dict[str, Any], entry: dict[str, Any]) -> tuple[float | None, float | None]:
    if "range" not in declared:
        return entry.get("minValue"), entry.get("maxValue")
    least, greatest = declared["range"].split("...")
    return float(least) if least else None, float(greatest) if greatest else None


def number(value: Any, names: dict[str, int]) -> Any:
    """Returns the value as it is sent: a name of the catalog becomes its number."""
    if isinstance(value, str):
        return {plain(name): each for name, each in names.items()}.get(plain(value), value)
    return value
