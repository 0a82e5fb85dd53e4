"""Varies windows of poses as `kinema train` does by default, a batch at a time.

The kinds and their bounds are those of PoseAugmentation in Sources/KinemaTraining/Augmentation; the
random numbers are PyTorch's own.
"""

import math

import torch

FRAME_RATE = 30
# For each joint the one on the other side of the body.
PARTNERS = torch.tensor([0, 1, 5, 6, 7, 2, 3, 4, 11, 12, 13, 8, 9, 10, 15, 14, 17, 16])


def uniform(low: float, high: float, *shape: int) -> torch.Tensor:
    return torch.rand(shape) * (high - low) + low


def chance(probability: float, *shape: int) -> torch.Tensor:
    return torch.rand(shape) < probability


def stretch(seconds: tuple[float, float], frames: int, *shape: int) -> torch.Tensor:
    """[*shape, frames]: a random range of frames in the window."""
    start, length = bounds(seconds, frames, *shape)
    frame = torch.arange(frames)
    return (frame >= start[..., None]) & (frame < (start + length)[..., None])


def bounds(seconds: tuple[float, float], frames: int, *shape: int):
    length = (uniform(*seconds, *shape) * FRAME_RATE).round().clamp(1, frames)
    return (torch.rand(shape) * (frames - length + 1)).floor(), length


def sources(start, clip_frames, frames: int, stride: int) -> torch.Tensor:
    """[n, frames]: the frames of its clip that a window shows; tempo and start are varied."""
    count = len(start)
    tempo = uniform(0.7, 1.4, count)
    tempo = torch.minimum(tempo, ((clip_frames - 1) / (frames - 1)).clamp(min=1))
    last = (clip_frames - 1 - tempo * (frames - 1)).clamp(min=0)
    begin = torch.minimum((start + uniform(-0.5, 0.5, count) * stride).clamp(min=0), last)
    return begin[:, None] + torch.arange(frames) * tempo[:, None]


def delayed(frames: int, count: int) -> torch.Tensor:
    """[count, frames]: the frame shown in place of each, where the movement pauses or the camera is
    slow."""
    frame = torch.arange(frames).expand(count, frames)
    start, length = (value[:, None] for value in bounds((0.1, 0.7), frames, count))
    paused = torch.where(frame < start, frame, (frame - length + 1).clamp(min=0).maximum(start))
    shown = torch.where(chance(0.15, count, 1), paused, frame)
    step = FRAME_RATE / uniform(5, 15, count, 1)
    slow = ((frame / step).floor() * step).floor()
    slow = torch.where(chance(0.12, count, 1), slow, frame.float())
    return shown.gather(1, slow.long()).long()


def between(table, offset, clip_frames, source):
    """Poses `[n, frames, 3, joints]` between two frames of a clip, and which show the person."""
    last = (clip_frames - 1)[:, None]
    inside = source <= last + 1e-3
    before = source.long().minimum(last)
    after = (before + 1).minimum(last)
    share = (source - before)[..., None]
    first, second = table[offset[:, None] + before], table[offset[:, None] + after]
    nearer = torch.where((share < 0.5)[..., None], first, second)
    both = (first[:, :, 2] > 0) & (second[:, :, 2] > 0) & (share > 1e-3) & (share < 1 - 1e-3)
    poses = torch.where(both[:, :, None], torch.lerp(first, second, share[..., None]), nearer)
    return poses, inside & (nearer != 0).any(3).any(2)


def extent(places: torch.Tensor, found: torch.Tensor):
    """The mean place of the joints that were found, and how far they are from it."""
    weight = found[:, :, None].float()
    count = weight.sum((1, 3), keepdim=True).clamp(min=1)
    center = (places * weight).sum((1, 3), keepdim=True) / count
    squares = ((places - center).square() * weight).sum((1, 2, 3), keepdim=True)
    return center, (squares / count).sqrt()


