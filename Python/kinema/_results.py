"""What the functions return."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

BODY_JOINTS: tuple[str, ...] = (
    "nose", "neck", "rightShoulder", "rightElbow", "rightWrist", "leftShoulder", "leftElbow",
    "leftWrist", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle",
    "rightEye", "leftEye", "rightEar", "leftEar",
)  # fmt: skip
"""The joints of a body, in the order of the arrays; right and left are the person's own."""

HAND_JOINTS: tuple[str, ...] = (
    "wrist", "thumbCMC", "thumbMP", "thumbIP", "thumbTip", "indexMCP", "indexPIP", "indexDIP",
    "indexTip", "middleMCP", "middlePIP", "middleDIP", "middleTip", "ringMCP", "ringPIP", "ringDIP",
    "ringTip", "littleMCP", "littlePIP", "littleDIP", "littleTip",
)  # fmt: skip
"""The joints of a hand, in the order of the arrays."""

LANDMARKS: tuple[str, ...] = (
    "nose", "leftEyeInner", "leftEye", "leftEyeOuter", "rightEyeInner", "rightEye",
    "rightEyeOuter", "leftEar", "rightEar", "leftMouth", "rightMouth", "leftShoulder",
    "rightShoulder", "leftElbow", "rightElbow", "leftWrist", "rightWrist", "leftLittleFinger",
    "rightLittleFinger", "leftIndexFinger", "rightIndexFinger", "leftThumb", "rightThumb",
    "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle", "rightAnkle", "leftHeel",
    "rightHeel", "leftToes", "rightToes",
)  # fmt: skip
"""The landmarks of a body, in the order of the arrays, MediaPipe's."""


@dataclass(frozen=True, eq=False)
class Poses:
    """The poses of a video, frame by frame.

    Coordinates are normalised to the frame, origin at the lower left, y up.
    """

    keypoints: NDArray[np.float32]
    """`[frames, persons, joints, 3]`: x, y, confidence; all zeros where a person is not visible."""
    times: NDArray[np.float64]
    """`[frames]`: presentation times in seconds."""
    ids: NDArray[np.int32]
    """`[persons]`: the id of each person."""
    hands: NDArray[np.int32] | None = None
    """`[frames, persons]`, for hands: −1 left, 1 right, 0 unknown."""
    video: str | None = None
    """The video's path."""
    size: NDArray[np.int32] | None = None
    """`[2]`: width and height of the frames in square pixels; `[frames, 2]` where they change; `None`
    where they are not known, as in files of earlier versions."""
    landmarks: NDArray[np.float32] | None = None
    """`[frames, persons, 33, 5]`, with `landmarks="all"`: x, y, z, visibility, presence of each of `LANDMARKS`;
    z in widths of the frame, above 0 nearer to the camera than the hips; all zeros where a person was not
    seen."""
    world_landmarks: NDArray[np.float32] | None = None
    """`[frames, persons, 33, 3]`, with `landmarks="all"`: x, y, z in metres by the pose network alone, from the
    middle of the hips, x to the right, y up in the picture, z towards the camera."""

    @property
    def frame_rate(self) -> float | None:
        """Frames a second, by the times; `None` of fewer than two frames."""
        if len(self.times) < 2 or self.times[-1] <= self.times[0]:
            return None
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0]))

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the joints: `BODY_JOINTS` or `HAND_JOINTS`."""
        return BODY_JOINTS if self.keypoints.shape[2] == len(BODY_JOINTS) else HAND_JOINTS

    def __len__(self) -> int:
        return len(self.times)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a pose file (`.npz`), which the commands read as well."""
        arrays: dict[str, NDArray[Any]] = {
            "poses": np.ascontiguousarray(self.keypoints.transpose(0, 1, 3, 2), np.float32),
            "times": np.ascontiguousarray(self.times, np.float64),
            "ids": np.ascontiguousarray(self.ids, np.int32),
        }
        if self.size is not None:
            arrays["size"] = np.ascontiguousarray(self.size, np.int32)
        if self.hands is not None:
            arrays["hands"] = np.ascontiguousarray(self.hands, np.int32)
        if self.landmarks is not None and self.world_landmarks is not None:
            arrays["landmarks"] = np.ascontiguousarray(self.landmarks, np.float32)
            arrays["world_landmarks"] = np.ascontiguousarray(self.world_landmarks, np.float32)
        with open(path, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]

    def angles(self, **options: Any) -> Angles:
        """The angles of the body over time, as `kinema.angles` measures them."""
        from ._functions import angles

        return angles(self, **options)

    @classmethod
    def load(cls, path: str | os.PathLike[str], video: str | None = None) -> Poses:
        """Reads a pose file (`.npz`), such as `kinema pose --output` writes."""
        with np.load(path) as file:
            return cls(
                file["poses"].transpose(0, 1, 3, 2),
                file["times"],
                file["ids"],
                file["hands"] if "hands" in file else None,
                video,
                file["size"] if "size" in file else None,
                file["landmarks"] if "landmarks" in file else None,
                file["world_landmarks"] if "world_landmarks" in file else None,
            )


