"""Compares what each target of Package.swift depends on with what its sources import, and what
modules speak of with what they know.

    dependencies.py    fails where they differ, and names each difference
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^(?:@\w+ )*(?:(?:public|package|internal|private) )?import (\w+)", re.M)

# What the sources of a module do not speak of, because a module above it owns it.
FOREIGN = {
    "CTrainingKernels": r"(?i)\bjoints?\b|create ?ml",
    "KinemaNetwork": r"(?i)\bjoints?\b|\bposes?\b|\bhands?\b|create ?ml",
    "KinemaCounting": r"ActionClassifier|ActionPrediction",
    "KinemaHTTP": r"(?i)\bjoints?\b|\bposes?\b|studio",
    "KinemaTraining": r"project\.json|training\.csv|KinemaStudio",
}
# What a module does not bring along, directly or through others.
UNBROUGHT = {"Kinema": {"KinemaRendering", "KinemaLab", "KinemaServer", "KinemaStudio"}}


def closure(name: str, targets: dict) -> set:
    """The targets that a target needs, itself included."""
    found = set()
    waiting = [name]
    while waiting:
        target = waiting.pop()
        if target not in found and target in targets:
            found.add(target)
            waiting += [next(iter(entry.values()))[0] for entry in targets[target]["dependencies"]]
    return found


def foreign_words(name: str) -> list:
    """Where the sources of a module speak of what they do not know."""
    faults = []
    for file in sorted((ROOT / "Sources" / name).rglob("*.*")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if match := re.search(FOREIGN[name], line):
                faults.append(
                    f"{file.relative_to(ROOT)}:{number} speaks of “{match[0]}”, which {name} knows nothing of"
                )
    return faults


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
    for name, unbrought in UNBROUGHT.items():
        brought = closure(name, targets) & unbrought
        faults += [f"{name} brings {module}" for module in brought]
    faults = [f"Package.swift: {fault}" for fault in sorted(faults)]
    faults += [fault for name in FOREIGN for fault in foreign_words(name)]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
