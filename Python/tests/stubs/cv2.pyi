# What the examples of docs/python.md use of OpenCV, with the types of its wheel (5.0).
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MatLike = NDArray[np.integer[Any] | np.floating[Any]]

FONT_HERSHEY_SIMPLEX: int

class VideoCapture:
    def __init__(self, index: int) -> None: ...
    def read(self) -> tuple[bool, MatLike]: ...

def line(
    img: MatLike, pt1: Sequence[int], pt2: Sequence[int], color: Sequence[float] | float, thickness: int = ...
) -> MatLike: ...
def putText(
    img: MatLike,
    text: str,
    org: Sequence[int],
    fontFace: int,
    fontScale: float,
    color: Sequence[float] | float,
    thickness: int = ...,
) -> MatLike: ...
def imshow(winname: str, mat: MatLike) -> None: ...
def waitKey(delay: int = ...) -> int: ...
