"""The app: flowrun with flows/oidc-native.json at a live provider, each run from its store, and what it told."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from glewlwyd import PERSON

FLOW = "flows/oidc-native.json"


class Run:
    """One run of the command: its exit code, what it wrote, and the lines of its trace."""

    def __init__(self, done, trace):
        self.code, self.stdout, self.stderr, self.trace = done.returncode, done.stdout, done.stderr, trace
        self.lines = [json.loads(line) for line in trace.splitlines()]

    def of_app(self, kind):
        return [line for line in self.lines if line.get("kind") == kind and "app" in (line.get("who"), line.get("from"), line.get("to"))]

    def states(self):
        return [line["state"] for line in self.of_app("state")]

    def taken(self):
        return [line.get("name") for line in self.of_app("transition")]

    def failures(self):
        return [line["failure"] for line in self.of_app("answer") if "failure" in line]

    def answers(self, request):
        """The status of each answer to this request, whose path is told from the issuer on."""
        method, path = request.split()
        asked = {
            line["number"] for line in self.of_app("request")
            if line["request"].startswith(method) and line["request"].endswith(path)
        }
        return [line.get("status") for line in self.of_app("answer") if line["number"] in asked]

    def changes(self, key):
        changed = [change for line in self.of_app("set") for change in line["changes"] if change["path"] == key]
        return [(change["old"], change["new"]) for change in changed]

    def told(self, until):
        """What the app did up to this state, line by line, without what differs from provider to provider."""
        names = ("state", "name", "goto", "end", "event", "show", "emit", "status")
        lines = self.of_this_app()
        ends = next((index for index, line in enumerate(lines) if line.get("state") == until), len(lines))
        # Which values it sets depends on where the provider tells them.
        return [
            (line["kind"], *(line[name] for name in names if name in line))
            for line in lines[:ends] if line["kind"] != "set"
        ]

    def of_this_app(self):
        return [line for line in self.lines[1:] if "app" in (line.get("who"), line.get("from"), line.get("to"))]

    def members(self):
        return {(line["kind"], member) for line in self.of_this_app() for member in line}


class App:
    def __init__(self, program, folder, provider, redirect_uri):
        self.program, self.folder, self.provider, self.redirect_uri = program, Path(folder), provider, redirect_uri
        self.folder.mkdir()
        self.outputs, self.secrets = [], set()

    def run(self, answers=(), store="store", does="signs in", issuer="short", config={}, options=()):
        """Runs the app with these answers, at the issuer of this name."""
        count = len(self.outputs)
        said, trace = self.folder / f"{count}.json", self.folder / f"{count}.jsonl"
        said.write_text(json.dumps(list(answers)))
        settings = {"issuer": self.provider.issuer(issuer), "clientId": "native", "redirectUri": self.redirect_uri}
        command = [self.program, "run", FLOW, "--live", "provider", "--answers", said, "--trace", trace]
        command += ["--store", self.folder / store, "--browser", f"{sys.executable} Tests/Live/browser.py", *options]
        for name, value in {**settings, **config}.items():
            command += ["--config", f"{name}={value}"]
        person = {"PERSON_NAME": PERSON["username"], "PERSON_PASSWORD": PERSON["password"], "PERSON_DOES": does}
        run = self.ran(command, trace, {**os.environ, **person})
        self.outputs += [run.stdout, run.stderr, run.trace]
        self.remember(store)
        return run

    def simulated(self):
        """The flow's default run, in its simulated world."""
        trace = self.folder / "simulated.jsonl"
        return self.ran([self.program, "run", FLOW, "--trace", trace], trace, os.environ)

    def ran(self, command, trace, environment):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90
        )
        return Run(done, trace.read_text() if trace.exists() else "")

    def stored(self, store="store"):
        path = self.folder / store
        return json.loads(path.read_text())["store"] if path.exists() else {}

    def forget(self):
        """Makes it an app that was just installed."""
        (self.folder / "store").unlink(missing_ok=True)

    def remember(self, store):
        """What a store holds that must stand nowhere else."""
        held = self.stored(store)
        self.secrets |= {held[key] for key in ("accessToken", "refreshToken") if held.get(key)}

    def refresh(self, token, issuer="short"):
        """The status that somebody gets who refreshes with this token."""
        form = {"grant_type": "refresh_token", "client_id": "native", "refresh_token": token}
        request = urllib.request.Request(f"{self.provider.issuer(issuer)}/token", urllib.parse.urlencode(form).encode())
        try:
            return urllib.request.urlopen(request, timeout=10).status
        except urllib.error.HTTPError as answer:
            return answer.code
