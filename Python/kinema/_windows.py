"""What a classifier takes, made of poses with NumPy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ._results import Poses

if TYPE_CHECKING:
    from ._functions import Model

# Those of Sources/KinemaAction/PoseResampler.swift.
_TOLERANCE = 0.05
_LONGEST_REACH = 0.25
_LONGEST_GAP = 60.0


def resample(poses: Poses, rate: float = 30) -> Poses:
    """Poses at a constant rate, in frames a second, as the classifiers take them.

    Each moment gets the pose of the nearest frame, within a quarter of a second, and is empty without
    one; nothing is interpolated, which would cut off turning points. Poses at the rate stay as they are.
    """
    if not 0 < rate < float("inf"):
        raise ValueError(f"a rate is a number of frames a second above 0, not {rate}")
    chosen: list[int] = []
    times: list[float] = []
    interval = 1 / rate
    slack = interval * _TOLERANCE
    before, due = -1, 0.0
    all_times = [float(time) for time in poses.times]
    for index, time in enumerate(all_times):
        if before < 0:
            chosen.append(index)
            times.append(time)
            before, due = index, time + interval
            continue
        last = all_times[before]
        if time <= last:
            continue
        if time - due > _LONGEST_GAP:
            due = time - _LONGEST_GAP
        while due < time - slack:
            nearest = before if due - last < time - due else index
            chosen.append(nearest if abs(all_times[nearest] - due) <= _LONGEST_REACH else -1)
            times.append(due)
            due += interval
        if abs(time - due) <= slack:
            chosen.append(index)
            times.append(time)
            due = time + interval
        before = index
    places = np.array(chosen, np.intp)
    return poses._at(places, np.array(times, np.float64))


def windows(
    poses: Poses,
    model: Model | None = None,
    *,
    size: int | None = None,
    rate: float | None = None,
    stride: int = 10,
    person: int | None = None,
) -> NDArray[np.float32]:
    """The windows of one person: `[windows, size, joints, 3]`, for `Model.predict`.

    Size and rate are those of the model, or given: `kinema.windows(poses, size=60, rate=30)`. The
    windows are full ones, `stride` frames of that rate apart from the first frame. `person` is an id;
    without one it is the person that is visible in most frames.
    """
    if model is not None:
        size = model.window_size if size is None else size
        rate = model.frame_rate or 30 if rate is None else rate
    if size is None or rate is None:
        raise ValueError("windows have a size and a rate: give a model, or size=60 and rate=30")
    if size < 1 or stride < 1:
        raise ValueError(f"the size and the stride of windows are at least 1, not {size} and {stride}")
    even = resample(poses, rate)
    ids = [int(one) for one in even.ids]
    if person is None:
        place = int(even.visible.sum(axis=0).argmax()) if ids else 0
    elif person in ids:
        place = ids.index(person)
    else:
        raise ValueError(f"there is no person {person}: the ids are {ids}")
    joints = even.keypoints.shape[2]
    if not ids or len(even) < size:
        return np.zeros((0, size, joints, 3), np.float32)
    # The view has the window's frames as its last axis.
    view = sliding_window_view(even.keypoints[:, place], size, axis=0)[::stride]
    return np.ascontiguousarray(view.transpose(0, 3, 1, 2), np.float32)
