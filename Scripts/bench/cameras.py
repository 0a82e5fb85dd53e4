"""Compares bodies in three dimensions with what four calibrated cameras saw of the same person.

    cameras.py WHEEL [--json FILE]

WHEEL is pose2sim's, whose demonstration has a person who balances on a beam before four cameras. The true places are
those where the lines of sight of three or four cameras meet, through the joints that kinema finds in each camera's
picture: of those within 25 pixels of all of them. Beside them are MediaPipe's metric landmarks in the same frames.
Places are about the middle of the hips: with y against gravity and z to the camera as kinema estimates them; and after
the best turn and size. What poses are beside these places in the pictures is measured as `kinema bench pose-errors` does,
in per cent of the stature: medians over joints and cameras. Needs numpy, and mediapipe and opencv for the comparison.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
KINEMA = os.environ.get("KINEMA", str(REPOSITORY / ".build/product/release/kinema"))
DEMONSTRATION = "Pose2Sim/Demo_SinglePerson/"
# How far, in pixels, a place may be from what a camera sees, and how many cameras must see it.
FARTHEST = 25
FEWEST = 3
LEAST_CONFIDENCE = 0.5
# Of MediaPipe's 33 landmarks, those that both have.
LANDMARKS = {
    "nose": 0, "leftEye": 2, "rightEye": 5, "leftEar": 7, "rightEar": 8, "leftShoulder": 11, "rightShoulder": 12,
    "leftElbow": 13, "rightElbow": 14, "leftWrist": 15, "rightWrist": 16, "leftHip": 23, "rightHip": 24,
    "leftKnee": 25, "rightKnee": 26, "leftAnkle": 27, "rightAnkle": 28}
JOINTS = list(LANDMARKS)
LEFT_HIP, RIGHT_HIP = JOINTS.index("leftHip"), JOINTS.index("rightHip")
# As kinema bench pose-errors groups joints.
GROUPS = {"head": ("nose", "Eye", "Ear"), "shoulders": ("Shoulder",), "elbows": ("Elbow",), "wrists": ("Wrist",),
          "hips": ("Hip",), "knees": ("Knee",), "ankles": ("Ankle",)}
# The person's height in metres, and frames that average what trembles away: a quarter of a second.
STATURE = 1.75
SPAN = 15
TRUNK = [JOINTS.index(name) for name in ("leftShoulder", "rightShoulder", "leftHip", "rightHip")]


@dataclass
class Camera:
    """A pinhole: `turn` and `move` lead from the world, z up, to x right, y down, z away from the camera."""

    inner: np.ndarray
    distortion: np.ndarray
    turn: np.ndarray
    move: np.ndarray

    def rays(self, pixels):
        """Pixels [n, 2] as places in the plane one away, without the lens's distortion."""
        seen = (pixels - self.inner[:2, 2]) / np.diag(self.inner)[:2]
        k1, k2, p1, p2 = self.distortion
        places = seen.copy()
        for _ in range(5):
            x, y = places.T
            square = x * x + y * y
            radial = 1 + k1 * square + k2 * square * square
            shift = np.stack([2 * p1 * x * y + p2 * (square + 2 * x * x),
                              p1 * (square + 2 * y * y) + 2 * p2 * x * y], 1)
            places = (seen - shift) / radial[:, None]
        return places


def cameras(path):
    """The cameras of a Qualisys calibration, in metres; lengths in the picture are 64ths of a pixel there."""
    found = []
    for camera in ElementTree.parse(path).getroot().iterfind("cameras/camera"):
        lens = {name: float(text) for name, text in camera.find("intrinsic").items() if name != "model"}
        place = {name: float(text) for name, text in camera.find("transform").items()}
        inner = np.array([[lens["focalLengthU"], 0, lens["centerPointU"]],
                          [0, lens["focalLengthV"], lens["centerPointV"]], [0, 0, 64]]) / 64
        distortion = np.array([lens[name] for name in (
            "radialDistortion1", "radialDistortion2", "tangentalDistortion1", "tangentalDistortion2")]) / 64
        axes = np.array([[place[f"r{row}{column}"] for column in (1, 2, 3)] for row in (1, 2, 3)])
        # Qualisys's cameras look along -z, with y up.
        turn = np.diag([1, -1, -1]) @ axes
        move = -turn @ (np.array([place["x"], place["y"], place["z"]]) / 1000)
        found.append(Camera(inner, distortion, turn, move))
    return found


