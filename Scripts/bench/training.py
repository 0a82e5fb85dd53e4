"""Compares training in kinema with PyTorch on the same networks, in alternation.

    training.py [--rounds N] [--seconds S] [--threads N] [--json FILE]

Ratios are taken within a round, where all ran on the machine in the same state, and their median
over the rounds is what counts. Speeds are windows a second of processor time.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))
UNIT = "windowsPerCoreSecond"
# Of each network: the precisions that ours runs in, and the ways that theirs does.
VARIANTS = {
    "stgcn": (
        ["f32", "bf16"],
        ["eager", "mixed", "last", "bf16", "mixed-bf16", "compiled-mixed", "compiled-mixed-bf16"],
    ),
    "tcn": (["f32", "bf16"], ["eager", "bf16", "compiled", "compiled-bf16"]),
}


def run(command: list[str]) -> dict | None:
    outcome = subprocess.run(command, capture_output=True, text=True)
    if outcome.returncode == 69:  # The processor, or a compiler, is not there.
        return None
    if outcome.returncode != 0:
        sys.exit(
            f"bench: {Path(command[0]).name} ended with {outcome.returncode}:\n{outcome.stderr}"
        )
    return json.loads(outcome.stdout)


def best(speeds: dict[str, float], beginning: str) -> float:
    return max(speed for name, speed in speeds.items() if name.startswith(beginning))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4, help="of each run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where to write every round's numbers")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes a number from 1")
    common = ["--threads", str(options.threads), "--seconds", str(options.seconds)]
    rounds: list[dict[str, float]] = []
    for number in range(options.rounds):
        speeds: dict[str, float] = {}
        for network, (ours, theirs) in VARIANTS.items():
            runs = [
                (f"{network} kinema {precision}",
                 [KINEMA, "bench", "--training", network, "--precision", precision,
                  "--format", "json"])
                for precision in ours
            ] + [
                (f"{network} PyTorch {variant}",
                 [PYTHON, str(Path(__file__).with_name("torch_training.py")), network,
                  "--variant", variant])
                for variant in theirs
            ]  # fmt: skip
            for name, command in runs if number % 2 == 0 else reversed(runs):
                print(f"\rround {number + 1} of {options.rounds}: {name:30}", end="", file=sys.stderr)
                values = run(command + common)
                if values is not None:
                    speeds[name] = values[UNIT]
        rounds.append(speeds)
    print(file=sys.stderr)

    print(f"training, windows of 60 frames a core-second, {len(rounds)} rounds: median (least … most)")
    for name in sorted(rounds[0]):
        values = [speeds[name] for speeds in rounds]
        print(f"{name:35} {statistics.median(values):10.1f}   ({min(values):.1f} … {max(values):.1f})")
    for network, (_, theirs) in VARIANTS.items():
        for variant in theirs:
            precision = "bf16" if "bf16" in variant else "f32"
            ours, other = f"{network} kinema {precision}", f"{network} PyTorch {variant}"
            ratios = [
                speeds[ours] / speeds[other]
                for speeds in rounds
                if ours in speeds and other in speeds
            ]
            if ratios:
                print(
                    f"{ours} / PyTorch {variant:20}{statistics.median(ratios):8.2f}×"
                    f"   ({min(ratios):.2f} … {max(ratios):.2f})"
                )
        ratios = [
            best(speeds, f"{network} kinema") / best(speeds, f"{network} PyTorch")
            for speeds in rounds
        ]
        print(
            f"{network} kinema’s best / PyTorch’s best       {statistics.median(ratios):8.2f}×"
            f"   ({min(ratios):.2f} … {max(ratios):.2f})"
        )

    if options.json:
        options.json.write_text(json.dumps(rounds, indent=2) + "\n")


if __name__ == "__main__":
    main()
