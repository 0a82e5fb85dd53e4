"""Makes the wheel, the Debian package and the image for 64-bit ARM, on an x86-64 machine, or tests there.

    arm64.py FOLDER [tests]

As root, with debootstrap and qemu-user-static. The committed state is compiled for 64-bit ARM in a Debian 13,
by its own `swiftlang`, with the libraries of an emulated one, in which it is packed. Both systems are kept in
FOLDER/systems and begin anew each time. FOLDER/arm64/tree and FOLDER/dist hold what is made. The
Python index is the one that this machine's pip is configured for.

With `tests` nothing is packed: the tests of what computes are compiled and run in the emulated system, with
`../shared` where it is. It says for each module how many pass, and FOLDER/arm64-tests keeps what they print.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable

_CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.append(str(_CHECKOUT / "Scripts/check"))

from bare import Bare, enter_namespace  # noqa: E402

_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_EMULATOR = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
_TRIPLE = "aarch64-unknown-linux-gnu"
_COMPILER = "/usr/libexec/swift"
# What compiles: Swift's package, C headers for the manifest, and the C compiler that FFmpeg is built with.
_TOOLS = "swiftlang pkg-config binutils libc6-dev g++ libncurses6 libxml2 gcc-aarch64-linux-gnu dpkg-dev"
_LISTS = ("setup/apt-packages.txt", "wheel/apt-packages.txt", "setup/apt-swift.txt")
# Of the lists, what the tests and an x86-64 machine need.
_LEFT_OUT = {
    "ffmpeg", "chromium", "chromium-driver", "python3-selenium", "node-typescript", "python3-gi",
    "gstreamer1.0-plugins-good", "gir1.2-gst-rtsp-server-1.0", "mosquitto", "mosquitto-clients", "nasm",
}
_SYSTEM = "/arm64"
_OTHERWISE = ", or leave this out with ARM64=no"
# The modules of tests whose numbers depend on the processor, and the golden outputs of classifiers.
_MODULES = ("Network", "Tracking", "Pose", "Depth", "Streams", "Files")
_TESTS = {f"Kinema{name}Tests": rf"^Kinema{name}Tests\." for name in _MODULES} | {
    "golden outputs": "ActionClassifierGoldenTests"}
_TESTS_AT_ONCE = 2
_TESTS_SECONDS = 5400


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["tests"]):
        sys.exit("usage: arm64.py FOLDER [tests]")
    tests = bool(sys.argv[2:])
    otherwise = "" if tests else _OTHERWISE
    enter_namespace(otherwise)
    problem = missing(otherwise)
    if problem:
        sys.exit(f"arm64: {problem}")
    folder = Path(sys.argv[1]).resolve()
    started = time.monotonic()

    def done(what: str) -> None:
        print(f"{time.monotonic() - started:6.0f} s  {what}", file=sys.stderr, flush=True)

    target = Bare(
        "trixie", "ca-certificates", folder / "systems", _PATH, "arm64", " ".join(packages()))
    host = Bare("trixie", "make,git,ca-certificates", folder / "systems", _PATH, installed=_TOOLS)
    done("systems")
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", _CHECKOUT, host.root / "kinema"], check=True)
    host.mount(target.root, _SYSTEM, isWritable=True)
    target.mount(host.root / "kinema", "/kinema", isWritable=True)
    target.variables |= {"KINEMA_HOME": "/kinema/.kinema", "PYTHONDONTWRITEBYTECODE": "1"}
    if tests:
        test(host, target, folder / "arm64-tests", done)
    else:
        pack(host, target, folder, done)


def pack(host: Bare, target: Bare, folder: Path, done: Callable[[str], None]) -> None:
    """Makes the packages in `folder`."""
    build(host, "--scratch-path .build/product --product kinema --static-swift-stdlib", "swift_static")
    done("executable")
    ffmpeg = host.run(f"cd /kinema && Scripts/wheel/ffmpeg.sh .build/wheel {_SYSTEM} 2>/dev/null").strip()
    done("FFmpeg")
    target.variables |= {
        "KINEMA": f"/kinema/.build/product/{_TRIPLE}/release/kinema",
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", "0"),
    }
    target.run("cd /kinema && python3 Scripts/setup/runtime.py .kinema", fetches=True)
    for script in (
        f"tree.py .build/wheel {ffmpeg}", "wheel.py .build/wheel/tree .build/wheel/dist",
        "deb.sh .build/wheel/tree .build/wheel/dist", "image.sh .build/wheel/tree .build/wheel/dist",
    ):
        python = "python3 " if script.split(" ")[0].endswith(".py") else ""
        target.run(f"cd /kinema && {python}Scripts/wheel/{script}")
        done(script.split(" ")[0])
    made = host.root / "kinema/.build/wheel"
    shutil.rmtree(folder / "arm64", ignore_errors=True)
    shutil.copytree(made / "tree", folder / "arm64/tree", symlinks=True)
    (folder / "dist").mkdir(exist_ok=True)
    for package in sorted((made / "dist").iterdir()):
        print(shutil.copy2(package, folder / "dist"))


def test(host: Bare, target: Bare, logs: Path, done: Callable[[str], None]) -> None:
    """Runs the tests of what computes; ends with status 1 where one fails or does not end."""
    build(host, "--scratch-path .build/tests --build-tests", "swift")
    done("tests are compiled")
    shared = _CHECKOUT.parent / "shared"
    if shared.is_dir():
        target.mount(shared, "/shared")
    folder = f"/kinema/.build/tests/{_TRIPLE}/release"
    target.variables |= {
        "KINEMA": f"{folder}/kinema", "KINEMA_TEST_CACHE": "/tmp/cache",
        "LD_LIBRARY_PATH": f"{_COMPILER}/lib/swift/linux",
    }
    target.run("cd /kinema && python3 Scripts/setup/runtime.py .kinema", fetches=True)
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)

    def run(name: str) -> bool:
        # One after the other, so that what has ended is known where the time does not reach.
        command = target.arguments(
            f"cd /kinema && exec timeout {_TESTS_SECONDS} {folder}/KinemaPackageTests.xctest --testing-library "
            f"swift-testing --no-parallel --filter '{_TESTS[name]}' --skip 'LongTests/|RealTimeTests/|BrowserTests/'")
        log = logs / f"{name.replace(' ', '-')}.log"
        with log.open("w") as file:
            status = subprocess.run(
                command, env=target.variables, stdout=file, stderr=subprocess.STDOUT).returncode
        closing = re.findall(r"Test run with (\d+) tests? .*?(passed|failed)", log.read_text(errors="replace"))
        isPassed = status == 0 and bool(closing) and closing[-1][1] == "passed" and closing[-1][0] != "0"
        what = f"{closing[-1][0]} tests {closing[-1][1]}" if closing else "did not end"
        done(f"{name}: {what}" + ("" if isPassed else f", status {status}; see {log}"))
        return isPassed

    with ThreadPoolExecutor(_TESTS_AT_ONCE) as pool:
        if not all(list(pool.map(run, _TESTS))):
            sys.exit(1)


def build(host: Bare, options: str, swift: str) -> None:
    """Compiles the checkout for the other processor; `swift` is the folder of Swift's libraries."""
    (host.root / "destination.json").write_text(json.dumps(destination(swift)))
    libraries = f"{_SYSTEM}/usr/lib/aarch64-linux-gnu/pkgconfig:{_SYSTEM}/usr/share/pkgconfig"
    host.run(
        f"cd /kinema && PKG_CONFIG_PATH={libraries} PKG_CONFIG_SYSROOT_DIR={_SYSTEM} swift build -c release "
        f"--destination /destination.json {options}")


