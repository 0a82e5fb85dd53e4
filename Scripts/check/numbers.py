"""Finds `Int(…)` of floating-point numbers, which ends the process for one that no integer has.

Numbers become integers with `Int(rounding:)` (nil where there is none) or `Int(saturating:)`, whatever file,
message or option they come from. What is older is listed in numbers.txt, the number of uses beside each file:
it may only become fewer.

    numbers.py            fails where a file has more uses than are listed, or fewer
    numbers.py --write    writes the list
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_suffix(".txt")
CALL = re.compile(r"(?<![\w.])U?Int(?:8|16|32|64)?\(")
# What makes an argument a floating-point number, as far as its text shows.
FLOATING = re.compile(
    r"\.rounded\(|\b(?:Double|Float)\(|quareRoot|\d\.\d|\b\w*(?:[sS]econds?|[tT]ime|[dD]uration|[rR]ate|[sS]hare"
    r"|[sS]peed|[rR]atio|timeIntervalSince1970)\b(?!\.tv_)"
)
LABEL = re.compile(r"\s*\w+:")


def argument(text: str, start: int) -> str:
    depth, end = 1, start
    while depth and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start : end - 1]


def uses(text: str) -> int:
    code = re.sub(r"(?m)//.*$", "", text)
    arguments = [argument(code, call.end()) for call in CALL.finditer(code)]
    return sum(not LABEL.match(each) and bool(FLOATING.search(each)) for each in arguments)


def main() -> None:
    found = {}
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        if count := uses(file.read_text()):
            found[str(file.relative_to(ROOT / "Sources"))] = count
    if sys.argv[1:] == ["--write"]:
        LIST.write_text("".join(f"{count} {name}\n" for name, count in found.items()))
        return
    listed = {name: int(count) for count, name in map(str.split, LIST.read_text().splitlines())}
    faults = []
    for name in sorted(found.keys() | listed.keys()):
        has, may = found.get(name, 0), listed.get(name, 0)
        if has > may:
            faults.append(f"{name}: {has} for {may}; use Int(rounding:) or Int(saturating:)")
        elif has < may:
            faults.append(f"{name}: {has} for {may}; run Scripts/check/numbers.py --write")
    if faults:
        sys.exit("integers of floating-point numbers:\n" + "\n".join(faults))


if __name__ == "__main__":
    main()
