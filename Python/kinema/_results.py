"""What the functions return."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import AnglesOptions

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


def _data_frame(columns: Mapping[str, Any]) -> Any:
    """A `DataFrame` of pandas, which is needed by nothing else."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise ImportError("to_dataframe() needs pandas: run pip install pandas") from error
    return pandas.DataFrame(columns)


def _short(name: str, *parts: str | None) -> str:
    return f"<kinema.{name}: {', '.join(part for part in parts if part)}>"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _totals(values: Mapping[str, Any], unit: str = "") -> str:
    """What a few labels come to, such as `squats 12, lunges 4`."""
    parts = [f"{name} {value:.4g}{unit}" for name, value in values.items()]
    return ", ".join(parts[:4] + (["…"] if len(parts) > 4 else []))


@dataclass(frozen=True, eq=False, repr=False)
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

    axes = ("frame", "person", "joint", "value")
    """What the axes of `keypoints` are; those of landmarks are the same, and of windows the first two are the
    window and its frame."""

    def __repr__(self) -> str:
        frames, persons, joints, _ = self.keypoints.shape
        duration = f"{self.times[-1] - self.times[0]:.1f} s" if frames > 1 else None
        size = None if self.size is None else "×".join(str(int(one)) for one in self.size.flat[:2])
        return _short(
            "Poses", _counted(frames, "frame"), _counted(persons, "person"), f"{joints} joints",
            duration, size, self.video and os.path.basename(self.video),
        )  # fmt: skip

    def joint(self, name: str) -> NDArray[np.float32]:
        """`[frames, persons, 3]`: x, y and confidence of a joint, such as `poses.joint("leftWrist")`."""
        if name not in self.joints:
            raise ValueError(f"there is no joint {name!r}: the joints are {', '.join(self.joints)}")
        return self.keypoints[:, :, self.joints.index(name)]

    def landmark(self, name: str) -> NDArray[np.float32]:
        """`[frames, persons, 5]`: x, y, z, visibility and presence of one of `LANDMARKS`, such as
        `poses.landmark("leftHeel")`; a ValueError for poses without landmarks."""
        if name not in LANDMARKS:
            raise ValueError(
                f"there is no landmark {name!r}: the landmarks are {', '.join(LANDMARKS)}"
            )
        if self.landmarks is None:
            raise ValueError('these poses have no landmarks: call kinema.poses with landmarks="all"')
        return self.landmarks[:, :, LANDMARKS.index(name)]

    @property
    def visible(self) -> NDArray[np.bool_]:
        """`[frames, persons]`: whether a person is visible."""
        found: NDArray[np.bool_] = np.asarray(np.any(self.keypoints[..., 2] > 0, axis=2), np.bool_)
        return found

    def to_dataframe(self) -> Any:
        """A pandas `DataFrame` with a row for each joint of each visible person in each frame: `frame`,
        `time`, `person`, `joint`, `x`, `y` and `confidence`, as in the CSV of `kinema pose`."""
        confidence = self.keypoints[..., 2]
        frame, person, joint = np.nonzero(confidence > 0)
        values = self.keypoints[frame, person, joint]
        return _data_frame(
            {
                "frame": frame, "time": self.times[frame], "person": self.ids[person],
                "joint": np.array(self.joints)[joint], "x": values[:, 0], "y": values[:, 1],
                "confidence": values[:, 2],
            }  # fmt: skip
        )

    def _at(self, places: NDArray[np.intp], times: NDArray[np.float64]) -> Poses:
        """The frames at these places, at these times; −1 is one without people."""

        def chosen(array: NDArray[Any] | None) -> Any:
            if array is None or not len(array):
                return array
            found = array[places]
            found[places < 0] = 0
            return found

        size = self.size
        if size is not None and size.ndim == 2:
            size = size[np.maximum(places, 0)]
        return replace(
            self, keypoints=chosen(self.keypoints), times=times, hands=chosen(self.hands), size=size,
            landmarks=chosen(self.landmarks), world_landmarks=chosen(self.world_landmarks),
        )  # fmt: skip

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

    def angles(self, **options: Unpack[AnglesOptions]) -> Angles:
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


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return _short(
            "Classification", self.label or "no action", _counted(len(self.windows), "window"),
            _totals(self.summary, " s"),
        )  # fmt: skip

    def to_dataframe(self) -> Any:
        """A pandas `DataFrame` with a row for each window: `start`, `end`, `person`, `status`, `label`,
        `confidence`, `posture`, and a column for the probability of each label."""
        columns: dict[str, Any] = {
            name: [getattr(window, name) for window in self.windows]
            for name in ("start", "end", "person", "status", "label", "confidence", "posture")
        }
        # A label may have the name of a column.
        for label, values in zip(self.labels, self.probabilities.T):
            columns[label if label not in columns else f"{label} (probability)"] = values
        return _data_frame(columns)

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


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        tempo = None if self.tempo is None else f"{self.tempo:.1f} a minute"
        return _short("Count", _counted(self.count, "repetition"), _totals(self.counts), tempo)

    def to_dataframe(self) -> Any:
        """A pandas `DataFrame` with a row for each repetition: `start`, `end`, `action`, `person`, `set`."""
        names = ("start", "end", "action", "person", "set")
        return _data_frame(
            {name: [getattr(one, name) for one in self.repetitions] for name in names}
        )

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