def missing(otherwise: str) -> str | None:
    """What this machine lacks, as a sentence; `otherwise` says how to do without."""
    lines = _EMULATOR.read_text().splitlines() if _EMULATOR.exists() else []
    if "enabled" not in lines or not any(line.startswith("flags:") and "F" in line for line in lines):
        return ("programs for 64-bit ARM do not run here; install Debian's `qemu-user-static` and `binfmt-support`, "
                f"which register them with the flag F{otherwise}.")
    return None


def packages() -> list[str]:
    found = []
    for name in _LISTS:
        lines = (_CHECKOUT / "Scripts" / name).read_text().splitlines()
        found += [line.split("#")[0].strip() for line in lines]
    return [name for name in found if name and name not in _LEFT_OUT]


def destination(swift: str) -> dict:
    """Of SwiftPM: another processor, whose system is unpacked in a folder."""
    clang = [f"--target={_TRIPLE}", f"--sysroot={_SYSTEM}", "-resource-dir", f"{_COMPILER}/lib/clang/17"]
    return {
        "version": 1,
        "sdk": _SYSTEM,
        "toolchain-bin-dir": f"{_COMPILER}/bin",
        "target": _TRIPLE,
        "dynamic-library-extension": "so",
        "extra-cc-flags": [f"--sysroot={_SYSTEM}", "-fPIC"],
        "extra-swiftc-flags": [
            "-sdk", _SYSTEM, "-resource-dir", f"{_SYSTEM}{_COMPILER}/lib/{swift}", "-use-ld=lld",
            *(part for option in clang for part in ("-Xclang-linker", option)),
        ],
        "extra-cpp-flags": [],
    }


if __name__ == "__main__":
    main()
