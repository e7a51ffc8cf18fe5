"""Holds every document below flows/ and every line of its golden traces against the schemas.

With the program as an argument, also holds the schemas against `flowrun check`: in documents that say everything the
language can, one thing after the other is made wrong, and both must say so.
"""

import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

root = pathlib.Path(__file__).resolve().parent.parent

# Of each document so many of the possible mistakes are made, and so many members put where they may not belong, always
# the same ones.
SAMPLED = 100
MISPLACED = 100
# What `flowrun check` says of the vocabulary alone. The other codes need names and types that a schema does not know, or
# what JSON Schema cannot say: which transition of "next" is the last ("missing-last-transition"), and that a number fits
# 64 bits ("number-too-large").
VOCABULARY = {
    "unknown-member", "missing-member", "conflicting-members", "unknown-word", "wrong-duration", "empty-name",
    "misplaced-member", "missing-next", "transition-without-target", "missing-initial", "missing-reason", "wrong-number",
    "wrong-route", "wrong-type", "empty-list", "secret-without-text", "unknown-check", "unqualified-ref", "wrong-name",
    "missing-transition", "no-body", "forbidden-header", "row-key",
}
# What is tried wherever a duration, a route, a number, a list, values of one kind or a name stands.
DURATIONS = [
    "0", "+0", "0s", "+1s", ".5s", "1.s", "1.5h", "1h30m", "3d", "1ns", "1us", "1µs", "1μs", "", "s", "1", ".s", "-1s",
    "-0s", "1S", "1_0s", "1e3s", " 1s", "1s ", "300y", "١s", "106751d", "107000d", "99999999999s",
]
ROUTES = [
    "GET /", "GET //x", "GET /é", "GET /a:b", "GET /{a}.json", "GET /:{a}", "GET", "GET x", "GET  /x", "get /x", "HEAD /x",
    "GET /x ", "GET /x?y=1", "GET /x#f", "GET /a b", "GET /{}", "GET /{a", "GET /a}", "GET /{a}{b}", "GET /{1a}", "GET /:a",
    "GET /{a}/{a}", "GET /{in}", "GET /..", "GET /a/%2E", "GET /%zz", "GET /.well-known",
]
NUMBERS = [-1, -0.0, 0, 0.5, 1, 1.0, 1.5, 2, 199, 200, 204, 299, 300, 301, 399, 400, 599, 600, 1000, 1e3, 1001]
FIRSTS = [None, False, "x", [1], {"a": 1}]
NAMES = ["", "a-b", "é", "1a", "in", "_a1"]
TRIED = {
    **dict.fromkeys(["timeout", "wait", "advance", "after", "delay"], (str, DURATIONS)),
    **dict.fromkeys(["on", "request"], (str, ROUTES)),
    **dict.fromkeys(["most", "factor", "status", "keeping", "nth"], (int, NUMBERS)),
    **dict.fromkeys(["next", "one of", "all", "any"], (list, [[]])),
    **dict.fromkeys(["initial", "value"], (object, FIRSTS)),
    "redirectUris": (list, [[uri] for uri in ["", "x", "not a uri", "a:/b", "https://a b/", "${config.redirectUri}"]]),
    "now": (str, ["", "${now}", "2026-01-01", "2026-01-01T09:00:00z", "2026-01-01T09:00:00.5+01:00"]),
}
# Where the names of members are the author's.
NAMED = {
    "config", "store", "memory", "let", "fields", "rows", "input", "result", "emits", "screens", "actions", "states", "flows",
    "forms", "links", "send", "capabilities", "participants", "despite", "query", "headers", "form", "cookies",
}
# Of these only `flowrun check` can say that they are wrong: more than 292 years, a variable twice.
BEYOND = ["107000d", "99999999999s", "GET /{a}/{a}"]


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


def kind_of(document):
    return next((name for name in ("flow", "service", "scenario") if name in document), None)


def hold_everything():
    for path in sorted((root / "flows").rglob("*")):
        place = path.relative_to(root)
        if path.name.endswith(".trace.jsonl"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                hold("trace", json.loads(line), f"{place}:{number}")
        elif path.suffix == ".json":
            document = json.loads(path.read_text(encoding="utf-8"))
            if kind_of(document) is None:
                problems.append(f"{place}: is neither flow, service nor scenario")
            else:
                hold(kind_of(document), document, place)


def places(value, path=()):
    """Every value in a document, by the names and indices that lead to it."""
    yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], path + (name,))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from places(element, path + (index,))


