#!/usr/bin/env python3
"""Makes pose files of motion capture, as a pose network finds people from cameras anywhere.

    motion_poses.py FOLDER --output FOLDER

FOLDER holds cmu.npz, uiprmd.npz and index.csv: 19 joints in metres, y up, 30 frames a second, differences of
millimetres from frame to frame (delta_mm [rows, 19, 3]) and the rows at which sequences start. OUTPUT gets a
.npz of 18 joints for each sequence, and index.csv, in which nobody falls: what kinema bench falls learns from.
Needs NumPy.
"""
import argparse
import csv
import pathlib

import numpy as np

JOINTS = ["nose", "neck", "r_shoulder", "r_elbow", "r_wrist", "l_shoulder", "l_elbow", "l_wrist",
          "r_hip", "r_knee", "r_ankle", "l_hip", "l_knee", "l_ankle"]
STATURE = 1.7
# Every second frame is taken.
RATE = 15
SHORTEST = 45


def body(sequence: np.ndarray, names: list[str]) -> np.ndarray:
    """The 18 joints of a classifier's input, eyes and ears from head and nose."""
    def joint(name: str) -> np.ndarray:
        return sequence[:, names.index(name)]

    aside = joint("l_shoulder") - joint("r_shoulder")
    aside /= np.linalg.norm(aside, axis=1, keepdims=True) + 1e-6
    eye, ear, up = aside * 0.03, aside * 0.07, np.array([0, 0.03, 0])
    nose, head = joint("nose"), joint("head")
    return np.stack([joint(name) for name in JOINTS]
                    + [nose - eye + up, nose + eye + up, head - ear, head + ear], 1)


def observed(joints: np.ndarray, chance: np.random.Generator) -> tuple[np.ndarray, float]:
    """Poses [frames, 3, 18] from a camera around the person, and width by height of its frames."""
    mirror = 1 if chance.random() < 0.5 else -1
    yaw = chance.uniform(-np.pi, np.pi)
    # Most cameras hang on a wall.
    pitch = chance.uniform(0.1, 0.6) if chance.random() < 0.6 else chance.normal() * 0.1
    distance = chance.uniform(2.5, 6) * STATURE
    away = joints - joints.reshape(-1, 3).mean(0)
    away[..., 0] *= mirror
    x = away[..., 0] * np.cos(yaw) - away[..., 2] * np.sin(yaw)
    depth = away[..., 0] * np.sin(yaw) + away[..., 2] * np.cos(yaw)
    y = away[..., 1] * np.cos(pitch) - depth * np.sin(pitch)
    z = away[..., 1] * np.sin(pitch) + depth * np.cos(pitch)
    scale = distance / np.maximum(distance - z, 0.6)
    deviation = chance.uniform(0.003, 0.02) * STATURE
    count = len(x)
    noise = chance.normal(size=(2, count + 4, 18))
    noise = sum(noise[:, start:start + count] for start in range(5)) / 5 ** 0.5
    x, y = (place * scale + deviation * part * scale for place, part in zip((x, y), noise))
    aspect = chance.choice([1.333, 1.778])
    height = chance.uniform(2.2, 5.5)
    x, y = x / (height * aspect) + 0.5, y / height + 0.5
    outside = (x < 0) | (x > 1) | (y < 0) | (y > 1)
    doubt = np.abs(chance.normal(size=x.shape)) * 0.08
    confidence = np.where(outside, 0.1, np.clip(1 - doubt, 0.3, 1))
    poses = np.stack([x, y, confidence], 1).astype(np.float32)
    # Now and then nobody is found.
    for _ in range(chance.poisson(count / RATE / 12)):
        start = chance.integers(count)
        poses[start:start + chance.integers(1, 12)] = 0
    poses[outside.sum(1) > 12] = 0
    return poses, aspect


def sequences(folder: pathlib.Path):
    """Joints [frames, 19, 3] in metres with the subject, the label, and the names of the joints."""
    rows = list(csv.DictReader((folder / "index.csv").open()))
    archives = {name: np.load(folder / name) for name in ("cmu.npz", "uiprmd.npz")}
    names = [str(name) for name in archives["cmu.npz"]["joints"]]
    deltas = {name: archive["delta_mm"].astype(np.int32) for name, archive in archives.items()}
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        # Repetitions of an exercise are short: six of a person are one sequence.
        one = row["label"] if row["file"] == "uiprmd.npz" else row["sequence"]
        groups.setdefault((row["file"], row["subject"], one), []).append(row)
    for (file, subject, _), parts in groups.items():
        joints = [np.cumsum(deltas[file][int(part["start"]):][:int(part["frames"])], 0) / 1000
                  for part in (parts[:6] if file == "uiprmd.npz" else parts)]
        for sequence in [np.concatenate(joints)] if file == "uiprmd.npz" else joints:
            if len(sequence) >= SHORTEST:
                yield sequence, subject, parts[0]["label"], names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(5)
    with (options.output / "index.csv").open("w", newline="") as file:
        index = csv.writer(file)
        index.writerow(["file", "fall_time", "visible_after", "what"])
        for number, (sequence, subject, label, names) in enumerate(sequences(options.folder)):
            poses, aspect = observed(body(sequence, names)[::2], chance)
            name = f"motion_{number:05d}.npz"
            np.savez(options.output / name, poses=poses[:, None], times=np.arange(len(poses)) / RATE,
                     ids=np.array([1]), size=np.array([int(aspect * 720), 720]))
            index.writerow([name, "", "", f"motion of {subject}: {label}"])


if __name__ == "__main__":
    main()
