import Foundation
import KinemaPose

/// Pose files of a person who stands, waves or is not there.
enum PoseTakes {
  /// Poses at 10 frames a second; the right wrist has a height for each frame, nobody for `nil`.
  static func poses(_ heights: [Float?]) -> PoseSequence {
    PoseSequence(
      frames: heights.enumerated().map { index, height in
        let pose = height.map { height in
          var points: [JointKey: JointPoint] = [:]
          for (number, key) in JointKey.body.enumerated() {
            let place = SIMD2<Float>(0.4 + Float(number % 2) / 5, 0.1 + Float(number) / 25)
            points[key] = JointPoint(key, position: place, confidence: 0.9)
          }
          points[.rightWrist]?.position.y = height
          return Pose(from: points, confidence: 0.9, personID: 1)
        }
        return PoseSequence.Frame(time: Double(index) / 10, poses: pose.map { [$0] } ?? [])
      })
  }

  /// Writes the poses of somebody who stands still for some seconds, or of nobody.
  static func write(to url: URL, seconds: Double, isVisible: Bool = true) throws {
    let heights = [Float?](repeating: isVisible ? 0.5 : nil, count: Int(seconds * 10))
    try poses(heights).write(to: url)
  }
}
