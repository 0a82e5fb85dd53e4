package import Foundation
import KinemaAction
import KinemaHTTP
import KinemaPose
import KinemaServer
import KinemaStudio
import KinemaTraining
import KinemaVideo

/// A reader of bytes from outside: it takes or refuses anything, without a crash, a hang, or memory
/// beyond the size of what it accepts.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case annotation
  case byteRange
  case clientMessage
  case counts
  case foreignPoses
  case model
  case modelPackage
  case picture
  case poseArchive
  case poseArrays
  case poseLines
  case project
  case requestHead
  case trainingLog
  case webSocket

  /// Reads bytes; refusals are no failures.
  package func take(_ bytes: Data) {
    switch self {
    case .annotation:
      onFile("annotations.json", bytes) { file in
        _ = try ActionClassifierDataSource.importedAnnotation(
          at: file.deletingLastPathComponent(), annotationFile: file, format: .automatic
        ).listing()
      }
    case .byteRange:
      _ = ByteRange.parse(String(decoding: bytes, as: UTF8.self), size: 1000)
    case .clientMessage:
      let message = try? ClientMessage(String(decoding: bytes, as: UTF8.self))
      if case .startChallenge(let items)? = message { _ = try? Challenge(items: items) }
    case .counts:
      onFile("counts.csv", bytes) { _ = try CountEvaluation.entries(contentsOf: $0) }
    case .foreignPoses:
      onFile("poses.txt", bytes) {
        _ = try PoseSequence(contentsOf: $0, size: CGSize(width: 640, height: 480))
      }
    case .model:
      readModel([UInt8](bytes))
    case .modelPackage:
      onFile("a.mlpackage/Manifest.json", bytes) { file in
        _ = try ActionClassifier(contentsOf: file.deletingLastPathComponent())
      }
    case .picture:
      guard let picture = try? PictureMessage(bytes) else { return }
      _ = try? Frame(jpeg: picture.jpeg)
    case .poseArchive:
      onFile("poses.npz", bytes) { _ = try PoseSequence(contentsOf: $0) }
    case .poseArrays:
      readArrays(bytes)
    case .poseLines:
      onFile("poses.jsonl", bytes) { _ = try PoseSequence(contentsOf: $0) }
    case .project:
      readProject(bytes)
    case .requestHead:
      _ = try? RequestHead(bytes)
    case .trainingLog:
      onFile("training.jsonl", bytes) { _ = try TrainingLogEntry.read(from: $0) }
    case .webSocket:
      readFrames(bytes)
    }
  }

  // MARK: - Readers

  /// A model that is accepted predicts a window.
  private func readModel(_ bytes: [UInt8]) {
    guard let classifier = try? ActionClassifier(bytes, name: "fuzz"),
      classifier.windowSize * classifier.joints.count < 100_000
    else { return }
    let window = [Float](repeating: 0, count: classifier.windowSize * 3 * classifier.joints.count)
    _ = try? classifier.predict(window)
  }

  /// Three arrays in a valid archive: the first four bytes say where the second and the third
  /// begin, two bytes each, the lower one first.
  private func readArrays(_ bytes: Data) {
    guard bytes.count > 4 else { return }
    let start = [UInt8](bytes.prefix(4)).map(Int.init)
    let content = [UInt8](bytes.dropFirst(4))
    let places = [start[0] | start[1] << 8, start[2] | start[3] << 8].map { min($0, content.count) }
      .sorted()
    let parts = [
      ("poses", content[..<places[0]]), ("times", content[places[0]..<places[1]]),
      ("ids", content[places[1]...]),
    ]
    guard
      let archive = try? NumPyArchive.data(
        ofFiles: parts.filter { !$0.1.isEmpty }.map { ($0.0, Array($0.1)) })
    else { return }
    onFile("poses.npz", archive) { _ = try PoseSequence(contentsOf: $0) }
  }

  /// A project's description up to the first zero, and the items of its training data.
  private func readProject(_ bytes: Data) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    onFile("project.json", Data(parts[0])) { file in
      if parts.count > 1 {
        try Data(parts[1]).write(
          to: file.deletingLastPathComponent().appending(path: "training.csv"))
      }
      let project = try Project(opening: file.deletingLastPathComponent())
      _ = try project.items()
    }
  }

  /// What a client sends, in pieces of 1 to 16 bytes, by its first byte.
  private func readFrames(_ bytes: Data) {
    guard let first = bytes.first else { return }
    var parser = WebSocketParser(maximumMessageBytes: 1 << 16)
    let rest = [UInt8](bytes.dropFirst())
    let step = Int(first % 16) + 1
    for start in stride(from: 0, to: rest.count, by: step) {
      let piece = rest[start..<min(rest.count, start + step)]
      do {
        try piece.withUnsafeBytes { try parser.take($0) { _ in } }
      } catch {
        return
      }
    }
  }

  // MARK: - Files

  /// Writes bytes to a file in a folder of its own, and reads it.
  private func onFile(_ name: String, _ bytes: Data, _ read: (URL) throws -> Void) {
    let shared = URL(filePath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: shared.path)
      ? shared : FileManager.default.temporaryDirectory
    let folder = parent.appending(
      path: "kinema-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
      try read(file)
    } catch {
      // A refusal.
    }
  }
}
