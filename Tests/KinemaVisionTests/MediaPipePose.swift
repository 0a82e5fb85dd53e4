import Foundation
import KinemaTestSupport

/// What MediaPipe found in a frame (`Scripts/golden/pose_parity.py`); pixels, origin at the upper left.
struct MediaPipePose: Decodable {
  enum Kind: String, Decodable {
    /// The region comes from the detection in this frame.
    case still
    /// The region comes from the landmarks in the frame before.
    case followed
  }

  struct Detection: Decodable {
    let score: Float
    /// Left, top, right and bottom.
    let box: [Float]
    let keypoints: [[Float]]
  }

  let clip: String
  let frame: Int
  let width: Int
  let height: Int
  let kind: Kind
  let detection: Detection?
  /// Centre, side and angle.
  let region: [Float]
  /// 33 points: x, y and visibility.
  let landmarks: [[Float]]

  static func all() throws -> [MediaPipePose] {
    try JSONDecoder().decode(
      [MediaPipePose].self, from: Data(contentsOf: url("mediapipe_poses.json")))
  }

  /// How many frames a clip has, and in how many of them MediaPipe follows a person
  /// (`Scripts/golden/count_frames.py`).
  static func frameCounts() throws -> [(clip: String, frames: Int, found: Int)] {
    try String(contentsOf: url("mediapipe_frames.csv"), encoding: .utf8)
      .split(separator: "\n").dropFirst().compactMap { line in
        let fields = line.split(separator: ",")
        guard fields.count == 3, let frames = Int(fields[1]), let found = Int(fields[2]) else {
          return nil
        }
        return (String(fields[0]), frames, found)
      }
  }

  private static func url(_ name: String) -> URL {
    SharedData.packageRoot.appending(path: "Tests/KinemaVisionTests/Fixtures").appending(path: name)
  }
}
