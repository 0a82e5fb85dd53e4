"""The functions of the package."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._folders import temporary_folder
from ._frames import Color, Image, write_picture
from ._results import (
    Angles,
    Assessment,
    Classification,
    Coaching,
    Count,
    Evaluation,
    Frame,
    Poses,
    Synthesis,
    Training,
)
from ._worker import Error, Progress, Worker, shared

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import (
        AnglesOptions,
        AssessOptions,
        ClassifyOptions,
        CoachOptions,
        CountOptions,
        EvaluateOptions,
        PosesOptions,
        SynthOptions,
        TrainOptions,
        WatchOptions,
    )

PathLike = Union[str, "os.PathLike[str]"]


class Model:
    """An action classifier: a file (`.mlmodel`, `.mlpackage`), or a built-in one by name.

        model = kinema.Model("Exercise")
        probabilities = model.predict(windows)     # [windows, labels]
    """

    def __init__(self, path: PathLike = "Exercise", *, worker: Worker | None = None) -> None:
        self._worker = worker
        info = (worker or shared()).run("info", model=path)
        self.path: str = os.fspath(path)
        """The path, or the built-in model's name."""
        self.labels: list[str] = info["labels"]
        self.window_size: int = info["windowSize"]
        """The frames of a window."""
        self.frame_rate: float | None = info.get("frameRate")
        """Frames a second; `None` where the file does not say."""
        self.joint_count: int = info["joints"]
        """18 for bodies, 21 for hands."""
        self.json: dict[str, Any] = info
        """All that `kinema model info --format json` prints."""

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"Model({self.path!r})"

    def predict(self, windows: ArrayLike, *, progress: Progress = None) -> NDArray[np.float32]:
        """The probability of each label in each window.

        `windows` is `[windows, window_size, joints, 3]`, as `kinema.windows` makes them, or one window:
        x, y and confidence of poses at the model's frame rate, with (0, 1, 0) for a joint that was not
        found and zeros for a frame without a person. Core ML's order `[…, 3, joints]` is taken as well.
        Returns `[windows, labels]`, or `[labels]` for one window.
        """
        array = np.asarray(windows, np.float32)
        if array.ndim not in (3, 4):
            raise ValueError(
                f"windows have the shape [windows, {self.window_size}, {self.joint_count}, 3], not "
                f"{list(array.shape)}"
            )
        # The number of joints is never 3.
        array = np.ascontiguousarray(array.swapaxes(-1, -2) if array.shape[-1] == 3 else array)
        with temporary_folder() as folder:
            path = folder / "windows.npy"
            np.save(path, array if array.ndim == 4 else array[np.newaxis])
            result = (self._worker or shared()).run(
                "predict", path, model=self.path, folder=folder, progress=progress
            )
            probabilities: NDArray[np.float32] = np.load(result["file"])
        return probabilities if array.ndim == 4 else probabilities[0]


def poses(
    video: PathLike | Image,
    *,
    color: Color = "bgr",
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[PosesOptions],
) -> Poses:
    """The poses of everybody in a video, picture or stream, or in one frame as an array.

    An array is uint8, `[height, width, 3]` in OpenCV's order of colours, or with `color="rgb"` in that
    of Pillow and imageio; for many frames of one camera, `Stream` follows people. Options are those of
    `kinema pose`: `hands=True`, `persons=2`, `seconds=10`, `no_cache=True`.
    """
    output = options.get("output")
    if output and not os.fspath(output).lower().endswith(".npz"):
        # What is written is what is returned.
        message = "The option output takes a name that ends in .npz; kinema pose writes other formats."
        raise Error(message, "usage", 64, True)
    with temporary_folder() as folder:
        is_path = isinstance(video, (str, os.PathLike))
        path = video if isinstance(video, (str, os.PathLike)) else write_picture(video, color, folder)
        result = (worker or shared()).run(
            "poses", path, folder=folder, options=options, progress=progress
        )
        found = Poses.load(result["file"], result["video"])
        return found if is_path else replace(found, video=None)


def classify(
    video_or_poses: PathLike | Poses,
    model: PathLike | Model = "Exercise",
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[ClassifyOptions],
) -> Classification:
    """The actions in a video, a file of poses, `Poses`, or a stream.

    Options are those of `kinema classify`: `everybody=True`, `stride=5`, `confidence=0.8`.
    """
    with _input(video_or_poses) as path:
        return Classification._of(
            (worker or shared()).run(
                "classify", path, model=model, options=options, progress=progress
            )
        )


def count(
    video_or_poses: PathLike | Poses,
    model: PathLike | Model | None = None,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[CountOptions],
) -> Count:
    """The repetitions in a video, a file of poses, `Poses`, or a stream; by action with a model.

    Options are those of `kinema count`: `everybody=True`, `pairs=True`.
    """
    with _input(video_or_poses) as path:
        return Count._of(
            (worker or shared()).run(
                "count", path, model=model, options=options, progress=progress
            )
        )


