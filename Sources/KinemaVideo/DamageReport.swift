package import Foundation

/// Counts read and decode errors of a file, to report each kind once.
package struct DamageReport: Sendable {
  /// The numbers of errors, as a child process reports them.
  struct Counts: Codable {
    var pictures = 0
    var readings = 0
  }

  private(set) var counts = Counts()
  private(set) var firstError: FFmpegError?

  package init() {}

  init(_ counts: Counts) { self.counts = counts }

  /// Adds the errors of another part of the file.
  package mutating func add(_ other: DamageReport) {
    counts.pictures += other.counts.pictures
    counts.readings += other.counts.readings
    firstError = firstError ?? other.firstError
  }

  mutating func note(picture error: FFmpegError?) {
    counts.pictures += 1
    firstError = firstError ?? error
  }

  mutating func note(reading error: FFmpegError) {
    counts.readings += 1
    firstError = firstError ?? error
  }

  mutating func noteEarlyEnd() { counts.readings += 1 }

  /// Counts frames missing between packets and decoder output.
  mutating func note(packetCount: Int, pictureCount decodedCount: Int) {
    counts.pictures = max(counts.pictures, packetCount - decodedCount)
  }

  package func sentences(about url: URL) -> [String] {
    var sentences: [String] = []
    if counts.pictures > 0 {
      let pictures =
        counts.pictures == 1
        ? "1 damaged picture was" : "\(counts.pictures) damaged pictures were"
      sentences.append("\(pictures) skipped in \(url.path).")
    }
    if counts.readings > 0 {
      sentences.append("\(url.path) is cut off or damaged: parts of it could not be read.")
    }
    return sentences
  }
}
