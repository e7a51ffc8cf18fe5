"""Runs the flow against a glewlwyd of its own: `python3 Tests/Live PROGRAM ROOT FOLDER`, from `.ci/live`."""

import signal
import sys
import time

import situations
from app import App
from glewlwyd import Glewlwyd
from relay import free_port


def main(program, root, folder):
    provider = Glewlwyd(root, folder)
    try:
        provider.start()
        redirect_uri = f"http://127.0.0.1:{free_port()}/callback"
        provider.configure(redirect_uri)
        app = App(program, f"{folder}/app", provider, redirect_uri)
        failed = 0
        for situation in situations.ALL:
            began = time.monotonic()
            try:
                situation(app, provider)
                print(f"ok      {situation.__doc__} ({time.monotonic() - began:.1f} s)", flush=True)
            except situations.Differs as difference:
                failed += 1
                print(f"failed  {situation.__doc__}\n{difference}", flush=True)
        return failed
    finally:
        provider.stop()


# What ends this ends the server, too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
sys.exit(1 if main(*sys.argv[1:]) else 0)
