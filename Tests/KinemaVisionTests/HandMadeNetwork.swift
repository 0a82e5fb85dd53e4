import Foundation
import KinemaVideo
import KinemaVision

/// A network without weights, which finds people that are painted as upright rectangles,
/// one in each channel, with nine points and neither ears nor arms nor depth.
struct HandMadeNetwork: BodyNetwork, BodyDetector {
  private static let topology = BodyTopology([
    .nose, .leftShoulder, .rightShoulder, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
    .rightAnkle,
  ])
  /// The points' places from the middle of the hips, as shares of half the body's height.
  private static let places: [SIMD2<Float>] = [
    SIMD2(0, -0.9), SIMD2(0.15, -0.6), SIMD2(-0.15, -0.6), SIMD2(0.1, 0), SIMD2(-0.1, 0),
    SIMD2(0.1, 0.4), SIMD2(-0.1, 0.4), SIMD2(0.1, 0.8), SIMD2(-0.1, 0.8),
  ]

  static func id(in runtime: VisionRuntime) -> String { "hand-made" }

  init(runtime: VisionRuntime, precision: NetworkPrecision) {}

  init() {}

  func people(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) -> [BodyDetection] {
    bodies(in: region, of: frame, hiding: hidden).map {
      BodyDetection(score: 1, hips: $0.middle, tip: $0.middle - SIMD2(0, $0.reach))
    }
  }

  func landmarks(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks], times: inout StageTimes
  ) -> BodyLandmarks? {
    let found = bodies(in: region, of: frame, hiding: hidden).min {
      ($0.middle - region.center).length < ($1.middle - region.center).length
    }
    return found.map { body in
      BodyLandmarks(
        points: Self.places.map {
          .init(position: body.middle + $0 * body.reach, visibility: 1, presence: 1)
        },
        topology: Self.topology, hips: body.middle, tip: body.middle - SIMD2(0, body.reach),
        presence: 1)
    }
  }

  /// The middle and half the height of each channel's rectangle within a region.
  private func bodies(
    in region: Region, of frame: Frame, hiding hidden: [BodyLandmarks]
  ) -> [(middle: SIMD2<Float>, reach: Float)] {
    (0..<3).compactMap { channel in
      var (low, high) = (SIMD2<Float>(repeating: .infinity), -SIMD2<Float>(repeating: .infinity))
      frame.withUnsafeBytes { bytes in
        for y in 0..<frame.height {
          for x in 0..<frame.width where bytes[y * frame.bytesPerRow + 4 * x + channel] > 128 {
            low = pointwiseMin(low, SIMD2(Float(x), Float(y)))
            high = pointwiseMax(high, SIMD2(Float(x + 1), Float(y + 1)))
          }
        }
      }
      let middle = (low + high) / 2
      let reach = (high.y - low.y) / 2
      guard low.x < high.x, (middle - region.center).length < region.size / 2,
        !hidden.contains(where: { ($0.region.center - middle).length < reach / 4 })
      else { return nil }
      return (middle, reach)
    }
  }
}

extension VisionRuntime {
  /// Without networks of its own: a detector beside ``HandMadeNetwork``.
  static func handMade(detector: any BodyDetector.Type = HandMadeNetwork.self) -> VisionRuntime {
    var runtime = VisionRuntime(home: URL(filePath: "/nowhere"))
    (runtime.bodyDetector, runtime.bodyNetwork) = (detector, HandMadeNetwork.self)
    return runtime
  }
}

extension Frame {
  /// The channels of the pixel at a place, which are the scores of detectors that read them.
  func channels(at place: SIMD2<Float>) -> [UInt8] {
    let start = Int(place.y) * bytesPerRow + 4 * Int(place.x)
    return withUnsafeBytes { Array($0[start..<start + 3]) }
  }

  /// People at places in pixels, each in a channel of its own.
  init(people: [SIMD2<Int>]) {
    self.init(width: 160, height: 120)
    let (bytesPerRow, reach) = (bytesPerRow, SIMD2(8, 30))
    withUnsafeMutableBytes { bytes in
      for (channel, place) in people.enumerated() {
        for y in place.y - reach.y..<place.y + reach.y {
          for x in place.x - reach.x..<place.x + reach.x {
            bytes[y * bytesPerRow + 4 * x + channel] = 255
          }
        }
      }
    }
  }
}
