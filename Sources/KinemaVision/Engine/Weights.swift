import Foundation

struct Weights: Sendable {
  let fileName: String
  /// The file's size in MediaPipe 0.10.21.
  ///
  /// Checked first, because OpenVINO trusts the offsets in a file.
  let byteCount: Int

  static let poseDetection = Weights(fileName: "pose_detection.tflite", byteCount: 2_959_046)
  static let poseLandmarks = Weights(fileName: "pose_landmark_full.tflite", byteCount: 6_440_512)
  static let palmDetection = Weights(fileName: "palm_detection_full.tflite", byteCount: 2_339_846)
  static let handLandmarks = Weights(fileName: "hand_landmark_full.tflite", byteCount: 5_478_917)

  static let all = [poseDetection, poseLandmarks, palmDetection, handLandmarks]

  /// The identifier of a TensorFlow Lite file.
  private static let identifier = Data("TFL3".utf8)
  private static let identifierOffset: UInt64 = 4

  /// The fault of a file, as the end of a sentence that starts with its name.
  func fault(in url: URL) -> String? {
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      let size = try handle.seekToEnd()
      guard size == byteCount else {
        return "has \(size) bytes instead of \(byteCount): it is damaged or of another version"
      }
      try handle.seek(toOffset: Self.identifierOffset)
      guard try handle.read(upToCount: Self.identifier.count) == Self.identifier else {
        return "is not a TensorFlow Lite file"
      }
      return nil
    } catch {
      return "cannot be read (\(error.localizedDescription))"
    }
  }
}
