import Foundation
import KinemaVideo

/// BlazePose's detector (`pose_detection.tflite`), with the constants of MediaPipe's
/// `pose_detection_cpu` graph.
package struct PersonDetector {
  package struct Detection {
    package var score: Float
    /// Two corners of a box around the face and four points, in pixels; the first two are the
    /// mid-point of the hips and a point on the circle around the body.
    package var points: [SIMD2<Float>]

    package var region: Region { Region(hips: points[2], tip: points[3]) }
  }

  static let design = AnchorDetector.Design(
    side: 224, range: -1...1, layers: [(8, 2), (16, 2), (32, 6)], pointCount: 4)

  private var detector: AnchorDetector

  init(engine: OpenVINO, weights: URL, precision: NetworkPrecision) throws(VisionError) {
    detector = try AnchorDetector(
      Self.design, engine: engine, weights: weights, precision: precision)
  }

  /// The people in a region of a frame, highest confidence first.
  ///
  /// - Parameter hidden: Bodies to paint out, so that others are found.
  mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = [],
    times: inout StageTimes
  ) throws(VisionError) -> [Detection] {
    try detector.detections(in: region, of: frame, hiding: hidden, times: &times).map {
      Detection(score: $0.score, points: $0.points)
    }
  }
}
