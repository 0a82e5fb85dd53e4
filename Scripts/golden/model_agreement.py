"""Compares kinema's predictions with two other implementations, on windows from a seed.

    model_agreement.py MODEL --oracle mlmodel_oracle.py [--windows N]

One is the forward pass in NumPy that --oracle names, which reads the .mlmodel on its own and is
extended here by the layers of Kinema's compact networks; the other is onnxruntime on the model that
`kinema model convert` writes. Ends with 1 where probabilities differ by more than 1e-4. Needs numpy
and onnxruntime; KINEMA names the tool.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import onnxruntime

REPOSITORY = Path(__file__).resolve().parents[2]
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))
TOLERANCE = 1e-4


def load_oracle(path: Path):
    """The oracle, with mvn, l2normalize, scale, bias and reduceMean by Apple's public proto."""
    specification = importlib.util.spec_from_file_location("oracle", path)
    oracle = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(oracle)
    known = oracle.layer

    def parameter(message, shape: int, values: int) -> numpy.ndarray:
        sizes = oracle.ints(message, shape)
        array = oracle.weights(message, values, int(numpy.prod(sizes))).reshape(sizes)
        return array.reshape(-1, 1, 1) if array.ndim == 1 else array

    def layer(kind, inputs, output_count, message):
        if kind == 165:
            x = inputs[0]
            axes = (-3, -2, -1) if oracle.int1(message, 1) else (-2, -1)
            y = x - x.mean(axes, keepdims=True)
            if oracle.int1(message, 2):
                epsilon = oracle.f32(message, 3) or 1e-5
                y = y / numpy.sqrt((y**2).mean(axes, keepdims=True) + epsilon)
            return [y]
        if kind == 170:
            x = inputs[0]
            epsilon = oracle.f32(message, 1) or 1e-6
            return [x / numpy.sqrt((x**2).sum((-3, -2, -1), keepdims=True) + epsilon)]
        if kind == 245:
            y = inputs[0] * parameter(message, 1, 2)
            return [y + parameter(message, 4, 5) if oracle.int1(message, 3) else y]
        if kind == 250:
            return [inputs[0] + parameter(message, 1, 2)]
        if kind == 1280:
            x = inputs[0]
            axes = None if oracle.int1(message, 3) else tuple(oracle.ints(message, 1))
            mean = x.mean(axes, keepdims=bool(oracle.int1(message, 2)))
            return [numpy.atleast_1d(mean)]
        return known(kind, inputs, output_count, message)

    oracle.layer = layer
    return oracle


def kinema(*arguments: str) -> str:
    outcome = subprocess.run([KINEMA, *arguments], capture_output=True, text=True)
    if outcome.returncode != 0:
        sys.exit(f"model_agreement: kinema {arguments[0]} failed:\n{outcome.stderr}")
    return outcome.stdout


def made_windows(count: int, frames: int, joints: int) -> list[numpy.ndarray]:
    """Joints that swing, some undetected, one window with frames without a person."""
    generator = numpy.random.default_rng(7)
    windows = []
    for number in range(count):
        time = numpy.arange(frames)[:, None] / 30
        speed = generator.uniform(1, 9, (2, joints))
        phase = generator.uniform(0, 6.3, (2, joints))
        centre = generator.uniform(0.25, 0.75, (2, joints))
        window = numpy.zeros((frames, 3, joints), "f4")
        for axis in range(2):
            window[:, axis] = centre[axis] + 0.2 * numpy.sin(speed[axis] * time + phase[axis])
        window[:, 2] = generator.uniform(0.3, 1, (frames, joints))
        missing = generator.random((frames, joints)) < 0.1 * (number % 3)
        window.transpose(0, 2, 1)[missing] = (0, 1, 0)
        if number % 4 == 3:
            window[frames // 3 : frames // 2] = 0
        windows.append(window)
    return windows


def by_kinema(model: Path, window: numpy.ndarray, rate: float, folder: Path) -> dict[str, float]:
    poses = folder / "window.npz"
    times = numpy.arange(len(window)) / rate
    numpy.savez(poses, poses=window[:, None], times=times, ids=numpy.array([1], "i4"))
    report = kinema(
        "classify", str(poses), "--model", str(model), "--format", "json",
        "--minimum-poses", "0", "--confidence", "0",
    )  # fmt: skip
    return json.loads(report)["windows"][0]["probabilities"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--oracle", type=Path, required=True)
    parser.add_argument("--windows", type=int, default=8)
    options = parser.parse_args()
    oracle = load_oracle(options.oracle)
    reference = oracle.Model(str(options.model))
    worst = {"NumPy": 0.0, "onnxruntime": 0.0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exported = folder / "model.onnx"
        kinema("model", "convert", str(options.model), "--output", str(exported))
        session = onnxruntime.InferenceSession(
            str(exported), providers=["CPUExecutionProvider"]
        )
        known = session.get_modelmeta().custom_metadata_map
        labels = json.loads(known["labels"])
        rate = float(known.get("Target Frame Rate", 30))
        source = session.get_inputs()[0]
        frames, _, joints = source.shape
        for window in made_windows(options.windows, frames, joints):
            ours = by_kinema(options.model, window, rate, folder)
            ours = numpy.array([ours[label] for label in labels])
            theirs, _ = oracle.forward(reference, window)
            network = session.run(["labelProbabilities"], {source.name: window})[0][0]
            worst["NumPy"] = max(worst["NumPy"], float(abs(ours - theirs).max()))
            worst["onnxruntime"] = max(worst["onnxruntime"], float(abs(ours - network).max()))
    for name, difference in worst.items():
        print(f"{options.model.name}: {name} differs by at most {difference:.1e}")
    sys.exit(max(worst.values()) > TOLERANCE)


if __name__ == "__main__":
    main()
