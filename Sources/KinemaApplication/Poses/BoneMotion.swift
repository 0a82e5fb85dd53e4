import Foundation
import Kinema
import KinemaDepth
import KinemaReport

/// The body of one person as bones that turn (`.bvh`, Biovision hierarchy), which Blender and other animation
/// programs read.
///
/// In metres, y up; bones are as long as in the median of all frames. The hips stay in one place and are as
/// high as they are above the lowest joint. Frames without the person repeat the one before.
struct BoneMotion: PoseFormat {
  static let name = "bvh"
  static let fileExtension = "bvh"
  static let isOfBodies = true

  private var person = MeasuredPerson()

  init(joints: [JointKey]) {}

  mutating func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) -> Data { Data() }

  mutating func add(_ frame: PosedFrame, _ bodies: [LiftedBody?]) -> Data {
    person.add(frame, bodies)
    return Data()
  }

  func finish() -> Data {
    let frames = person.frames
    let armature = BodyArmature(
      fitting: frames.compactMap { $0.body?.joints.mapValues(\.position) })
    var lines = ["HIERARCHY"]
    append(armature.bones.startIndex, of: armature, depth: 0, to: &lines)
    lines += [
      "MOTION", "Frames: \(frames.count)", "Frame Time: \((1 / person.frameRate).fixed(7))",
    ]
    var motion = armature.motion
    var last = motion.next(frames.lazy.compactMap(\.body).first)
    for frame in frames {
      if let body = frame.body { last = motion.next(body) }
      let angles = last.rotations.flatMap { [$0.z, $0.x, $0.y] }.map { Double($0).fixed(3) }
      let place = (0..<3).map { Double(last.position[$0]).fixed(4) }
      lines.append((place + angles).joined(separator: " "))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private func append(
    _ index: Int, of armature: BodyArmature, depth: Int, to lines: inout [String]
  ) {
    let bone = armature.bones[index]
    let indent = String(repeating: "\t", count: depth)
    let rotations = "Zrotation Xrotation Yrotation"
    lines += [
      "\(indent)\(bone.parent == nil ? "ROOT" : "JOINT") \(bone.name)", "\(indent){",
      "\(indent)\tOFFSET \(Self.text(bone.offset))",
      bone.parent == nil
        ? "\(indent)\tCHANNELS 6 Xposition Yposition Zposition \(rotations)"
        : "\(indent)\tCHANNELS 3 \(rotations)",
    ]
    for (child, other) in armature.bones.enumerated() where other.parent == index {
      append(child, of: armature, depth: depth + 1, to: &lines)
    }
    if let end = bone.end {
      lines += [
        "\(indent)\tEnd Site", "\(indent)\t{", "\(indent)\t\tOFFSET \(Self.text(end))",
        "\(indent)\t}",
      ]
    }
    lines.append("\(indent)}")
  }

  private static func text(_ way: SIMD3<Float>) -> String {
    (0..<3).map { Double(way[$0]).fixed(5) }.joined(separator: " ")
  }
}
