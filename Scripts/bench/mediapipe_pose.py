"""Runs MediaPipe's own pose solution over a clip, as its users do, and prints the cost as JSON.

    mediapipe_pose.py CLIP

`frames`, `cpuSeconds` (all threads of the process) and `wallSeconds` leave out the load of the
networks, which ends with the first frame; `loadCpuSeconds` and `loadWallSeconds` are that load.
`found` counts the frames with a pose, the first included.
"""

import json
import sys
import time

import cv2
import mediapipe


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: mediapipe_pose.py CLIP")
    capture = cv2.VideoCapture(sys.argv[1])
    start = now()
    pose = mediapipe.solutions.pose.Pose(
        static_image_mode=False, model_complexity=1, smooth_landmarks=False
    )
    frames = found = 0
    loaded = start
    while True:
        is_read, frame = capture.read()
        if not is_read:
            break
        result = pose.process(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
        found += result.pose_landmarks is not None
        if frames == 0:
            loaded = now()  # The graph opens its networks while it waits for the first frame.
        frames += 1
    end = now()
    if frames < 2:
        sys.exit(f"bench: {sys.argv[1]} has {frames} frames, too few to measure.")
    json.dump(
        {
            "frames": frames - 1,
            "found": found,
            "cpuSeconds": end[0] - loaded[0],
            "wallSeconds": end[1] - loaded[1],
            "loadCpuSeconds": loaded[0] - start[0],
            "loadWallSeconds": loaded[1] - start[1],
        },
        sys.stdout,
    )


def now() -> tuple[float, float]:
    """The CPU time of all threads of this process, and the time on the wall."""
    return time.process_time(), time.perf_counter()


if __name__ == "__main__":
    main()
