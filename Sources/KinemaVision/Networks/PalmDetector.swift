import Foundation
import KinemaVideo

/// MediaPipe's palm detector (`palm_detection_full.tflite`), with the constants of its
/// `palm_detection_cpu` and `palm_detection_detection_to_roi` graphs.
package struct PalmDetector {
  package struct Detection {
    package var score: Float
    /// Two corners of a box around the palm and seven points, in pixels: the wrist, index, middle,
    /// ring and little finger at the palm, the thumb at the wrist and at the palm.
    package var points: [SIMD2<Float>]

    package init(score: Float, points: [SIMD2<Float>]) {
      self.score = score
      self.points = points
    }

    /// The region of the hand's landmarks: the box, fingers up, shifted towards them and enlarged.
    package var region: Region {
      Region(
        boxCenter: (points[0] + points[1]) / 2, boxSize: points[1] - points[0],
        angle: Region.angle(bringingUp: points[2], to: points[4]), shift: 0.5, scale: 2.6)
    }
  }

  static let design = AnchorDetector.Design(
    side: 192, range: 0...1, layers: [(8, 2), (16, 6)], pointCount: 7)

  private var detector: AnchorDetector

  init(engine: OpenVINO, weights: URL, precision: NetworkPrecision) throws(VisionError) {
    detector = try AnchorDetector(
      Self.design, engine: engine, weights: weights, precision: precision)
  }

  /// The palms in a region of a frame, highest confidence first.
  mutating func palms(
    in region: Region, of frame: Frame, times: inout StageTimes
  ) throws(VisionError) -> [Detection] {
    try detector.detections(in: region, of: frame, times: &times).map {
      Detection(score: $0.score, points: $0.points)
    }
  }
}
