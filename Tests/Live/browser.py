#!/usr/bin/env python3
"""A person at the system browser: opens the address, signs in, comes back to the app. No redirect is followed unseen.

`PERSON_NAME` and `PERSON_PASSWORD` are what the person knows; `PERSON_DOES` what they do: `signs in` (the default),
`mistypes` (a wrong password first), `refuses` or `leaves`. glewlwyd's page is a program, which is done without; the
pages of other providers are forms, which are filled in.
"""

import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar


class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Forms(HTMLParser):
    """The buttons of a page, each with the form it stands in."""

    def __init__(self, html):
        super().__init__()
        self.form, self.buttons, self.words = None, [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.form = {"action": given.get("action") or "", "fields": {}}
        elif tag == "button" or (tag == "input" and given.get("type") == "submit"):
            button = {"form": self.form, "name": given.get("name"), "value": given.get("value") or ""}
            self.buttons.append({**button, "words": given.get("value") or ""})
            self.words = tag == "button"
        elif tag == "input" and self.form and given.get("name"):
            self.form["fields"][given["name"]] = given.get("value") or ""

    def handle_data(self, data):
        if self.words:
            self.buttons[-1]["words"] += data

    def handle_endtag(self, tag):
        self.words = self.words and tag != "button"


class Browser:
    def __init__(self, does):
        self.does = does
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stays, cookies)

    def ask(self, address, method="GET", body=None, type="application/json"):
        headers = {"Content-Type": type, "Referer": address} if body else {}
        request = urllib.request.Request(address, body.encode() if body else None, headers, method=method)
        try:
            return self.opener.open(request, timeout=20)
        except urllib.error.HTTPError as answer:
            return answer

    def go(self, address, answer=None):
        """From page to page until nothing leads on."""
        for _ in range(20):
            answer = answer or self.ask(address)
            if answer.status in (301, 302, 303, 307, 308):
                address, answer = urllib.parse.urljoin(address, answer.headers["Location"]), None
                continue
            page = answer.read().decode(errors="replace")
            if urllib.parse.urlsplit(address).path.endswith("/login.html"):
                address, answer = self.signed_in_at_glewlwyd(address), None
            elif answer.status == 200 and Forms(page).buttons:
                address, answer = self.pressed(address, Forms(page).buttons)
            else:
                # Not the query: a code stands there.
                return print(f"browser: {answer.status} at {address.split('?')[0]}", file=sys.stderr)
            if not address:
                return print("browser: closed", file=sys.stderr)
        raise SystemExit("browser: led in a circle")

    def signed_in_at_glewlwyd(self, address):
        """What its login page does at the press of its buttons, and where it leads then."""
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        api = urllib.parse.urljoin(address, "/api/auth/")
        person = {"username": os.environ["PERSON_NAME"], "password": os.environ["PERSON_PASSWORD"]}
        if self.does in ("leaves", "refuses"):
            return None
        if self.does == "mistypes":
            refused = self.ask(api, "POST", json.dumps({**person, "password": "correct horse"}))
            assert refused.status == 401, refused.status
        assert self.ask(api, "POST", json.dumps(person)).status == 200
        consent = json.dumps({"scope": query["scope"][0]})
        assert self.ask(f"{api}grant/{query['client_id'][0]}", "PUT", consent).status == 200
        return query["callback_url"][0] + "&g_continue"

    def pressed(self, address, buttons):
        """Where a press on the right button leads, after the fields of its form were filled in."""
        if self.does == "leaves":
            return None, None
        refusals = [button for button in buttons if re.search("deny|cancel", button["words"], re.I)]
        others = [button for button in buttons if button not in refusals]
        chosen = (refusals if self.does == "refuses" and refusals else others)[0]
        fields = dict(chosen["form"]["fields"])
        for name in fields:
            if re.search("user|login|mail|sub", name) and not fields[name]:
                fields[name] = os.environ["PERSON_NAME"]
            elif "password" in name:
                fields[name] = os.environ["PERSON_PASSWORD"]
        if chosen["name"]:
            fields[chosen["name"]] = chosen["value"]
        address = urllib.parse.urljoin(address, chosen["form"]["action"]) if chosen["form"]["action"] else address
        return address, self.ask(address, "POST", urllib.parse.urlencode(fields), "application/x-www-form-urlencoded")


Browser(os.environ.get("PERSON_DOES", "signs in")).go(sys.argv[-1])
