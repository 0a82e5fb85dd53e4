"""Trains a network of `kinema train` in PyTorch on folders of pose files: a plain loop.

    torch_session.py TRAINING VALIDATION [--network tcn|stgcn] [--iterations N] [--threads N]
                     [--seed N] [--target ACCURACY]

Prints a line of JSON after each pass over the windows, with the names of `kinema train`'s
training.jsonl, and stops early at the target. Time counts from the first step.
"""

import argparse
import json
import time
from pathlib import Path

import numpy
import torch
from torch import nn

from torch_augmentation import Augmentation
from torch_training import CompactNetwork, GraphNetwork

FRAMES, STRIDE = 60, 30
BATCH = {"tcn": 64, "stgcn": 32}


def load(folder: Path):
    """The frames of all clips, and of each window its clip's place, length, start, and label."""
    labels = sorted(path.name for path in folder.iterdir() if path.is_dir())
    clips: list[torch.Tensor] = []
    windows: list[tuple[int, int, int, int]] = []
    offset = 0
    for label, name in enumerate(labels):
        for path in sorted((folder / name).glob("*.npz")):
            clip = torch.from_numpy(numpy.load(path)["poses"][:, 0]).float()
            last = max(0, len(clip) - FRAMES)
            starts = list(range(0, last + 1, STRIDE))
            if (last - starts[-1]) * 4 > STRIDE:
                starts.append(last)
            for start in starts:
                shown = (clip[start : start + FRAMES] != 0).any(2).any(1).sum()
                if shown >= 0.6 * FRAMES:
                    windows.append((offset, len(clip), start, label))
            clips.append(clip)
            offset += len(clip)
    table = torch.tensor(windows)
    return labels, torch.cat(clips), table[:, :3], table[:, 3]


def plain(table: torch.Tensor, windows: torch.Tensor) -> torch.Tensor:
    """Windows as they are."""
    first = windows[:, 0] + windows[:, 2]
    frame = torch.arange(FRAMES)
    inside = windows[:, 2, None] + frame < windows[:, 1, None]
    poses = table[(first[:, None] + frame).clamp(max=len(table) - 1)]
    return poses * inside[..., None, None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("training", type=Path)
    parser.add_argument("validation", type=Path)
    parser.add_argument("--network", choices=["tcn", "stgcn"], default="tcn")
    parser.add_argument("--iterations", type=int, default=80)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=float, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)

    names, table, windows, labels = load(options.training)
    _, other_table, other_windows, validation_labels = load(options.validation)
    validation_windows = plain(other_table, other_windows)
    spliced = next((names.index(name) for name in ("other", "other_action") if name in names), None)
    augment = Augmentation(table, windows, labels, spliced, FRAMES, STRIDE)

    network = CompactNetwork() if options.network == "tcn" else GraphNetwork(False)
    # Weights decay, biases and normalisations do not.
    decaying = [weights for weights in network.parameters() if weights.dim() > 1]
    others = [weights for weights in network.parameters() if weights.dim() <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decaying, "weight_decay": 0.01}, {"params": others, "weight_decay": 0}]
    )
    batch_count = -(-len(labels) // BATCH[options.network])
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, 0.003, total_steps=options.iterations * batch_count, pct_start=0.25,
        div_factor=25, final_div_factor=1e4, cycle_momentum=False,
    )  # fmt: skip
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.05)

    start = time.perf_counter()
    seconds_of_augmentation = 0.0
    for iteration in range(1, options.iterations + 1):
        network.train()
        for members in torch.randperm(len(labels)).tensor_split(batch_count):
            before = time.perf_counter()
            batch = augment(members)
            seconds_of_augmentation += time.perf_counter() - before
            optimizer.zero_grad(set_to_none=True)
            loss_of(network(batch), labels[members]).backward()
            optimizer.step()
            schedule.step()
        network.eval()
        with torch.no_grad():
            scores = network(validation_windows)
        accuracy = (scores.argmax(1) == validation_labels).float().mean().item()
        entry = {
            "iteration": iteration,
            "validationAccuracy": accuracy,
            "seconds": time.perf_counter() - start,
            "secondsOfAugmentation": seconds_of_augmentation,
            "windows": [len(labels), len(validation_labels)],
        }
        print(json.dumps(entry), flush=True)
        if accuracy >= options.target:
            break


if __name__ == "__main__":
    main()
