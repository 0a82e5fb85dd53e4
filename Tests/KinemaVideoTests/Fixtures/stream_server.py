"""Serves a video as live streams that misbehave on command; only the standard library is used.

Usage: stream_server.py MAIN.ts OTHER.ts MAIN.h264 [FRAME-RATE]

Prints a line with the ports of its HTTP, RTSP and silent servers, then obeys the words that come on
standard input, one a line: serve, other (another file), stall (connections stay open and say
nothing), garbage, die (connections are closed, and new ones at once), deny (HTTP 401). After each it
prints how many HTTP and RTSP connections it has. It ends with its standard input.
"""

import base64
import os
import random
import socket
import struct
import sys
import threading
import time

FRAME_RATE = float(sys.argv[4]) if len(sys.argv) > 4 else 30
PACKET = 188
mode = "serve"
connection_count = 0
lock = threading.Lock()


def listen(handle):
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(32)

    def serve(connection):
        global connection_count
        with lock:
            connection_count += 1
        try:
            if mode != "die":
                handle(connection)
        except OSError:
            pass
        finally:
            connection.close()
            with lock:
                connection_count -= 1

    def accept():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


def read_head(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        chunk = connection.recv(4096)
        if not chunk:
            return None
        head += chunk
    return head.decode("latin-1")


def http(connection):
    """MPEG-TS at its own pace for ever, or a playlist."""
    head = read_head(connection)
    if head is None:
        return
    path = head.split()[1]
    if mode == "deny":
        connection.sendall(b"HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\n\r\n")
        return
    if path.startswith("/files.m3u8"):
        name = "file://" + os.path.abspath(sys.argv[1])
        text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n" + name + "\n#EXT-X-ENDLIST\n"
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + text.encode())
        return
    if path.startswith("/concat"):
        text = "ffconcat version 1.0\nfile '" + os.path.abspath(sys.argv[1]) + "'\n"
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + text.encode())
        return
    if path.startswith("/whole.ts"):
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n" + files["serve"])
        return
    if path.startswith("/recording.ts"):
        length = b"Content-Length: %d\r\n\r\n" % len(files["serve"])
        connection.sendall(b"HTTP/1.0 200 OK\r\n" + length + files["serve"])
        return
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n")
    place = 0
    while mode != "die":
        time.sleep(0.02)
        if mode == "stall":
            continue
        if mode == "garbage":
            connection.sendall(random.randbytes(20 * PACKET))
            continue
        data = files.get(mode, files["serve"])
        # The files last two seconds.
        count = max(1, len(data) // PACKET // 100) * PACKET
        connection.sendall(data[place : place + count])
        place = place + count if place + count < len(data) else 0


def rtsp(connection):
    """RTSP (RFC 2326) with H.264 in RTP (RFC 6184) between its messages."""
    while True:
        head = read_head(connection)
        if head is None:
            return
        lines = head.split("\r\n")
        method = lines[0].split()[0]
        sequence = next(line for line in lines if line.lower().startswith("cseq"))
        answer = ["RTSP/1.0 200 OK", sequence]
        body = ""
        if method == "OPTIONS":
            answer.append("Public: DESCRIBE, SETUP, PLAY, TEARDOWN")
        elif method == "DESCRIBE":
            sets = ",".join(base64.b64encode(unit).decode() for unit in units if unit[0] & 31 in (7, 8))
            sets = ",".join(sets.split(",")[:2])
            body = (
                "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=test\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
                "a=rtpmap:96 H264/90000\r\na=control:track\r\n"
                "a=fmtp:96 packetization-mode=1;sprop-parameter-sets=" + sets + "\r\n"
            )
            answer += ["Content-Type: application/sdp", "Content-Length: %d" % len(body)]
        elif method == "SETUP":
            answer += ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1", "Session: 1"]
        else:
            answer.append("Session: 1")
        connection.sendall(("\r\n".join(answer) + "\r\n\r\n" + body).encode())
        if method == "PLAY":
            send_rtp(connection)
            return


def send_rtp(connection):
    sequence = 0
    stamp = 0
    while mode != "die":
        for unit in units:
            while mode == "stall":
                time.sleep(0.02)
            kind = unit[0] & 31
            pieces = [unit]
            if len(unit) > 1200:
                pieces = []
                for start in range(1, len(unit), 1200):
                    end = min(start + 1200, len(unit))
                    flags = (128 if start == 1 else 0) | (64 if end == len(unit) else 0)
                    pieces.append(bytes([unit[0] & 0xE0 | 28, flags | kind]) + unit[start:end])
            for piece in pieces:
                isLast = kind in (1, 5) and piece is pieces[-1]
                header = struct.pack(">BBHII", 128, 96 | (128 if isLast else 0), sequence, stamp, 7)
                packet = header + piece
                connection.sendall(b"$\0" + struct.pack(">H", len(packet)) + packet)
                sequence = (sequence + 1) & 0xFFFF
            if kind in (1, 5):
                stamp = (stamp + int(90000 / FRAME_RATE)) & 0xFFFFFFFF
                time.sleep(1 / FRAME_RATE)
            if mode == "die":
                return


def silent(connection):
    while connection.recv(4096):
        pass


def read(path):
    with open(path, "rb") as file:
        return file.read()


files = {"serve": read(sys.argv[1]), "other": read(sys.argv[2])}
units = [unit.strip(b"\0") for unit in read(sys.argv[3]).split(b"\0\0\1") if unit.strip(b"\0")]
print(listen(http), listen(rtsp), listen(silent), flush=True)
for line in sys.stdin:
    mode = line.strip() or mode
    print(connection_count, flush=True)
