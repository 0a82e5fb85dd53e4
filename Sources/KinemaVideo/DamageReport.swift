package import Foundation

/// Counts what could not be read or decoded in a file, to be told once and not a thousand times.
package struct DamageReport: Sendable {
  private var pictureCount = 0
  private var readingCount = 0
  private(set) var firstError: FFmpegError?

  package init() {}

  /// Adds what was wrong in another part of the file.
  package mutating func add(_ other: DamageReport) {
    pictureCount += other.pictureCount
    readingCount += other.readingCount
    firstError = firstError ?? other.firstError
  }

  /// Notes a picture that is left out.
  mutating func note(picture error: FFmpegError?) {
    pictureCount += 1
    firstError = firstError ?? error
  }

  /// Notes a place where the file could not be read on.
  mutating func note(reading error: FFmpegError) {
    readingCount += 1
    firstError = firstError ?? error
  }

  /// Notes that the file ends before the end that it promises.
  mutating func noteEarlyEnd() {
    readingCount += 1
  }

  /// Notes pictures that went missing between the packets and the decoder's output.
  mutating func note(packetCount: Int, pictureCount decodedCount: Int) {
    pictureCount = max(pictureCount, packetCount - decodedCount)
  }

  /// One sentence for each kind of damage.
  package func sentences(about url: URL) -> [String] {
    var sentences: [String] = []
    if pictureCount > 0 {
      let pictures =
        pictureCount == 1 ? "1 damaged picture was" : "\(pictureCount) damaged pictures were"
      sentences.append("\(pictures) left out of \(url.path).")
    }
    if readingCount > 0 {
      sentences.append("\(url.path) is cut off or damaged: parts of it could not be read.")
    }
    return sentences
  }
}
