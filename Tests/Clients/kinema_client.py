"""A running Kinema server, and clients of it; only the standard library is used."""

import base64
import http.client
import json
import os
import re
import select
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

REPOSITORY = Path(__file__).resolve().parents[2]
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))


def usage(process: int) -> dict:
    """Resident memory, now and at most (MB), descriptors, threads and processor time (s) so far of a process."""
    folder = Path(f"/proc/{process}")
    status = dict(
        line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line
    )
    times = (folder / "stat").read_text().rpartition(")")[2].split()
    return {
        # A process that is about to end has none.
        "memory": int(status.get("VmRSS", "0 kB").split()[0]) / 1024,
        "peak": int(status.get("VmHWM", "0 kB").split()[0]) / 1024,
        "descriptors": len(os.listdir(folder / "fd")),
        "threads": int(status["Threads"]),
        "processor": (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
    }


class Server:
    """`kinema live` with a data folder of its own."""

    def __init__(self, *arguments: str, data: Path | None = None, environment: dict | None = None):
        self._folder = tempfile.TemporaryDirectory(prefix="kinema-server-")
        self.folder = Path(self._folder.name)
        self.data = data or self.folder / "data"
        self.log = self.folder / "errors.txt"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [KINEMA, "live", "--port", "0", "--data", str(self.data), *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **(environment or {})},
            )
        self.address = ""
        end = time.monotonic() + 600
        output = b""
        while time.monotonic() < end and not self.address:
            if select.select([self.process.stdout], [], [], 1)[0]:
                part = os.read(self.process.stdout.fileno(), 4096)
                if not part:
                    break
                output += part
            found = re.search(rb"https?://\S+(?=\s)", output)
            self.address = found.group(0).decode() if found else ""
        if not self.address:
            isRunning = self.process.poll() is None
            used = f" after {self.usage()['processor']:.1f} s of work" if isRunning else ""
            self.process.kill()
            raise RuntimeError(f"the server printed no address{used}: {self.errors()}")
        parts = urlsplit(self.address)
        self.host, self.port = parts.hostname, parts.port
        self.token = parts.query.partition("token=")[2] or None
        self.isSecure = parts.scheme == "https"
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def errors(self) -> str:
        """What it wrote to standard error."""
        return self.log.read_text(errors="replace")

    def client(self, **options) -> "Client":
        token = options.pop("token", self.token)
        return Client(self.host, self.port, isSecure=self.isSecure, token=token, **options)

    def usage(self) -> dict:
        return usage(self.process.pid)

    def open_files(self) -> list[str]:
        """What its descriptors lead to."""
        found = []
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                found.append(os.readlink(link))
            except OSError:
                pass
        return sorted(found)

    def end(self, number: int = signal.SIGTERM, timeout: float = 60) -> int:
        """Ends it with a signal; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._folder.cleanup()


class Client:
    """Makes requests, and opens WebSockets, from one address."""

    def __init__(self, host, port, isSecure=False, token=None, source=None, timeout=120):
        self.host, self.port, self.isSecure, self.token = host, port, isSecure, token
        self.source, self.timeout = source, timeout

    def connect(self) -> socket.socket:
        """A connection, encrypted where the server is."""
        source = (self.source, 0) if self.source else None
        stream = socket.create_connection((self.host, self.port), self.timeout, source)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.isSecure:
            return stream
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(stream)

    def headers(self) -> dict:
        head = {"Host": f"{self.host}:{self.port}"}
        if self.token:
            head["Authorization"] = f"Bearer {self.token}"
        return head

    def request(self, method: str, path: str, body: bytes | dict | None = None):
        """The status and the body, decoded where it is JSON; ``ConnectionError`` where it breaks off."""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        if body is None and method not in ("GET", "HEAD"):
            body = b""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        connection.sock = self.connect()
        try:
            connection.request(method, path, body, self.headers())
            response = connection.getresponse()
            data = response.read()
        except http.client.HTTPException as error:
            raise ConnectionError(f"the answer broke off: {error!r}") from error
        finally:
            connection.close()
        if "json" in (response.getheader("content-type") or "") and data:
            return response.status, json.loads(data)
        return response.status, data

    def socket(self) -> "Socket":
        return Socket(self)


class Socket:
    """A WebSocket of the live protocol (RFC 6455), as little as is needed here."""

    def __init__(self, client: Client):
        self.stream = client.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        head = {
            **client.headers(),
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "kinema.live.v1",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        self.stream.sendall(f"GET /api/v1/live HTTP/1.1\r\n{lines}\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        answer, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise ConnectionError(answer.decode(errors="replace"))
        self.lock = threading.Lock()

    def _fill(self):
        data = self.stream.recv(65536)
        if not data:
            raise ConnectionError("closed without a close frame")
        self.buffer += data

    def _take(self, count: int) -> bytes:
        while len(self.buffer) < count:
            self._fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, payload: bytes | dict, opcode: int | None = None):
        """Sends a message: a dictionary as JSON, bytes as a frame of video."""
        if isinstance(payload, dict):
            payload, opcode = json.dumps(payload).encode(), opcode or 1
        length = len(payload)
        head = bytes([0x80 | (opcode or 2)])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", length)
        # A mask of zeros is as good as any between two programs of one machine.
        with self.lock:
            self.stream.sendall(head + b"\0\0\0\0" + payload)

    def send_picture(self, number: int, jpeg: bytes, milliseconds: float):
        self.send(struct.pack("<4sId", b"KFR1", number, milliseconds) + jpeg)

    def receive(self) -> tuple[int, bytes]:
        """The next message; raises ``ConnectionError`` once it is closed."""
        while True:
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(length)
            if first & 15 == 9:
                self.send(payload, 10)
            elif first & 15 == 8:
                code = struct.unpack(">H", payload[:2])[0] if payload else 1005
                raise ConnectionError(f"closed {code}: {payload[2:].decode(errors='replace')}")
            elif first & 15 != 10:
                return first & 15, payload

    def message(self) -> dict | None:
        """The next message; ``None`` for a picture."""
        opcode, payload = self.receive()
        return json.loads(payload) if opcode == 1 else None

    def messages(self):
        """Its text messages, until it is closed."""
        while True:
            if message := self.message():
                yield message

    def wait(self, kind: str) -> dict:
        """The next message of a type."""
        return next(message for message in self.messages() if message["type"] == kind)

    def close(self, code: int | None = 1000):
        """Closes it: with a code properly, with ``None`` as a connection breaks."""
        try:
            if code is not None:
                self.send(struct.pack(">H", code), 8)
        except OSError:
            pass
        finally:
            try:
                self.stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            self.stream.close()


def pictures(server: Server, count: int) -> list[bytes]:
    """JPEG frames of the server's synthetic person."""
    stream = server.client().socket()
    stream.send({"type": "start", "source": {"kind": "server", "id": "synthetic"}, "settings": {}})
    found = []
    while len(found) < count:
        opcode, payload = stream.receive()
        if opcode == 2:
            found.append(payload[16:])
    stream.close()
    return found
