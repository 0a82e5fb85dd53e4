#!/usr/bin/env python3
"""Compares the tracking metrics of kinema with those of TrackEval.

  kinema bench people --export TRACKS --format json > REPORT
  setup.sh ENVIRONMENT requirements-tracking.txt
  ENVIRONMENT/bin/python tracking.py REPORT TRACKS
"""

import argparse
import json
import pathlib
import sys

import numpy as np
from trackeval.metrics import CLEAR, HOTA, Identity

# Sums of as many floating-point numbers in another order.
TOLERANCE = 1e-9


def sequence(path):
    """What TrackEval wants to know of a sequence, from a file of JSON lines."""
    frames = [json.loads(line) for line in path.read_text().splitlines()]
    data = {"num_timesteps": len(frames)}
    for ours, ids, count, detections in [
        ("truths", "gt_ids", "num_gt_ids", "num_gt_dets"),
        ("reports", "tracker_ids", "num_tracker_ids", "num_tracker_dets"),
    ]:
        numbers = {}
        data[ids] = [
            np.array([numbers.setdefault(i, len(numbers)) for i in frame[ours]], dtype=int)
            for frame in frames
        ]
        data[count] = len(numbers)
        data[detections] = sum(len(frame[ours]) for frame in frames)
    data["similarity_scores"] = [
        np.array(frame["similarity"], dtype=float).reshape(
            len(frame["truths"]), len(frame["reports"])
        )
        for frame in frames
    ]
    return data


def figures(hota, clear, identity):
    return {
        "hota": np.mean(hota["HOTA"]),
        "detA": np.mean(hota["DetA"]),
        "assA": np.mean(hota["AssA"]),
        "mota": clear["MOTA"],
        "idf1": identity["IDF1"],
        "idSwitches": clear["IDSW"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("tracks", type=pathlib.Path)
    arguments = parser.parse_args()
    report = json.loads(arguments.report.read_text())
    metrics = [HOTA(), CLEAR({"PRINT_CONFIG": False}), Identity({"PRINT_CONFIG": False})]
    results = [{} for _ in metrics]
    worst = 0.0
    for index, scene in enumerate(report["scenes"]):
        name = f"{index}-{scene['kind']}"
        data = sequence(arguments.tracks / f"{name}.jsonl")
        for metric, result in zip(metrics, results):
            result[name] = metric.eval_sequence(data)
        theirs = figures(*[result[name] for result in results])
        worst = max([worst] + [abs(scene["tracking"][key] - theirs[key]) for key in theirs])
    combined = figures(
        *[metric.combine_sequences(result) for metric, result in zip(metrics, results)]
    )
    for key, theirs in combined.items():
        ours = report["overall"]["tracking"][key]
        worst = max(worst, abs(ours - theirs))
        print(f"{key:11} kinema {ours:9.5f}  TrackEval {theirs:9.5f}")
    print(f"{len(results[0])} scenes, largest difference {worst:.1e}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
