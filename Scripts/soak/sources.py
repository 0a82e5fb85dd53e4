"""Live sources that fail and come back: files, HTTP, RTSP, MJPEG and a pipe."""

import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
STREAM_SERVER = REPOSITORY / "Tests/KinemaVideoTests/Fixtures/stream_server.py"


def ffmpeg(*arguments: str):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True)


class Sources:
    """All sources, made from one video with a person; they misbehave until ``stop``."""

    def __init__(self, video: Path, folder: Path, pictures: list[bytes], rate: float):
        self.folder, self.pictures, self.rate = folder, pictures, rate
        self.isOver = threading.Event()
        clips = [folder / "main.ts", folder / "other.ts", folder / "main.h264"]
        encoder = ["-an", "-c:v", "libx264", "-g", "4", "-bf", "0", "-pix_fmt", "yuv420p"]
        for start, clip in zip(("0", "4", "0"), clips):
            ffmpeg("-ss", start, "-i", str(video), "-t", "2", "-r", str(rate), *encoder, str(clip))
        self.file = folder / "looped.mp4"
        ffmpeg("-i", str(video), "-t", "6", "-r", str(rate), *encoder, str(self.file))
        self.upload = folder / "upload.mp4"
        shutil.copy(self.file, self.upload)
        self.transport = clips[0].read_bytes()
        self.server = subprocess.Popen(
            [sys.executable, str(STREAM_SERVER), *map(str, clips), str(rate)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        http, rtsp, _ = self.server.stdout.readline().split()
        listener = socket.create_server(("127.0.0.1", 0))
        mjpeg = listener.getsockname()[1]
        self.pipe = folder / "frames"
        os.mkfifo(self.pipe)
        self.addresses = [
            str(self.file),
            f"http://127.0.0.1:{http}/live.ts",
            f"rtsp://127.0.0.1:{rtsp}/live",
            f"http://localhost:{mjpeg}/camera.mjpeg",
            f"pipe:{self.pipe}",
        ]
        self.faults = 0
        for job in (self._command, self._hide, self._fill, lambda: self._accept(listener)):
            threading.Thread(target=job, daemon=True).start()

    def stop(self):
        self.isOver.set()
        self.server.stdin.close()
        self.server.wait(20)

    def _pause(self, shortest: float, longest: float) -> bool:
        """Whether to go on after a while."""
        return not self.isOver.wait(random.uniform(shortest, longest))

    def _command(self):
        """HTTP and RTSP stall, die, send garbage, refuse; most of the time they serve."""
        words = ["serve", "other", "stall", "garbage", "die", "deny"]
        while True:
            for word in (random.choice(words), "serve"):
                self.server.stdin.write(word + "\n")
                self.server.stdin.flush()
                self.server.stdout.readline()
                self.faults += word != "serve"
                if not self._pause(*((10, 30) if word == "serve" else (2, 15))):
                    return

    def _hide(self):
        """The file disappears for a while."""
        hidden = self.file.with_suffix(".hidden")
        while self._pause(20, 60):
            self.file.rename(hidden)
            self.faults += 1
            self._pause(1, 10)
            hidden.rename(self.file)

    def _fill(self):
        """The writer of the pipe ends, and another one comes."""
        while not self.isOver.is_set():
            try:
                descriptor = os.open(self.pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                if not self._pause(0.5, 1):
                    return
                continue
            os.set_blocking(descriptor, True)
            end = time.monotonic() + random.uniform(10, 60)
            step = max(1, len(self.transport) // 188 // 20) * 188
            try:
                while time.monotonic() < end and not self.isOver.is_set():
                    for start in range(0, len(self.transport), step):
                        os.write(descriptor, self.transport[start : start + step])
                        time.sleep(0.1)
            except OSError:
                pass
            os.close(descriptor)
            self.faults += 1
            self._pause(1, 10)

    def _accept(self, listener: socket.socket):
        listener.settimeout(1)
        while not self.isOver.is_set():
            try:
                stream, _ = listener.accept()
            except OSError:
                continue
            threading.Thread(target=self._send_pictures, args=(stream,), daemon=True).start()

    def _send_pictures(self, stream: socket.socket):
        """A camera's MJPEG over HTTP, until it fails."""
        end = time.monotonic() + random.uniform(5, 60)
        with stream:
            try:
                stream.settimeout(10)
                stream.recv(65536)
                stream.sendall(
                    b"HTTP/1.0 200 OK\r\n"
                    b"Content-Type: multipart/x-mixed-replace;boundary=frame\r\n\r\n"
                )
                number = 0
                while time.monotonic() < end and not self.isOver.is_set():
                    jpeg = self.pictures[number % len(self.pictures)]
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n"
                    stream.sendall(head.encode() + b"\r\n" + jpeg + b"\r\n")
                    number += 1
                    time.sleep(1 / self.rate)
                # Half of the time it breaks off within a picture.
                if random.random() < 0.5:
                    stream.sendall(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg[:500])
            except OSError:
                pass
        self.faults += 1