@dataclass(frozen=True)
class Window:
    """What is recognised in one window of a person's poses."""

    start: float
    """Seconds."""
    end: float
    """Seconds."""
    status: str
    """`action`, `lowConfidence` or `noPerson`."""
    label: str | None
    """The most probable label; `None` without a person, and where none is confident."""
    confidence: float | None
    probabilities: Mapping[str, float] | None
    """The probability of each label."""
    person: int | None = None
    """The person's, or hand's, id, where each is classified."""
    hand: str | None = None
    """`left` or `right`, with a model of hands."""
    posture: str | None = None
    """How the person holds their body, such as `standing` or `lying_supine`; `None` of hands."""
    posture_probability: float | None = None

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> Window:
        posture = json.get("posture", {})
        return cls(
            json["start"], json["end"], json["status"], json.get("label"), json.get("confidence"),
            json.get("probabilities"), json.get("person"), json.get("hand"),
            posture.get("kind"), posture.get("probability"),
        )  # fmt: skip


@dataclass(frozen=True)
class Classification:
    """The actions of a video."""

    label: str | None
    """The label that occurs longest."""
    labels: list[str]
    """The model's labels."""
    windows: list[Window]
    summary: dict[str, float]
    """The seconds of each label that occurs."""
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema classify --format json` prints it."""

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """`[windows, labels]`; NaN for windows without a person."""
        rows = [
            [(window.probabilities or {}).get(label, np.nan) for label in self.labels]
            for window in self.windows
        ]
        return np.array(rows, np.float64).reshape(len(rows), len(self.labels))

    @property
    def times(self) -> NDArray[np.float64]:
        """`[windows, 2]`: start and end in seconds."""
        rows = [(window.start, window.end) for window in self.windows]
        return np.array(rows, np.float64).reshape(len(rows), 2)

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Classification:
        windows = [Window._of(window) for window in json["windows"]]
        return cls(json["label"], json["model"]["labels"], windows, json["summary"], json)


@dataclass(frozen=True)
class Repetition:
    """One repetition of a movement."""

    start: float
    """Seconds."""
    end: float
    """Seconds."""
    action: str | None
    """The action, with a model."""
    person: int | None
    """The person's id, where each person is counted."""
    set: int | None
    """The person's set, from 1, with a model."""
    json: dict[str, Any] = field(repr=False)
    """All of it: confidence, range of motion, bend, symmetry and more."""


@dataclass(frozen=True)
class Count:
    """The repetitions of a video."""

    count: int
    counts: dict[str, int]
    """By action, with a model."""
    tempo: float | None
    """Repetitions a minute."""
    repetitions: list[Repetition]
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema count --format json` prints it."""

    @property
    def series(self) -> NDArray[np.float64]:
        """`[moments, 2]`: time in seconds and the count from then on."""
        rows = [(point["time"], point["count"]) for point in self.json["series"]]
        return np.array(rows, np.float64).reshape(len(rows), 2)

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Count:
        repetitions = [
            Repetition(
                one["start"], one["end"], one.get("action"), one.get("person"), one.get("set"), one
            )
            for one in json["repetitions"]
        ]
        return cls(json["count"], json.get("counts", {}), json["tempo"], repetitions, json)


@dataclass(frozen=True, eq=False)
class Angles:
    """The angles of the body over time, in degrees, each with its standard error.

    A row is a frame of a person; `names` says which angles there are: knees, hips and elbows are 180 when
    straight, shoulders 0 with the arm at the side, and `trunkLean` is 0 upright.
    """

    times: NDArray[np.float64]
    """`[rows]`: seconds."""
    persons: NDArray[np.int32]
    """`[rows]`: the id of the person."""
    values: dict[str, NDArray[np.float32]]
    """`[rows]` of each angle, in degrees."""
    errors: dict[str, NDArray[np.float32]]
    """`[rows]` of each angle: its standard error, in degrees."""
    statures: dict[int, float]
    """The height of each person in metres, as given or estimated."""
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema angles --format json` prints it."""

    @property
    def names(self) -> list[str]:
        """The names of the angles."""
        return list(self.values)

    def __len__(self) -> int:
        return len(self.times)

    def to_dataframe(self) -> Any:
        """A pandas `DataFrame`: `time`, `person`, and two columns an angle, such as `leftKnee` and
        `leftKneeError`."""
        import pandas

        columns: dict[str, NDArray[Any]] = {"time": self.times, "person": self.persons}
        for name, values in self.values.items():
            columns[name] = values
            columns[f"{name}Error"] = self.errors[name]
        return pandas.DataFrame(columns)

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Angles:
        frames = json["frames"]
        names = list(dict.fromkeys(name for frame in frames for name in frame["angles"]))

        def column(name: str, member: str) -> NDArray[np.float32]:
            rows = (frame["angles"].get(name, {}).get(member, np.nan) for frame in frames)
            return np.fromiter(rows, np.float32, len(frames))

        return cls(
            np.array([frame["time"] for frame in frames], np.float64),
            np.array([frame["person"] for frame in frames], np.int32),
            {name: column(name, "value") for name in names},
            {name: column(name, "error") for name in names},
            {person["id"]: person["stature"] for person in json["persons"]},
            json,
        )


