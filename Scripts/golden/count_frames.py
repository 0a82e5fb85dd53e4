#!/usr/bin/env python3
"""Counts the frames of clips in which MediaPipe follows a person.

    count_frames.py CLIP... >> Tests/KinemaVisionTests/Fixtures/mediapipe_frames.csv

A line a clip: file name, frames, frames with a pose. Needs mediapipe 0.10.21 and ffmpeg.
"""

import pathlib
import sys

from clip_frames import frames
from mediapipe_graph import PoseGraph

for path in map(pathlib.Path, sys.argv[1:]):
    with PoseGraph(still_images=False) as graph:
        found = [graph.process(frame).pose_landmarks is not None for frame in frames(path)]
    print(f"{path.name},{len(found)},{sum(found)}", flush=True)
