import Foundation
import Kinema
import KinemaDepth
import KinemaReport

/// The joints in metres of one person as a table of markers (`.trc`), which OpenSim, Pose2Sim, Mokka and
/// Blender's add-ons read.
///
/// Of several people the one with the most frames. Frames without the person have empty cells. The format is
/// that of Motion Analysis (OpenSim documentation, “Marker (.trc) Files”).
struct MarkerFile: PoseFormat {
  static let name = "trc"
  static let fileExtension = "trc"
  static let isOfBodies = true

  private typealias Row = (time: Double, bodies: [Int: [JointKey: LiftedBody.Joint]])

  private let joints: [JointKey]
  private var rows: [Row] = []

  init(joints: [JointKey]) { self.joints = joints }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data { Data() }

  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data {
    var found: [Int: [JointKey: LiftedBody.Joint]] = [:]
    for (number, (pose, body)) in zip(frame.poses, bodies).enumerated() {
      found[pose.personID ?? -1 - number] = body?.joints
    }
    rows.append((frame.time, found))
    return Data()
  }

  func finish() -> Data {
    var counts: [Int: Int] = [:]
    for row in rows { for id in row.bodies.keys { counts[id, default: 0] += 1 } }
    let person = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
    let duration = (rows.last?.time ?? 0) - (rows.first?.time ?? 0)
    let rate = duration > 0 ? Double(rows.count - 1) / duration : 30
    let numbers = (1...joints.count).flatMap { ["X\($0)", "Y\($0)", "Z\($0)"] }
    var lines = [
      "PathFileType\t4\t(X/Y/Z)\tkinema.trc",
      "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
      [
        rate.fixed(3), rate.fixed(3), "\(rows.count)", "\(joints.count)", "m", rate.fixed(3), "1",
        "\(rows.count)",
      ].joined(separator: "\t"),
      "Frame#\tTime\t" + joints.map { $0.rawValue + "\t\t" }.joined(separator: "\t"),
      "\t\t" + numbers.joined(separator: "\t"), "",
    ]
    for (number, row) in rows.enumerated() {
      let body = person.flatMap { row.bodies[$0] }
      let cells = joints.flatMap { key -> [String] in
        guard let place = body?[key]?.position else { return ["", "", ""] }
        return (0..<3).map { Double(place[$0]).fixed(5) }
      }
      lines.append(
        (["\(number + 1)", row.time.fixed(5)] + cells).joined(separator: "\t"))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }
}
