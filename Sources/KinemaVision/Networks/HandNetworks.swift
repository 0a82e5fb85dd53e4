import Foundation
package import KinemaVideo

/// The two networks of hands.
///
/// Not for several threads at once.
package struct HandNetworks {
  /// How much larger the region of a second try is, where a hand that was followed is gone.
  ///
  /// Hands that move fast leave the region of the frame before. On ten clips of exercises and signing,
  /// 1,692 hands are found with it and 1,572 without (MediaPipe: 1,586). Where the detector sees a palm
  /// and the first try no hand, a second one finds forearms.
  static let secondTryScale: Float = 1.25

  package var times = StageTimes()
  private var detector: PalmDetector
  private var finder: HandLandmarkFinder

  package init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError) {
    let weights = (
      detector: try runtime.file(of: .palmDetection), finder: try runtime.file(of: .handLandmarks)
    )
    let engine = try OpenVINO.loaded(from: runtime.openVINO())
    detector = try PalmDetector(engine: engine, weights: weights.detector, precision: precision)
    finder = try HandLandmarkFinder(
      engine: engine, weights: weights.finder, precision: precision)
  }

  /// The palms that the detector sees in a region, the surest first.
  package mutating func palms(
    in region: Region, of frame: Frame
  ) throws(VisionError) -> [PalmDetector.Detection] {
    try detector.palms(in: region, of: frame, times: &times)
  }

  /// The landmarks of the hand in a region; `nil` if there is none.
  package mutating func landmarks(
    in region: Region, of frame: Frame
  ) throws(VisionError) -> HandLandmarks? {
    try finder.landmarks(in: region, of: frame, times: &times)
  }

  /// The landmarks of a hand that was in a region a frame ago, or in a larger one at the same place;
  /// `nil` if it is gone.
  mutating func landmarks(
    followedInto region: Region, of frame: Frame
  ) throws(VisionError) -> HandLandmarks? {
    if let found = try landmarks(in: region, of: frame) { return found }
    return try landmarks(in: region.scaled(by: Self.secondTryScale), of: frame)
  }
}
