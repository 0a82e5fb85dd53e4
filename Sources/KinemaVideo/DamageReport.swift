package import Foundation

/// Counts read and decode errors of a file, to report each kind once.
package struct DamageReport: Sendable {
  private var pictureCount = 0
  private var readingCount = 0
  private(set) var firstError: FFmpegError?

  package init() {}

  /// Adds the errors of another part of the file.
  package mutating func add(_ other: DamageReport) {
    pictureCount += other.pictureCount
    readingCount += other.readingCount
    firstError = firstError ?? other.firstError
  }

  mutating func note(picture error: FFmpegError?) {
    pictureCount += 1
    firstError = firstError ?? error
  }

  mutating func note(reading error: FFmpegError) {
    readingCount += 1
    firstError = firstError ?? error
  }

  mutating func noteEarlyEnd() { readingCount += 1 }

  /// Counts frames missing between packets and decoder output.
  mutating func note(packetCount: Int, pictureCount decodedCount: Int) {
    pictureCount = max(pictureCount, packetCount - decodedCount)
  }

  package func sentences(about url: URL) -> [String] {
    var sentences: [String] = []
    if pictureCount > 0 {
      let pictures =
        pictureCount == 1 ? "1 damaged picture was" : "\(pictureCount) damaged pictures were"
      sentences.append("\(pictures) skipped in \(url.path).")
    }
    if readingCount > 0 {
      sentences.append("\(url.path) is cut off or damaged: parts of it could not be read.")
    }
    return sentences
  }
}
