"""Trains the networks of `kinema train` in PyTorch on random windows and prints the speed as JSON.

    torch_training.py stgcn|tcn [--variant VARIANT] [--batch N] [--window N] [--threads N]
                      [--seconds S]

The networks have the sizes and the order of layers that Core ML files of this kind have, and train
with AdamW. A variant is `eager`, PyTorch's default, or some of these, joined by hyphens: `compiled`
(by torch.compile, which needs a C++ compiler), `mixed` (sums over the joints before the product over
channels, which has less to do), `bf16` (autocast), `last` (channels last). Ends with 69 where the
network cannot be compiled.
"""

import argparse
import json
import sys
import time

import torch
from torch import nn

CLASSES = 6
JOINTS = 18
EDGES = [
    (0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7), (2, 8), (8, 9), (9, 10), (5, 11),
    (11, 12), (12, 13), (0, 14), (0, 15), (14, 16), (15, 17),
]  # fmt: skip


def adjacency() -> torch.Tensor:
    """[3, to, from]: a joint itself, its neighbours no nearer to the neck, those nearer."""
    near = [[b for a, b in EDGES + [(y, x) for x, y in EDGES] if a == joint] for joint in range(18)]
    hops = [0 if joint == 1 else 1 if joint in near[1] else 2 for joint in range(JOINTS)]
    result = torch.zeros(3, JOINTS, JOINTS)
    for joint in range(JOINTS):
        share = round(1 / (1 + len(near[joint])), 4)
        result[0, joint, joint] = share
        for other in near[joint]:
            result[1 if hops[other] >= hops[joint] else 2, joint, other] = share
    return result


class GraphBlock(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int, residual: str, mixes_first: bool):
        super().__init__()
        self.register_buffer("adjacency", adjacency())
        self.mixes_first = mixes_first
        if mixes_first:
            self.spatial = nn.Conv2d(3 * inputs, outputs, 1)
        else:
            self.spatial = nn.Conv2d(inputs, 3 * outputs, 1)
        self.between = nn.Sequential(nn.BatchNorm2d(outputs), nn.ReLU())
        self.temporal = nn.Sequential(
            nn.Conv2d(outputs, outputs, (9, 1), (stride, 1), (4, 0)), nn.BatchNorm2d(outputs)
        )
        self.residual = None
        if residual == "identity":
            self.residual = nn.Identity()
        elif residual == "projected":
            self.residual = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, (stride, 1)), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, c, t, v = x.shape
        if self.mixes_first:
            mixing = self.adjacency.reshape(3 * v, v)
            y = torch.matmul(x, mixing.t().to(x.dtype)).view(n, c, t, 3, v)
            y = self.spatial(y.permute(0, 3, 1, 2, 4).reshape(n, 3 * c, t, v))
        else:
            y = self.spatial(x).view(n, 3, -1, t, v)
            y = torch.einsum("nkctv,kwv->nctw", y, self.adjacency.to(y.dtype))
        y = self.temporal(self.between(y))
        if self.residual is not None:
            y = y + self.residual(x)
        return torch.relu(y)


class GraphNetwork(nn.Module):
    def __init__(self, mixes_first: bool):
        super().__init__()
        self.norm = nn.BatchNorm1d(3 * JOINTS)
        plan = [
            (3, 8, 1, "none"), (8, 16, 1, "projected"), (16, 32, 1, "projected"),
            (32, 64, 2, "projected"), (64, 64, 1, "identity"), (64, 128, 2, "projected"),
            (128, 256, 1, "projected"),
        ]  # fmt: skip
        self.blocks = nn.Sequential(*[GraphBlock(*block, mixes_first) for block in plan])
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(256, CLASSES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, t, _, v = x.shape
        y = self.norm(x.permute(0, 2, 3, 1).reshape(n, 3 * v, t))
        y = self.blocks(y.view(n, 3, v, t).transpose(2, 3).contiguous())
        return self.head(y.mean((2, 3)))


class CompactNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3 * JOINTS)
        plan = [(3 * JOINTS, 64, 2), (64, 64, 1), (64, 64, 2), (64, 64, 1)]
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Conv1d(a, b, 5, s, 2), nn.BatchNorm1d(b)) for a, b, s in plan
        )
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(64, CLASSES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, t, _, v = x.shape
        x = x * torch.tensor([1.0, 1.0, 0.1])[:, None]
        x = x.reshape(n, t, 3 * v).transpose(1, 2)
        x = x - x.mean(2, keepdim=True)
        x = x * (2 * v * t) ** 0.5 / (x.square().sum((1, 2), keepdim=True) + 1e-6).sqrt()
        x = self.norm(x)
        for index, layer in enumerate(self.layers):
            y = layer(x)
            x = torch.relu(y + x if index % 2 == 1 else y)
        return self.head(x.mean(2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=["stgcn", "tcn"])
    parser.add_argument("--variant", default="eager")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--window", type=int, default=60)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    ways = set(options.variant.split("-"))
    if not ways <= {"eager", "compiled", "mixed", "bf16", "last"}:
        parser.error(f"there is no variant {options.variant}")
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    if options.network == "stgcn":
        network = GraphNetwork("mixed" in ways)
    else:
        network = CompactNetwork()
    if "last" in ways:
        network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, weight_decay=0.01)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.05)
    windows = torch.rand(options.batch, options.window, 3, JOINTS)
    labels = torch.arange(options.batch) % CLASSES

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled="bf16" in ways):
            scores = run(windows)
        loss_of(scores.float(), labels).backward()
        optimizer.step()

    run = torch.compile(network) if "compiled" in ways else network
    try:
        for _ in range(3):
            step()
    except torch._dynamo.exc.TorchDynamoException as error:
        print(f"The network cannot be compiled: {error}", file=sys.stderr)
        sys.exit(69)
    cpu_start, start = time.process_time(), time.perf_counter()
    count = 0
    while time.perf_counter() - start < options.seconds:
        step()
        count += options.batch
    print(
        json.dumps(
            {
                "training": options.network,
                "variant": options.variant,
                "windows": count,
                "windowsPerSecond": count / (time.perf_counter() - start),
                "windowsPerCoreSecond": count / (time.process_time() - cpu_start),
            }
        )
    )


if __name__ == "__main__":
    main()
