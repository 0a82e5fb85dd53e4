import Foundation
import Kinema
import KinemaTestSupport

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

/// The poses of the test clips, found once for all suites.
enum PublicClips {
  /// A file of lines for each clip.
  static let folder: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    let clips = Set(PublicSegment.all.map(\.file)).sorted().map {
      SharedData.url("clips/\($0)").path
    }
    let result = try? Tool.run(
      ["pose"] + clips + ["--format", "jsonl", "--output", folder.path("")])
    return result?.status == 0 ? folder : nil
  }()

  private static let sequences: Result<[String: PoseSequence], any Error> = Result {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    var sequences: [String: PoseSequence] = [:]
    for file in Set(PublicSegment.all.map(\.file)) {
      sequences[file] = try PoseSequence(contentsOf: folder.url(name(of: file)))
    }
    return sequences
  }

  /// The name of the file of a clip's poses.
  static func name(of file: String) -> String {
    URL(filePath: file).deletingPathExtension().lastPathComponent + ".jsonl"
  }

  static func poses(of file: String) throws -> PoseSequence {
    guard let poses = try sequences.get()[file] else { throw CocoaError(.fileNoSuchFile) }
    return poses
  }
}