def inside(document, path):
    for step in path:
        document = document[step]
    return document


def mistakes(document):
    """What is done where: a member dropped, renamed, added or emptied, a value of another type."""
    for path in places(document):
        value = inside(document, path)
        if isinstance(value, dict):
            yield ("add", path)
        if not path:
            continue
        if isinstance(path[-1], str):
            yield from (("drop", path), ("rename", path))
        others = [5, 200.0, "x", True, [], {}, "", -1, 1000]
        yield from (("put", path, other) for other in others if other != value)


def members(documents):
    """What stands under a name somewhere, for each name."""
    found = {}
    for document in documents:
        for path in places(document):
            if path and isinstance(path[-1], str):
                found.setdefault(path[-1], inside(document, path))
    return found


def misplacements(document, known):
    """A member that stands elsewhere, put into an object without it."""
    for path in places(document):
        value = inside(document, path)
        if isinstance(value, dict):
            yield from (("lend", path, name) for name in known if name not in value)


def trials(document):
    """What looks right or nearly so, once for each company in which its place stands; and what says that a run may stop,
    wherever it decides."""
    seen = set()
    for path in places(document):
        value = inside(document, path)
        if isinstance(value, dict) and "next" in value and "on" not in value:
            yield from (("lend", path, name) for name in ("goal", "rest", "after"))
        if path and path[-1] in NAMED and isinstance(value, dict) and value:
            place = (path[-1], *sorted(inside(document, path[:-1])))
            first = path + (next(iter(value)),)
            if place not in seen:
                seen.add(place)
                yield from (("call", first, name) for name in NAMES)
                yield from (("put", first, other) for other in [None, [1]])
        kind, others = TRIED.get(path[-1] if path else None, (None, []))
        if not kind or not isinstance(value, kind):
            continue
        place = (path[-1], *sorted(inside(document, path[:-1])))
        if place not in seen:
            seen.add(place)
            yield from (("put", path, other) for other in others)


def made(document, mistake, known):
    document = copy.deepcopy(document)
    deed, path = mistake[:2]
    if deed == "add":
        inside(document, path)["misspelt"] = 1
        return document
    if deed == "lend":
        inside(document, path)[mistake[2]] = copy.deepcopy(known[mistake[2]])
        return document
    parent, name = inside(document, path[:-1]), path[-1]
    if deed == "put":
        parent[name] = mistake[2]
    elif deed == "call":
        parent[mistake[2]] = parent.pop(name)
    else:
        value = parent.pop(name)
        if deed == "rename":
            parent[name + "s"] = value
    return document


TYPES = ["string", "bool", "int", "double", "timestamp", "duration", "json", "list", "map"]
VALUES = [
    None, True, 1, 2.0, 1.5, "x", "", "30s", "-30s", "-0", "1", "2026-01-01T09:00:00Z", "2026-13-01T09:00:00Z",
    "2026-01-01T24:00:00Z", "0000-01-01T09:00:00Z", "2026-01-01T09:00:00+25:00", "${now}", [], ["x"], {}, {"a": {}},
]
WORDS = [
    "store", "config", "event", "now", "response", "device", "memory", "request", "result", "input", "present", "size",
    "string", "all", "type", "as", "if",
]
HEADERS = [
    "x", "X-Y_1", "", "a b", "a:b", "é", "Host", "te", "tea", "Proxy-X", "proxy", "cookie", "set-cookie", "Set-Cookie",
    "accept-encoding", "content-type", "location",
]
COOKIES = ["sid", "", "a b", "a=b", "a;b", "a,b", 'a"b', "a\tb", "é", "a/b"]
BODIES = {"json": 1, "form": {"a": "b"}, "text": "x", "page": {"title": "x"}}


