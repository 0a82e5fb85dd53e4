"""Recognises what people do in video: poses, actions, repetitions.

    import kinema

    poses = kinema.poses("workout.mp4")            # NumPy arrays
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
    from ._functions import (
        Model,
        angles,
        assess,
        classify,
        count,
        evaluate,
        poses,
        train,
        watch,
    )
    from ._results import (
        BODY_JOINTS,
        HAND_JOINTS,
        LANDMARKS,
        Angles,
        Assessment,
        Classification,
        Count,
        CurrentSet,
        Evaluation,
        Frame,
        Person,
        Poses,
        Repetition,
        State,
        Training,
        Window,
    )
    from ._worker import Cancelled, Error, Option, Progress, Worker, WorkerCrashed

__all__ = [
    "BODY_JOINTS",
    "HAND_JOINTS",
    "LANDMARKS",
    "Angles",
    "Assessment",
    "Cancelled",
    "Classification",
    "Count",
    "CurrentSet",
    "Error",
    "Evaluation",
    "Frame",
    "Model",
    "Option",
    "Person",
    "Poses",
    "Progress",
    "Repetition",
    "State",
    "Training",
    "Window",
    "Worker",
    "WorkerCrashed",
    "angles",
    "assess",
    "classify",
    "count",
    "evaluate",
    "poses",
    "train",
    "watch",
]


def __getattr__(name: str) -> Any:
    # The command `kinema` starts without NumPy.
    if name in __all__:
        for module in ("_functions", "_results", "_worker"):
            found = importlib.import_module(f".{module}", __name__)
            if hasattr(found, name):
                value = getattr(found, name)
                globals()[name] = value
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
