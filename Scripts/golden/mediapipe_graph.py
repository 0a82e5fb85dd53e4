"""MediaPipe's own graphs (0.10.21, complexity 1), with the streams that its Python classes hide."""

import mediapipe as mp
from mediapipe.python.solution_base import SolutionBase
import mediapipe.python.solutions.hands  # registers the calculators' options
import mediapipe.python.solutions.pose

OUTPUTS = ["pose_landmarks", "pose_detection", "pose_rect_from_detection",
           "pose_rect_from_landmarks"]


class PoseGraph(SolutionBase):
    """The pose graph without smoothing and without segmentation; one person."""

    def __init__(self, still_images):
        super().__init__(
            binary_graph_path="mediapipe/modules/pose_landmark/pose_landmark_cpu.binarypb",
            side_inputs={
                "model_complexity": 1,
                "smooth_landmarks": False,
                "enable_segmentation": False,
                "smooth_segmentation": False,
                "use_prev_landmarks": not still_images,
            },
            calculator_params={
                "posedetectioncpu__TensorsToDetectionsCalculator.min_score_thresh": 0.5,
                "poselandmarkbyroicpu__tensorstoposelandmarksandsegmentation"
                "__ThresholdingCalculator.threshold": 0.5,
            },
            outputs=OUTPUTS,
        )

    def process(self, image):
        return super().process(input_data={"image": image})


HAND_OUTPUTS = ["multi_hand_landmarks", "multi_handedness", "palm_detections", "hand_rects",
                "hand_rects_from_palm_detections", "hand_rects_from_landmarks"]


class HandGraph(SolutionBase):
    """The graph of hands; two at most."""

    def __init__(self, still_images):
        super().__init__(
            binary_graph_path="mediapipe/modules/hand_landmark/"
                              "hand_landmark_tracking_cpu.binarypb",
            side_inputs={
                "model_complexity": 1,
                "num_hands": 2,
                "use_prev_landmarks": not still_images,
            },
            calculator_params={
                "palmdetectioncpu__TensorsToDetectionsCalculator.min_score_thresh": 0.5,
                "handlandmarkcpu__ThresholdingCalculator.threshold": 0.5,
            },
            outputs=HAND_OUTPUTS,
        )

    def process(self, image):
        return super().process(input_data={"image": image})


def region(rect, width, height):
    """A normalised rectangle as centre x, centre y, side (pixels) and angle."""
    return [rect.x_center * width, rect.y_center * height, rect.width * width, rect.rotation]