@dataclass(frozen=True)
class Assessment:
    """What a clinical test gave: an aid to training and observation, not a diagnosis."""

    test: str
    """The name of the test, such as `walk-4m`."""
    values: dict[tuple[str, str | None], float]
    """What was measured, by name and side (`"left"`, `"right"` or `None`), in the units of `json`."""
    errors: dict[tuple[str, str | None], float]
    """The standard error of each value."""
    unseen: dict[tuple[str, str | None], str]
    """Why the others can't be seen."""
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema assess --format json` prints it."""

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Assessment:
        values, errors, unseen = {}, {}, {}
        for one in json["measurements"]:
            key = one["name"], one["side"]
            if one["value"] is None:
                unseen[key] = one["unseen"]
            else:
                values[key], errors[key] = one["value"], one["error"]
        return cls(json["test"], values, errors, unseen, json)


@dataclass(frozen=True)
class Training:
    """A model that was trained."""

    model: str
    """The path of the model."""
    labels: list[str]
    metrics: dict[str, float]
    """Loss and accuracy at the last, or best, iteration."""
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema train --format json` prints it."""

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Training:
        return cls(json["model"], json["labels"], json.get("metrics") or {}, json)


@dataclass(frozen=True)
class Evaluation:
    """How well a model classifies labelled data."""

    accuracy: float
    """The share of frames, as Create ML counts."""
    labels: list[str]
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema evaluate --format json` prints it."""

    @property
    def confusion(self) -> NDArray[np.int64]:
        """`[labels, labels]`: frames by true (row) and predicted (column) label."""
        return np.array(self.json["confusion"]["matrix"], np.int64)

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Evaluation:
        return cls(json["accuracy"], json["confusion"]["labels"], json)


@dataclass(frozen=True, eq=False)
class Person:
    """A person, or hand, in a frame."""

    id: int
    confidence: float
    box: tuple[float, float, float, float]
    """x and y of the lower left corner, width, height; normalised to the frame."""
    keypoints: NDArray[np.float32]
    """`[joints, 3]`: x, y, confidence; NaN for joints that were not found."""
    hand: str | None = None
    """`left` or `right`, for a hand."""


@dataclass(frozen=True)
class CurrentSet:
    """A set under way: repetitions of one exercise, or something that is held."""

    id: int
    """Which of the person's sets it is, from 1."""
    label: str | None
    """The exercise; `None` while no name is confident. It may be revised."""
    kind: str
    """`counted` or `timed`."""
    repetitions: int
    seconds: float

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> CurrentSet:
        return cls(
            json["id"], json["label"], json["kind"], json["repetitions"], json["seconds"]
        )


@dataclass(frozen=True)
class State:
    """What a person does at a moment."""

    action: Window | None
    """The newest window; `None` before the first."""
    count: int | None
    """Repetitions of the current, or last, action; `None` without counting."""
    counts: dict[str, int]
    """Repetitions by action; where a set is revised, they move to its new name."""
    activity: str | None
    """`set`, `ready` (between sets), or `everyday`: walking, running or lying."""
    set: CurrentSet | None
    """The set under way."""

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> State:
        action = json.get("action")
        current = json.get("set")
        return cls(
            None if action is None else Window._of(action),
            json.get("count"),
            json.get("counts") or {},
            json.get("activity"),
            None if current is None else CurrentSet._of(current),
        )


@dataclass(frozen=True)
class Frame(State):
    """A frame of a video or stream: the people in it, and what the prominent one does."""

    index: int
    """The number of the frame, from 0."""
    time: float
    """Presentation time in seconds."""
    prominent: int | None
    """The id of the prominent person."""
    persons: list[Person]
    everybody: dict[int, State]
    """What each person does, by id, with the option `everybody`."""

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> Frame:
        own = State._of(json)
        everybody = {one["person"]: State._of(one) for one in json.get("everybody", ())}
        return cls(
            own.action, own.count, own.counts, own.activity, own.set,
            json["frame"], json["time"], json["prominent"],
            [_person(person) for person in json["persons"]], everybody,
        )  # fmt: skip


def _person(json: Mapping[str, Any]) -> Person:
    joints = HAND_JOINTS if "wrist" in json["joints"] else BODY_JOINTS
    missing = (np.nan, np.nan, np.nan)
    rows = [json["joints"].get(joint, missing) for joint in joints]
    box: tuple[float, float, float, float] = tuple(json["box"])
    return Person(
        json["id"], json["confidence"], box, np.array(rows, np.float32), json.get("hand")
    )
