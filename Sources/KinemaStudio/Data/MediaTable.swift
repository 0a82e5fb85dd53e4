package import Foundation
package import KinemaFiles

/// The media of some items, or of a project: those that are there, with their headers.
package struct MediaTable: Sendable {
  /// The files by their names.
  package private(set) var files: [FileName: URL] = [:]
  private var headers: [FileName: MediaHeader] = [:]

  init() {}

  init(files: [FileName: URL], headers: [URL: MediaHeader]) {
    self.files = files
    self.headers = files.compactMapValues { headers[$0] }
  }

  /// The header of a file by its name.
  package subscript(file: String) -> MediaHeader? { headers[FileName(file)] }

  /// The seconds of an item; `nil` where its file is missing or of unknown length.
  package func seconds(of item: ProjectItem) -> Double? {
    let length = self[item.file]?.seconds
    let start = item.start ?? 0
    guard let end = item.end ?? length else { return nil }
    return max(0, min(end, length ?? end) - start)
  }

  /// What is wrong with an item or its file, if anything.
  package func problem(of item: ProjectItem) -> StudioMessage? {
    if let problem = item.problem { return problem }
    guard let header = self[item.file] else { return .fileGone(file: item.file) }
    if let problem = header.problem { return .badData(problem) }
    if let length = header.seconds, let start = item.start, start >= length {
      return .startsAfterEnd(file: item.file)
    }
    return nil
  }
}
