import KinemaPose
import KinemaRandom
import KinemaTraining

/// A way in which people are hard to see: a row of ``StressBench``.
struct StressCase: Sendable {
  let name: String
  /// The share of views of the upper body only, and from high above.
  var nearShare: Float = 0
  var highShare: Float = 0
  /// What fails, and how much.
  var failure: (kind: PoseFailure, dose: Float)?
  /// The height of the body as a share of the picture's, where it is small.
  var height: Float?

  static let all: [StressCase] =
    [
      StressCase(name: "nothing fails"),
      StressCase(name: "down to the hips", nearShare: 1),
      StressCase(name: "from high above", highShare: 1),
      StressCase(name: "12 % of the picture", height: 0.12),
    ]
    + [
      ("noise, 1 % of the body", PoseFailure.noise, 0.01),
      ("noise, 3 % of the body", .noise, 0.03),
      ("15 % of frames without a pose", .gaps, 0.15),
      ("30 % of frames without a pose", .gaps, 0.3),
      ("sides exchanged in 27 % of frames", .exchangedSides, 0.27),
      ("knees and ankles missing", .missingLegs, 0.5),
      ("hips, knees and ankles missing", .missingLegs, 1),
      ("elbows and wrists missing", .missingArms, 1),
      ("a sixth of the joints missing", .missingJoints, Float(1) / 6),
      ("a third of the joints missing", .missingJoints, Float(1) / 3),
      ("joints that blink, a fifth of the time", .blinkingJoints, 0.2),
      ("a third of all joints missing at random", .scatteredJoints, Float(1) / 3),
      ("legs that hang still", .hangingLegs, 1),
    ].map { name, kind, dose in StressCase(name: name, failure: (kind, dose)) }

  /// How far a joint of a small body trembles, as a share of the picture's height: 1.4 pixels of 720.
  private static let tremble: Float = 0.002

  /// The window `[frames, 3, 18]` as it is found.
  func applied(to values: [Float], using generator: inout SeededGenerator) -> [Float] {
    let joints = JointKey.body
    let found =
      failure.map {
        $0.kind.applied(to: values, joints: joints, dose: $0.dose, using: &generator)
      } ?? values
    guard let height else { return found }
    return small(found, height: height, using: &generator)
  }

  private func small(
    _ values: [Float], height: Float, using generator: inout SeededGenerator
  ) -> [Float] {
    let count = JointKey.body.count
    var values = values
    let places = values.indices.filter { $0 / count % 3 == 1 && values[$0 + count] > 0 }
    let low = places.map { values[$0] }.min() ?? 0
    let high = places.map { values[$0] }.max() ?? 1
    let scale = height / max(high - low, height)
    for index in places {
      for place in [index - count, index] {
        values[place] =
          0.5 + (values[place] - 0.5) * scale + Self.tremble * generator.normal()
      }
    }
    return values
  }
}
