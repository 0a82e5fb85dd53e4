import Foundation
import KinemaPose
import KinemaStreams
import KinemaTraining
import KinemaVideo

/// A folder for a test's files, removed with it.
final class DataFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appending(path: "kinema-data-\(UUID().uuidString)")

  /// - Parameter files: Files to make, empty ones.
  init(_ files: [String] = []) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for file in files { try write("", to: file) }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appending(path: name) }

  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  func write(_ data: Data, to name: String) throws {
    let target = file(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: target)
  }

  /// Writes poses of one person, or of none, and returns the file.
  @discardableResult
  func writePoses(
    _ name: String, seconds: Double = 4, frameRate: Double = 30, seed: Int = 0,
    hasPerson: Bool = true, offset: SIMD2<Float> = .zero
  ) throws -> URL {
    let target = file(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    let frames = (0..<Int(seconds * frameRate)).map { index in
      PoseSequence.Frame(
        time: Double(index) / frameRate,
        poses: hasPerson ? [.sample(index + 1000 * seed, offset: offset)] : [])
    }
    try PoseSequence(frames: frames).write(to: target)
    return target
  }

  /// Writes a video whose frames differ with the seed.
  @discardableResult
  func writeVideo(
    _ name: String, frameCount: Int = 12, seed: Int = 0, frameRate: Int = 30
  ) async throws -> URL {
    let target = file(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    let size = 64
    let writer = try await VideoWriter(
      url: target, size: CGSize(width: size, height: size), frameRate: Double(frameRate))
    for index in 0..<frameCount {
      var frame = Frame(width: size, height: size)
      frame.withUnsafeMutableBytes { bytes in
        for place in 0..<(size * size) {
          let value = place / size * 3 + index * 5 + seed * 37
          bytes[place * 4 + 1] = UInt8(truncatingIfNeeded: value)
        }
      }
      let id = TemporalSegmentIdentifier(
        source: name, range: index..<(index + 1), timescale: frameRate)
      try await writer.append(TemporalFeature(id: id, feature: frame))
    }
    try await writer.finish()
    return target
  }

  /// Every file below a folder with its content, hidden ones included.
  static func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      var isFolder: ObjCBool = false
      let file = folder.appending(path: path)
      _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      if !isFolder.boolValue { contents[path] = try Data(contentsOf: file) }
    }
    return contents
  }
}

extension Pose {
  /// A person who stands in the middle of the frame and sways.
  static func sample(
    _ index: Int, personID: Int = 1, offset: SIMD2<Float> = .zero, size: Float = 0.8
  ) -> Pose {
    let count = JointKey.body.count
    let values = (0..<(3 * count)).map { place -> Float in
      let joint = Float(place % count) / Float(count - 1)
      return switch place / count {
      case 0: 0.5 + size * (joint * 0.2 - 0.1) + Float(index % 7) * 0.002 + offset.x
      case 1: 0.5 + size * (0.5 - joint) + Float(index % 11) * 0.001 + offset.y
      default: 0.9
      }
    }
    return Pose(multiArray: values, personID: personID)
  }
}

extension DataListing {
  /// The annotations in short: file, label, start, end.
  var lines: [String] {
    annotations.map { annotation in
      func text(_ moment: ActionAnnotation.Moment?) -> String {
        switch moment {
        case nil: "–"
        case .seconds(let seconds): "\(seconds)"
        case .frame(let number): "#\(number)"
        }
      }
      let parts = [annotation.file, annotation.label, text(annotation.start), text(annotation.end)]
      return parts.joined(separator: " | ")
    }
  }

  var errorMessages: [String] { findings.errors.map(\.message) }
}
