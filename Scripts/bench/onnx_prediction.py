"""Compares one prediction of kinema with onnxruntime on the same model exported to ONNX.

    onnx_prediction.py [MODEL …] [--rounds N] [--json FILE]

MODEL is a .mlmodel or .mlpackage; the built-in one where none is named. Besides, a graph network
(Create ML's) is trained on the spot, briefly: how well it does is of no account here. Both run on
one thread, by turns; a round's time is the fastest of its runs, ratios are taken within a round, and
their median over the rounds is what counts. Needs numpy and onnxruntime.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnxruntime

REPOSITORY = Path(__file__).resolve().parents[2]
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))


def kinema(*arguments: str) -> str:
    outcome = subprocess.run([KINEMA, *arguments], capture_output=True, text=True)
    if outcome.returncode != 0:
        sys.exit(f"onnx_prediction: kinema {arguments[0]} failed:\n{outcome.stderr}")
    return outcome.stdout


def session(model: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        str(model), options, providers=["CPUExecutionProvider"]
    )


def run_kinema(model: Path) -> float:
    """Milliseconds of a prediction, the best of 20 times 5."""
    return json.loads(kinema("bench", "--model", str(model), "--format", "json"))["prediction"]


def run_onnxruntime(network: onnxruntime.InferenceSession, window: numpy.ndarray) -> float:
    """Milliseconds of a prediction, the best of 20 times 5."""
    name = network.get_inputs()[0].name
    times = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(5):
            network.run(None, {name: window})
        times.append((time.perf_counter() - start) / 5)
    return 1000 * min(times)


def spread(values: list[float], unit: str) -> str:
    return f"{statistics.median(values):8.3f}{unit}   ({min(values):.3f} … {max(values):.3f})"


def train_graph_network(folder: Path) -> Path:
    data, model = folder / "people", folder / "stgcn.mlmodel"
    kinema("synth", "--dataset", str(data), "--sequences", "60")
    kinema(
        "train", str(data), "--algorithm", "stgcn", "--iterations", "1", "--validation", "none",
        "--output", str(model), "--cache", str(folder / "cache"), "--format", "json",
    )  # fmt: skip
    return model


def compare(model: Path, folder: Path, round_count: int) -> dict[str, list[float]]:
    exported = folder / f"{model.stem}.onnx"
    kinema("model", "convert", str(model), "--output", str(exported))
    network = session(exported)
    shape = [1, *network.get_inputs()[0].shape[1:]]
    # A batch of the one window that `kinema bench` uses.
    window = (numpy.arange(numpy.prod(shape)) % 17 / 17).astype("f4").reshape(shape)
    run_kinema(model)
    run_onnxruntime(network, window)
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(round_count):
        for is_ours in (True, False) if number % 2 == 0 else (False, True):
            if is_ours:
                ours.append(run_kinema(model))
            else:
                theirs.append(run_onnxruntime(network, window))
    ratios = [their / our for our, their in zip(ours, theirs)]
    print(f"{model.name}, window {shape}, {round_count} rounds: median (least … most)")
    print(f"kinema       a prediction    {spread(ours, ' ms')}")
    print(f"onnxruntime  a prediction    {spread(theirs, ' ms')}")
    print(f"onnxruntime's time / kinema's {spread(ratios, '×')}")
    return {"kinema": ours, "onnxruntime": theirs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, nargs="*", metavar="MODEL")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="where to write every round's numbers")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds takes a number from 1")
    models = options.models or [REPOSITORY / "Resources/Exercise.mlmodel"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            model.name: compare(model, folder, options.rounds)
            for model in [*models, train_graph_network(folder)]
        }
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
