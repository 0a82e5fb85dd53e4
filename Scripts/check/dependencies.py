"""Compares what each target of Package.swift depends on with what its sources import.

    dependencies.py    fails where they differ, and names each difference
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^(?:@\w+ )*(?:(?:public|package|internal|private) )?import (\w+)", re.M)


def main() -> None:
    package = json.loads(
        subprocess.run(
            ["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, check=True
        ).stdout
    )
    targets = {target["name"]: target for target in package["targets"]}
    faults = []
    for name, target in targets.items():
        if target["type"] not in ("regular", "executable", "test"):
            continue
        folder = ROOT / (
            target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}"
        )
        sources = list(folder.rglob("*.swift"))
        if not sources:
            continue
        imported = {
            module
            for file in sources
            for module in IMPORT.findall(file.read_text())
            if module in targets
        }
        declared = {next(iter(entry.values()))[0] for entry in target["dependencies"]}
        faults += [f"{name} imports {module}: declare it" for module in imported - declared]
        faults += [f"{name} declares {module}, which it does not import" for module in declared - imported]
    if faults:
        sys.exit("Package.swift: " + "\nPackage.swift: ".join(sorted(faults)))


if __name__ == "__main__":
    main()
