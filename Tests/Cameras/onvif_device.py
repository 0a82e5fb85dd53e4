"""A camera that answers as ONVIF devices do, on UDP and TCP of one port of this machine.

    onvif_device.py PORTFILE PASSWORD [--group]

Its clock is an hour ahead. It asks for a login of “viewer” if it has a password. The port is written to PORTFILE
once it answers. With --group it is asked as cameras of a network are, over multicast on the loopback interface.
"""

import base64
import datetime
import hashlib
import http.server
import re
import socket
import sys
import threading
from pathlib import Path

GROUP, GROUP_PORT = "239.255.255.250", 3702
AHEAD = datetime.timedelta(hours=1)
# The token, name and size of each stream.
STREAMS = (("main&amp;1", "Main", 1920, 1080), ("sub", "Sub", 640, 360))
PASSWORD = sys.argv[2]


def now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc) + AHEAD


def answer_probes(probes: socket.socket, port: int) -> None:
    match = f"""<?xml version="1.0"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"
        xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><e:Body><d:ProbeMatches><d:ProbeMatch>
        <d:Types>dn:NetworkVideoTransmitter</d:Types>
        <d:Scopes>onvif://www.onvif.org/type/video onvif://www.onvif.org/name/Hall%20camera</d:Scopes>
        <d:XAddrs>http://192.0.2.7/onvif http://127.0.0.1:{port}/onvif/device_service</d:XAddrs>
        </d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>"""
    while True:
        data, sender = probes.recvfrom(65536)
        if b"NetworkVideoTransmitter" not in data or b"2005/04/discovery/Probe" not in data:
            continue
        probes.sendto(b"no XML at all <", sender)
        probes.sendto(match.encode(), sender)


def is_login(body: str) -> bool:
    def part(name: str) -> str:
        found = re.search("<" + name + "(?: [^>]*)?>([^<]*)<", body)
        return found[1] if found else ""

    if not PASSWORD:
        return True
    if not part("Created"):
        return False
    made = datetime.datetime.fromisoformat(part("Created").replace("Z", "+00:00"))
    digest = hashlib.sha1(
        base64.b64decode(part("Nonce")) + part("Created").encode() + PASSWORD.encode())
    return (
        abs((made - now()).total_seconds()) < 60 and part("Username") == "viewer"
        and base64.b64encode(digest.digest()).decode() == part("Password"))


class Device(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        answer = self.answer(body)
        if answer is None:
            return self.send_error(401)
        data = f"<s:Envelope xmlns:s='x'><s:Body>{answer}</s:Body></s:Envelope>".encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer(self, body: str) -> str | None:
        if "GetSystemDateAndTime" in body:
            time = now()
            parts = [
                ("Hour", time.hour), ("Minute", time.minute), ("Second", time.second),
                ("Year", time.year), ("Month", time.month), ("Day", time.day),
            ]
            text = "".join(f"<tt:{name}>{value}</tt:{name}>" for name, value in parts)
            return f"<tt:UTCDateTime>{text}</tt:UTCDateTime>"
        if not is_login(body):
            return None
        if "GetCapabilities" in body:
            port = self.server.server_address[1]
            return f"<tt:Media><tt:XAddr>http://192.0.2.7:{port}/onvif/media</tt:XAddr></tt:Media>"
        if "GetProfiles" in body:
            return "".join(
                f"""<trt:Profiles fixed="true" token="{token}"><tt:Name>{name}</tt:Name>
                <tt:VideoEncoderConfiguration token="e"><tt:Name>inner</tt:Name><tt:Resolution>
                <tt:Width>{width}</tt:Width><tt:Height>{height}</tt:Height></tt:Resolution>
                </tt:VideoEncoderConfiguration></trt:Profiles>"""
                for token, name, width, height in STREAMS)
        if "GetStreamUri" in body:
            token = re.search("<ProfileToken>([^<]*)<", body)[1]
            path = {"main&amp;1": "main", "sub": "sub"}[token]
            return f"<trt:MediaUri><tt:Uri>rtsp://127.0.0.1:554/{path}?a=1&amp;b=2</tt:Uri></trt:MediaUri>"
        return ""


def main() -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Device)
    port = server.server_address[1]
    probes = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if "--group" in sys.argv:
        probes.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probes.bind(("", GROUP_PORT))
        membership = socket.inet_aton(GROUP) + socket.inet_aton("127.0.0.1")
        probes.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    else:
        probes.bind(("127.0.0.1", port))
    threading.Thread(target=answer_probes, args=(probes, port), daemon=True).start()
    Path(sys.argv[1]).write_text(f"{port}\n")
    server.serve_forever()


if __name__ == "__main__":
    main()