def angles(
    video_or_poses: PathLike | Poses,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[AnglesOptions],
) -> Angles:
    """The angles of the body over time in a video, a file of poses, or `Poses` that have a size.

    Options are those of `kinema angles`: `everybody=True`, `height=1.8`.
    """
    with _input(video_or_poses) as path:
        return Angles._of(
            (worker or shared()).run("angles", path, options=options, progress=progress)
        )


def assess(
    video_or_poses: PathLike | Poses,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[AssessOptions],
) -> Assessment:
    """What a clinical test in a video, a file of poses, or `Poses` that have a size gives.

    Options are those of `kinema assess`: `test="walk-4m"`, `height=1.68`. An aid to training and observation,
    not a diagnosis.
    """
    with _input(video_or_poses) as path:
        return Assessment._of(
            (worker or shared()).run("assess", path, options=options, progress=progress)
        )


def coach(
    video_or_poses: PathLike | Poses,
    model: PathLike | Model | None = None,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[CoachOptions],
) -> Coaching:
    """The form of each repetition in a video, a file of poses, or `Poses`: verdicts, cues, measurements.

    Without a model `Workout` recognises the exercises. Options are those of `kinema coach`:
    `exercise="squats"`, `rules="mine.json"`, `like="best.mp4"`, `report="coached.html"`.
    """
    with _input(video_or_poses) as path:
        return Coaching._of(
            (worker or shared()).run(
                "coach", path, model=model, options=options, progress=progress
            )
        )


def convert(
    model: PathLike | Model, output: PathLike, *, worker: Worker | None = None
) -> Path:
    """Writes an action classifier as `.onnx` or `.mlmodel`, by the name of `output`; returns its path."""
    result = (worker or shared()).run("convert", model=model, options={"output": os.fspath(output)})
    return Path(result["file"])


def synth(
    output: PathLike | None = None,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[SynthOptions],
) -> Synthesis:
    """Writes a video of synthetic people in motion, or a training set, with exact labels and poses.

    Options are those of `kinema synth`: `actions="squats,standing"`, `repetitions=8`, `seed=7`,
    `poses="exact.npz"`, `labels="segments.csv"`; `dataset="people/"` with `sequences=500`.
    """
    values: dict[str, Any] = {**options}
    if output is not None:
        values["output"] = os.fspath(output)
    return Synthesis._of((worker or shared()).run("synth", options=values, progress=progress))


def train(
    data: PathLike,
    output: PathLike,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[TrainOptions],
) -> Training:
    """Trains a model on labelled videos or poses, and writes it to `output` (`.mlmodel`).

    Options are those of `kinema train`: `iterations=40`, `validation="none"`; `from_="Exercise"`
    starts from a model. A training that was cancelled is continued by the same call.
    """
    values: dict[str, Any] = {**options, "output": os.fspath(output)}
    _refuse("train", values, "check", "checks data without training")
    return Training._of(
        (worker or shared()).run(
            "train", data, options=values, progress=progress
        )
    )


def evaluate(
    model: PathLike | Model,
    data: PathLike,
    *,
    worker: Worker | None = None,
    progress: Progress = None,
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """Measures a model on labelled videos or poses.

    Options are those of `kinema evaluate`: `other="other_action"`, `report="report.html"`.
    """
    _refuse("evaluate", options, "counts", "evaluates counting")
    return Evaluation._of(
        (worker or shared()).run(
            "evaluate", data, model=model, options=options, progress=progress
        )
    )


def watch(
    source: PathLike, model: PathLike | Model = "Exercise", **options: Unpack[WatchOptions]
) -> Iterator[Frame]:
    """The people in each frame of a camera, stream, pipe or file, what they do and how often.

        for frame in kinema.watch("rtsp://camera.local/stream"):
            print(frame.time, frame.action and frame.action.label, frame.count)

    Of a live stream, frames that come while the loop works are dropped. Leaving the loop ends it.
    Options are those of `kinema classify`, and `no_count=True`.
    """
    # With a worker of its own, so that the loop can call the other functions.
    with Worker() as worker:
        frames = worker.stream("watch", source, model=model, options=options)
        try:
            for frame in frames:
                yield Frame._of(frame)
        finally:
            frames.close()


def _refuse(command: str, options: Mapping[str, Any], name: str, what: str) -> None:
    """Refuses an option with which a command prints something else."""
    if options.get(name):
        message = f"The option {name} is not possible; kinema {command} --{name} {what}."
        raise Error(message, "usage", 64, True)


@contextmanager
def _input(video_or_poses: PathLike | Poses) -> Iterator[PathLike]:
    """What a worker reads: a path or address, or the file of poses."""
    if not isinstance(video_or_poses, Poses):
        yield video_or_poses
        return
    with temporary_folder() as folder:
        path = folder / "poses.npz"
        try:
            video_or_poses.save(path)
        except OSError as error:
            raise Error(f"The poses cannot be written: {error}.", "inputOutput", 74, False) from error
        yield path
