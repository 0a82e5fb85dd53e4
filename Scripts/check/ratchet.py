"""Finds what Kinema's code no longer does, and where it still does: that may only become less.

Numbers of a file, message or option become integers with `Int(rounding:)` (nil where there is none) or
`Int(saturating:)`: `Int(…)` of a floating-point number ends the process for one that no integer has.

A failure that `try?` drops has a reason: a comment on its line or the one above. `Task.sleep`, `close` and
`JSONDecoder().decodeForeign` need none. On a write, rename or removal it hides what a user should hear of.

JSON is decoded by `decodeForeign`: with Swift 6.0 the name of a member can end the process in `decode`. A text
alone has no members.

What is older is listed in numbers.txt and tries.txt, the number of uses beside each file.

Tests run side by side in one process: none sets what all of them share. A child gets values that it captures.

    ratchet.py            fails where a file has more uses than are listed, or fewer
    ratchet.py --write    writes the lists
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
TESTS = ROOT / "Tests"
CALL = re.compile(r"(?<![\w.])U?Int(?:8|16|32|64)?\(")
# What makes an argument a floating-point number, as far as its text shows.
FLOATING = re.compile(
    r"\.rounded\(|\b(?:Double|Float)\(|quareRoot|\d\.\d|\b\w*(?:[sS]econds?|[tT]ime|[dD]uration|[rR]ate|[sS]hare"
    r"|[sS]peed|[rR]atio|timeIntervalSince1970)\b(?!\.tv_)"
)
LABEL = re.compile(r"\s*\w+:")
TRY = re.compile(r"\btry\?")
# A pause that was cancelled, a file that was read, a text that is not what it should be.
EVIDENT = re.compile(r"try\? (?:await Task\.sleep|\w+\.close\(|JSONDecoder\(\)\.decodeForeign)")


# Of a text alone: it has no members.
DECODE = re.compile(r"\b(?:JSONDecoder\(\)|decoder)\.decode\((?!\s*(?:String\.self|bytes))")


# The environment, the working folder, and the children that decode files for a process.
SHARED = re.compile(r"\b(?:un)?setenv\(|\bchdir\(|changeCurrentDirectoryPath\(|\.decodeForThisProcess\(")


def argument(text: str, start: int) -> str:
    depth, end = 1, start
    while depth and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start : end - 1]


def numbers(text: str) -> int:
    code = re.sub(r"(?m)//.*$", "", text)
    arguments = [argument(code, call.end()) for call in CALL.finditer(code)]
    return sum(not LABEL.match(each) and bool(FLOATING.search(each)) for each in arguments)


def tries(text: str) -> int:
    before, count = "", 0
    for line in text.splitlines():
        code = EVIDENT.sub("", line)
        if "//" not in line and not before.lstrip().startswith("//"):
            count += len(TRY.findall(code))
        before = line
    return count


ADVICE = {numbers: "use Int(rounding:) or Int(saturating:)", tries: "handle the failure, or say why it does not matter"}


def faults(uses) -> list[str]:
    file = Path(__file__).with_name(f"{uses.__name__}.txt")
    found = {}
    for source in sorted(SOURCES.rglob("*.swift")):
        if count := uses(source.read_text()):
            found[str(source.relative_to(SOURCES))] = count
    if sys.argv[1:] == ["--write"]:
        file.write_text("".join(f"{count} {name}\n" for name, count in found.items()))
        return []
    listed = {name: int(count) for count, name in map(str.split, file.read_text().splitlines())}
    return [
        f"{name}: {found.get(name, 0)} for {listed.get(name, 0)} in {file.name}; "
        + (ADVICE[uses] if found.get(name, 0) > listed.get(name, 0) else "run Scripts/check/ratchet.py --write")
        for name in sorted(found.keys() | listed.keys())
        if found.get(name, 0) != listed.get(name, 0)
    ]


def decodes() -> list[str]:
    return [
        f"{source.relative_to(SOURCES)}: decode JSON with decodeForeign"
        for source in sorted(SOURCES.rglob("*.swift")) if DECODE.search(source.read_text())
    ]


def shared() -> list[str]:
    return [
        f"{test.relative_to(ROOT)}: sets what the tests beside it use as well; give it to them, or to a child"
        for test in sorted(TESTS.rglob("*.swift"))
        # Scripts in other languages are processes of their own.
        if SHARED.search(re.sub(r"(?s)#*\"{3}.*?\"{3}#*", "", test.read_text()))
    ]


if __name__ == "__main__":
    if found := faults(numbers) + faults(tries) + decodes() + shared():
        sys.exit("uses of what the code no longer does:\n" + "\n".join(found))
