#!/usr/bin/env python3
"""Writes what MediaPipe finds of hands in single frames, as the golden numbers of the parity tests.

    hand_parity.py CLIPS_FOLDER > Tests/KinemaVisionTests/Fixtures/mediapipe_hands.json

Each record names a clip and a frame. `still` records carry the palms found (score, box as x0, y0, x1,
y1, seven key points, the region made of them); `still` and `followed` records carry for each hand the
searched region, the 21 landmarks found, the probability of a right hand in a picture that
is not mirrored, and the region for the next frame. Pixels, origin at the upper left. Needs mediapipe
0.10.21 and ffmpeg.
"""

import json
import pathlib
import sys

from clip_frames import frames
from mediapipe_graph import HandGraph, region
from pose_parity import detection, numbers

CLIPS = ["intel_asl_book.mkv", "intel_asl_no.mkv", "intel_bottle.mp4", "darebee_side_lunges.mp4",
         "rohit_bicep_curl.mp4", "sam2_juggle.mp4", "nlarion_boxing.mp4", "vengaza_curls.mp4"]
PICKED = range(6, 90, 17)


def hand(rect, landmarks, handedness, next_rect, width, height):
    side = handedness.classification[0]
    # MediaPipe takes the picture for a mirrored one: what it calls Left (0) is a right hand.
    rightness = side.score if side.index == 0 else 1 - side.score
    return {
        "region": numbers(region(rect, width, height), 5),
        "landmarks": [numbers((p.x * width, p.y * height)) for p in landmarks.landmark],
        "rightness": round(rightness, 5),
        "next": numbers(region(next_rect, width, height), 5),
    }


def hands(result, width, height):
    """The hands of a frame; none where a region held no hand, so that they are not in step."""
    found = result.multi_hand_landmarks or []
    rects = result.hand_rects or []
    if not found or len(found) != len(rects):
        return []
    return [hand(*parts, width, height) for parts in zip(
        rects, found, result.multi_handedness, result.hand_rects_from_landmarks)]


def records(path):
    with HandGraph(still_images=True) as still, HandGraph(still_images=False) as following:
        for index, frame in enumerate(frames(path)):
            if index > PICKED[-1]:
                return
            height, width = frame.shape[:2]
            result = following.process(frame)
            if index not in PICKED:
                continue
            common = {"clip": path.name, "frame": index, "width": width, "height": height}
            followed = hands(result, width, height)
            if followed:
                yield common | {"kind": "followed", "palms": [], "hands": followed}
            result = still.process(frame)
            if result.palm_detections:
                palms = [detection(found, width, height)
                         | {"region": numbers(region(rect, width, height), 5)}
                         for found, rect in zip(result.palm_detections,
                                                result.hand_rects_from_palm_detections)]
                yield common | {
                    "kind": "still", "palms": palms, "hands": hands(result, width, height)}


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    lines = [json.dumps(record) for clip in CLIPS for record in records(folder / clip)]
    print("[\n" + ",\n".join(lines) + "\n]")
