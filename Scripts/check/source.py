"""Builds and tests the checkout in bare Debian systems, by the commands of README.md.

    source.py [SUITE …]

As root. Each SUITE (default: trixie) is a Debian that debootstrap makes, with `make` and `git` and
nothing else. The committed state is cloned into it; `../shared`, if it is there, can be read. Where the
suite has no Swift that is new enough, this machine's toolchain is mounted in it. The Python index is the one that this
machine's pip is configured for. `make test` runs to its end, which takes an hour; with TESTS=build its tests are
compiled alone, and with TESTS=no not even that.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from bare import Bare, enter_namespace

_CHECKOUT = Path(__file__).resolve().parents[2]
_WORK = Path(os.environ.get("TRY_FOLDER", _CHECKOUT / ".build/source"))
_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_PORT = 8766


def try_in(suite: str) -> None:
    bare = Bare(suite, "make,git,ca-certificates", _WORK, _PATH)
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", _CHECKOUT, bare.root / "kinema"], check=True)
    shared = _CHECKOUT.parent / "shared"
    if shared.is_dir():
        bare.mount(shared, "/shared")
    offered = bare.run("apt-get update -qq; apt-cache policy swiftlang")
    if not re.search(r"Candidate: ([6-9]|\d\d)\.", offered):
        swift = shutil.which("swift")
        if swift is None:
            sys.exit(f"source: {suite} has no Swift, and there is none on the PATH to mount in it.")
        toolchain = Path(swift).resolve().parents[1]
        bare.mount(toolchain, "/opt/toolchain")
        bare.variables["PATH"] = f"/opt/toolchain/bin:{_PATH}"

    def timed(title: str, command: str) -> str:
        start = time.monotonic()
        output = bare.run(f"cd /kinema && {command}", fetches=True)
        print(f"{suite}  {time.monotonic() - start:6.0f} s  {title}", flush=True)
        return output

    timed("make setup", "make setup")
    print(bare.run("swift --version").splitlines()[0])
    timed("make build", "make build")
    kinema = ".build/product/release/kinema"
    print(timed("kinema doctor", f"KINEMA_HOME=/kinema/.kinema {kinema} doctor"), end="")
    serve(bare)
    program = f"export KINEMA_HOME=/kinema/.kinema; {kinema}"
    timed("kinema synth", f"{program} synth --output /tmp/workout.mp4")
    print(timed("kinema classify", f"{program} classify /tmp/workout.mp4"), end="")
    print(timed("kinema count", f"{program} count /tmp/workout.mp4"), end="")
    tests = os.environ.get("TESTS")
    if tests == "build":
        timed("compile the tests", "swift build -c release --build-tests")
    elif tests != "no":
        closing = timed("make test", "make test").splitlines()[-1]
        print(closing)


def serve(bare: Bare) -> None:
    """Runs README's first command until its page comes."""
    start = time.monotonic()
    server = subprocess.Popen(
        bare.arguments(f"cd /kinema && exec make live PORT={_PORT}"), env=bare.variables | bare.pip_variables,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while True:
            try:
                page = urllib.request.urlopen(f"http://127.0.0.1:{_PORT}/", timeout=5).read()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > start + 300:
                    sys.exit("source: `make live` does not answer")
                time.sleep(0.2)
        if b"<html" not in page:
            sys.exit("source: `make live` serves no page")
        print(f"        {time.monotonic() - start:6.0f} s  make live, to its page", flush=True)
    finally:
        os.killpg(server.pid, 15)
        server.wait(20)


def main() -> None:
    enter_namespace()
    for suite in sys.argv[1:] or ["trixie"]:
        try_in(suite)


if __name__ == "__main__":
    main()
