import Foundation
import Kinema
import KinemaStreams
import KinemaTestSupport
import KinemaVision
import Testing

/// A labelled segment of a test clip in ../shared.
struct PublicSegment {
  let file: String
  let label: String
  let range: ClosedRange<Double>
  /// The number of repetitions, if there is one.
  let repetitionCount: Int?
  let aspectRatio: Float

  static let all: [PublicSegment] = {
    let index = try? String(contentsOf: SharedData.url("clips/index.csv"), encoding: .utf8)
    return (index ?? "").split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells[11] == "test", let start = Double(cells[2]), let end = Double(cells[3]),
        let width = Float(cells[6]), let height = Float(cells[7])
      else { return nil }
      return PublicSegment(
        file: cells[0], label: cells[1], range: start...end, repetitionCount: Int(cells[4]),
        aspectRatio: width / height)
    }
  }()

  /// Those with a person.
  static var ofPeople: [PublicSegment] { all.filter { $0.label != "no_person" } }

  /// When repetitions end, by taking them as evenly spaced.
  var ends: [Double] {
    let count = repetitionCount ?? 0
    let length = (range.upperBound - range.lowerBound) / Double(max(count, 1))
    return (0..<count).map { range.lowerBound + Double($0 + 1) * length }
  }
}

/// The poses of the test clips until soon after their last segments, found once for all suites.
enum PublicClips {
  private static let sequences = Task {
    let files = Set(PublicSegment.all.map(\.file)).sorted()
    let pool = PosePool(workerCount: ProcessInfo.processInfo.activeProcessorCount)
    defer { pool.end() }
    let found = try await ConcurrentWork.run(files.count, limit: 3) {
      try await poses(of: files[$0], from: pool)
    }
    return Dictionary(uniqueKeysWithValues: zip(files, found))
  }

  static func poses(of file: String) async throws -> PoseSequence {
    try #require(try await sequences.value[file])
  }

  private static func poses(of file: String, from pool: PosePool) async throws -> PoseSequence {
    let ends = PublicSegment.all.filter { $0.file == file }.map(\.range.upperBound)
    let end = (ends.max() ?? 0) + 3
    var sequence = PoseSequence()
    let url = SharedData.url("clips/\(file)")
    for try await frame in FrameSource(contentsOf: url, options: .init(), pool: pool) {
      guard frame.time <= end else { break }
      sequence.frames.append(PoseSequence.Frame(time: frame.time, poses: frame.poses))
    }
    return sequence
  }
}
