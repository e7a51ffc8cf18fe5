"""Holds every document below flows/ and every line of its golden traces against the schemas."""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

root = pathlib.Path(__file__).resolve().parent.parent


def validator(name):
    schema = json.loads((root / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


validators = {name: validator(name) for name in ("flow", "service", "scenario", "trace")}
problems = []
counts = {name: 0 for name in validators}


def hold(name, value, place):
    counts[name] += 1
    for error in validators[name].iter_errors(value):
        problems.append(f"{place}: {error.json_path}: {error.message[:200]}")


for path in sorted((root / "flows").rglob("*")):
    place = path.relative_to(root)
    if path.name.endswith(".trace.jsonl"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            hold("trace", json.loads(line), f"{place}:{number}")
    elif path.suffix == ".json":
        document = json.loads(path.read_text(encoding="utf-8"))
        kind = next((name for name in ("flow", "service", "scenario") if name in document), None)
        if kind is None:
            problems.append(f"{place}: is neither flow, service nor scenario")
        else:
            hold(kind, document, place)

print("\n".join(problems) or ", ".join(f"{count} of {name}" for name, count in counts.items()) + ": valid")
sys.exit(1 if problems else 0)
