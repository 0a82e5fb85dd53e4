"""Frames as arrays: single ones, and those that a program pushes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import command

import kinema
from kinema._executable import environment, executable
from kinema._frames import write_picture

RATE = 15


def frames_of(video: Path, layout: str = "rgb24") -> np.ndarray[Any, Any]:
    """The frames of a video of 320 × 180 pixels."""
    found = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", video, "-f", "rawvideo", "-pix_fmt", layout, "-"],
        check=True, capture_output=True,
    )  # fmt: skip
    return np.frombuffer(found.stdout, np.uint8).reshape(-1, 180, 320, 3)


@pytest.fixture(scope="module")
def images(video: Path) -> np.ndarray[Any, Any]:
    return frames_of(video)


def timed(images: np.ndarray[Any, Any]) -> Iterator[tuple[Any, float]]:
    return ((image, index / RATE) for index, image in enumerate(images))


def test_a_frame_has_the_poses_of_the_picture(
    images: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    image = images[40]
    expected = kinema.poses(write_picture(image, "rgb", tmp_path))
    assert len(expected.ids) == 1
    for given, color in [(image, "rgb"), (image[:, :, ::-1], "bgr"), (image[:, ::1], "rgb")]:
        found = kinema.poses(given, color=color)  # type: ignore[arg-type]
        assert np.array_equal(found.keypoints, expected.keypoints)
        assert found.video is None and found.size is not None and list(found.size) == [320, 180]
    # With transparency, in another memory order, in grey, and with an odd width.
    clear = np.dstack([image, np.full(image.shape[:2], 7, np.uint8)])
    assert np.array_equal(kinema.poses(clear, color="rgb").keypoints, expected.keypoints)
    assert len(kinema.poses(np.asfortranarray(image), color="rgb").ids) == 1
    grey = image.mean(axis=2).astype(np.uint8)
    assert len(kinema.poses(grey).ids) == 1
    narrow = image[:, 1:, ::-1]
    assert np.array_equal(
        kinema.poses(narrow).keypoints, kinema.poses(narrow[:, :, ::-1], color="rgb").keypoints
    )


@pytest.mark.parametrize(
    ("image", "error", "words"),
    [
        (None, TypeError, "there is no frame"),
        (np.zeros((9, 9, 3)), TypeError, "uint8, 0 to 255, not float64; .*255"),
        (np.zeros((9, 9, 3), np.int16), TypeError, "not int16"),
        (np.zeros((2, 9, 9, 3), np.uint8), ValueError, "several frames.*kinema.Stream"),
        (np.zeros((3, 9, 9), np.uint8), ValueError, r"colours first.*transpose\(1, 2, 0\)"),
        (np.zeros((9, 9, 2), np.uint8), ValueError, r"\[height, width, 3\].*\[9, 9, 2\]"),
        (np.zeros((0, 9, 3), np.uint8), ValueError, "9 × 0 pixels is not possible"),
        ([1, 2], TypeError, "uint8"),
    ],
)
def test_what_is_no_frame_is_refused(image: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        kinema.poses(image)
    with kinema.Stream() as stream, pytest.raises(error, match=words):
        stream.push(image, 0.0)
    with pytest.raises(ValueError, match='"bgr".*not \'gbr\''):
        kinema.poses(np.zeros((9, 9, 3), np.uint8), color="gbr")  # type: ignore[arg-type]


def test_pushed_frames_are_followed_and_counted(
    images: np.ndarray[Any, Any], video: Path
) -> None:
    with kinema.Stream("Workout", color="rgb") as stream:
        frames = [stream.push(image, time) for image, time in timed(images)]
    assert [frame.index for frame in frames] == list(range(len(images)))
    assert frames[10].time == 10 / RATE
    ids = {person.id for frame in frames for person in frame.persons}
    assert ids == {1}
    assert frames[-1].action is not None and frames[-1].action.label == "jumping_jacks"
    assert frames[-1].counts["jumping_jacks"] >= 6
    assert stream.count is not None and abs(stream.count - 8) <= 1
    form = [one for frame in frames for one in frame.form]
    assert len(form) >= 5 and {one.exercise for one in form} == {"jumping_jacks"}
    assert all(one.end > one.start and one.verdict for one in form)
    with pytest.raises(ValueError, match="closed"):
        stream.push(images[0])
    # The same frames in the other order of colours, two on their way at a time.
    with kinema.Stream("Workout", no_count=True) as stream:
        swapped = list(stream.map((image[:, :, ::-1], time) for image, time in timed(images[:30])))
    assert [one.index for one in swapped] == list(range(30))
    for one, other in zip(swapped, frames):
        assert one.count is None
        for mine, theirs in zip(one.persons, other.persons):
            assert np.array_equal(mine.keypoints, theirs.keypoints, equal_nan=True)


def test_times_increase_and_are_numbers(images: np.ndarray[Any, Any]) -> None:
    with kinema.Stream(color="rgb", no_count=True) as stream:
        stream.push(images[0], 1.0)
        for time in (1.0, 0.5, float("nan"), float("inf")):
            with pytest.raises(ValueError, match="times of frames increase"):
                stream.push(images[1], time)
        with pytest.raises(TypeError, match="number of seconds"):
            stream.push(images[1], "2")  # type: ignore[arg-type]
        # A refused frame is not one.
        assert stream.push(images[1], np.float32(2)).index == 1  # type: ignore[arg-type]
        # Other sizes of frames go on.
        assert stream.push(images[2][:90, :160].copy(), 3.0).index == 2


def test_options_and_models_that_there_are_not_are_refused_by_name() -> None:
    image = np.zeros((90, 160, 3), np.uint8)
    stream = kinema.Stream(persoms=2)  # type: ignore[call-arg]
    with pytest.raises(kinema.Error, match="persoms; did you mean --persons"):
        stream.push(image)
    with pytest.raises(kinema.Error):
        stream.close()
    with pytest.raises(kinema.Error, match="Workuot"), kinema.Stream("Workuot") as stream:
        stream.push(image)


def test_a_stream_ends_with_its_loop_and_reports_a_crash(images: np.ndarray[Any, Any]) -> None:
    class Enough(Exception):
        pass

    stream = kinema.Stream(color="rgb")
    folder = Path(stream._slots._path(0)).parent
    stream.push(images[0])
    pid = stream._worker.pid
    with pytest.raises(Enough), stream:
        raise Enough
    assert not folder.exists() and pid is not None and not Path(f"/proc/{pid}/exe").exists()
    stream = kinema.Stream(color="rgb")
    stream.push(images[0])
    pid = stream._worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(kinema.WorkerCrashed, match="SIGKILL"):
        for image in images:
            stream.push(image)
    with pytest.raises(kinema.Error):
        stream.close()


def test_frames_that_cannot_be_read_end_their_job(tmp_path: Path) -> None:
    import json

    file = tmp_path / "short.raw"
    file.write_bytes(b"123")
    frame = {"file": str(file), "width": 9, "height": 9, "format": "bgr", "time": 0.0}
    changes: list[tuple[dict[str, Any], str]] = [
        ({}, "ends before the frame"),
        ({"file": str(tmp_path / "nowhere")}, "is not there"),
        ({"file": str(tmp_path)}, "no file that can be read"),
        ({"format": "yuv"}, "one of bgr, rgb"),
        ({"width": 1 << 40}, "not possible"),
        ({"width": -1}, "not possible"),
        ({"offset": -1}, "number of bytes"),
    ]
    for change, words in changes:
        lines = [{"id": 1, "job": "push"}, {"push": 1, "frame": {**frame, **change}}, {"finish": 1}]
        found = subprocess.run(
            [executable(), "worker"], env=environment(), capture_output=True, text=True,
            check=True, input="".join(json.dumps(line) + "\n" for line in lines),
        )  # fmt: skip
        answer = json.loads(found.stdout.splitlines()[-1])
        assert words in answer["error"]["message"], answer


def test_coach_convert_and_synth_are_the_commands(video: Path, tmp_path: Path) -> None:
    coached = kinema.coach(video)
    assert len(coached.repetitions) >= 6
    assert {one.exercise for one in coached.repetitions} == {"jumping_jacks"}
    assert coached.json["count"] == len(coached.repetitions)
    with pytest.raises(kinema.Error, match="show-rules"):
        kinema.coach(video, show_rules=True)  # type: ignore[call-arg]
    model = kinema.convert("Exercise", tmp_path / "Exercise.onnx")
    assert model.read_bytes()[:1] == b"\x08"
    made = kinema.synth(
        tmp_path / "a.mp4", actions="squats,standing", repetitions=2, size="160x120",
        poses=tmp_path / "a.npz", labels=str(tmp_path / "a.csv"),
    )  # fmt: skip
    assert made.video == str(tmp_path / "a.mp4") and (tmp_path / "a.mp4").stat().st_size > 0
    squats = [one for one in made.segments if one.label == "squats"]
    assert len(squats) == 1 and squats[0].repetitions == 2 and squats[0].end > squats[0].start
    assert (tmp_path / "a.csv").read_text().startswith("file_name,label")
    assert len(kinema.Poses.load(tmp_path / "a.npz")) > 10
    with pytest.raises(kinema.Error, match="squuts; did you mean squats"):
        kinema.synth(tmp_path / "b.mp4", actions="squuts")


def test_the_version_is_that_of_the_program() -> None:
    assert kinema.__version__ in command("--version")
