import Foundation
import Kinema
import KinemaFiles

/// Poses as comma-separated values, a row a joint, and one without a joint for a frame without poses; the last
/// columns are the side of hands, and the frame's width and height in square pixels.
struct PoseTable: PoseFormat {
  static let name = "csv"
  static let fileExtension = "csv"
  private let joints: [JointKey]
  private var hasHeader = false

  init(joints: [JointKey]) { self.joints = joints }

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    let isOfHands = joints == JointKey.hand
    var text = header()
    if frame.poses.isEmpty { text += frame.emptyRow(cellCount: isOfHands ? 6 : 5) }
    for (number, pose) in frame.poses.enumerated() {
      let side = isOfHands ? [pose.chirality?.rawValue ?? ""] : []
      for key in joints {
        guard let point = pose.keypoints[key] else { continue }
        text += CSV.line(
          frame.cells(of: pose, number: number, key)
            + ["\(point.position.x)", "\(point.position.y)", "\(point.confidence)"] + side
            + frame.sizeCells)
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

/// The 33 landmarks as comma-separated values, a row a landmark, and one without a landmark for a frame without
/// poses; the last columns are the place in metres, and the frame's width and height in square pixels.
struct LandmarkTable: PoseFormat {
  static let name = PoseTable.name
  static let fileExtension = PoseTable.fileExtension
  static let holdsLandmarks = true
  private var hasHeader = false

  init(joints: [JointKey]) {}

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data {
    var text = header()
    if frame.poses.isEmpty { text += frame.emptyRow(cellCount: 10) }
    for (number, pose) in frame.poses.enumerated() {
      for (key, landmark) in zip(JointKey.landmarks, pose.landmarks ?? []) {
        let (place, world) = (landmark.position, landmark.world)
        text += CSV.line(
          frame.cells(of: pose, number: number, key)
            + ["\(place.x)", "\(place.y)", "\(place.z)"]
            + ["\(landmark.visibility)", "\(landmark.presence)"]
            + ["\(world.x)", "\(world.y)", "\(world.z)"] + frame.sizeCells)
      }
    }
    return Data(text.utf8)
  }

  mutating func finish() -> Data { Data(header().utf8) }

  private mutating func header() -> String {
    defer { hasHeader = true }
    if hasHeader { return "" }
    return
      "frame,time,person,landmark,x,y,z,visibility,presence,worldX,worldY,worldZ,width,height\n"
  }
}

extension PosedFrame {
  /// The first cells of a row: frame, time, person and joint.
  fileprivate func cells(of pose: Pose, number: Int, _ key: JointKey) -> [String] {
    ["\(index)", "\(time)", "\(pose.personID ?? number + 1)", key.rawValue]
  }

  /// The row of a frame without poses.
  ///
  /// - Parameter cellCount: How many cells are empty, from the person on.
  fileprivate func emptyRow(cellCount: Int) -> String {
    CSV.line(
      ["\(index)", "\(time)"] + Array(repeating: "", count: cellCount) + sizeCells)
  }

  fileprivate var sizeCells: [String] {
    [size.map { "\($0.width)" } ?? "", size.map { "\($0.height)" } ?? ""]
  }
}
