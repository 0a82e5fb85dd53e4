import Foundation

/// The input of the period network: the similarity of the body at each moment to itself one lag earlier
/// and one lag later, for each of 42 lags.
///
/// A value is exp(−‖x(t) − x(t ± lag)‖²/v), where v is how much the features vary within three
/// seconds of t; 0 where there is no such moment in the track.
package struct LagPlanes: Sendable {
  package static let lagCount = 42
  /// The lags in seconds: 0.30·2^((k − 3)/8), from 0.23 to 8.07.
  package static let lags: [Double] = (0..<lagCount).map {
    0.30 * exp2(Double($0 - 3) / lagsPerOctave)
  }
  /// How many lags double a time.
  package static let lagsPerOctave = 8.0
  /// The frames from one of the planes' times to the next.
  package static let step = 2
  /// The number of planes: those of whole, whole swapped, whole mirrored, arms, legs, angles, angles
  /// swapped, main, main swapped, main mirrored, heights, rhythm and rhythm swapped, each past and
  /// future; seven of how much the groups vary; four of how symmetrical the body is then,
  /// by whole swapped, whole mirrored, angles swapped and rhythm swapped; two of what is there.
  package static let channelCount = 39
  /// Added to every variance, so that a still body is similar to itself.
  static let varianceFloor: Float = 4e-4
  /// The same for ``MotionFeatures/main``, in which there is less noise.
  static let mainVarianceFloor: Float = 1e-4
  /// The same for ``MotionFeatures/heights``, which are half as many.
  static let heightsVarianceFloor: Float = 2e-4
  /// The same for ``MotionFeatures/rhythm``, which is about 1 by itself.
  static let rhythmVarianceFloor: Float = 2e-2

  /// The number of times: every second frame of the track.
  package let timeCount: Int
  /// The values, `[channelCount, timeCount, lagCount]`.
  package let values: [Float]

  /// Computes the planes of a track.
  package init(_ features: MotionFeatures) {
    let count = features.count
    let frames = Array(stride(from: 0, to: count, by: Self.step))
    timeCount = frames.count
    let plane = frames.count * Self.lagCount
    var values = [Float](repeating: 0, count: Self.channelCount * plane)
    let parts = Self.parts(of: features)
    var channel = 0
    var levels: [[Float]] = []
    var symmetries: [[Float]] = []
    for part in parts {
      let group = part.group
      let variances = group.variances(at: frames, reach: MotionFeatures.reach)
        .map { $0 + part.floor }
      levels.append(variances.map { (log10f($0) + 2) / 2 })
      if part.hasSymmetry {
        symmetries += part.mirrors.map { Self.symmetry(of: group, $0.0, frames, variances) }
      }
      for (other, isRounded) in [(group, false)] + part.mirrors {
        for sign in [-1.0, 1.0] {
          Self.fill(
            &values[(channel * plane)..<((channel + 1) * plane)], group, other, frames: frames,
            variances: variances, sign: sign, isRounded: isRounded)
          channel += 1
        }
      }
    }
    for level in levels + symmetries {
      for (time, value) in level.enumerated() {
        for lag in 0..<Self.lagCount {
          values[channel * plane + time * Self.lagCount + lag] = value
        }
      }
      channel += 1
    }
    for sign in [-1.0, 1.0] {
      for (time, frame) in frames.enumerated() {
        for (lag, seconds) in Self.lags.enumerated() {
          let place = Double(frame) + sign * seconds * MotionTrack.frameRate
          let isThere = place >= 0 && place <= Double(count - 1)
          values[channel * plane + time * Self.lagCount + lag] = isThere ? 1 : 0
        }
      }
      channel += 1
    }
    self.values = values
  }

  /// A group of features and what it is compared with.
  private struct Part {
    var group: FeatureGroup
    /// Its mirror images, and whether their planes are rounded.
    var mirrors: [(FeatureGroup, Bool)] = []
    var floor = LagPlanes.varianceFloor
    /// Whether the similarity to the mirror images at each moment is a plane too.
    var hasSymmetry = true
  }

  private static func parts(of features: MotionFeatures) -> [Part] {
    let mirrors = [
      [(features.wholeSwapped, true), (features.wholeMirrored, true)], [], [],
      [(features.anglesSwapped, true)],
    ]
    return zip(features.groups, mirrors).map { Part(group: $0, mirrors: $1) } + [
      Part(
        group: features.main,
        mirrors: [(features.mainSwapped, false), (features.mainMirrored, false)],
        floor: mainVarianceFloor, hasSymmetry: false),
      Part(group: features.heights, floor: heightsVarianceFloor),
      Part(
        group: features.rhythm, mirrors: [(features.rhythmSwapped, false)],
        floor: rhythmVarianceFloor),
    ]
  }

  /// The similarity of a group to its mirror image at each of the given frames.
  private static func symmetry(
    of group: FeatureGroup, _ other: FeatureGroup, _ frames: [Int], _ variances: [Float]
  ) -> [Float] {
    zip(frames, variances).map { frame, variance in
      expf(-group.squaredDistance(at: frame, to: other, at: frame) / variance)
    }
  }

  /// One plane: the likeness of a group with another one lag away.
  private static func fill(
    _ plane: inout ArraySlice<Float>, _ group: FeatureGroup, _ other: FeatureGroup, frames: [Int],
    variances: [Float], sign: Double, isRounded: Bool
  ) {
    let (count, dimension) = (group.count, group.dimension)
    guard count > 1 else { return }
    plane.withUnsafeMutableBufferPointer { plane in
      group.values.withUnsafeBufferPointer { here in
        other.values.withUnsafeBufferPointer { there in
          for (time, frame) in frames.enumerated() {
            for (lag, seconds) in lags.enumerated() {
              let place = Double(frame) + sign * seconds * MotionTrack.frameRate
              guard place >= 0, place <= Double(count - 1) else { continue }
              let low =
                isRounded ? Int(place.rounded(.toNearestOrEven)) : min(Int(place), count - 2)
              let share = isRounded ? 0 : Float(place - Double(low))
              let (x, y) = (frame * dimension, low * dimension)
              let z = isRounded ? y : y + dimension
              var distance: Float = 0
              for column in 0..<dimension {
                let value = there[y + column] + (there[z + column] - there[y + column]) * share
                let difference = here[x + column] - value
                distance += difference * difference
              }
              plane[time * lagCount + lag] = expf(-distance / variances[time])
            }
          }
        }
      }
    }
  }
}
