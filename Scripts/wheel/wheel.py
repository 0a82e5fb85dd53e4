"""Packs the tree and the Python package into a wheel.

    wheel.py TREE FOLDER

Prints the wheel's path. The same files give the same wheel, byte for byte.
"""

import base64
import hashlib
import re
import sys
import tomllib
import zipfile
from pathlib import Path

_CHECKOUT = Path(__file__).parents[2]
# The oldest glibc that is promised, 2.x: Debian 12's.
_OLDEST_GLIBC = 36
# The processor of an executable (ELF, e_machine).
_PROCESSORS = {62: "x86_64", 183: "aarch64"}
_NATIVE = "kinema/_native"
# OpenVINO comes from its own package.
_OPENVINO = ("libopenvino", "libtbb")
_DOCUMENTS = ("LICENSE", "THIRD_PARTY.md")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: wheel.py TREE FOLDER")
    tree, folder = map(Path, sys.argv[1:])
    with open(_CHECKOUT / "Python/pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"

    tag = platform_tag(tree)
    files: dict[str, tuple[bytes, bool]] = {}
    package = _CHECKOUT / "Python"
    for path in sorted((package / "kinema").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            files[str(path.relative_to(package))] = (path.read_bytes(), False)
    licences = [(document, _CHECKOUT / document) for document in _DOCUMENTS]
    for path in sorted(tree.rglob("*")):
        place = path.relative_to(tree)
        if not path.is_file() or place.parts[:2] in (("share", "doc"), ("share", "man")):
            continue
        if place.parts[:3] == ("share", "kinema", "licences"):
            licences.append((place.name, path))
        elif not place.name.startswith(_OPENVINO):
            files[f"{_NATIVE}/{place}"] = (path.read_bytes(), place.parts[0] == "bin")
    for licence, path in licences:
        files[f"{info}/licenses/{licence}"] = (path.read_bytes(), False)
    metadata = metadata_text(project, [licence for licence, _ in licences])
    files[f"{info}/METADATA"] = (metadata.encode(), False)
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: kinema\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        False,
    )
    scripts = "".join(f"{script} = {call}\n" for script, call in project["scripts"].items())
    files[f"{info}/entry_points.txt"] = (f"[console_scripts]\n{scripts}".encode(), False)
    record = "".join(f"{path},{digest(data)},{len(data)}\n" for path, (data, _) in files.items())
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), False)

    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-{tag}.whl"
    unfinished = wheel.with_suffix(".unfinished")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, (data, is_executable) in files.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_executable else 0o100644) << 16
            archive.writestr(entry, data)
    unfinished.replace(wheel)
    print(wheel)


def platform_tag(tree: Path) -> str:
    """The wheel's tag: the processor, and the glibc that the newest symbol of any file needs (PEP 600)."""
    files = [tree / "bin/kinema", *(tree / "lib").rglob("*.so*")]
    needed = {
        int(minor) for path in files for minor in re.findall(rb"\0GLIBC_2\.(\d+)", path.read_bytes())}
    return f"py3-none-manylinux_2_{max(needed | {_OLDEST_GLIBC})}_{processor(tree)}"


def processor(tree: Path) -> str:
    """Which processor a tree is for, by `uname -m`."""
    with open(tree / "bin/kinema", "rb") as executable:
        head = executable.read(20)
    name = _PROCESSORS.get(int.from_bytes(head[18:], "little"))
    if name is None:
        sys.exit(f"wheel: {tree}/bin/kinema is for a processor that wheels have no tag for")
    return name


def metadata_text(project: dict, licences: list[str]) -> str:
    extras = project.get("optional-dependencies", {})
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        *(f"Requires-Dist: {requirement}" for requirement in project["dependencies"]),
        *(f"Provides-Extra: {extra}" for extra in extras),
        *(
            f"Requires-Dist: {requirement}; extra == '{extra}'"
            for extra, requirements in extras.items()
            for requirement in requirements
        ),
        *(f"License-File: {licence}" for licence in licences),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (_CHECKOUT / "README.md").read_text()


def digest(data: bytes) -> str:
    value = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return "sha256=" + value.rstrip(b"=").decode()


if __name__ == "__main__":
    main()
