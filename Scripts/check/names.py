"""Finds types of one name in two places of the sources, which readers take for one another.

    names.py    fails where two top-level types that are not private have one name, and names each
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# At the start of a line: what is nested is indented.
TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|final|indirect|nonisolated) )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (\w+)",
    re.M,
)


def main() -> None:
    places = defaultdict(list)
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        for name in TYPE.findall(file.read_text()):
            places[name].append(str(file.relative_to(ROOT)))
    faults = [f"{name}: {', '.join(files)}" for name, files in places.items() if len(files) > 1]
    if faults:
        sys.exit("types of one name:\n" + "\n".join(sorted(faults)))


if __name__ == "__main__":
    main()
