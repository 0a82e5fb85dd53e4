"""Compares how long kinema and a plain PyTorch loop take to the same validation accuracy.

    time_to_accuracy.py [--target ACCURACY …] [--sequences N] [--rounds N] [--network tcn|stgcn]
                        [--iterations N] [--threads N] [--json FILE]

The data are made on the spot: pose sequences of synthetic people, a folder for each of six labels,
of which every fifth one is for validation; the same files for both. Ours is `kinema train` with its defaults.
Theirs (torch_session.py) is a plain loop in PyTorch's default mode on the same network with as many
threads: the same windows, batch size, optimiser and schedule, and the same kinds of augmentation,
done for a whole batch at once. Its first weights are drawn as PyTorch does by default. Both validate
after each pass over the windows, and their time counts from the first step on, so that neither
start nor reading of files is in it; ours contains the checkpoints that it writes.

They run in turns; round N has seed N on both sides. A time is that at which the validation accuracy
first reaches a target, or, where a run never does, the highest accuracy that all runs reach.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))


def output(command: list[str]) -> str:
    outcome = subprocess.run(command, capture_output=True, text=True)
    if outcome.returncode != 0:
        sys.exit(f"bench: {' '.join(command[:2])} failed:\n{outcome.stderr}")
    return outcome.stdout


def make_data(folder: Path, sequences: int) -> None:
    """Fills `training` and `validation` with a folder for each label."""
    made = folder / "made"
    output([KINEMA, "synth", "--dataset", str(made), "--sequences", str(sequences)])
    for label in sorted(path for path in made.iterdir() if path.is_dir()):
        for number, path in enumerate(sorted(label.glob("*.npz"), key=lambda path: path.stem[-7:])):
            part = "validation" if number % 5 == 4 else "training"
            target = folder / part / label.name
            target.mkdir(parents=True, exist_ok=True)
            path.rename(target / path.name)
    shutil.rmtree(made)


def entries(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def train_kinema(folder: Path, options: argparse.Namespace, seed: int) -> list[dict]:
    session = folder / f"kinema-{seed}.training"
    command = [
        KINEMA, "train", str(folder / "training"), "--validation", str(folder / "validation"),
        "--output", str(folder / "model.mlmodel"), "--session", str(session),
        "--cache", str(folder / "cache"), "--seed", str(seed), "--threads", str(options.threads),
        "--format", "json",
    ]  # fmt: skip
    # What is given by default is left to the defaults.
    if options.network != "tcn":
        command += ["--algorithm", options.network]
    if options.iterations != 80:
        command += ["--iterations", str(options.iterations)]
    output(command)
    return entries((session / "training.jsonl").read_text())


def train_torch(folder: Path, options: argparse.Namespace, seed: int) -> list[dict]:
    return entries(
        output(
            [sys.executable, str(Path(__file__).with_name("torch_session.py")),
             str(folder / "training"), str(folder / "validation"), "--network", options.network,
             "--iterations", str(options.iterations), "--threads", str(options.threads),
             "--seed", str(seed), "--target", str(max(options.target))]
        )
    )  # fmt: skip


def reached(history: list[dict], target: float) -> dict:
    return next(entry for entry in history if entry["validationAccuracy"] >= target)


def spread(values: list[float], unit: str = "") -> str:
    median = statistics.median(values)
    return f"{median:8.2f}{unit}   ({min(values):.2f} … {max(values):.2f})"


def compare(runs: dict[str, list[list[dict]]], target: float) -> None:
    times = {}
    for name, histories in runs.items():
        ends = [reached(history, target) for history in histories]
        times[name] = [end["seconds"] for end in ends]
        iterations = [end["iteration"] for end in ends]
        print(
            f"{100 * target:.1f} %  {name:27} {spread(times[name], ' s')}"
            f"   after {iterations} iterations"
        )
    ratios = [their / our for our, their in zip(times["kinema"], times["PyTorch"])]
    print(f"{100 * target:.1f} %  PyTorch's time / kinema's   {spread(ratios, '×')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", type=float, nargs="+", default=[0.9, 0.95])
    parser.add_argument("--sequences", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--network", choices=["tcn", "stgcn"], default="tcn")
    parser.add_argument("--iterations", type=int, default=80)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write every run's history")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes a number from 1")
    trainers = {"kinema": train_kinema, "PyTorch": train_torch}
    runs: dict[str, list[list[dict]]] = {name: [] for name in trainers}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_data(folder, options.sequences)
        for number in range(options.rounds):
            for trainer in trainers if number % 2 == 0 else reversed(trainers):
                print(
                    f"\rround {number + 1} of {options.rounds}: {trainer:10}", end="",
                    file=sys.stderr,
                )  # fmt: skip
                runs[trainer].append(trainers[trainer](folder, options, number + 1))
    print(file=sys.stderr)

    windows = runs["PyTorch"][0][0]["windows"]
    print(
        f"time to a validation accuracy, {options.network}, {windows[0]} windows to learn from,"
        f" {windows[1]} to validate, {options.threads} threads, {options.rounds} rounds:"
        " median (least … most)"
    )
    best = [
        max(entry["validationAccuracy"] for entry in history)
        for histories in runs.values()
        for history in histories
    ]
    for target in sorted({min(target, *best) for target in options.target}):
        compare(runs, target)
    paces = {
        name: [history[-1]["seconds"] / history[-1]["iteration"] for history in histories]
        for name, histories in runs.items()
    }
    ratios = [their / our for our, their in zip(paces["kinema"], paces["PyTorch"])]
    print(f"an iteration, the same ratio       {spread(ratios, '×')}")
    shares = [
        history[-1]["secondsOfAugmentation"] / history[-1]["seconds"] for history in runs["PyTorch"]
    ]
    print(f"augmentation's part of PyTorch's time{100 * statistics.median(shares):7.1f} %")
    if options.json:
        options.json.write_text(json.dumps(runs, indent=2) + "\n")


if __name__ == "__main__":
    main()