def lifted(video):
    """What kinema makes of a video: pixels [frames, joints, 3] with confidences, and bodies [frames, joints, 4] with
    errors; NaN where there is none."""
    command = [KINEMA, "pose", str(video), "--depth", "--format", "jsonl"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit(answer.stderr)
    frames = [json.loads(line) for line in answer.stdout.splitlines() if '"persons"' in line]
    pixels = np.full((len(frames), len(JOINTS), 3), np.nan)
    bodies = np.full((len(frames), len(JOINTS), 4), np.nan)
    for number, frame in enumerate(frames):
        if not frame["persons"]:
            continue
        person = max(frame["persons"], key=lambda person: person["confidence"])
        width, height = frame["size"]
        for joint, name in enumerate(JOINTS):
            if name in person["joints"]:
                x, y, confidence = person["joints"][name]
                pixels[number, joint] = x * width, (1 - y) * height, confidence
            if name in person.get("joints3d", {}):
                bodies[number, joint] = person["joints3d"][name]
    return pixels, bodies


def meeting(lines):
    """The place that is nearest to what cameras see, and its distances in pixels; `lines` are (camera, pixel)."""
    rows = []
    for camera, ray, _ in lines:
        view = np.column_stack([camera.turn, camera.move])
        rows += [ray[0] * view[2] - view[0], ray[1] * view[2] - view[1]]
    place = np.linalg.svd(np.array(rows))[2][-1]
    place = place[:3] / place[3]
    away = []
    for camera, ray, _ in lines:
        x, y, z = camera.turn @ place + camera.move
        away.append(np.hypot(*((np.array([x, y]) / z - ray) * np.diag(camera.inner)[:2])) if z > 0 else math.inf)
    return place, away


def triangulated(views, pixels):
    """The true places [frames, joints, 3] in the world; NaN where too few cameras agree."""
    count = min(len(seen) for seen in pixels)
    truth = np.full((count, len(JOINTS), 3), np.nan)
    rays = [camera.rays(seen[:count, :, :2].reshape(-1, 2)).reshape(count, -1, 2)
            for camera, seen in zip(views, pixels)]
    for frame in range(count):
        for joint in range(len(JOINTS)):
            lines = [(camera, ray[frame, joint], number) for number, (camera, ray) in enumerate(zip(views, rays))
                     if pixels[number][frame, joint, 2] >= LEAST_CONFIDENCE]
            while len(lines) >= FEWEST:
                place, away = meeting(lines)
                if max(away) <= FARTHEST:
                    truth[frame, joint] = place
                    break
                lines.pop(int(np.argmax(away)))
    return truth


def misplacements(views, pixels, world):
    """Of each joint in each camera, by group: the length of the error that stays and the deviation in one direction
    of the one that changes with the movement, in per cent of the stature."""
    found = {group: [] for group in GROUPS}
    count = len(world)
    for camera, seen in zip(views, pixels):
        rays = camera.rays(seen[:count, :, :2].reshape(-1, 2)).reshape(count, -1, 2)
        places = world @ camera.turn.T + camera.move
        away = (rays - places[:, :, :2] / places[:, :, 2:]) * places[:, :, 2:] / STATURE * 100
        for joint, name in enumerate(JOINTS):
            errors = away[np.isfinite(away[:, joint]).all(1), joint]
            if len(errors) < 2 * SPAN:
                continue
            means = np.stack([np.convolve(line, np.ones(SPAN) / SPAN, "valid") for line in errors.T], 1)
            group = next(group for group, ends in GROUPS.items() if name.endswith(ends))
            found[group].append((np.linalg.norm(np.median(errors, 0)), math.sqrt(means.var(0).mean())))
    return {group: np.median(values, 0) for group, values in found.items() if values}


def about_hips(bodies):
    return bodies - (bodies[:, [LEFT_HIP]] + bodies[:, [RIGHT_HIP]]) / 2


def seen_from(camera, truth):
    """The truth in the coordinates of kinema's bodies: y against gravity, z level to the camera."""
    up = np.array([0, 0, 1.0])
    back = -camera.turn[2]
    back = back - up * back.dot(up)
    back /= np.linalg.norm(back)
    return truth @ np.stack([np.cross(up, back), up, back], 1)


def fitted(bodies, truth):
    """Bodies after the best turn, size and place of each (Umeyama, PAMI 13, 1991)."""
    result = np.full_like(bodies, np.nan)
    for number, (body, goal) in enumerate(zip(bodies, truth)):
        known = np.isfinite(body).all(1) & np.isfinite(goal).all(1)
        if known.sum() < 6:
            continue
        a, b = body[known] - body[known].mean(0), goal[known] - goal[known].mean(0)
        left, sizes, right = np.linalg.svd(b.T @ a)
        flip = np.diag([1, 1, np.sign(np.linalg.det(left @ right))])
        scale = (sizes * np.diag(flip)).sum() / (a * a).sum()
        result[number] = scale * (body - body[known].mean(0)) @ (left @ flip @ right).T + goal[known].mean(0)
    return result


def lean(bodies):
    """The angle between trunk and y in degrees."""
    trunk = bodies[:, TRUNK[0]] + bodies[:, TRUNK[1]] - bodies[:, TRUNK[2]] - bodies[:, TRUNK[3]]
    return np.degrees(np.arccos(np.clip(trunk[:, 1] / np.linalg.norm(trunk, axis=1), -1, 1)))


def figures(bodies, truth):
    """Mean distances in millimetres and the mean error of the trunk's lean."""
    away = np.linalg.norm(bodies - truth, axis=2)
    best = np.linalg.norm(fitted(bodies, truth) - truth, axis=2)
    return {"joints": 1000 * np.nanmean(away), "aligned": 1000 * np.nanmean(best),
            "lean": np.nanmean(np.abs(lean(bodies) - lean(truth)))}


def text(row):
    return f"{row['joints']:4.0f} mm  {row['aligned']:3.0f} mm aligned  lean {row['lean']:4.1f}°"


def mediapipe_and_opencv():
    """Both modules; None, with a reason, where one cannot be loaded."""
    try:
        import cv2
        import mediapipe
    except ImportError as error:
        print(f"cameras: no comparison with MediaPipe: {error}", file=sys.stderr)
        return None
    return mediapipe, cv2


def metric_landmarks(peer, video):
    """MediaPipe's metric landmarks [frames, joints, 3], y up and z to the camera."""
    mediapipe, cv2 = peer
    capture, found = cv2.VideoCapture(str(video)), []
    pose = mediapipe.solutions.pose.Pose(static_image_mode=False, model_complexity=1)
    while True:
        is_read, frame = capture.read()
        if not is_read:
            return np.array(found)
        landmarks = pose.process(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)).pose_world_landmarks
        points = landmarks.landmark if landmarks else None
        found.append([[points[place].x, -points[place].y, -points[place].z] if points else [math.nan] * 3
                      for place in LANDMARKS.values()])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    peer, rows = mediapipe_and_opencv(), []
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(options.wheel) as wheel:
            wheel.extractall(folder, [name for name in wheel.namelist() if name.startswith(DEMONSTRATION)])
        demonstration = Path(folder) / DEMONSTRATION
        videos = sorted((demonstration / "videos").glob("*.mp4"))
        views = cameras(demonstration / "calibration/Calib.qca.txt")
        print(f"cameras: poses of {len(videos)} videos …", file=sys.stderr)
        found = [lifted(video) for video in videos]
        world = triangulated(views, [pixels for pixels, _ in found])
        print(f"cameras: {100 * np.isfinite(world[:, :, 0]).mean():.0f} % of joints are known", file=sys.stderr)
        for number, (camera, video) in enumerate(zip(views, videos)):
            truth = about_hips(seen_from(camera, world))
            body = found[number][1][:len(truth)]
            places, errors = about_hips(body[:, :, :3]), body[:, :, 3]
            ratios = np.linalg.norm(places - truth, axis=2) / errors
            known = np.isfinite(ratios)
            row = {"camera": number + 1, "kinema": figures(places, truth),
                   "within": [float((ratios[known] <= limit).mean()) for limit in (1, 2)]}
            if peer:
                row["mediapipe"] = figures(about_hips(metric_landmarks(peer, video)[:len(truth)]), truth)
            rows.append(row)
    for row in rows:
        texts = [text(row[name]) for name in ("kinema", "mediapipe") if name in row]
        print(f"camera {row['camera']}: {' | '.join(texts)} | within 1, 2 errors "
              f"{' '.join(f'{share:.0%}' for share in row['within'])}")
    print("misplaced in the pictures, % of the stature: " + ", ".join(
        f"{group} stay {stays:.1f} change {changes:.1f}"
        for group, (stays, changes) in misplacements(views, [pixels for pixels, _ in found], world).items()))
    for name in ("kinema", "mediapipe"):
        if all(name in row for row in rows):
            means = {key: statistics.mean(row[name][key] for row in rows) for key in ("joints", "aligned", "lean")}
            print(f"{name}: {text(means)}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
