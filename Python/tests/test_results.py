"""Results are those of the command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import command, command_json

import kinema


def test_poses_are_those_of_the_command_line_bit_for_bit(video: Path, tmp_path: Path) -> None:
    command("pose", video, "--no-cache", "--output", tmp_path / "a.npz")
    poses = kinema.poses(video, no_cache=True)
    with np.load(tmp_path / "a.npz") as file:
        expected = file["poses"].transpose(0, 1, 3, 2)
        assert poses.keypoints.tobytes() == expected.tobytes()
        assert poses.times.tobytes() == file["times"].tobytes()
        assert poses.ids.tobytes() == file["ids"].tobytes()
    assert poses.keypoints.shape == (len(poses), 1, 18, 3)
    assert poses.joints == kinema.BODY_JOINTS
    assert poses.video == str(video)


def test_every_landmark_is_there_where_it_is_asked_for(video: Path, tmp_path: Path) -> None:
    poses = kinema.poses(video, landmarks="all")
    assert poses.landmarks is not None and poses.world_landmarks is not None
    assert poses.landmarks.shape == (len(poses), 1, 33, 5)
    assert poses.world_landmarks.shape == (len(poses), 1, 33, 3)
    heel, ankle = (poses.landmark(name)[:, 0] for name in ("leftHeel", "leftAnkle"))
    seen = heel[:, 3] > 0.5
    assert (heel[seen, 1] < ankle[seen, 1]).mean() > 0.9
    with pytest.raises(ValueError, match="leftToe.*the landmarks are nose"):
        poses.landmark("leftToe")
    poses.save(tmp_path / "a.npz")
    again = kinema.Poses.load(tmp_path / "a.npz")
    assert again.world_landmarks is not None
    assert np.array_equal(again.world_landmarks, poses.world_landmarks)
    assert poses.frame_rate is not None and abs(poses.frame_rate - 15) < 1
    without = kinema.poses(video)
    assert without.landmarks is None
    with pytest.raises(ValueError, match='landmarks="all"'):
        without.landmark("leftHeel")


def test_saved_poses_are_read_by_the_commands(video: Path, tmp_path: Path) -> None:
    poses = kinema.poses(video)
    poses.save(tmp_path / "a.npz")
    again = kinema.Poses.load(tmp_path / "a.npz")
    assert np.array_equal(again.keypoints, poses.keypoints)
    classified = command_json("classify", tmp_path / "a.npz")
    assert kinema.classify(poses).json["windows"] == classified["windows"]
    assert poses.size is not None and poses.size.shape == (2,)
    assert again.size is not None and np.array_equal(again.size, poses.size)
    # The shape of the picture decides what is counted, and the poses are those of every frame.
    counted = kinema.count(video, rate="all")
    assert kinema.count(poses).json["repetitions"] == counted.json["repetitions"]


def test_actions_and_repetitions_are_those_of_the_command_line(video: Path) -> None:
    classified = kinema.classify(video, everybody=True)
    assert classified.json == command_json("classify", video, "--everybody")
    assert classified.label == "jumping_jacks"
    assert classified.probabilities.shape == (len(classified.windows), len(classified.labels))
    found = [window for window in classified.windows if window.posture]
    assert found and all(0 < (window.posture_probability or 0) <= 1 for window in found)
    assert classified.times[0, 0] == classified.windows[0].start
    counted = kinema.count(video, "Exercise")
    assert counted.json == command_json("count", video, "--model", "Exercise")
    assert counted.count == len(counted.repetitions) == counted.counts["jumping_jacks"]
    assert abs(counted.count - 8) <= 1
    assert counted.series[-1, 1] == counted.count


def test_a_test_is_that_of_the_command_line(video: Path) -> None:
    found = kinema.assess(kinema.poses(video), test="shoulder-abduction")
    json = command_json("assess", video, "--test", "shoulder-abduction")
    assert found.test == "shoulder-abduction"
    assert found.json["measurements"] == json["measurements"]
    assert found.values["abduction", "left"] > 60 and found.errors["abduction", "left"] > 0
    walk = kinema.assess(video, test="walk-4m")
    assert ("cadence", None) in walk.values or ("cadence", None) in walk.unseen


def test_angles_are_those_of_the_command_line(video: Path) -> None:
    poses = kinema.poses(video)
    angles = poses.angles()
    assert angles.json["frames"] == command_json("angles", video)["frames"]
    assert len(angles) == len(angles.times) == len(angles.persons) > 100
    assert {"leftKnee", "rightKnee", "leftShoulder", "trunkLean"} <= set(angles.names)
    for name in angles.names:
        assert angles.values[name].shape == angles.errors[name].shape == (len(angles),)
        assert np.isfinite(angles.values[name]).all() and (angles.errors[name] > 0).all()
    # Jumping jacks raise the arms.
    assert np.ptp(angles.values["leftShoulder"]) > 60
    tall = kinema.angles(poses, height=2.0)
    assert tall.statures == {person: 2.0 for person in tall.statures}
    assert np.array_equal(tall.values["leftKnee"], angles.values["leftKnee"])


def test_predictions_are_those_of_classify(model: Path, data: Path) -> None:
    two = kinema.Model(model)
    path = next(path for path in sorted(data.rglob("*.npz")))
    poses = kinema.Poses.load(path)
    assert two.joint_count == 18 and two.window_size == 30
    arrays = poses.keypoints[:, 0].transpose(0, 2, 1)
    starts = range(0, len(poses) - two.window_size + 1, 10)
    windows = np.stack([arrays[start : start + two.window_size] for start in starts])
    probabilities = two.predict(windows)
    classified = kinema.classify(path, two)
    assert classified.labels == two.labels
    found = classified.probabilities[: len(windows)]
    known = ~np.isnan(found[:, 0])
    assert known.any()
    assert np.array_equal(found[known].astype(np.float32), probabilities[known])
    assert np.array_equal(two.predict(windows[0]), probabilities[0])
    with pytest.raises(kinema.Error, match="shape"):
        two.predict(windows[:, :5])


def test_training_and_evaluation(model: Path, data: Path, tmp_path: Path) -> None:
    shares: list[float | None] = []
    trained = kinema.train(
        data, tmp_path / "Other.mlmodel", iterations=4, window=30, validation="none",
        progress=lambda share, step: shares.append(share),
    )  # fmt: skip
    assert Path(trained.model).read_bytes()[:100] != b""
    assert trained.labels == ["lunges", "squats"]
    assert shares
    evaluated = kinema.evaluate(model, data)
    assert evaluated.labels == trained.labels
    assert evaluated.confusion.sum() == evaluated.json["counts"]["frames"]
    assert evaluated.accuracy > 0.5


def test_every_frame_of_a_file_is_watched(video: Path) -> None:
    frames = list(kinema.watch(video))
    poses = kinema.poses(video)
    assert [frame.time for frame in frames] == pytest.approx(poses.times)
    assert frames[-1].counts["jumping_jacks"] >= 6
    assert frames[-1].action is not None and frames[-1].action.label == "jumping_jacks"
    assert frames[-1].persons[0].keypoints.shape == (18, 3)


@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not there")
def test_every_frame_of_a_pipe_is_watched(video: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    stream = tmp_path / "video.ts"
    subprocess.run(["ffmpeg", "-v", "error", "-i", video, "-c", "copy", stream], check=True)
    writer = threading.Thread(target=lambda: pipe.write_bytes(stream.read_bytes()))
    writer.start()
    frames = list(kinema.watch(pipe, everybody=True))
    assert len(frames) == len(kinema.poses(video).times)
    writer.join()


def test_a_watch_can_be_left(long_video: Path) -> None:
    for frame in kinema.watch(long_video, no_count=True):
        assert frame.count is None
        # Other calls work meanwhile.
        assert kinema.Model("Exercise").labels
        if frame.index == 3:
            break
    assert kinema.Model("Workout").labels
