import Foundation
import Kinema
import KinemaFiles

/// Poses as comma-separated values, a row a joint; hands have their side in a last column.
struct PoseTable: PoseFormat {
  static let name = "csv"
  static let fileExtension = "csv"
  private let joints: [JointKey]
  private var hasHeader = false

  init(joints: [JointKey]) { self.joints = joints }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    let isOfHands = joints == JointKey.hand
    var text = header()
    for (number, pose) in frame.poses.enumerated() {
      let side = isOfHands ? [pose.chirality?.rawValue ?? ""] : []
      for key in joints {
        guard let point = pose.keypoints[key] else { continue }
        text += CSV.line(
          [
            "\(frame.index)", "\(frame.time)", "\(pose.personID ?? number + 1)", key.rawValue,
            "\(point.position.x)", "\(point.position.y)", "\(point.confidence)",
          ] + side)
      }
    }
    return Data(text.utf8)
  }

  mutating func finish() -> Data { Data(header().utf8) }

  /// The first line, where it has not been written.
  private mutating func header() -> String {
    defer { hasHeader = true }
    if hasHeader { return "" }
    return "frame,time,person,joint,x,y,confidence" + (joints == JointKey.hand ? ",hand\n" : "\n")
  }
}
