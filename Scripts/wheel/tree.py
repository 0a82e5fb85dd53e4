"""Makes the tree that the wheel, the Debian package and the image hold.

    tree.py FOLDER [FFMPEG]

FOLDER/tree holds what `install.sh` installs, the shared libraries that the executable needs (the
FFmpeg that `ffmpeg.sh` builds, or has built in the folder FFMPEG, among them), the labels' typeface, and the licences of all that. Its
executable runs on any Linux with the glibc and libstdc++ of Debian 12 or later.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

_SCRIPTS = Path(__file__).parents[1]
# What every system has, in a version of its own: the C and C++ libraries (in the lists of PEP 600).
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|stdc\+\+|gcc_s))\.so\.\d+")
# Hashes of the modules, and of all with its debugging information: they depend on the folder of the build.
_OF_THE_BUILD = (".swift_modhash", ".note.gnu.build-id")

_FONTS = Path("/usr/share/fonts/truetype/dejavu")
_FONT_FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_FONT_SETTINGS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: tree.py FOLDER [FFMPEG]")
    folder = Path(sys.argv[1]).resolve()
    ffmpeg = Path(*sys.argv[2:] or [run(_SCRIPTS / "wheel/ffmpeg.sh", folder).strip()]).resolve()
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    run(_SCRIPTS / "install.sh", tree)
    executable = tree / "bin/kinema"
    libraries = tree / "lib/kinema"
    licences = tree / "share/kinema/licences"

    origins = {}
    for name, path in needed(executable, ffmpeg / "usr/lib/kinema").items():
        target = libraries / name
        shutil.copyfile(path, target)
        target.chmod(0o644)
        run("strip", "--strip-unneeded", target)
        # DT_RPATH goes before LD_LIBRARY_PATH, which other programs' libraries may be in.
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN", target)
        origins[name] = path
    run("strip", *(f"--remove-section={name}" for name in _OF_THE_BUILD), executable)
    run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../lib/kinema", executable)
    unresolved = [name for name, path in needed(executable).items() if path.parent != libraries]
    if unresolved:
        sys.exit(f"tree: the executable takes {', '.join(unresolved)} from elsewhere")

    fonts = tree / "share/kinema/fonts"
    fonts.mkdir(parents=True)
    for file in _FONT_FILES:
        shutil.copyfile(_FONTS / file, fonts / file)
    (fonts / "fonts.conf").write_text(_FONT_SETTINGS)
    add_licences(licences, ffmpeg, origins)


def needed(executable: Path, folder: Path | None = None) -> dict[str, Path]:
    """The shared libraries that an executable loads, by name, without the system's."""
    search = {"LD_LIBRARY_PATH": str(folder)} if folder else {}
    report = run("env", "-i", *(f"{k}={v}" for k, v in search.items()), "ldd", executable)
    if "not found" in report:
        sys.exit(f"tree: libraries are missing:\n{report}")
    found = {}
    for name, path in re.findall(r"^\s*(\S+) => (\S+)", report, re.MULTILINE):
        if not SYSTEM.fullmatch(name):
            found[name] = Path(path).resolve()
    return found


def add_licences(folder: Path, ffmpeg: Path, origins: dict[str, Path]) -> None:
    """Writes the licences of the libraries, and of which source package each is."""
    for file in (ffmpeg / "licences").iterdir():
        shutil.copyfile(file, folder / f"ffmpeg-{file.stem}.txt")
    swift = Path(run("sh", "-c", "readlink -f $(command -v swift)").strip())
    # In swift.org's toolchain, and in Debian's package.
    texts = swift.parents[1] / "share/swift/LICENSE.txt", Path("/usr/share/doc/swiftlang/copyright")
    shutil.copyfile(next(text for text in texts if text.exists()), folder / "swift.txt")
    version = re.search(r"Swift version (\S+)", run("swift", "--version"))
    (folder / "swift-version.txt").write_text(f"{version[1]}\n" if version else "unknown\n")

    # libheif and libde265, of a wheel of the Python index.
    for name in ("LGPL-3", "GPL-3"):
        shutil.copyfile(Path("/usr/share/common-licenses", name), folder / f"{name}.txt")

    packages = {}
    for name, path in [*origins.items(), *((file, _FONTS / file) for file in _FONT_FILES)]:
        if ffmpeg not in path.parents:
            packages.setdefault(package(path), []).append(name)
    sources = []
    for name, files in sorted(packages.items()):
        copyright = Path("/usr/share/doc", name, "copyright").read_text(errors="replace")
        (folder / f"{name}.txt").write_text(copyright)
        for common in re.findall(r"/usr/share/common-licenses/([\w.+-]*[\w+])", copyright):
            text = Path("/usr/share/common-licenses", common)
            if text.is_file():
                shutil.copyfile(text, folder / f"{text.resolve().name}.txt")
        fields = "${source:Package} ${source:Version}"
        source = run("dpkg-query", "--show", f"--showformat={fields}", name)
        sources.append(f"{', '.join(sorted(files))}: {source}\n")
    (folder / "debian-sources.txt").write_text(
        "The Debian source packages of the libraries and fonts, which https://snapshot.debian.org "
        "keeps.\n\n" + "".join(sources)
    )


def package(path: Path) -> str:
    """The Debian package of a file."""
    # A file may be known under the path before /usr was merged.
    for candidate in (path, Path("/", *path.parts[2:])):
        answer = subprocess.run(
            ["dpkg-query", "--search", candidate], capture_output=True, text=True)
        if answer.returncode == 0:
            return answer.stdout.split(":")[0]
    sys.exit(f"tree: {path} is of no Debian package, and its licence is not known")


def run(*command: object) -> str:
    outcome = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if outcome.returncode != 0:
        sys.exit(f"tree: {command[0]} failed")
    return outcome.stdout


if __name__ == "__main__":
    main()
