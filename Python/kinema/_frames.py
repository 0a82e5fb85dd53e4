"""Frames as arrays: what is one, and how the native program gets it."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any, Literal, Protocol, Union

import numpy as np
from numpy.typing import NDArray

Color = Literal["bgr", "rgb"]
"""The order of the colours of an array: OpenCV's, or that of Pillow, imageio and Matplotlib."""


class Picture(Protocol):
    """A picture of Pillow."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

    def convert(self, mode: str) -> Any: ...


Image = Union[NDArray[Any], Picture]
"""A picture as an array `[height, width, 3]` of uint8, also grey `[height, width]` or with transparency
`[height, width, 4]`; or one of Pillow."""

_LONGEST_SIDE, _LARGEST = 65_535, 1 << 26
_BMP_HEAD = 54


def checked(image: Image, color: Color) -> tuple[NDArray[np.uint8], str]:
    """A frame as an array, and its layout: `bgr`, `rgb`, `bgra`, `rgba` or `gray`.

    Raises TypeError for what is no array of bytes, ValueError for another shape.
    """
    if color not in ("bgr", "rgb"):
        raise ValueError(f'color is "bgr" (as OpenCV gives frames) or "rgb", not {color!r}')
    if image is None:
        raise TypeError("there is no frame (None): the camera or file has none, or has ended")
    pixels: Any = image
    if type(image).__module__.partition(".")[0] == "PIL":
        pixels, color = pixels.convert("RGB"), "rgb"
    array = np.asarray(pixels)
    if array.dtype != np.uint8:
        hint = ""
        if array.dtype.kind == "f":
            hint = "; of values from 0 to 1 take (frame * 255).astype(numpy.uint8)"
        raise TypeError(f"a frame has the dtype uint8, 0 to 255, not {array.dtype}{hint}")
    if array.ndim == 4:
        raise ValueError(
            f"an array of the shape {array.shape} is several frames: give them one by one, "
            "such as with kinema.Stream"
        )
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.ndim not in (2, 3) or channels not in (1, 3, 4):
        hint = ""
        if array.ndim == 3 and array.shape[0] in (1, 3, 4):
            hint = "; with the colours first, take frame.transpose(1, 2, 0)"
        raise ValueError(
            f"a frame has the shape [height, width, 3], or [height, width] in grey, not "
            f"{list(array.shape)}{hint}"
        )
    height, width = array.shape[:2]
    if not (0 < height <= _LONGEST_SIDE and 0 < width <= _LONGEST_SIDE) or height * width > _LARGEST:
        raise ValueError(
            f"a frame of {width} × {height} pixels is not possible: a side has 1 to "
            f"{_LONGEST_SIDE}, and a frame at most {_LARGEST}"
        )
    layout = "gray" if channels == 1 else color if channels == 3 else color + "a"
    return array, layout


def write_picture(image: Image, color: Color, folder: Path) -> Path:
    """Writes a frame as a BMP, which keeps each value and needs no compression."""
    array, layout = checked(image, color)
    if layout == "gray":
        array = array[:, :, np.newaxis]
    height, width = array.shape[:2]
    rows = np.zeros((height, (3 * width + 3) // 4 * 4), np.uint8)
    pixels = rows[:, : 3 * width].reshape(height, width, 3)
    # The order of a BMP is blue, green, red.
    pixels[:] = array[:, :, 2::-1] if layout.startswith("rgb") else array[:, :, :3]
    # A negative height: the first row is the top one.
    head = struct.pack(
        "<2sIHHIIiiHHIIiiII", b"BM", _BMP_HEAD + rows.nbytes, 0, 0, _BMP_HEAD, 40, width, -height,
        1, 24, 0, rows.nbytes, 0, 0, 0, 0,
    )  # fmt: skip
    path = folder / "frame.bmp"
    path.write_bytes(head + rows.tobytes())
    return path


class Slots:
    """Places for frames in a folder, a file each, which are used in turn.

    Frames are written, not mapped: a full `/dev/shm` is an OSError then, and no signal.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._files = [os.open(self._path(index), os.O_RDWR | os.O_CREAT, 0o600) for index in range(count)]
        self._next = 0

    def _path(self, index: int) -> Path:
        return self._folder / f"frame{index}.raw"

    def write(self, array: NDArray[np.uint8]) -> str:
        """Writes a frame into the next place, and returns the path."""
        index, self._next = self._next, (self._next + 1) % len(self._files)
        bytes_: Any = np.ascontiguousarray(array)
        rest = memoryview(bytes_).cast("B")
        offset = 0
        while rest:
            written = os.pwrite(self._files[index], rest, offset)
            rest, offset = rest[written:], offset + written
        return os.fspath(self._path(index))

    def close(self) -> None:
        files, self._files = self._files, []
        for file in files:
            os.close(file)