def change_view(places: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
    count, frames = places.shape[:2]
    angle = torch.randn(count, 1, 1) * math.radians(7)
    shear = torch.randn(count, 1, 1) * 0.08
    scale = uniform(-0.6, 0.35, count, 1, 1).exp()
    aspect = (uniform(-0.45, 0.45, count, 1, 1) / 2).exp()
    tilt = uniform(-0.25, 0.25, count, 1, 2, 1)
    shift = uniform(-1, 1, count, 1, 2, 1) * torch.tensor([0.25, 0.2])[:, None]
    drift = torch.randn(count, 1, 2, 1) * 0.03
    center, spread = extent(places, found)
    target = (center + shift).clamp(0.1, 0.9)
    offset = places - center
    depth = (1 + (tilt * offset).sum(2, keepdim=True) / (2 * spread).clamp(min=1e-6)).clamp(min=0.3)
    x, y = offset[:, :, 0], offset[:, :, 1]
    sine, cosine = angle.sin(), angle.cos()
    x, y = x * aspect, y / aspect
    turned = torch.stack(
        [(cosine * x + (shear * cosine - sine) * y) * scale,
         (sine * x + (shear * sine + cosine) * y) * scale], 2
    )  # fmt: skip
    course = (torch.arange(frames) / max(1, frames - 1) - 0.5)[:, None, None]
    return target + turned / depth + drift * course


def disturb(places, confidences, found):
    count, frames, _, joints = places.shape
    _, spread = extent(places, found)
    places = places + torch.randn(count, 1, 2, joints) * 0.05 * spread
    reach = uniform(0, 0.025, count, 1, 1, 1) * spread * math.sqrt(3)
    places = places + uniform(-1, 1, count, frames, 2, joints) * reach
    confidences = confidences * uniform(0.6, 1, count, 1, 1)
    missing = chance(0.35, count, 1) & chance(0.04, count, joints)
    lost = chance(0.4, count, 1) & chance(0.08, count, joints)
    for_a_while = stretch((0.1, 0.85), frames, count, joints) & lost[..., None]
    gone = missing[:, None] | for_a_while.transpose(1, 2)
    return places, confidences.masked_fill(gone, 0)


def cut(frames: int, count: int) -> torch.Tensor:
    """[count, frames]: the frames that are empty where a window begins late or ends early."""
    lost = frames - (uniform(0.6, 0.98, count, 1) * frames).round()
    frame = torch.arange(frames)
    empty = torch.where(chance(0.5, count, 1), frame >= frames - lost, frame < lost)
    return empty & chance(0.06, count, 1)


class Augmentation:
    """Shows windows of clips, each time in another way.

    - table: `[all frames, 3, joints]`, the clips one behind the other.
    - windows: for each window where its clip begins in the table, how many frames the clip has, and
      with which of them the window begins.
    """

    def __init__(self, table, windows, labels, spliced_label: int | None, frames: int, stride: int):
        self.table, self.windows, self.labels = table, windows, labels
        self.frames, self.stride = frames, stride
        self.spliced_label = spliced_label
        self.spliced = (labels == spliced_label).nonzero()[:, 0]

    def shown(self, members: torch.Tensor, time: torch.Tensor):
        offset, clip_frames, start = self.windows[members].unbind(1)
        source = sources(start, clip_frames, self.frames, self.stride).gather(1, time)
        return between(self.table, offset, clip_frames, source)

    def __call__(self, members: torch.Tensor) -> torch.Tensor:
        count, frames = len(members), self.frames
        time = delayed(frames, count)
        poses, real = self.shown(members, time)
        chosen = ((self.labels[members] == self.spliced_label) & chance(0.1, count)).nonzero()[:, 0]
        if len(chosen) > 0:
            others = self.spliced[torch.randint(len(self.spliced), (len(chosen),))]
            other_poses, other_real = self.shown(others, time[chosen])
            later = time[chosen] >= (uniform(0.25, 0.75, len(chosen), 1) * frames).floor()
            poses[chosen] = torch.where(later[..., None, None], other_poses, poses[chosen])
            real[chosen] = torch.where(later, other_real, real[chosen])

        is_mirrored = chance(0.5, count, 1, 1, 1)
        poses = torch.where(is_mirrored, poses[..., PARTNERS], poses)
        places, confidences = poses[:, :, :2], poses[:, :, 2]
        flipped = torch.stack([1 - places[:, :, 0], places[:, :, 1]], 2)
        places = torch.where(is_mirrored, flipped, places)
        found = (confidences > 0) & real[..., None]
        places = change_view(places, found)
        places, confidences = disturb(places, confidences, found)

        swapped = stretch((0.03, 0.2), frames, count) & chance(0.1, count, 1)
        places = torch.where(swapped[..., None, None], places[..., PARTNERS], places)
        confidences = torch.where(swapped[..., None], confidences[..., PARTNERS], confidences)
        unseen = stretch((0.03, 0.25), frames, count) & chance(0.15, count, 1)
        real = real & ~unseen & ~cut(frames, count)
        # A joint that was not found is (0, 1, 0), a frame without a person all zeros.
        found = (confidences > 0)[:, :, None]
        places = torch.where(found, places, torch.tensor([0.0, 1.0])[:, None])
        return torch.cat([places, confidences[:, :, None]], 2) * real[..., None, None]
