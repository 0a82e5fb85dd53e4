package import KinemaVideo

/// The two networks of hands; for one thread at a time.
package struct HandNetworks {
  /// The scale of the second region, if a tracked hand is not found.
  ///
  /// Fast hands leave the region of the last frame: on ten clips, 1,692 hands are found with it and
  /// 1,572 without (MediaPipe: 1,586). After a detection without a hand, a second region finds
  /// forearms.
  static let secondTryScale: Float = 1.25

  package var times = StageTimes()
  private var detector: AnchorDetector
  private var finder: HandLandmarkFinder

  /// The names of both networks and their weights, for the keys of cached poses.
  static func ids(in runtime: VisionRuntime) -> [String] {
    [Weights.palmDetection, .handLandmarks].map {
      "\($0.fileName) \(runtime.contentHash(of: $0))"
    }
  }

  package init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError) {
    detector = try AnchorDetector(
      .palms, weights: .palmDetection, runtime: runtime, precision: precision)
    finder = try HandLandmarkFinder(runtime: runtime, precision: precision)
  }

  /// The palms in a region, highest confidence first.
  package mutating func palms(
    in region: Region, of frame: Frame
  ) throws(VisionError) -> [AnchorDetection] {
    try detector.detections(in: region, of: frame, times: &times)
  }

  /// The landmarks of the hand in a region; `nil` if there is none.
  package mutating func landmarks(
    in region: Region, of frame: Frame
  ) throws(VisionError) -> HandLandmarks? {
    try finder.landmarks(in: region, of: frame, times: &times)
  }

  /// The landmarks of a hand in its last region, or in a larger one; `nil` if not found.
  mutating func landmarks(
    followedInto region: Region, of frame: Frame
  ) throws(VisionError) -> HandLandmarks? {
    if let found = try landmarks(in: region, of: frame) { return found }
    return try landmarks(in: region.scaled(by: Self.secondTryScale), of: frame)
  }
}
