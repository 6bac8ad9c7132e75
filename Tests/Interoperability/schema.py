#!/usr/bin/env python3
"""Validates definitions with the JSON Schema and the package jsonschema.

    .venv/bin/python Tests/Interoperability/schema.py [FILE …]

Without FILE, these must pass: every definition in Accessories, docs/definitions.md and README.md, and the copies of
real devices in Tests/AccessoryFilesTests/Pictures. Those in Tests/AccessoryFilesTests/Broken must be rejected, unless a
schema cannot express the error. The same applies to Config/home.yaml, docs/homes.md and
Tests/AccessoryFilesTests/BrokenHomes with the schema of homes, and to Config/scenarios, docs/scenarios.md and
Tests/AccessoryFilesTests/BrokenScenarios with the schema of scenarios. Prints a line for each wrong result, and a
summary. Exit status: 0 if everything is correct, 1 otherwise.
"""

import json
import re
import sys
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parent.parent.parent
GALLERY = ROOT / "Accessories"
SCHEMA = GALLERY / "accessory.schema.json"
BROKEN = ROOT / "Tests/AccessoryFilesTests/Broken"
PICTURES = ROOT / "Tests/AccessoryFilesTests/Pictures"
HOME_SCHEMA = ROOT / "Config/home.schema.json"
BROKEN_HOMES = ROOT / "Tests/AccessoryFilesTests/BrokenHomes"
SCENARIO_SCHEMA = ROOT / "Config/scenario.schema.json"
SCENARIOS = ROOT / "Config/scenarios"
BROKEN_SCENARIOS = ROOT / "Tests/AccessoryFilesTests/BrokenScenarios"
SCENARIO_PAGES = (ROOT / "docs/scenarios.md",)
HOME_PAGES = (ROOT / "docs/homes.md",)
PAGES = (ROOT / "docs/definitions.md", ROOT / "README.md")

# Errors that only the reader can find, because they depend on several places or on the meaning of a name.
BEYOND_A_SCHEMA = {
    "all-hidden": "whether all characteristics are hidden",
    "cast-of-a-lamp": "which services a driver is for",
    "cast-of-two-speakers": "which services a driver is for",
    "command-and-simulation": "which services a driver owns",
    "duplicate-characteristic": "which names mean one type",
    "incomplete": "which characteristics a type requires",
    "information-id": "which ids are taken",
    "information": "what is said in two places, and how many bytes a text has",
    "links": "which services there are",
    "name-twice": "that a name stands in two places",
    "protocol": "which accessory is the first",
    "same-services": "which services are the same",
}
HOMES_BEYOND_A_SCHEMA = {
    "names": "what things are called elsewhere in the file",
}
SCENARIOS_BEYOND_A_SCHEMA = {
    "deep": "how many repetitions lie in each other",
    "names": "what is served, and what it is called",
    "no-date": "which days there are",
    "often": "how many steps that makes",
    "order": "how long the steps before take",
    "repeat-at": "whether a step lies in a repetition",
    "stands-still": "whether time passes at that point",
    "too-long": "how long a duration is",
    "values": "what is served, and which values it has",
}


class Loader(yaml.SafeLoader):
    """YAML 1.2, in which `On` is a text, and which rejects repeated keys."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if len(set(map(str, keys))) != len(keys):
            raise yaml.constructor.ConstructorError(None, None, "a key occurs twice", node.start_mark)
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    ("float", r"^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)


def faults(validator, text):
    """Returns the errors of a definition; none if it passes."""
    try:
        value = yaml.load(text, Loader)
    except yaml.YAMLError as error:
        return [str(error).splitlines()[0]]
    errors = sorted(validator.iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{'.'.join(map(str, error.absolute_path)) or 'the whole'}: {error.message[:160]}" for error in errors]


def examples(pages, first):
    """Returns the files in the documents that begin with a key."""
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for number, block in enumerate(re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL), 1):
            if re.search(rf"^({first}):", block, re.MULTILINE):
                yield f"{page.relative_to(ROOT)}, example {number}", block


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__.strip())
        return 0
    names = [Path(name) for name in sys.argv[1:]]
    odd, good = check(
        "definitions", SCHEMA, names or sorted(GALLERY.glob("*.yaml")) + sorted(PICTURES.glob("*.yaml")),
        [] if names else list(examples(PAGES, "accessory|bridge")),
        [] if names else sorted(BROKEN.glob("*.yaml")), BEYOND_A_SCHEMA,
    )
    if not names:
        more, homes = check(
            "homes", HOME_SCHEMA, [ROOT / "Config/home.yaml"], list(examples(HOME_PAGES, "homes?")),
            sorted(BROKEN_HOMES.glob("*.yaml")), HOMES_BEYOND_A_SCHEMA,
        )
        odd, good = odd + more, min(good, homes)
        more, scenarios = check(
            "scenarios", SCENARIO_SCHEMA, sorted(SCENARIOS.glob("*.yaml")), list(examples(SCENARIO_PAGES, "scenario")),
            sorted(BROKEN_SCENARIOS.glob("*.yaml")), SCENARIOS_BEYOND_A_SCHEMA,
        )
        odd, good = odd + more, min(good, scenarios)
    return 1 if odd or not good else 0


def check(kind, schema, files, texts, broken, beyond):
    """Validates files and examples with a schema; returns the number of wrong results, and the number of expected
    passes.
    """
    schema = json.loads(schema.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    good = [(str(file).removeprefix(f"{ROOT}/"), file.read_text(encoding="utf-8")) for file in files] + texts
    odd = 0
    for name, text in good:
        for fault in faults(validator, text):
            odd += 1
            print(f"{name}: {fault}")
    refused = 0
    for file in broken:
        is_refused = bool(faults(validator, file.read_text(encoding="utf-8")))
        refused += is_refused
        if is_refused == (file.stem in beyond):
            odd += 1
            print(f"{file.relative_to(ROOT)}: it is {'refused, so a schema can tell' if is_refused else 'not refused'}")
    print(f"schema: {len(good)} {kind} pass, {refused} of {len(broken)} broken ones are refused, {odd} are odd.")
    return odd, len(good)


if __name__ == "__main__":
    sys.exit(main())
