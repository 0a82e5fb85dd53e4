"""Decodes a clip with the ffmpeg command, frame by frame, exactly as the Swift tests do."""

import subprocess

import numpy as np


def frames(path):
    """Yields every frame of a clip as an RGB array, upright, in the order of presentation."""
    command = [
        "ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-map", "0:v:0",
        "-fps_mode", "passthrough", "-f", "image2pipe", "-c:v", "pam", "-pix_fmt", "rgba", "-",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=1 << 20) as process:
        stream = process.stdout
        while True:
            header = {}
            for line in iter(stream.readline, b"ENDHDR\n"):
                if not line:
                    return
                words = line.split()
                header[words[0]] = words[-1]
            width, height = int(header[b"WIDTH"]), int(header[b"HEIGHT"])
            pixels = np.frombuffer(stream.read(width * height * 4), np.uint8)
            yield np.ascontiguousarray(pixels.reshape(height, width, 4)[..., :3])
