package import KinemaVideo

#if compiler(<6.2)
  /// Swift before 6.2 takes the metatypes of all types for sendable.
  package protocol SendableMetatype {}
#endif

/// A network of bodies: an image region in, named landmarks out; for one thread at a time.
///
/// What comes after it knows points by their names only. A network that lacks some gives what it
/// has: people are tracked by the points that their bodies have, joints without a point are missing
/// from poses.
package protocol BodyNetwork: SendableMetatype {
  /// The network's name and its weights, for the keys of cached poses.
  static func id(in runtime: VisionRuntime) -> String

  /// Loads the network from a runtime.
  init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError)

  /// The landmarks of the person in a region; `nil` if there is none.
  ///
  /// - Parameter hidden: Bodies to paint out, so that a person behind them is found.
  mutating func landmarks(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) throws(VisionError) -> BodyLandmarks?
}

/// A network that finds the regions of people; for one thread at a time.
package protocol BodyDetector: SendableMetatype {
  /// The network's name and its weights, for the keys of cached poses.
  static func id(in runtime: VisionRuntime) -> String

  /// Loads the network from a runtime.
  init(runtime: VisionRuntime, precision: NetworkPrecision) throws(VisionError)

  /// The people in a region, highest score first.
  ///
  /// - Parameter hidden: Bodies to paint out, so that others are found.
  mutating func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) throws(VisionError) -> [BodyDetection]
}

package struct BodyDetection: Sendable {
  package var score: Float
  /// The mid-point of the hips and a point on the circle around the body, above the head, in pixels.
  var hips: SIMD2<Float>
  var tip: SIMD2<Float>

  package init(score: Float, hips: SIMD2<Float>, tip: SIMD2<Float>) {
    (self.score, self.hips, self.tip) = (score, hips, tip)
  }

  /// The region for the landmark network.
  package var region: Region { Region(hips: hips, tip: tip) }
}
