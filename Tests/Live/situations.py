"""What happens between the app and the provider; each function is one situation, and its text what must hold."""

import difflib
import os
import shutil
import stat
import time

from glewlwyd import LIFETIMES, PERSON

SIGN_IN = {"event": "user.signsIn"}
SIGN_OUT = {"event": "user.signsOut"}
LOOK = {"event": "user.looksAgain"}


class Differs(Exception):
    pass


def hold(run, what, found, expected):
    if found == expected:
        return
    said = f"  {what} should be {expected!r}, and is {found!r}"
    if isinstance(expected, list) and len(expected) > 9:
        lines = difflib.unified_diff([str(each) for each in expected], [str(each) for each in found], "expected", "found")
        said = f"  {what} differs:\n" + "\n".join(lines)
    raise Differs(f"{said}\n{run.stdout}{run.stderr}")


def ends(run, state, code=0):
    hold(run, "the last state", run.states()[-1:], [state])
    hold(run, "the exit code", run.code, code)


def took(run, name):
    hold(run, f"whether it took \"{name}\"", name in run.taken(), True)


def signed_in(app, then=(), **given):
    """A new app, in which somebody signs in."""
    app.forget()
    run = app.run([SIGN_IN, *then], **given)
    ends(run, "connected")
    return run


def expire():
    """Waits until the access tokens of the short-lived kind are no longer good."""
    time.sleep(LIFETIMES["short"] + 1)


def sign_in(app, provider):
    """a person signs in, and the trace tells it as that of a simulated run does"""
    run = signed_in(app, issuer="long")
    hold(run, "the person's name", app.stored().get("name"), "Alice Example")
    hold(run, "the mode of the store's file", stat.S_IMODE(os.stat(app.folder / "store").st_mode), 0o600)
    simulated = app.simulated()
    hold(run, "what the app does", run.told(until="connected"), simulated.told(until="connected"))
    hold(run, "members that no simulated run has", run.members() - simulated.members(), set())


def expires(app, provider):
    """the access token expires and is refused, and a refresh rotates both tokens"""
    # The person can look once they are signed in: from then on time passes.
    run = signed_in(app, then=[LOOK, {"advance": "4s"}, LOOK])
    hold(run, "how userinfo answered at last", run.answers("GET /userinfo")[-2:], [401, 200])
    hold(run, "how the token endpoint answered", set(run.answers("POST /token")), {200})
    aliases = [new for _, new in run.changes("refreshToken")]
    hold(run, "whether it was rotated", len(aliases) > 1, True)
    hold(run, "what was stored as refresh token", aliases, [f"<refresh_token#{n + 1}>" for n in range(len(aliases))])


def relaunched(app, provider):
    """a relaunched app is signed in; left alone it refreshes when that is due, with the token that was kept"""
    run = app.run([{"advance": "13s"}])
    ends(run, "connected")
    hold(run, "what it asked the person", "signedOut" in run.states(), False)
    took(run, "access expires")
    hold(run, "how the token endpoint answered", run.answers("POST /token")[-1:], [200])


def reuse(app, provider):
    """a refresh token that was rotated is refused on reuse, and the person is asked to sign in again"""
    signed_in(app)
    shutil.copy2(app.folder / "store", app.folder / "old")
    expire()
    ends(app.run(), "connected")
    newest = app.stored().get("refreshToken")
    run = app.run(store="old")
    took(run, "refresh refused")
    ends(run, "signedOut")
    hold(run, "what is left in the store", app.stored("old"), {})
    hold(run, "how the newest token is answered after that", app.refresh(newest), 400)


def sign_out(app, provider):
    """signing out empties the store and revokes: nobody can refresh with the token that was stored"""
    signed_in(app, issuer="long")
    token = app.stored().get("refreshToken")
    run = app.run([SIGN_OUT], issuer="long")
    hold(run, "whether it refreshed before", run.answers("POST /token"), [])
    took(run, "revoked")
    ends(run, "signedOut")
    hold(run, "what is left in the store", app.stored(), {})
    hold(run, "how its token is answered after that", app.refresh(token, "long"), 400)


def unreachable(app, provider):
    """a provider that cannot be reached signs nobody out, neither at work nor at launch"""
    signed_in(app)
    kept = app.stored()
    provider.stop()
    try:
        run = app.run()
    finally:
        provider.start()
    ends(run, "withoutProvider", code=69)
    hold(run, "what is stored", app.stored(), kept)
    hold(run, "why the request failed", run.failures(), ["unreachable"])
    ends(app.run(), "connected")


def trouble(app, provider):
    """a provider in trouble signs nobody out; a refusal would"""
    signed_in(app)
    kept = app.stored()
    for _ in range(2):
        provider.relay.spoil("POST /api/short/token", b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
    expire()
    run = app.run()
    hold(run, "how the refresh was answered", run.answers("POST /token"), [503, 503])
    ends(run, "withoutProvider")
    hold(run, "the refresh token", app.stored().get("refreshToken"), kept.get("refreshToken"))
    ends(app.run(), "connected")


def lost(app, provider):
    """a refresh whose answer was lost is tried once more; this provider takes that for theft, and says so"""
    signed_in(app)
    provider.relay.spoil("POST /api/short/token")
    expire()
    run = app.run()
    hold(run, "why the first try failed", run.failures(), ["lost"])
    took(run, "refresh refused")
    ends(run, "signedOut")


def mistyped(app, provider):
    """a mistyped password is between the person and the provider"""
    signed_in(app, does="mistypes")


def left(app, provider):
    """a person who leaves the browser stays signed out"""
    app.forget()
    run = app.run([SIGN_IN], does="leaves", options=["--browser-wait", "2s"])
    took(run, "browser closed")
    ends(run, "signedOut")


def refused(app, provider):
    """an error in the redirect ends the sign-in: this client may not ask for codes"""
    run = app.run([SIGN_IN], config={"clientId": "no-code"})
    took(run, "the provider did not sign in anyone")
    ends(run, "signedOut")


def other_issuer(app, provider):
    """an issuer that is not the one that was asked for, by a slash alone, is not taken"""
    run = app.run([SIGN_IN], config={"issuer": provider.issuer("short") + "/"})
    took(run, "wrong provider")
    ends(run, "signedOut")


def nothing_told(app, provider):
    """no password, code, verifier or token stands in a trace or output of these runs, nor what the flow does not read"""
    secrets = {value for value in provider.relay.secrets() if len(value) >= 12}
    # Of a long one its beginning or end would do for a leak.
    pieces = {piece for value in secrets for piece in (value[:16], value[-16:])}
    told = [piece for piece in pieces for output in app.outputs if piece in output]
    told += [PERSON["email"] for output in app.outputs if PERSON["email"] in output]
    if told:
        raise Differs(f"  told are {len(told)} of {len(pieces)} pieces of secrets, or the person's mail address")
    # What the stores held went through the relay: it heard the others, too.
    if not app.secrets or not app.secrets <= secrets or len(secrets) < 2 * len(app.secrets):
        raise Differs("  the relay has not heard all secrets")


ALL = [
    sign_in, expires, relaunched, reuse, sign_out, unreachable, trouble, lost, mistyped, left, refused, other_issuer, nothing_told
]
