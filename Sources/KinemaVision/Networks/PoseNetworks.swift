import Foundation
package import KinemaVideo

/// The two networks of body poses, and the ways of looking that both modes share.
///
/// Not for several threads at once.
package struct PoseNetworks {
  /// How much larger the region of a second try is.
  ///
  /// People on the floor or on a bench often fail the presence test in the detector's region and pass
  /// it in a larger one (bird dog: 82 % to 100 % of the frames; bench press: 83 % to 93 %).
  static let secondTryScale: Float = 1.2
  /// The least probability of a second and any further person: what the landmark network sees between
  /// two people, or in a piece of furniture, mostly has less, and people have more.
  static let furtherPresence: Float = 0.9

  package var times = StageTimes()
  private var detector: PersonDetector
  private var finder: LandmarkFinder

  package init(runtime: VisionRuntime, precision: NetworkPrecision)
    throws(VisionError)
  {
    let weights = (
      detector: try runtime.file(of: .poseDetection), finder: try runtime.file(of: .poseLandmarks)
    )
    let engine = try OpenVINO.loaded(from: runtime.openVINO())
    detector = try PersonDetector(
      engine: engine, weights: weights.detector, precision: precision)
    finder = try LandmarkFinder(engine: engine, weights: weights.finder, precision: precision)
  }

  /// The people whom the detector sees in a region, the surest first.
  ///
  /// - Parameter hidden: Whom to paint over, so that others are found.
  package mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = []
  ) throws(VisionError) -> [PersonDetector.Detection] {
    try detector.people(in: region, of: frame, hiding: hidden, times: &times)
  }

  /// The landmarks of the person in a region, or in a larger one at the same place; `nil` if there
  /// is nobody.
  package mutating func landmarks(
    in region: Region, of frame: Frame
  ) throws(VisionError) -> BodyLandmarks? {
    if let found = try finder.landmarks(in: region, of: frame, times: &times) { return found }
    return try finder.landmarks(
      in: region.scaled(by: Self.secondTryScale), of: frame, times: &times)
  }

  /// The landmarks of the person in a region and no larger one; `nil` if there is nobody.
  ///
  /// - Parameter hidden: Whom to paint over, so that somebody behind them is found.
  mutating func landmarks(
    exactlyIn region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = []
  ) throws(VisionError) -> BodyLandmarks? {
    try finder.landmarks(in: region, of: frame, hiding: hidden, times: &times)
  }
}
