package import Foundation
import KinemaPose
package import KinemaStudio

/// A project of two gestures as small pose files: two seconds each, trained in windows of half a second.
package enum WaveProject {
  package static func make(at url: URL, iterations: Int = 60, seconds: Int = 2) throws -> Project {
    let project = try Project.create(at: url, name: "Waves")
    try project.update { description in
      description.parameters.duration = 0.5
      description.parameters.frameRate = 10
      description.parameters.iterations = iterations
      description.parameters.validation = ProjectParameters.Validation.none
    }
    for (label, height) in [("up", Float(0.8)), ("down", 0.2)] {
      for index in 0..<4 {
        let file = "\(label)\(index).jsonl"
        try poses(height: height, seconds: seconds, seed: UInt64(index)).write(
          to: project.folder.sources.appending(path: file))
        _ = try project.add(
          [NewItem(file: file, label: label)], to: index < 3 ? .training : .testing)
      }
    }
    return project
  }

  private static func poses(height: Float, seconds: Int, seed: UInt64) -> PoseSequence {
    var values = Values(seed: seed)
    let frames = (0..<(10 * seconds)).map { index in
      let noise = values.next(4)
      let points: [JointKey: SIMD2<Float>] = [
        .rightWrist: SIMD2(0.6, height), .leftWrist: SIMD2(0.4, height),
        .rightHip: SIMD2(0.55, 0.5), .leftHip: SIMD2(0.45, 0.5),
        .rightShoulder: SIMD2(0.58, 0.7), .leftShoulder: SIMD2(0.42, 0.7),
      ]
      var joints: [JointKey: JointPoint] = [:]
      for (key, point) in points {
        let shift = SIMD2(noise[0], noise[1]) * 0.05
        joints[key] = JointPoint(key, position: point + shift, confidence: 0.9)
      }
      return PoseSequence.Frame(
        time: Double(index) / 10, poses: [Pose(from: joints, confidence: 0.9, personID: 1)])
    }
    return PoseSequence(frames: frames)
  }
}
