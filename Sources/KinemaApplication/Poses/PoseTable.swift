import Foundation
import Kinema
import KinemaFiles

/// Poses as comma-separated values, a row a joint; the last columns are the side of hands, and the frame's
/// width and height in square pixels.
struct PoseTable: PoseFormat {
  static let name = "csv"
  static let fileExtension = "csv"
  private let joints: [JointKey]
  private var hasHeader = false

  init(joints: [JointKey]) { self.joints = joints }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    let isOfHands = joints == JointKey.hand
    let size = [frame.size.map { "\($0.width)" } ?? "", frame.size.map { "\($0.height)" } ?? ""]
    var text = header()
    for (number, pose) in frame.poses.enumerated() {
      let side = isOfHands ? [pose.chirality?.rawValue ?? ""] : []
      for key in joints {
        guard let point = pose.keypoints[key] else { continue }
        text += CSV.line(
          [
            "\(frame.index)", "\(frame.time)", "\(pose.personID ?? number + 1)", key.rawValue,
            "\(point.position.x)", "\(point.position.y)", "\(point.confidence)",
          ] + side + size)
      }
    }
    return Data(text.utf8)
  }

  mutating func finish() -> Data { Data(header().utf8) }

  /// The first line, where it has not been written.
  private mutating func header() -> String {
    defer { hasHeader = true }
    if hasHeader { return "" }
    let hand = joints == JointKey.hand ? ",hand" : ""
    return "frame,time,person,joint,x,y,confidence\(hand),width,height\n"
  }
}
