import Foundation
import KinemaVideo

/// Finds palms in a picture, each roughly: MediaPipe's palm detector (`palm_detection_full.tflite`).
///
/// The constants are those of MediaPipe's `palm_detection_cpu` and
/// `palm_detection_detection_to_roi` graphs.
package struct PalmDetector {
  /// A palm, roughly.
  package struct Detection {
    /// How sure it is that a palm is there, from 0 to 1.
    package var score: Float
    /// Two corners of a box around the palm and seven points: the wrist, the index, middle, ring and
    /// little finger at the palm, the thumb at the wrist and at the palm; in pixels of the picture.
    package var points: [SIMD2<Float>]

    package init(score: Float, points: [SIMD2<Float>]) {
      self.score = score
      self.points = points
    }

    /// The square in which the hand's landmarks are to be looked for: the box turned so that the
    /// fingers point up, moved towards them, larger.
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

  /// The palms in a region of a picture, the surest first.
  mutating func palms(
    in region: Region, of frame: Frame, times: inout StageTimes
  ) throws(VisionError) -> [Detection] {
    try detector.detections(in: region, of: frame, times: &times).map {
      Detection(score: $0.score, points: $0.points)
    }
  }
}
