"""Tries a wheel in bare systems, and prints how long each step takes.

    try.py WHEEL VIDEO [SUITE …]

As root. Each SUITE (default: bookworm trixie) is a Debian that debootstrap makes, with Python and its
venv and nothing else; only /proc, /dev and /sys are mounted in it. The Python index is the one that this
machine's pip is configured for. Tested are the installation, `kinema` with every kind of work, and that
`kinema live` shows a moving picture to a client outside; with PICTURE_SECONDS the installation and
the first picture together may take no longer, download not included. A wheel for 64-bit ARM is tried in
an emulated Debian 13: the installation, and poses, actions and repetitions of the first frames.
"""

import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_CHECKOUT / "Tests/Clients"), str(_CHECKOUT / "Scripts/check")]

import kinema_client  # noqa: E402
from bare import Bare, enter_namespace  # noqa: E402

_WORK = Path(os.environ.get("TRY_FOLDER", _CHECKOUT / ".build/wheel/try"))
_LIMIT = float(os.environ.get("PICTURE_SECONDS", "90"))
_PACKAGES = "python3-venv,ca-certificates"
_PATH = "/venv/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_PIP = "/venv/bin/pip --disable-pip-version-check --quiet"


def try_in(suite: str, wheel: Path, video: Path) -> None:
    bare = Bare(suite, _PACKAGES, _WORK, _PATH)
    shutil.copy(wheel, bare.root / "tmp")
    shutil.copy(video, bare.root / "tmp/video.mp4")

    def timed(title: str, command: str, **options) -> str:
        start, processor = time.monotonic(), processor_seconds()
        output = bare.run(command, **options)
        figures[title] = time.monotonic() - start
        used = processor_seconds() - processor
        print(f"{suite}  {figures[title]:6.1f} s  {used:6.1f} s of processor  {title}", flush=True)
        return output

    figures: dict[str, float] = {}
    package = f"/tmp/{wheel.name}"
    timed("create the virtual environment", "python3 -m venv /venv")
    timed("download", f"{_PIP} download --dest /tmp/wheels {package}", fetches=True)
    timed("pip install", f"{_PIP} install --no-index --find-links /tmp/wheels {package}")
    processor = processor_seconds()
    picture = first_picture(bare)
    used = processor_seconds() - processor
    total = figures["pip install"] + picture
    print(f"{suite}  {picture:6.1f} s  {used:6.1f} s of processor  kinema live, to a moving picture")
    print(f"{suite}  {total:6.1f} s  both commands, without the download", flush=True)
    if total > _LIMIT:
        sys.exit(f"try: {total:.0f} s are more than {_LIMIT:.0f}")

    timed("kinema --help", "kinema --help")
    doctor = timed("kinema doctor", "kinema doctor")
    print(doctor, end="")
    timed("python -m kinema", "/venv/bin/python -m kinema --version")
    timed("kinema pose", "cd /tmp && kinema pose video.mp4 --no-cache --output poses.npz")
    timed("kinema classify", "cd /tmp && kinema classify video.mp4 --annotate annotated.mp4")
    check_video(bare.root / "tmp/annotated.mp4")
    timed("kinema count", "cd /tmp && kinema count video.mp4 --report count.html")
    timed("kinema synth", "cd /tmp && kinema synth --dataset people --sequences 40 --seed 1")
    timed("kinema train", "cd /tmp && kinema train people --output my.mlmodel")
    timed("kinema classify --model", "cd /tmp && kinema classify video.mp4 --model my.mlmodel")
    # The program may be used by somebody who cannot write where it is installed.
    timed("another user", "setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "
          "kinema classify /tmp/video.mp4 --no-cache")
    for folder in ("Python/tests", "docs", "Tests/Clients", "Scripts/python"):
        shutil.copytree(_CHECKOUT / folder, bare.root / "tmp/checkout" / folder)
    # The tests make videos and read their frames with an FFmpeg of their own.
    bare.run(f"{_PIP} install pytest fastjsonschema imageio-ffmpeg", fetches=True)
    bare.run("ln -s $(/venv/bin/python -c 'import imageio_ffmpeg as i; print(i.get_ffmpeg_exe())') /venv/bin/ffmpeg")
    timed("pytest", "cd /tmp/checkout/Python && /venv/bin/python -B -m pytest -q -rs tests")
    if "REFERENCE" in os.environ:
        compare(bare)


