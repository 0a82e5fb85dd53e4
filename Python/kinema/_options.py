"""The keywords of the functions: made by Scripts/python/options.py from `kinema help --json`."""

from __future__ import annotations

import os
from typing import Literal, TypedDict, Union

PathLike = Union[str, os.PathLike[str]]


# The options of each job that name a file or a folder.
PATHS: dict[str, frozenset[str]] = {
    "angles": frozenset({"plot"}),
    "assess": frozenset({"report", "tests"}),
    "classify": frozenset({"annotate"}),
    "coach": frozenset({"annotate", "like", "report", "rules"}),
    "convert": frozenset({"output"}),
    "count": frozenset({"annotate", "report"}),
    "evaluate": frozenset({"cache", "counts", "log", "report"}),
    "poses": frozenset({"annotate", "output"}),
    "synth": frozenset({"dataset", "output", "poses"}),
    "train": frozenset({"cache", "output", "session", "test"}),
    "watch": frozenset({"annotate"}),
}

# Those that name a file or a built-in model.
MODELS: dict[str, frozenset[str]] = {
    "train": frozenset({"add-to", "from"}),
}


class AnglesOptions(TypedDict, total=False):
    """The options of the job `angles`."""

    plot: PathLike | None
    height: float | None
    everybody: bool | None
    person: int | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None


class AssessOptions(TypedDict, total=False):
    """The options of the job `assess`."""

    test: str | None
    from_: float | None
    to: float | None
    distance: float | None
    age: int | None
    sex: Literal["female", "male"] | None
    height: float | None
    report: PathLike | None
    tests: PathLike | None
    person: int | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None


class ClassifyOptions(TypedDict, total=False):
    """The options of the job `classify`."""

    annotate: PathLike | None
    stride: int | None
    minimum_poses: float | None
    confidence: float | None
    everybody: bool | None
    person: int | None
    seconds: float | None
    retry: float | None
    rotate: int | None
    mirror: bool | None
    stabilize: bool | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    max_hands: int | None
    smooth: bool | None


class CoachOptions(TypedDict, total=False):
    """The options of the job `coach`."""

    rules: PathLike | None
    exercise: str | None
    like: PathLike | None
    annotate: PathLike | None
    report: PathLike | None
    person: int | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None


class CountOptions(TypedDict, total=False):
    """The options of the job `count`."""

    annotate: PathLike | None
    report: PathLike | None
    pairs: bool | None
    method: Literal["auto", "network", "signal"] | None
    confidence: float | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None
    everybody: bool | None
    person: int | None
    seconds: float | None
    retry: float | None
    rotate: int | None
    mirror: bool | None
    stabilize: bool | None


class EvaluateOptions(TypedDict, total=False):
    """The options of the job `evaluate`."""

    report: PathLike | None
    log: PathLike | None
    other: str | None
    stride: int | None
    mistakes: int | None
    layout: Literal["auto", "folders", "files", "table", "label-studio", "labelu", "repetition-counts", "activitynet", "via", "elan", "cvat", "boris", "kinetics", "charades"] | None
    columns: str | None
    cache: PathLike | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None


class PosesOptions(TypedDict, total=False):
    """The options of the job `poses`."""

    output: PathLike | None
    annotate: PathLike | None
    hands: bool | None
    landmarks: Literal["joints", "all"] | None
    depth: bool | None
    height: float | None
    seconds: float | None
    retry: float | None
    rotate: int | None
    mirror: bool | None
    stabilize: bool | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    max_hands: int | None
    smooth: bool | None


class PushOptions(TypedDict, total=False):
    """The options of the job `push`."""

    stride: int | None
    minimum_poses: float | None
    confidence: float | None
    no_count: bool | None
    pairs: bool | None
    method: Literal["auto", "network", "signal"] | None
    everybody: bool | None
    person: int | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    max_hands: int | None
    smooth: bool | None


class SynthOptions(TypedDict, total=False):
    """The options of the job `synth`."""

    poses: PathLike | None
    labels: PathLike | None
    actions: str | None
    repetitions: int | None
    tempo: float | None
    size: str | None
    fps: float | None
    yaw: float | None
    people: int | None
    seed: int | None
    dataset: PathLike | None
    sequences: int | None
    duration: float | None
    videos: bool | None


class TrainOptions(TypedDict, total=False):
    """The options of the job `train`."""

    layout: Literal["auto", "folders", "files", "table", "label-studio", "labelu", "repetition-counts", "activitynet", "via", "elan", "cvat", "boris", "kinetics", "charades"] | None
    columns: str | None
    cache: PathLike | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    from_: PathLike | None
    add_to: PathLike | None
    no_other: bool | None
    validation: PathLike | None
    test: PathLike | None
    window: int | None
    duration: float | None
    frame_rate: float | None
    iterations: int | None
    batch_size: int | None
    patience: int | None
    algorithm: Literal["tcn", "posture", "stgcn"] | None
    hands: bool | None
    augment: Literal["default", "flip", "none"] | None
    precision: Literal["full", "fast"] | None
    seed: int | None
    threads: int | None
    session: PathLike | None
    checkpoint_every: float | None
    restart: bool | None
    name: str | None
    author: str | None
    license: str | None
    description: str | None


class WatchOptions(TypedDict, total=False):
    """The options of the job `watch`."""

    annotate: PathLike | None
    stride: int | None
    minimum_poses: float | None
    confidence: float | None
    everybody: bool | None
    person: int | None
    seconds: float | None
    retry: float | None
    rotate: int | None
    mirror: bool | None
    stabilize: bool | None
    size: str | None
    fps: float | None
    aspect_ratio: float | None
    threads: int | None
    rate: float | Literal["auto", "all"] | None
    no_cache: bool | None
    persons: int | None
    precision: Literal["full", "fast"] | None
    device: Literal["CPU", "GPU", "NPU", "AUTO"] | None
    max_hands: int | None
    smooth: bool | None
    no_count: bool | None
    pairs: bool | None
    method: Literal["auto", "network", "signal"] | None
