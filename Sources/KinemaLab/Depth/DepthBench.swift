import Foundation
import KinemaDepth
package import KinemaModelFiles
import KinemaPose
import KinemaReport
import KinemaSynth

/// Measures the lifter on people it has not learned from, before simulated cameras.
package struct DepthBench: Sendable {
  package var capture: MotionCapture?
  package var sampleCount = 20_000
  package var seed: UInt64 = 1001
  package var threadCount = ProcessInfo.processInfo.activeProcessorCount

  package init() {}

  /// From which side the camera sees a person.
  private enum View: String, CaseIterable, Sendable {
    case front, oblique, side, back

    /// - Parameter angle: In radians, 0 the front.
    init(_ angle: Float) {
      switch abs(angle) * 180 / .pi {
      case ..<30: self = .front
      case ..<60: self = .oblique
      case ..<120: self = .side
      case ..<150: self = .oblique
      default: self = .back
      }
    }
  }

  /// The figures of some moments.
  package struct Row: Codable, Sendable {
    package var name: String
    package var count: Int
    /// The mean distance of joints, in millimetres: with the estimated stature, and with the true one.
    package var distance, distanceWithStature: Double
    /// The mean errors of angles in degrees, by name.
    package var angles: [String: Double]
    /// The shares of joints and angles within one and two standard errors.
    package var placesWithin, anglesWithin: [Double]
  }

  /// The figures of all moments, of those of files and live, of each view, and of all with measured errors.
  package struct Report: BenchReport {
    package let schema = 1
    package let rows: [Row]
    package var table: String { DepthBench.table(rows) }
  }

  package func run(_ model: DepthModel) throws -> Report {
    var sampler = DepthSampler(capture, seed: seed)
    sampler.captureShare = capture == nil ? 0 : 1
    sampler.reshapes = false
    let outcomes = try DepthOutcome.all(
      of: model, sampler, count: sampleCount, threadCount: threadCount)
    sampler.measuredShare = 1
    let misplaced = try DepthOutcome.all(
      of: model, sampler, count: sampleCount, threadCount: threadCount)
    let views = Dictionary(grouping: outcomes) { View($0.truth.view) }
    let all = [
      Self.row("all", outcomes), Self.row("files", outcomes.filter { !$0.truth.isLive }),
      Self.row("live", outcomes.filter(\.truth.isLive)),
    ]
    let seen = View.allCases.map { Self.row($0.rawValue, views[$0] ?? []) }
    return Report(rows: all + seen + [Self.row("measured errors", misplaced)])
  }

  private static func row(_ name: String, _ outcomes: [DepthOutcome]) -> Row {
    let total = Double(max(1, outcomes.count))
    func mean(_ value: (DepthOutcome) -> Float) -> Double {
      outcomes.reduce(0) { $0 + Double(value($1)) } / total
    }
    func share(_ count: Int, within limit: Float, _ ratio: (DepthOutcome, Int) -> Float) -> Double {
      mean { outcome in
        Float((0..<count).count { ratio(outcome, $0) <= limit }) / Float(count)
      }
    }
    let joints = BodyJoint.count
    let angles = BodyAngle.allCases
    return Row(
      name: name, count: outcomes.count, distance: 1000 * mean(\.placeError),
      distanceWithStature: 1000
        * mean { outcome in
          (0..<joints).reduce(0) { $0 + outcome.away($1).length } / Float(joints)
            * outcome.truth.stature
        },
      angles: Dictionary(
        uniqueKeysWithValues: angles.enumerated().map { number, angle in
          (angle.rawValue, mean { $0.angleError(number) } * 180 / .pi)
        }),
      placesWithin: [1, 2].map { share(joints, within: $0) { $0.placeRatio($1) } },
      anglesWithin: [1, 2].map { share(angles.count, within: $0) { $0.angleRatio($1) } })
  }

  private static func table(_ rows: [Row]) -> String {
    var table = TextTable([
      ("moments", .left), ("number", .right), ("joints, mm", .right),
      ("stature known", .right), ("knees", .right), ("hips", .right), ("elbows", .right),
      ("shoulders", .right), ("trunk lean", .right), ("joints in 1, 2 errors", .right),
      ("angles in 1, 2 errors", .right),
    ])
    for row in rows {
      func pair(_ name: String) -> String {
        let values = ["left", "right"].compactMap { row.angles[$0 + name] }
        return (values.reduce(0, +) / Double(max(1, values.count))).fixed(1) + "°"
      }
      func shares(_ values: [Double]) -> String {
        values.map { ($0 * 100).fixed(0) + " %" }.joined(separator: ", ")
      }
      table.add([
        row.name, "\(row.count)", row.distance.fixed(0), row.distanceWithStature.fixed(0),
        pair("Knee"), pair("Hip"), pair("Elbow"), pair("Shoulder"),
        (row.angles["trunkLean"] ?? 0).fixed(1) + "°", shares(row.placesWithin),
        shares(row.anglesWithin),
      ])
    }
    return table.text
  }
}
