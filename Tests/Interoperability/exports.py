"""Checks an export for Apple's HomeKit Accessory Simulator with Python's plistlib: it must have the form of real
exports.
"""

from __future__ import annotations

import plistlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHARACTERISTIC = {"properties", "permissions", "format", "unit", "description", "value", "constrains", "instanceid",
                  "uuid", "service", "characteristicDelegate"}
SERVICE = {"accessory", "characteristics", "hidden", "linkedServices", "uuid", "instanceid"}

# Every class of a real export with its keys, without the prefix HAK.
CLASSES: dict[str, set[str]] = {
    "HAKAccessory": {"category", "services", "idPool", "accessoryVersion", "transports", "bridgedAccessories", "bridge",
                     "primary", "identifier", "password", "setupID", "instanceid"},
    "HAKAccessoryInformationService": SERVICE,
    "HAKPairingService": SERVICE,
    "HAKService": SERVICE,
    "HAKCharacteristic": CHARACTERISTIC,
    "HAKIdentifyCharacteristic": CHARACTERISTIC,
    "HAKPairSetupCharacteristic": CHARACTERISTIC,
    "HAKPairVerifyCharacteristic": CHARACTERISTIC,
    "HAKPairingFeaturesCharacteristic": CHARACTERISTIC,
    "HAKPairingsCharacteristic": CHARACTERISTIC,
    "HAKNumberConstraints": {"minValue", "maxValue", "stepValue"},
    "HAKStringConstraints": {"maxLength"},
    "HAKIdentifier": {"data"},
    "HAKIPTransport": {"config", "started", "state", "idPool", "transportVersion", "primaryAccessory", "protocolVersion"},
    "HAKProtocolVersion": {"protocolVersion.major", "protocolVersion.minor", "protocolVersion.patch"},
    "HAKUUID": {"HAKUUID.version", "type", "uuid"},
    "NSUUID": {"NS.uuidbytes"},
}


class Export:
    """A keyed archive, as plistlib returns it."""

    def __init__(self, file: Path) -> None:
        with open(file, "rb") as stream:
            self.archive = plistlib.load(stream, fmt=plistlib.FMT_BINARY)
        self.objects = self.archive["$objects"]

    def value(self, value: Any) -> Any:
        """Returns the object that a value refers to; `$null` is None."""
        found = self.objects[value.data] if isinstance(value, plistlib.UID) else value
        return None if found == "$null" else found

    def of_class(self, name: str) -> list[dict[str, Any]]:
        return [each for each in self.objects if isinstance(each, dict) and self.class_of(each) == name]

    def class_of(self, value: dict[str, Any]) -> str | None:
        description = self.value(value.get("$class"))
        return description["$classname"] if description else None

    def root(self) -> dict[str, Any]:
        root = self.value(self.archive["$top"]["root"])
        return {self.value(key): self.value(value) for key, value in zip(root["NS.keys"], root["NS.objects"])}

    def elements(self, value: Any) -> list[Any]:
        return [self.value(element) for element in self.value(value)["NS.objects"]]

    def uuid(self, value: Any) -> str:
        bytes_ = self.value(self.value(self.value(value)["HAK.uuid"])["NS.uuidbytes"])
        text = bytes_.hex().upper()
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))

    def faults(self) -> Iterator[str]:
        """Yields the differences from the form of real exports."""
        head = (self.archive.get("$version"), self.archive.get("$archiver"), self.objects[0])
        if head != (100000, "NSKeyedArchiver", "$null"):
            yield f"the archive begins {head}"
        root = self.root()
        if (root.get("kind"), root.get("version")) != ("accessory", 1):
            yield f"the root says {root.get('kind')!r}, version {root.get('version')!r}"
        if self.class_of(root["accessory"]) != "HAKAccessory":
            yield f"the root holds a {self.class_of(root['accessory'])}"
        for name, keys in CLASSES.items():
            found = self.of_class(name)
            if not found:
                yield f"there is no {name}"
            expected = {key if key.startswith(("HAKUUID", "NS.")) else f"HAK.{key}" for key in keys} | {"$class"}
            for each in found:
                if each.keys() != expected:
                    yield f"a {name} has {sorted(each.keys() ^ expected)} too many or too few"

    def characteristics(self) -> Iterator[tuple[int, str, Any]]:
        """Returns the iid, type and value of every characteristic of the accessory."""
        for service in self.elements(self.root()["accessory"]["HAK.services"]):
            for each in self.elements(service["HAK.characteristics"]):
                yield self.value(each["HAK.instanceid"]), self.uuid(each["HAK.uuid"]), self.value(each["HAK.value"])
