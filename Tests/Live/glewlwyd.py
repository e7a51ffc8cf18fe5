"""glewlwyd, a real OpenID Connect provider, on loopback, with all it writes in one folder."""

import json
import os
import shutil
import subprocess
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from relay import Relay, free_port

PERSON = {"username": "alice", "password": "correct horse battery", "email": "alice@example.test"}
# Two issuers of one server: at the first an access token lasts for seconds, at the second for an hour.
LIFETIMES = {"short": 3, "long": 3600}


class Glewlwyd:
    """The server whose files lie under `root`. Apps reach it at `origin`, through a relay that keeps what was said."""

    def __init__(self, root, folder):
        self.root, self.folder = Path(root), Path(folder)
        self.folder.mkdir()
        self.process, self.port = None, free_port()
        self.relay = Relay(to=self.port)
        self.origin = f"http://127.0.0.1:{self.relay.port}"
        self.environment = dict(
            os.environ,
            PATH=f"{self.root}/usr/bin:{os.environ['PATH']}",
            LD_LIBRARY_PATH=":".join(str(path) for path in (self.root / "usr/lib").glob("*-linux-*")),
        )
        tables = self.root / "usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
        # Flushed once, not after each line.
        once = f"pragma synchronous=off;\nbegin;\n{tables.read_text()}\ncommit;\n"
        self.tool("sqlite3", self.folder / "database", input=once)
        (self.folder / "configuration").write_text(self.configuration())

    def issuer(self, name):
        return f"{self.origin}/api/{name}"

    def tool(self, name, *arguments, input=""):
        command = shutil.which(name, path=self.environment["PATH"]) or name
        done = subprocess.run(
            [command, *arguments], input=input, env=self.environment, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{name}: {done.stderr}")
        return done.stdout

    def configuration(self):
        modules = self.root / "usr/lib/glewlwyd"
        return f"""port={self.port}
bind_address="127.0.0.1"
external_url="{self.origin}"
api_prefix="api"
login_url="login.html"
static_files_path="{self.root}/usr/share/glewlwyd/webapp/"
static_files_mime_types=({{ extension=".html" mime_type="text/html" }})
cookie_secure=0
session_key="session"
session_expiration=600
login_api_enabled=true
admin_scope="g_admin"
admin_session_authentication="cookie"
profile_scope="g_profile"
profile_session_authentication="cookie"
hash_algorithm="SHA512"
log_mode="file"
log_level="INFO"
log_file="{self.folder}/log"
user_module_path="{modules}/user"
user_middleware_module_path="{modules}/user"
client_module_path="{modules}/client"
user_auth_scheme_module_path="{modules}/scheme"
plugin_module_path="{modules}/plugin"
database={{ type="sqlite3" path="{self.folder}/database" }};
"""

    def start(self):
        with open(self.folder / "output", "ab") as output:
            self.process = subprocess.Popen(
                [self.root / "usr/bin/glewlwyd", f"--config-file={self.folder}/configuration"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment,
            )
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/config", timeout=5).close()
                return self.relay.open()
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise SystemExit("glewlwyd does not start:\n" + (self.folder / "output").read_text())

    def stop(self):
        self.relay.close()
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def configure(self, redirect_uri):
        """Tells a new server of its issuers, of the app and of the person, as its administrator would."""
        self.jar = CookieJar()
        key = self.tool("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        public = self.tool("openssl", "pkey", "-pubout", input=key)
        self.tell("POST", "auth/", {"username": "admin", "password": "password"})
        for name, seconds in LIFETIMES.items():
            self.tell("POST", "mod/plugin/", {
                "module": "oidc", "name": name, "display_name": name, "enabled": True,
                "parameters": {**self.issues(name, seconds), "key": key, "cert": public},
            })
        app = {
            "name": "A native app", "confidential": False, "enabled": True, "scope": [],
            "redirect_uri": [redirect_uri], "token_endpoint_auth_method": ["none"],
        }
        self.tell("POST", "client/", {**app, "client_id": "native", "authorization_type": ["code", "refresh_token"]})
        self.tell("POST", "client/", {**app, "client_id": "no-code", "authorization_type": ["refresh_token"]})
        self.tell("POST", "user/", {
            **PERSON, "name": "Alice Example", "enabled": True, "scope": ["openid"]
        })
        self.tell("DELETE", "auth/", {})
        self.relay.heard = b""

    def issues(self, name, seconds):
        kinds = ["token", "implicit", "password", "client", "device", "none"]
        return {
            "iss": self.issuer(name), "jwt-type": "rsa", "jwt-key-size": "256", "jwks-show": True,
            "access-token-duration": seconds, "refresh-token-duration": 3600, "code-duration": 60,
            "refresh-token-rolling": True, "refresh-token-one-use": "always",
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-refresh-enabled": True,
            **{f"auth-type-{kind}-enabled": False for kind in kinds}, "allow-non-oidc": True,
            "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required-public-client": True,
            # An app without a secret may revoke with its access token.
            "introspection-revocation-allowed": True, "introspection-revocation-auth-scope": ["openid"],
            "introspection-revocation-allow-target-client": True,
            "allowed-scope": ["openid"], "name-claim": "mandatory", "email-claim": "mandatory",
        }

    def tell(self, method, path, body):
        request = urllib.request.Request(
            f"{self.origin}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar)).open(request, timeout=10).close()
