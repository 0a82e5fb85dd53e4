import KinemaPose

/// What a network like BlazePose sees in people who lie, and how a tracker loses them.
///
/// Both come and go, and differ from person to person: joints in a heap, the body upside down, somebody
/// upright where nobody is, or nobody. Of real people who have fallen before the cameras of rooms
/// (`kinema bench falls`), one in four is not found for a second or more.
struct LyingMistake {
  private enum Kind { case none, heap, exchangedEnds, upright }

  private let kind: Kind
  /// The heap's size as shares of the body's, and how far its joints are from their places as a share of
  /// its height.
  private let scale: SIMD2<Float>
  private let offsets: [SIMD2<Float>]
  private let legDoubt: Float
  /// Above 0 where the mistake is made, and where the person is not found.
  private let mistaken, lost: SmoothNoise
  private let isLost: Bool
  /// How often each happens, as the number of deviations above which noise is.
  private let (mistakenShare, lostShare): (Float, Float)

  /// - Parameter seconds: How long the sequence is.
  init(seconds: Double, using generator: inout SeededGenerator) {
    let chance = generator.unit()
    kind = chance < 0.35 ? .none : chance < 0.85 ? .heap : chance < 0.95 ? .exchangedEnds : .upright
    scale = SIMD2(generator.uniform(0.5...1), generator.uniform(0.4...0.9))
    let spread = generator.uniform(0...0.06)
    offsets = BodyJoint.allCases.map { _ in
      SIMD2(generator.quickNormal(), generator.quickNormal()) * spread
    }
    legDoubt = generator.chance(0.3) ? generator.uniform(0.3...1) : 0
    mistaken = SmoothNoise(spacing: 1.2, amplitude: 1, duration: seconds, using: &generator)
    lost = SmoothNoise(spacing: 0.9, amplitude: 1, duration: seconds, using: &generator)
    isLost = generator.chance(0.2)
    mistakenShare = generator.uniform(-1.5...0.5)
    lostShare = generator.uniform(-0.5...1.2)
  }

  /// Changes a frame's values, `[3, 18]`, of somebody who lies.
  ///
  /// - Parameter upright: The values of a frame in which the person is upright.
  /// - Returns: Whether the person is found.
  func mislead(
    _ values: inout ArraySlice<Float>, at time: Double, aspectRatio: Float,
    upright: ArraySlice<Float>
  ) -> Bool {
    if isLost, lost.value(at: time) > lostShare { return false }
    guard kind != .none, mistaken.value(at: time) > mistakenShare else { return true }
    let count = BodyJoint.count
    func place(_ values: ArraySlice<Float>, _ joint: Int) -> SIMD2<Float> {
      SIMD2(
        values[values.startIndex + joint] * aspectRatio,
        values[values.startIndex + count + joint])
    }
    func box(_ values: ArraySlice<Float>) -> (low: SIMD2<Float>, high: SIMD2<Float>) {
      (0..<count).reduce((place(values, 0), place(values, 0))) { box, joint in
        (
          pointwiseMin(box.0, place(values, joint)), pointwiseMax(box.1, place(values, joint))
        )
      }
    }
    let (low, high) = box(values)
    let middle = (low + high) / 2
    let size = max(high.x - low.x, high.y - low.y)
    let (foot, head) = box(upright)
    let legs = [BodyJoint.rightKnee, .rightAnkle, .leftKnee, .leftAnkle].map(\.rawValue)
    for joint in 0..<count {
      var seen = place(values, joint)
      switch kind {
      case .none: break
      case .heap: seen = middle + (seen - middle) * scale + offsets[joint] * size
      case .exchangedEnds: seen = middle - (seen - middle) + offsets[joint] * size
      case .upright:
        // As large as what is there.
        let share = size / max(head.y - foot.y, 1e-3) * scale.y
        let template = place(upright, joint)
        seen = SIMD2(
          middle.x + (template.x - (foot.x + head.x) / 2) * share,
          low.y + (template.y - foot.y) * share)
      }
      values[values.startIndex + joint] = seen.x / aspectRatio
      values[values.startIndex + count + joint] = seen.y
    }
    for joint in legs {
      let index = values.startIndex + 2 * count + joint
      values[index] = max(0.01, values[index] * (1 - legDoubt))
    }
    return true
  }
}
