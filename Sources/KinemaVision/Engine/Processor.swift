import Foundation

/// What Linux says about this processor.
enum Processor {
  /// The lines about the first core, which represents all; none where they cannot be read.
  static let lines: [String] = {
    guard let file = FileHandle(forReadingAtPath: "/proc/cpuinfo") else { return [] }
    // The file's length is unknown. What cannot be read leaves only what all processors have.
    guard let data = try? file.read(upToCount: 1 << 16) else { return [] }
    let lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix { !$0.isEmpty }.map(String.init)
  }()

  /// The lines that begin with one of some names.
  static func lines(named names: [String]) -> [String] {
    lines.filter { line in names.contains(where: line.hasPrefix) }
  }
}
