"""Makes Python/kinema/_options.py, the keywords of the functions, from what `kinema help --json` says.

    options.py KINEMA                   writes it
    options.py KINEMA --check [FILE]    fails where it, or the file of an installed package, is not up to date
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[2] / "Python/kinema/_options.py"
JOBS = (
    "angles", "assess", "classify", "coach", "count", "evaluate", "poses", "push", "synth", "train", "watch",
)  # fmt: skip
# What the functions have a parameter of their own for.
OWN = {"coach": {"show-rules"}, "synth": {"list", "output"}, "train": {"output"}}
TYPES = {
    "switch": "bool", "integer": "int", "number": "float", "text": "str", "file": "PathLike",
    "folder": "PathLike", "model": "PathLike",
}  # fmt: skip
HEAD = '''"""The keywords of the functions: made by Scripts/python/options.py from `kinema help --json`."""

from __future__ import annotations

import os
from typing import Literal, TypedDict, Union

PathLike = Union[str, os.PathLike[str]]

# The options that name a file or a folder.
PATHS = frozenset(
    {
'''


def keyword(option: dict[str, Any]) -> str:
    """The line of an option: `from` is a word of the language."""
    name = option["name"].replace("-", "_")
    kind = option["kind"]
    words = ", ".join(f'"{word}"' for word in option.get("choices") or ())
    value = f"Literal[{words}]" if kind == "choice" else TYPES[kind]
    if words and kind != "choice":
        value += f" | Literal[{words}]"
    return f"    {name}_: {value} | None\n" if name == "from" else f"    {name}: {value} | None\n"


def text(commands: dict[str, Any]) -> str:
    jobs = {job["name"]: job["options"] for job in commands["jobs"]}
    kinds = {(option["name"], option["kind"]) for name in JOBS for option in jobs[name]}
    paths = {name for name, kind in kinds if kind in ("file", "folder")}
    # What is a text elsewhere, such as the name of a test, is a path only where it is there.
    paths -= {name for name, kind in kinds if kind == "text"}
    lines = [HEAD, *(f'        "{name}",\n' for name in sorted(paths)), "    }\n)\n"]
    for name in JOBS:
        lines.append(f"\n\nclass {name.capitalize()}Options(TypedDict, total=False):\n")
        lines.append(f'    """The options of the job `{name}`."""\n\n')
        lines += (keyword(option) for option in jobs[name] if option["name"] not in OWN.get(name, ()))
    return "".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kinema")
    parser.add_argument("--check", nargs="?", type=Path, const=FILE, metavar="FILE")
    options = parser.parse_args()
    answer = subprocess.run([options.kinema, "help", "--json"], check=True, capture_output=True)
    made = text(json.loads(answer.stdout))
    if not options.check:
        FILE.write_text(made)
    elif options.check.read_text() != made:
        print(f"{options.check} is not up to date: run make python-options.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