def small_flow(**members):
    """Without members a flow without errors, as are the two below."""
    asks = {"request": {"to": "srv", "get": "/x", "headers": members.pop("headers", {})}, "next": [{"goto": "a"}]}
    waits = {"goal": True, "on": members.pop("on", {"user.goes": {"goto": "b"}})}
    people = {"user": {"kind": "person"}, "app": {"kind": "app"}, "srv": {"kind": "service", "model": "services/srv.json"}}
    return {"flow": "sample", "participants": people, "events": members.pop("events", {"user.goes": {}}), "start": "a",
            "states": {"a": waits, "b": asks}, **members}


def small_service(**members):
    answers = [{"reply": members.pop("reply", {})}]
    return {"service": "srv", "routes": [{"on": "GET /x", "next": answers}], **members}


def small_scenario(**answer):
    faults = [{"request": "GET /x", "answer": answer}] if answer else []
    return {"scenario": "one", "script": [{"event": "user.goes"}], "faults": faults}


def small():
    """Small documents, each with one thing in it that is right or wrong."""
    declared = [{"type": kind} for kind in TYPES] + [{"one of": ["x"]}]
    for kind in declared:
        for value in VALUES:
            # Which words can stand there is beyond a schema, and so is what a template gives.
            if "one of" in kind and isinstance(value, str) and value != "x":
                continue
            key, example = {**kind, "initial": value}, {"fields": {"f": {**kind, "example": value}}}
            table = {"k": {"rows": {"f": key}}}
            yield small_flow(store={"k": key})
            yield small_flow(store=table)
            yield small_service(store=table)
            yield small_flow(config={"k": {**kind, "value": value}})
            if value != "${now}":
                yield small_flow(events={"user.goes": example})
            # What a link, a redirect or a form brings is text.
            if value != "${now}":
                yield small_service(reply={"page": {"title": "x", "forms": {"f": {"get": "/x", **example}}}})
        brought = {"link.l": {"fields": {"f": kind}}, "browser.redirected": {"fields": {"f": kind}}}
        document = small_flow(events={"user.goes": {}, **brought}, on=dict.fromkeys(["user.goes", *brought], {"goto": "b"}))
        document["participants"] |= {"browser": {"kind": "browser"}}
        document["participants"]["app"] |= {"redirectUris": ["a:/b"], "links": {"l": "https://a.example/"}}
        yield document
    for value in VALUES:
        yield small_flow(store={"k": {"rows": {"f": {"type": "string"}}, "initial": value}})
    yield small_flow(store={"k": {"rows": {"f": {"type": "string"}}, "initial": {"": {}}}})
    for word in WORDS:
        yield small_flow(let={word: "1 == 1"})
        yield small_service(let={word: "1 == 1"})
    for name in HEADERS:
        yield small_flow(headers={name: "x"})
        yield small_service(reply={"headers": {name: "x"}})
        yield small_scenario(headers={name: "x"})
    for name in COOKIES:
        yield small_service(reply={"cookies": {name: "x"}})
    for status in (200, 204, 205, 304):
        for name, body in BODIES.items():
            yield small_service(reply={"status": status, name: body})
            if name != "page":
                yield small_scenario(**{"status": status, name: body})
    yield small_flow(on={"user.goes": []})
    for uri in ["https://a.example/#f", "a:b c", "a:b", "https://a.example/b"]:
        document = small_flow()
        document["participants"]["app"]["redirectUris"] = [uri]
        yield document
    # What is wrong beside "${…}" is beyond a pattern.
    for path in [
        "x", "", "/", "//x", "/a b", "/..", "/a/%2e", "/.x", "/a?b=c", "/a#b", "/%zz", "/%41", "/é", "/:a", "/a:b", "/{a}",
        "/${config.tenant}", "${config.address}", "https://a.example/b",
    ]:
        addresses = {"tenant": {"type": "string", "value": "t"},
                     "address": {"type": "string", "value": "https://srv.example/y"}}
        document = small_flow(config=addresses)
        document["states"]["b"]["request"]["get"] = path
        document["participants"]["srv"] = {"kind": "service", "url": "https://srv.example"}
        yield document
        # Whether a route answers is no question of how it is written.
        others = {"config": addresses, "despite": {"unanswered-request": "any path is tried"}}
        for kind, method in (("forms", "get"), ("forms", "post"), ("links", "get")):
            yield small_service(reply={"page": {"title": "x", kind: {"p": {method: path}}}}, **others)
        yield small_service(reply={"redirect": {"get": path}}, **others)
    for url in [
        "x", "", "ftp://x", "https://", "https:///x", "https://a", "http://a:1/b", "https://u@a", "https://a?b", "https://a b",
    ]:
        for name, value in (("url", url), ("origins", [url])):
            document = small_flow()
            document["participants"]["srv"][name] = value
            yield document
    for link in ["x", "https://a.example/", "https://a.example", "com.example:/a", "a:b", ":/a"]:
        document = small_flow(events={"user.goes": {}, "link.l": {}}, on={"user.goes": {"goto": "b"}, "link.l": {"goto": "b"}})
        document["participants"]["app"]["links"] = {"l": link}
        yield document
    for when in ({}, {"when": "response.status == 1"}):
        document = small_flow()
        document["states"]["b"]["next"] = [{"goto": "a", **when}]
        yield document
    for one in ({}, {"when": "1 < 2"}, {"name": "n", "sometimes": True}, {"sometimes": False}):
        document = small_service(states={"s": {"next": [{"reply": {}, **one}]}})
        document["routes"][0]["next"] = [{"goto": "s"}]
        yield document
        yield small_service(routes=[{"on": "GET /x", "next": [{"reply": {}, **one}]}])


