"""Resampling, windows, data frames, and how results print."""

from __future__ import annotations

import builtins
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinema


def poses_at(times: list[float]) -> kinema.Poses:
    """One person whose x is the number of the frame, at these times."""
    keypoints = np.full((len(times), 1, 18, 3), 0.5, np.float32)
    keypoints[:, 0, :, 0] = np.arange(len(times))[:, np.newaxis] / 1000
    return kinema.Poses(keypoints, np.array(times, np.float64), np.array([4], np.int32))


def places(poses: kinema.Poses) -> list[int]:
    """The numbers of the frames that were chosen; −1 for none."""
    numbers = np.rint(poses.keypoints[:, 0, 0, 0] * 1000).astype(int)
    return [int(n) if seen else -1 for n, seen in zip(numbers, poses.visible[:, 0])]


def test_poses_at_the_rate_stay_as_they_are() -> None:
    poses = poses_at([index / 30 for index in range(20)])
    assert places(kinema.resample(poses, 30)) == list(range(20))
    assert np.array_equal(kinema.resample(poses, 30).times, poses.times)


def test_each_moment_gets_the_nearest_frame() -> None:
    half = kinema.resample(poses_at([index / 30 for index in range(9)]), 15)
    assert places(half) == [0, 2, 4, 6, 8]
    double = kinema.resample(poses_at([0, 0.1, 0.2]), 20)
    assert places(double) == [0, 1, 1, 2, 2] or places(double) == [0, 0, 1, 1, 2]
    # A gap is empty beyond a quarter of a second from either side.
    gap = kinema.resample(poses_at([0, 1.0]), 10)
    assert places(gap) == [0, 0, 0, -1, -1, -1, -1, -1, 1, 1, 1]
    with pytest.raises(ValueError, match="above 0"):
        kinema.resample(half, 0)


def test_windows_are_those_that_are_classified(data: Path, model: Path) -> None:
    two = kinema.Model(model)
    path = next(iter(sorted(data.rglob("*.npz"))))
    poses = kinema.Poses.load(path)
    windows = kinema.windows(poses, two)
    assert windows.shape[1:] == (two.window_size, two.joint_count, 3)
    probabilities = two.predict(windows)
    found = kinema.classify(poses, two).probabilities[: len(windows)]
    known = ~np.isnan(found[:, 0])
    assert known.any()
    assert np.array_equal(found[known].astype(np.float32), probabilities[known])
    # Core ML's order is taken as well.
    assert np.array_equal(two.predict(windows.swapaxes(-1, -2)), probabilities)
    assert np.array_equal(two.predict(windows[0]), probabilities[0])
    with pytest.raises(ValueError, match="shape"):
        two.predict(windows[0, 0])


def test_windows_ask_for_what_they_need() -> None:
    poses = poses_at([index / 30 for index in range(100)])
    assert kinema.windows(poses, size=60, rate=30).shape == (5, 60, 18, 3)
    assert kinema.windows(poses, size=60, rate=30, stride=40).shape == (2, 60, 18, 3)
    assert kinema.windows(poses, size=200, rate=30).shape == (0, 200, 18, 3)
    assert kinema.windows(poses, size=60, rate=30, person=4).shape[0] == 5
    with pytest.raises(ValueError, match=r"no person 7: the ids are \[4\]"):
        kinema.windows(poses, size=60, rate=30, person=7)
    with pytest.raises(ValueError, match="give a model"):
        kinema.windows(poses)


def test_results_print_in_a_line(video: Path) -> None:
    poses = kinema.poses(video)
    results: list[Any] = [
        poses, kinema.classify(poses), kinema.count(poses, "Exercise"), poses.angles(),
        kinema.coach(poses), next(iter(kinema.watch(video))), kinema.Stream(),
    ]  # fmt: skip
    for result in results:
        text = repr(result)
        assert text.startswith("<kinema.") and len(text) < 200 and "\n" not in text, text
    assert re.fullmatch(
        r"<kinema.Poses: \d+ frames, 1 person, 18 joints, [\d.]+ s, 320×180, workout.mp4>",
        repr(poses),
    )
    assert "jumping_jacks" in repr(results[1]) and "jumping_jacks" in repr(results[2])
    results[-1].close()


def test_joints_have_names(video: Path) -> None:
    poses = kinema.poses(video)
    assert poses.axes == ("frame", "person", "joint", "value") and len(poses.axes) == poses.keypoints.ndim
    assert np.array_equal(poses.joint("leftWrist"), poses.keypoints[:, :, 7])
    with pytest.raises(ValueError, match="leftWirst.*leftWrist"):
        poses.joint("leftWirst")
    assert {joint for bone in kinema.SKELETON for joint in bone} == set(kinema.BODY_JOINTS)
    person = next(frame for frame in kinema.watch(video) if frame.persons).persons[0]
    pixels = person.pixels(320, 180)
    assert pixels.shape == (18, 2)
    assert pixels[0, 1] == pytest.approx((1 - person.keypoints[0, 1]) * 180, abs=1e-3)


def test_data_frames(video: Path) -> None:
    pytest.importorskip("pandas")
    poses = kinema.poses(video)
    table = poses.to_dataframe()
    assert list(table.columns) == ["frame", "time", "person", "joint", "x", "y", "confidence"]
    wrist = table[(table.joint == "leftWrist") & (table.frame == 40)].iloc[0]
    assert wrist.x == poses.joint("leftWrist")[40, 0, 0] and wrist.time == poses.times[40]
    classified = kinema.classify(poses)
    windows = classified.to_dataframe()
    assert len(windows) == len(classified.windows) and set(classified.labels) <= set(windows.columns)
    counted = kinema.count(poses, "Exercise")
    assert list(counted.to_dataframe().action) == [one.action for one in counted.repetitions]
    coached = kinema.coach(poses)
    assert len(coached.to_dataframe()) == len(coached.repetitions)
    assert len(poses.angles().to_dataframe()) == len(poses.angles())


def test_without_pandas_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "pandas":
            raise ImportError("No module named 'pandas'")
        return whole(name, *rest)

    for name in [name for name in sys.modules if name.partition(".")[0] == "pandas"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="needs pandas: run pip install pandas"):
        poses_at([0, 1]).to_dataframe()