def try_emulated(suite: str, wheel: Path, video: Path) -> None:
    """An emulated processor is a hundred times slower, so that only a second of the video is read."""
    bare = Bare(suite, _PACKAGES, _WORK, _PATH, "arm64")
    shutil.copy(wheel, bare.root / "tmp")
    cut = ["-frames:v", "24", "-c:v", "libx264", "-pix_fmt", "yuv420p", bare.root / "tmp/video.mp4"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", video, *cut], check=True)
    bare.run("python3 -m venv /venv")
    bare.run(f"{_PIP} install /tmp/{wheel.name}", fetches=True)
    print(bare.run("kinema doctor"), end="")
    bare.run("cd /tmp && kinema pose video.mp4 --no-cache --output poses.npz")
    shape = bare.run(
        "/venv/bin/python -c \"import kinema; p = kinema.Poses.load('/tmp/poses.npz'); print(p.keypoints.shape)\"")
    print(f"{suite}  kinema pose: {shape}", end="", flush=True)
    for command in "synth --dataset people --sequences 4 --seed 1", "classify poses.npz", "count poses.npz":
        print(bare.run(f"cd /tmp && kinema {command}"), end="", flush=True)


def processor_seconds() -> float:
    """The time that the processor worked for commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_picture(bare: Bare) -> float:
    """Serves the video, and returns the seconds until a client had a second, different frame."""
    start = time.monotonic()
    server = subprocess.Popen(
        bare.arguments("exec kinema live /tmp/video.mp4 --port 8765 --data /tmp/live"),
        env=bare.variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                page = urllib.request.urlopen("http://127.0.0.1:8765/", timeout=5).read()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > start + _LIMIT:
                    sys.exit("try: `kinema live` does not answer")
                time.sleep(0.05)
        if b"<html" not in page:
            sys.exit("try: `kinema live` serves no page")
        watch()
        return time.monotonic() - start
    finally:
        server.terminate()
        server.wait(20)


def watch() -> None:
    """Plays the server's video as the page does, until two frames differ and a person is in one."""
    with urllib.request.urlopen("http://127.0.0.1:8765/api/v1/info", timeout=5) as answer:
        sources = json.load(answer)["sources"]
    file = next(source["id"] for source in sources if source["kind"] == "file")
    session = kinema_client.Client("127.0.0.1", 8765).socket()
    session.send({"type": "start", "source": {"kind": "server", "id": file}, "settings": {}})
    pictures, has_person = set(), False
    while len(pictures) < 2 or not has_person:
        kind, message = session.receive()
        if kind == 2 and message[:4] == b"KFR1" and message[16:18] == b"\xff\xd8":
            pictures.add(message[16:])
        elif kind == 1:
            content = json.loads(message)
            if content["type"] == "error":
                sys.exit(f"try: the server says {content}")
            has_person = has_person or bool(content.get("persons"))
    session.close()


def check_video(path: Path) -> None:
    report = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-count_frames", "-show_entries",
         "stream=codec_name,nb_read_frames,bit_rate", "-of", "csv=p=0", path],
        capture_output=True, text=True)
    if report.returncode != 0 or report.stderr or not report.stdout.startswith("h264"):
        sys.exit(f"try: the annotated video is damaged: {report.stdout} {report.stderr}")


def compare(bare: Bare) -> None:
    """Compares the poses with those of another build of the program outside.

    They are equal bit for bit with the same version of the C library, whose mathematics rounds
    differently from version to version; what the filters make of that is small.
    """
    reference, poses = bare.root / "tmp/reference.npz", bare.root / "tmp/poses.npz"
    video = bare.root / "tmp/video.mp4"
    command = [os.environ["REFERENCE"], "pose", video, "--no-cache", "--output", reference]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    if reference.read_bytes() == poses.read_bytes():
        print("the poses equal those of REFERENCE")
        return
    median = bare.run(
        "cd /tmp && /venv/bin/python -c \"import numpy as n; a, b = (n.load(f)['poses'] for f in "
        "('reference.npz', 'poses.npz')); print(n.median(abs(a - b)))\"")
    print(f"the poses differ from those of REFERENCE by {float(median):.1e} in the median")
    if float(median) > 1e-3:
        sys.exit("try: that is too much")


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit("usage: try.py WHEEL VIDEO [SUITE …]")
    enter_namespace()
    wheel, video = Path(sys.argv[1]), Path(sys.argv[2])
    if wheel.name.endswith("aarch64.whl") and platform.machine() != "aarch64":
        try_emulated("trixie", wheel, video)
        return
    for suite in sys.argv[3:] or ["bookworm", "trixie"]:
        try_in(suite, wheel, video)


if __name__ == "__main__":
    main()
