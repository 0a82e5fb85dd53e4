package import KinemaVideo

/// The two networks of body poses; for one thread at a time.
package struct PoseNetworks {
  /// The scale of the second region.
  ///
  /// People on the floor or on a bench often fail the presence test in the detector's region and
  /// pass in a larger one (bird dog: 82 % to 100 % of the frames; bench press: 83 % to 93 %).
  static let secondTryScale: Float = 1.2

  package var times = StageTimes()
  /// Offers a batch to idle threads, if there are any.
  var share: ((LandmarkBatch) -> Void)?
  private let settings: NetworkSettings
  private var detector: any BodyDetector
  private var network: any BodyNetwork

  /// The names of both networks and their weights, for the keys of cached poses.
  static func ids(in runtime: VisionRuntime) -> [String] {
    [runtime.bodyDetector.id(in: runtime), runtime.bodyNetwork.id(in: runtime)]
  }

  package init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError) {
    settings = NetworkSettings(precision: precision, device: runtime.device)
    detector = try runtime.bodyDetector.init(runtime: runtime, precision: precision)
    network = try runtime.bodyNetwork.init(runtime: runtime, precision: precision)
  }

  /// The people in a region, highest confidence first.
  ///
  /// - Parameter hidden: Bodies to paint out, so that others are found.
  package mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = []
  ) throws(VisionError) -> [BodyDetection] {
    try detector.people(in: region, of: frame, hiding: hidden, times: &times)
  }

  /// The landmarks of the person in a region, or in a larger one; `nil` if there is none.
  package mutating func landmarks(
    in region: Region, of frame: Frame
  ) throws(VisionError) -> BodyLandmarks? {
    if let found = try landmarks(exactlyIn: region, of: frame) { return found }
    return try landmarks(exactlyIn: region.scaled(by: Self.secondTryScale), of: frame)
  }

  /// The landmarks of the person in each region, found on several threads where some are idle.
  mutating func landmarks(
    in regions: [Region], of frame: Frame
  ) throws(VisionError) -> [BodyLandmarks?] {
    let batch = LandmarkBatch(regions, of: frame, settings: settings)
    if regions.count > 1 { share?(batch) }
    batch.work(with: &self)
    return try batch.landmarks()
  }

  /// The landmarks of the person in a region; `nil` if there is none.
  ///
  /// - Parameter hidden: Bodies to paint out, so that a person behind them is found.
  mutating func landmarks(
    exactlyIn region: Region, of frame: Frame, hiding hidden: [BodyLandmarks] = []
  ) throws(VisionError) -> BodyLandmarks? {
    try network.landmarks(in: region, of: frame, hiding: hidden, times: &times)
  }
}