def compare_small(program):
    """Here all errors count: nothing else could be wrong."""
    usual = {"sample.json": small_flow(), "services/srv.json": small_service(), "sample/one.json": small_scenario()}
    paths = {kind_of(document): path for path, document in usual.items()}
    tried = 0
    for document in small():
        kind = kind_of(document)
        found = findings(program, {**usual, paths[kind]: document})
        errors = sorted({one["code"] for one in found if one["severity"] == "error"})
        refused = [error.json_path for error in validators[kind].iter_errors(document)]
        if bool(errors) != bool(refused):
            problems.append(f"{json.dumps(document)}: flowrun check finds {errors}, the schema refuses {refused}")
        tried += 1
    return tried


def findings(program, documents):
    """What `flowrun check` finds wrong in a flow with its services and its scenario."""
    with tempfile.TemporaryDirectory() as folder:
        for path, document in documents.items():
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(document), encoding="utf-8")
        command = [program, "check", "sample.json", "--json"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 65):
            problems.append(f"flowrun check ended with {done.returncode}: {done.stderr[:200]}")
            return []
        return json.loads(done.stdout)


def compare(program):
    folder = root / "Tests/FlowSpecTests/Sample"
    read = {path: json.loads((folder / path).read_text(encoding="utf-8")) for path in
            ("sample.json", "services/auth.json", "services/api.json", "scenario.json")}
    read["sample/everything.json"] = read.pop("scenario.json")
    for path, document in read.items():
        hold(kind_of(document), document, path)
    made_count = 0
    known = members(read.values())
    for path, document in read.items():
        kind = kind_of(document)
        chosen = list(trials(document))
        for possible, most in (list(mistakes(document)), SAMPLED), (list(misplacements(document, known)), MISPLACED):
            chosen += random.Random(path).sample(possible, min(most, len(possible)))
        for mistake in chosen:
            wrong = made(document, mistake, known)
            made_count += 1
            found = findings(program, {**read, path: wrong})
            errors = {one["code"] for one in found if one["severity"] == "error"}
            refused = [error.json_path for error in validators[kind].iter_errors(wrong)]
            words = f"{path}: {' '.join(json.dumps(part) for part in mistake)}"
            if refused and not errors:
                problems.append(f"{words}: the schema refuses {refused[0]}, and flowrun check nothing")
            if mistake[-1] in BEYOND:
                if not errors:
                    problems.append(f"{words}: flowrun check finds nothing")
            elif errors & VOCABULARY and not refused:
                problems.append(f"{words}: flowrun check finds {sorted(errors & VOCABULARY)}, and the schema nothing")
    return made_count


hold_everything()
problems += [f"there is no {name} to look at" for name, count in counts.items() if not count]
valid = ", ".join(f"{count} of {name}" for name, count in counts.items()) + ": valid"
if len(sys.argv) > 1:
    tried = compare(sys.argv[1]) + compare_small(sys.argv[1])
    valid += f"; {tried} mistakes: schema and flowrun check agree"
print("\n".join(problems) or valid)
sys.exit(1 if problems else 0)
