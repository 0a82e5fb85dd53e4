"""Recognises what people do in video: poses, actions, repetitions.

    import kinema

    poses = kinema.poses("workout.mp4")            # NumPy arrays
    kinema.poses(frame)                            # of an array, too
    kinema.classify("workout.mp4").label           # "squats"
    kinema.count("workout.mp4").count              # 12
    kinema.angles("workout.mp4").values["leftKnee"]

The functions run the native program `kinema worker` and keep it, with its networks loaded, for the
next call; `Worker` is for programs that want to hold it themselves. Options are those of the
commands (`kinema classify --help`), with `_` in place of `-`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._frames import Color, Image
    from ._functions import (
        Model,
        angles,
        assess,
        classify,
        coach,
        convert,
        count,
        evaluate,
        poses,
        synth,
        train,
        watch,
    )
    from ._results import (
        BODY_JOINTS,
        HAND_JOINTS,
        LANDMARKS,
        SKELETON,
        Angles,
        Assessment,
        Classification,
        Coaching,
        Count,
        CurrentSet,
        Evaluation,
        Form,
        Frame,
        Measured,
        Person,
        Poses,
        Repetition,
        Segment,
        State,
        Synthesis,
        Training,
        Window,
    )
    from ._stream import Stream
    from ._windows import resample, windows
    from ._worker import Cancelled, Error, Option, Progress, Worker, WorkerCrashed

__all__ = [
    "BODY_JOINTS",
    "HAND_JOINTS",
    "LANDMARKS",
    "SKELETON",
    "Angles",
    "Assessment",
    "Cancelled",
    "Classification",
    "Coaching",
    "Color",
    "Count",
    "CurrentSet",
    "Error",
    "Evaluation",
    "Form",
    "Frame",
    "Image",
    "Measured",
    "Model",
    "Option",
    "Person",
    "Poses",
    "Progress",
    "Repetition",
    "Segment",
    "State",
    "Stream",
    "Synthesis",
    "Training",
    "Window",
    "Worker",
    "WorkerCrashed",
    "__version__",
    "angles",
    "assess",
    "classify",
    "coach",
    "convert",
    "count",
    "evaluate",
    "poses",
    "resample",
    "synth",
    "train",
    "watch",
    "windows",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # The command `kinema` starts without NumPy.
    if name in __all__:
        for module in ("_functions", "_results", "_stream", "_windows", "_frames", "_worker"):
            found = importlib.import_module(f".{module}", __name__)
            if hasattr(found, name):
                value = getattr(found, name)
                globals()[name] = value
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
