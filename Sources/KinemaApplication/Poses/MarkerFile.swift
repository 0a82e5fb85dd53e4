import Foundation
import Kinema
import KinemaDepth
import KinemaReport

/// The joints in metres of one person as a table of markers (`.trc`), which OpenSim, Pose2Sim, Mokka and
/// Blender's add-ons read.
///
/// Frames without the person have empty cells. The format is that of Motion Analysis (OpenSim documentation,
/// “Marker (.trc) Files”).
struct MarkerFile: PoseFormat {
  static let name = "trc"
  static let fileExtension = "trc"
  static let isOfBodies = true

  private let joints: [JointKey]
  private var person = MeasuredPerson()

  init(joints: [JointKey]) { self.joints = joints }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data { Data() }

  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data {
    person.add(frame, bodies)
    return Data()
  }

  func finish() -> Data {
    let (frames, rate) = (person.frames, person.frameRate)
    let numbers = (1...joints.count).flatMap { ["X\($0)", "Y\($0)", "Z\($0)"] }
    var lines = [
      "PathFileType\t4\t(X/Y/Z)\tkinema.trc",
      "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
      [
        rate.fixed(3), rate.fixed(3), "\(frames.count)", "\(joints.count)", "m", rate.fixed(3), "1",
        "\(frames.count)",
      ].joined(separator: "\t"),
      "Frame#\tTime\t" + joints.map { $0.rawValue + "\t\t" }.joined(separator: "\t"),
      "\t\t" + numbers.joined(separator: "\t"), "",
    ]
    for (number, frame) in frames.enumerated() {
      let cells = joints.flatMap { key -> [String] in
        guard let place = frame.body?.joints[key]?.position else { return ["", "", ""] }
        return (0..<3).map { Double(place[$0]).fixed(5) }
      }
      lines.append(
        (["\(number + 1)", frame.time.fixed(5)] + cells).joined(separator: "\t"))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }
}
