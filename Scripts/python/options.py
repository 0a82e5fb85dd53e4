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
# What the functions have a parameter of their own for, and what makes the command print something else than
# they return.
OWN = {
    "assess": {"list", "show-tests"},
    "coach": {"show-rules"},
    "evaluate": {"counts", "method", "pairs"},
    "synth": {"list", "output"},
    "train": {"check", "output"},
}
# The texts that name a file or a folder, in the second table where they are nothing else: see kinema._worker.
PATH_TEXTS = {"coach": {"like"}}
TEXTS_OR_PATHS = {"synth": {"labels"}, "train": {"validation"}}
TYPES = {
    "switch": "bool", "integer": "int", "number": "float", "text": "str", "file": "PathLike",
    "folder": "PathLike", "model": "PathLike",
}  # fmt: skip
HEAD = '''"""The keywords of the functions: made by Scripts/python/options.py from `kinema help --json`."""

from __future__ import annotations

import os
from typing import Literal, TypedDict, Union

PathLike = Union[str, os.PathLike[str]]

'''


def kind_of(job: str, option: dict[str, Any]) -> str:
    """The kind of an option, `file` for a text that names one."""
    is_path = option["name"] in PATH_TEXTS.get(job, ())
    return "file" if is_path else str(option["kind"])


def keyword(job: str, option: dict[str, Any]) -> str:
    """The line of an option: `from` is a word of the language."""
    name = option["name"].replace("-", "_")
    kind = kind_of(job, option)
    if option["name"] in TEXTS_OR_PATHS.get(job, ()):
        kind = "file"
    words = ", ".join(f'"{word}"' for word in option.get("choices") or ())
    value = f"Literal[{words}]" if kind == "choice" else TYPES[kind]
    if words and kind != "choice":
        value += f" | Literal[{words}]"
    return f"    {name}_: {value} | None\n" if name == "from" else f"    {name}: {value} | None\n"


def table(name: str, comment: str, jobs: dict[str, Any], *kinds: str) -> list[str]:
    """The lines of a table: the options of some kinds, by job."""
    lines = [f"\n# {comment}\n{name}: dict[str, frozenset[str]] = {{\n"]
    for job, options in sorted(jobs.items()):
        found = sorted(option["name"] for option in options if kind_of(job, option) in kinds)
        if found:
            words = ", ".join(f'"{word}"' for word in found)
            lines.append(f'    "{job}": frozenset({{{words}}}),\n')
    return [*lines, "}\n"]


def text(commands: dict[str, Any]) -> str:
    jobs = {job["name"]: job["options"] for job in commands["jobs"]}
    lines = [
        HEAD,
        *table("PATHS", "The options of each job that name a file or a folder.", jobs, "file", "folder"),
        *table("MODELS", "Those that name a file or a built-in model.", jobs, "model"),
    ]
    for name in JOBS:
        lines.append(f"\n\nclass {name.capitalize()}Options(TypedDict, total=False):\n")
        lines.append(f'    """The options of the job `{name}`."""\n\n')
        lines += (keyword(name, option) for option in jobs[name] if option["name"] not in OWN.get(name, ()))
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
