#!/usr/bin/env python3
"""Writes what MediaPipe finds in single frames, as the golden numbers of the parity tests.

    pose_parity.py CLIPS_FOLDER > Tests/KinemaVisionTests/Fixtures/mediapipe_poses.json

Each record names a clip and a frame. `still` records carry the detection (score, box as x0, y0, x1,
y1, four key points), the region made of it and the 33 landmarks found in that region; `followed`
records carry the region that came from the frame before and the landmarks found in it. Pixels,
origin at the upper left. Needs mediapipe 0.10.21 and ffmpeg.
"""

import json
import pathlib
import sys

from clip_frames import frames
from mediapipe_graph import PoseGraph, region

CLIPS = ["ulisses_jacks.mp4", "darebee_pushups.mp4", "chdh_squat.mp4", "amith_burpee.mp4",
         "treadtv_starfish.mp4", "kalin_walk.mp4", "erwan_situps.mp4", "michp_squat.mp4"]
PICKED = range(6, 90, 17)


def numbers(values, digits=3):
    return [round(float(value), digits) for value in values]


def landmarks(result, width, height):
    points = result.pose_landmarks.landmark
    return [numbers((p.x * width, p.y * height)) + numbers((p.visibility,), 4) for p in points]


def detection(found, width, height):
    box = found.location_data.relative_bounding_box
    points = found.location_data.relative_keypoints
    return {
        "score": round(found.score[0], 5),
        "box": numbers((box.xmin * width, box.ymin * height, (box.xmin + box.width) * width,
                        (box.ymin + box.height) * height)),
        "keypoints": [numbers((p.x * width, p.y * height)) for p in points],
    }


def records(path):
    with PoseGraph(still_images=True) as still, PoseGraph(still_images=False) as following:
        previous = None
        for index, frame in enumerate(frames(path)):
            if index > PICKED[-1]:
                return
            height, width = frame.shape[:2]
            result = following.process(frame)
            common = {"clip": path.name, "frame": index, "width": width, "height": height}
            if index in PICKED and previous and result.pose_landmarks:
                yield common | {"kind": "followed", "region": numbers(previous, 5),
                                "landmarks": landmarks(result, width, height)}
            rect = result.pose_rect_from_landmarks
            previous = region(rect, width, height) if rect else None
            if index not in PICKED:
                continue
            result = still.process(frame)
            if result.pose_detection and result.pose_landmarks:
                yield common | {
                    "kind": "still",
                    "detection": detection(result.pose_detection, width, height),
                    "region": numbers(region(result.pose_rect_from_detection, width, height), 5),
                    "landmarks": landmarks(result, width, height)}


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    lines = [json.dumps(record) for clip in CLIPS for record in records(folder / clip)]
    print("[\n" + ",\n".join(lines) + "\n]")
