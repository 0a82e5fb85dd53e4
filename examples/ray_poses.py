"""From a folder of videos to a Parquet of poses, on a Ray cluster.

    python examples/ray_poses.py /shared/videos /shared/extracted --actors 64

Every machine must see both folders under the same path: a network file system, or a bucket mounted as
a folder. The poses of a video are in `poses/…/NAME.mp4.npz`; `videos.parquet` has a row for each
video, `poses.parquet` one for each person in each frame. Run again, it extracts only what is missing.
"""

import argparse
from pathlib import Path

import numpy as np
import ray
from ray.data import SaveMode

from kinema.cluster import PoseExtractor

ENDINGS = {".avi", ".m4v", ".mkv", ".mov", ".mp4", ".webm"}


def people(video: dict) -> list[dict]:
    """A row for each person in each frame; `pose` is x, y and confidence of all joints."""
    if video["status"] != "done":
        return []
    with np.load(video["poses"]) as file:
        poses, times, ids = file["poses"], file["times"], file["ids"]
    return [
        {"video": video["video"], "frame": int(frame), "time": float(times[frame])}
        | {"person": int(ids[slot]), "pose": poses[frame, slot].ravel()}
        for frame, slot in np.argwhere(poses[:, :, 2].any(axis=-1))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("videos", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--actors", type=int, default=2, help="how many, with a core each")
    options = parser.parse_args()

    output = options.output.resolve()
    folder = options.videos.resolve()
    paths = sorted(str(path) for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    videos = (
        ray.data.from_items(
            [{"video": path} for path in paths], override_num_blocks=min(len(paths), 10_000)
        )
        .map_batches(
            PoseExtractor,
            fn_constructor_kwargs={"output": str(output)},
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=options.actors),
            num_cpus=1,
        )
        .materialize()
    )
    videos.write_parquet(str(output / "videos.parquet"), mode=SaveMode.OVERWRITE)
    poses = videos.flat_map(people)
    poses.write_parquet(str(output / "poses.parquet"), mode=SaveMode.OVERWRITE)
    for row in videos.iter_rows():
        if row["status"] == "failed":
            print(f"{row['video']}: {row['kind']}: {row['error']}")


if __name__ == "__main__":
    main()
