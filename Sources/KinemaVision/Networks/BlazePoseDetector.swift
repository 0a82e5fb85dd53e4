package import KinemaVideo

/// BlazePose's detector (`pose_detection.tflite`).
package struct BlazePoseDetector: BodyDetector {
  private var detector: AnchorDetector

  package static func id(in runtime: VisionRuntime) -> String {
    "BlazePose detector \(runtime.contentHash(of: .poseDetection))"
  }

  package init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError) {
    detector = try AnchorDetector(
      .people, weights: .poseDetection, runtime: runtime, precision: precision)
  }

  package mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) throws(VisionError) -> [BodyDetection] {
    try detections(in: region, of: frame, hiding: hidden, times: &times).map {
      BodyDetection(score: $0.score, hips: $0.points[2], tip: $0.points[3])
    }
  }

  /// The detections with all their points.
  package mutating func detections(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = [],
    times: inout StageTimes
  ) throws(VisionError) -> [AnchorDetection] {
    try detector.detections(in: region, of: frame, hiding: hidden, times: &times)
  }
}

extension AnchorDetector.Design {
  /// The constants of MediaPipe's `pose_detection_cpu` graph.
  ///
  /// The box is around the face; the first two of four points are the mid-point of the hips and a
  /// point on the circle around the body.
  fileprivate static let people = AnchorDetector.Design(
    side: 224, range: -1...1, layers: [(8, 2), (16, 2), (32, 6)], pointCount: 4
  ) { Region(hips: $0[2], tip: $0[3]) }
}
