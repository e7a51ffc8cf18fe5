"""A loopback relay: it passes bytes on as they are, keeps them, and can spoil an exchange."""

import re
import select
import socket
import threading


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Relay:
    def __init__(self, to):
        self.to, self.port = to, free_port()
        self.listening, self.heard, self.spoils = None, b"", []

    def open(self):
        self.listening = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, args=[self.listening], daemon=True).start()

    def close(self):
        """Nobody is reached here any more, until `open`."""
        if self.listening:
            # It takes a shutdown to wake the thread that waits for the next connection.
            self.listening.shutdown(socket.SHUT_RDWR)
            self.listening.close()
            self.listening = None

    def spoil(self, request, answer=b""):
        """What next begins as `request` gets `answer` instead; without one the server acts, and its answer is lost."""
        self.spoils.append((request, answer))

    def secrets(self):
        """What must not be told of all that was said: the values under these names, in JSON, forms, queries and cookies."""
        names = rb"access_token|refresh_token|id_token|code|code_verifier|session|password"
        found = re.findall(rb'"(?:%s)"\s*:\s*"([^"]{8,})"' % names, self.heard)
        found += re.findall(rb"[?&; \n](?:%s)=([^&;\s]{8,})" % names, self.heard)
        return {value.decode() for value in found}

    def accept(self, listening):
        while True:
            try:
                app, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[app], daemon=True).start()

    def serve(self, app):
        with app, socket.create_connection(("127.0.0.1", self.to)) as server:
            try:
                while self.pass_on(app, server):
                    pass
            except OSError:
                pass

    def pass_on(self, app, server):
        for source in select.select([app, server], [], [])[0]:
            part = source.recv(65536)
            self.heard += part
            if not part:
                return False
            spoilt = next((each for each in self.spoils if source is app and part.startswith(each[0].encode())), None)
            if not spoilt:
                (server if source is app else app).sendall(part)
                continue
            self.spoils.remove(spoilt)
            if spoilt[1]:
                app.sendall(spoilt[1])
            else:
                server.sendall(part)
                self.heard += server.recv(65536)
            return False
        return True