@dataclass(frozen=True)
class Measured:
    """A repetition, or a part of a posture that is held, with its form."""

    start: float
    """Seconds."""
    end: float
    """Seconds."""
    exercise: str
    verdict: str
    """`good`, `fault`, `borderline`, `unseen`, or `uncertain` where it may be another movement."""
    cue: str | None
    """What to do better."""
    view: str | None
    """From where the person is seen: `front`, `oblique` or `side`."""
    measurements: dict[str, tuple[float, float]]
    """What was measured, by name: the value and its standard error."""
    json: dict[str, Any] = field(repr=False)
    """All of it: each rule with its limit, value and verdict, and more."""

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Measured:
        measurements = {
            name: (one["value"], one["error"])
            for name, one in (json.get("measurements") or {}).items()
        }
        return cls(
            json["start"], json["end"], json["exercise"], json["verdict"], json["cue"],
            json.get("view"), measurements, json,
        )  # fmt: skip


@dataclass(frozen=True, repr=False)
class Coaching:
    """The form of the repetitions of a video."""

    repetitions: list[Measured]
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema coach --format json` prints it."""

    @property
    def cues(self) -> list[str]:
        """What to do better, each cue once, the most frequent one first."""
        found = [one.cue for one in self.repetitions if one.cue]
        return sorted(dict.fromkeys(found), key=lambda cue: -found.count(cue))

    def __repr__(self) -> str:
        verdicts = [one.verdict for one in self.repetitions]
        totals = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}
        return _short("Coaching", _counted(len(verdicts), "repetition"), _totals(totals))

    def to_dataframe(self) -> Any:
        """A pandas `DataFrame` with a row for each repetition: `start`, `end`, `exercise`, `verdict`, `cue`,
        `view`, and a column for each measurement."""
        names = ("start", "end", "exercise", "verdict", "cue", "view")
        columns: dict[str, Any] = {
            name: [getattr(one, name) for one in self.repetitions] for name in names
        }
        for name in dict.fromkeys(name for one in self.repetitions for name in one.measurements):
            columns[name] = [
                one.measurements.get(name, (np.nan, np.nan))[0] for one in self.repetitions
            ]
        return _data_frame(columns)

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Coaching:
        return cls([Measured._of(one) for one in json["repetitions"]], json)


@dataclass(frozen=True)
class Segment:
    """A part of a synthetic video, in which one motion is done."""

    label: str
    start: float
    """Seconds."""
    end: float
    """Seconds."""
    repetitions: int


@dataclass(frozen=True)
class Synthesis:
    """Synthetic people that were written."""

    video: str | None
    """The path of the video."""
    poses: str | None
    """The path of the exact poses."""
    folder: str | None
    """The folder of the training set."""
    segments: list[Segment]
    """What is done in the video, and when."""

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Synthesis:
        segments = [
            Segment(one["label"], one["start"], one["end"], one["repetitions"])
            for one in json.get("segments", ())
        ]
        return cls(json.get("video"), json.get("poses"), json.get("folder"), segments)


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        return _short("Angles", _counted(len(self), "row"), f"{len(self.names)} angles")

    def to_dataframe(self) -> Any:
        """A pandas `DataFrame`: `time`, `person`, and two columns an angle, such as `leftKnee` and
        `leftKneeError`."""
        columns: dict[str, NDArray[Any]] = {"time": self.times, "person": self.persons}
        for name, values in self.values.items():
            columns[name] = values
            columns[f"{name}Error"] = self.errors[name]
        return _data_frame(columns)

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


@dataclass(frozen=True, repr=False)
class Evaluation:
    """How well a model classifies labelled data."""

    accuracy: float
    """The share of frames, as Create ML counts."""
    labels: list[str]
    json: dict[str, Any] = field(repr=False)
    """All of it, as `kinema evaluate --format json` prints it."""

    def __repr__(self) -> str:
        return _short("Evaluation", f"accuracy {self.accuracy:.3f}", f"{len(self.labels)} labels")

    def to_dataframe(self) -> Any:
        """The confusion as a pandas `DataFrame`: a row for each true label, a column for each predicted one,
        after the column `label`."""
        columns: dict[str, Any] = {"label": self.labels}
        for label, values in zip(self.labels, self.confusion.T):
            columns[label if label != "label" else "label (predicted)"] = values
        return _data_frame(columns)

    @property
    def confusion(self) -> NDArray[np.int64]:
        """`[labels, labels]`: frames by true (row) and predicted (column) label."""
        return np.array(self.json["confusion"]["matrix"], np.int64)

    @classmethod
    def _of(cls, json: dict[str, Any]) -> Evaluation:
        return cls(json["accuracy"], json["confusion"]["labels"], json)


@dataclass(frozen=True, eq=False, repr=False)
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

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the joints: `BODY_JOINTS` or `HAND_JOINTS`."""
        return BODY_JOINTS if len(self.keypoints) == len(BODY_JOINTS) else HAND_JOINTS

    def pixels(self, width: int, height: int) -> NDArray[np.float32]:
        """`[joints, 2]`: the joints in pixels of a frame, origin at the upper left, for drawing."""
        return np.stack(
            [self.keypoints[:, 0] * width, (1 - self.keypoints[:, 1]) * height], axis=1
        ).astype(np.float32)

    def __repr__(self) -> str:
        joints = int((~np.isnan(self.keypoints[:, 0])).sum())
        side = None if self.hand is None else f"{self.hand} hand"
        return _short("Person", f"id {self.id}", side, f"{joints} joints", f"{self.confidence:.2f}")


@dataclass(frozen=True)
class Form:
    """The form of a repetition that has ended."""

    exercise: str
    start: float
    """Seconds."""
    end: float
    """Seconds."""
    verdict: str
    """`good`, `fault`, `borderline`, `unseen` or `uncertain`."""
    cue: str | None
    """What to do better."""
    say: str | None
    """The cue, where it is to be given now: at most one in six seconds."""
    view: str | None
    """From where the person is seen: `front`, `oblique` or `side`."""
    joint: str | None
    """The joint that bends in the exercise; its angles at the turning points are in degrees."""
    bottom: float | None
    top: float | None
    range: float | None
    down: float | None
    """Seconds, as are the hold at the turning point and the way up."""
    hold: float | None
    up: float | None

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> Form:
        return cls(
            json["exercise"], json["start"], json["end"], json["verdict"], json["cue"], json["say"],
            *(json.get(name) for name in ("view", "joint", "bottom", "top", "range", "down", "hold", "up")),
        )  # fmt: skip


SKELETON: tuple[tuple[str, str], ...] = (
    ("nose", "neck"), ("neck", "rightShoulder"), ("rightShoulder", "rightElbow"),
    ("rightElbow", "rightWrist"), ("neck", "leftShoulder"), ("leftShoulder", "leftElbow"),
    ("leftElbow", "leftWrist"), ("neck", "rightHip"), ("rightHip", "rightKnee"),
    ("rightKnee", "rightAnkle"), ("neck", "leftHip"), ("leftHip", "leftKnee"),
    ("leftKnee", "leftAnkle"), ("nose", "rightEye"), ("rightEye", "rightEar"),
    ("nose", "leftEye"), ("leftEye", "leftEar"),
)  # fmt: skip
"""The bones of a body, for drawing: pairs of `BODY_JOINTS`."""


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


@dataclass(frozen=True, repr=False)
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
    form: list[Form]
    """The repetitions of the prominent person that have ended since the frame before, with their form."""
    seconds: float | None
    """How long finding the poses took, of a pushed frame."""

    def __repr__(self) -> str:
        action = None if self.action is None else self.action.label or self.action.status
        count = None if self.count is None else f"count {self.count}"
        return _short(
            "Frame", f"{self.time:.2f} s", f"{len(self.persons)} visible", action, count
        )

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> Frame:
        own = State._of(json)
        everybody = {one["person"]: State._of(one) for one in json.get("everybody", ())}
        return cls(
            own.action, own.count, own.counts, own.activity, own.set,
            json["frame"], json["time"], json["prominent"],
            [_person(person) for person in json["persons"]], everybody,
            [Form._of(one) for one in json.get("form", ())], json.get("seconds"),
        )  # fmt: skip


def _person(json: Mapping[str, Any]) -> Person:
    joints = HAND_JOINTS if "wrist" in json["joints"] else BODY_JOINTS
    missing = (np.nan, np.nan, np.nan)
    rows = [json["joints"].get(joint, missing) for joint in joints]
    box: tuple[float, float, float, float] = tuple(json["box"])
    return Person(
        json["id"], json["confidence"], box, np.array(rows, np.float32), json.get("hand")
    )
