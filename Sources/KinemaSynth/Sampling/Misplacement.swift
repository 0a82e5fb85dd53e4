import Foundation
import KinemaPose

/// How far a pose network misplaces the joints of a sequence, hidden or not: by an error that stays, and one that
/// goes with the movement.
///
/// Lengths are shares of stature in one direction, as `kinema bench pose-errors` and Pose2Sim's recording by four
/// cameras have them (docs/benchmarks.md, "How far are joints misplaced?").
struct Misplacement: Sendable {
  /// The median deviation of the error that stays.
  private static let constant: Float = 0.0075
  /// The distance of the knots of the other one, in frames.
  private static let spacing = 14.0
  /// How much sequences differ, and joints in a sequence: deviations of logarithms.
  private static let (sequences, joints): (Float, Float) = (0.5, 0.7)

  /// The median deviation of the error that changes, at its knots.
  private static func changing(_ joint: BodyJoint) -> Float {
    switch joint {
    case .nose, .rightEye, .leftEye, .rightEar, .leftEar: 0.005
    case .neck, .rightShoulder, .leftShoulder: 0.0042
    case .rightElbow, .leftElbow, .rightAnkle, .leftAnkle: 0.0065
    case .rightWrist, .leftWrist: 0.0075
    case .rightHip, .leftHip: 0.0052
    case .rightKnee, .leftKnee: 0.0062
    }
  }

  /// How hard the sequence is, as a factor.
  private let difficulty: Float

  init(using generator: inout SeededGenerator) {
    difficulty = exp(Self.sequences * generator.quickNormal())
  }

  /// The errors of a joint.
  struct Course {
    private let constant: SIMD2<Float>
    private let x, y: SmoothNoise

    fileprivate init(
      constant size: Float, changing amplitude: Float, frameCount: Int,
      using generator: inout SeededGenerator
    ) {
      constant = SIMD2(generator.quickNormal(), generator.quickNormal()) * size
      func noise() -> SmoothNoise {
        SmoothNoise(
          spacing: spacing, amplitude: amplitude, duration: Double(frameCount), using: &generator)
      }
      (x, y) = (noise(), noise())
    }

    func value(at frame: Int) -> SIMD2<Float> {
      constant + SIMD2(x.value(at: Double(frame)), y.value(at: Double(frame)))
    }
  }

  func course(
    of joint: BodyJoint, frameCount: Int, using generator: inout SeededGenerator
  ) -> Course {
    let size = difficulty * exp(Self.joints * generator.quickNormal())
    return Course(
      constant: Self.constant * size, changing: Self.changing(joint) * size, frameCount: frameCount,
      using: &generator)
  }
}
