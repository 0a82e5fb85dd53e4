"""Runs examples/ray_poses.py on a Ray cluster of several nodes on this machine, with faults.

    ray_test.py KINEMA CLIPS [--videos N] [--nodes N]

A child, an actor and a node are killed with SIGKILL while they work on a video each, and one video
kills every process that reads it. Every video must have one row, and the same poses as on a single
machine.
"""

import argparse
import logging
import os
import sys
import tempfile
from pathlib import Path

import pandas
import ray
from faults import Faults, check, children, kill, make_videos, single_machine
from ray.cluster_utils import Cluster

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "Python")]
import ray_poses  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinema")
    parser.add_argument("clips", type=Path)
    parser.add_argument("--videos", type=int, default=12)
    parser.add_argument("--nodes", type=int, default=3)
    options = parser.parse_args()
    os.environ["KINEMA"] = options.kinema
    # The nodes run this Python with the package of the checkout.
    os.environ["PYTHONPATH"] = f"{ROOT / 'Python'}:{ROOT / 'examples'}"
    logging.getLogger("ray.data").setLevel(logging.WARNING)

    with tempfile.TemporaryDirectory() as work:
        folder, output = Path(work, "videos"), Path(work, "extracted")
        videos = make_videos(folder, options.clips, options.videos)
        output.mkdir()
        single = single_machine(options.kinema, Path(work), options.clips)

        cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 0, "object_store_memory": 100 << 20, "include_dashboard": False},
        )
        # One is a spare, which takes over from the one that is killed.
        nodes = [
            cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
            for _ in range(options.nodes + 1)
        ]
        ray.init(address=cluster.address, log_to_driver=False)

        def kill_node(process: int) -> None:
            parents = children()
            line = {process}
            while process in parents:
                process = parents[process]
                line.add(process)
            node = next(node for node in nodes if raylet(node) in line)
            cluster.remove_node(node, allow_graceful=False)

        faults = Faults(folder, output, {
            "child": kill,
            "actor": lambda process: kill(children()[process]),
            "node": kill_node,
        })  # fmt: skip
        faults.start()
        sys.argv = ["ray_poses.py", str(folder), str(output), "--actors", str(options.nodes)]
        ray_poses.main()
        faults.end()

        rows = pandas.read_parquet(output / "videos.parquet").to_dict("records")
        check(rows, videos, folder, single)
        poses = pandas.read_parquet(output / "poses.parquet")
        assert poses["video"].nunique() == len(videos) - 1
        assert not poses.duplicated(["video", "frame", "person"]).any()
        ray.shutdown()
        cluster.shutdown()
    print(
        f"ray: {len(videos)} videos on {options.nodes} nodes: every row once, poses equal; "
        f"killed: child, actor, node, and {faults.poisoned} times the reader of {next(reversed(videos))}"
    )


def raylet(node) -> int:
    return node.all_processes["raylet"][0].process.pid


if __name__ == "__main__":
    main()
