"""A server whose answers never change, before one of Kinema that has the pages."""

import http.client
import json
import re
import threading
import urllib.parse
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# How long a stream of events stays open, in seconds: longer than a page.
OPEN = 600


class Handler(BaseHTTPRequestHandler):
    """Gives the answers of the server's table; asks Kinema for everything else."""

    def do_GET(self):
        """A prepared answer, or that of Kinema."""
        path, _, query = self.path.partition("?")
        answer = self.server.answers.get(urllib.parse.unquote(path))
        if callable(answer):
            answer = answer(dict(urllib.parse.parse_qsl(query)))
        if answer is None:
            self.pass_on()
        elif isinstance(answer, tuple):
            self.send_file(*answer)
        else:
            self.send(200, "application/json", json.dumps(answer).encode())

    def do_POST(self):
        """Nothing changes: what is posted is answered as by a server that has done it already."""
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answer = self.server.answers.get(f"POST {self.path.partition('?')[0]}", {})
        self.send(200, "application/json", json.dumps(answer).encode())

    do_PUT = do_PATCH = do_DELETE = do_POST

    def pass_on(self):
        """Gives Kinema's answer, with its headers."""
        if self.path.startswith("/api/v1/events"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.flush()
            self.server.closing.wait(OPEN)
            return
        connection = http.client.HTTPConnection(self.server.behind, timeout=60)
        connection.request("GET", self.path, headers={"Accept": self.headers.get("Accept", "*/*")})
        answer = connection.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "content-length", "date", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_file(self, kind, data):
        """A file, or the range of it that is asked for."""
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if not found:
            return self.send(200, kind, data, {"Accept-Ranges": "bytes"})
        start = int(found[1])
        end = min(int(found[2] or len(data) - 1), len(data) - 1)
        self.send(206, kind, data[start:end + 1],
                  {"Content-Range": f"bytes {start}-{end}/{len(data)}", "Accept-Ranges": "bytes"})

    def send(self, status, kind, data, headers=()):
        """An answer that no cache keeps."""
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)),
                            "Cache-Control": "no-store", **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Says nothing."""

    def handle(self):
        """A browser closes connections whenever it likes."""
        try:
            super().handle()
        except ConnectionError:
            pass


@contextmanager
def still_server(behind, answers):
    """The address of a server with these answers before the one at an address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.behind = urllib.parse.urlsplit(behind).netloc
    server.answers = answers
    server.closing = threading.Event()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
