#!/usr/bin/env python3
"""Counts the frames of clips in which MediaPipe follows a person, or hands.

    count_frames.py CLIP... >> Tests/KinemaVisionTests/Fixtures/mediapipe_frames.csv
    count_frames.py --hands CLIP... >> Tests/KinemaVisionTests/Fixtures/mediapipe_hand_frames.csv

A line a clip: file name, frames, frames with a pose; for hands: file name, frames, frames with a
hand, hands in all. Needs mediapipe 0.10.21 and ffmpeg.
"""

import pathlib
import sys

from clip_frames import frames
from mediapipe_graph import HandGraph, PoseGraph

arguments = sys.argv[1:]
for_hands = arguments[:1] == ["--hands"]
for path in map(pathlib.Path, arguments[for_hands:]):
    if for_hands:
        with HandGraph(still_images=False) as graph:
            hands = [len(graph.process(frame).multi_hand_landmarks or []) for frame in frames(path)]
        print(f"{path.name},{len(hands)},{sum(map(bool, hands))},{sum(hands)}", flush=True)
        continue
    with PoseGraph(still_images=False) as graph:
        found = [graph.process(frame).pose_landmarks is not None for frame in frames(path)]
    print(f"{path.name},{len(found)},{sum(found)}", flush=True)
