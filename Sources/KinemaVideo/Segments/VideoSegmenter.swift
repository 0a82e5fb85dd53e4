import CFFmpeg
package import Foundation

/// Splits long videos into segments that can be decoded at the same time.
///
/// Where the segments lie depends on nothing but the file. All its packets are read once, without
/// decoding, which takes as long as reading the file. Files whose packets are not in good order, or in
/// which it is not certain that decoding can begin in the middle, are one segment: only MP4, MOV,
/// Matroska and WebM are split, where time stamps rise and each segment begins at a key frame that
/// resets the decoder (an IDR picture of H.264 and H.265, a key frame of VP8, VP9 and AV1).
package struct VideoSegmenter: Sendable {
  /// How long a segment is at least, in seconds.
  package var minimumLength = 20.0
  /// How much of the file must follow the last key frame at which a segment begins, in seconds.
  package var minimumRest = 10.0
  /// How long before its start a segment's frames are decoded, in seconds, so that what is followed
  /// from frame to frame is known at the start.
  package var warmUp = 1.0

  /// Creates a splitter with the lengths that the whole of Kinema uses.
  package init() {}

  /// The segments of a file, in order; together they hold each frame once.
  ///
  /// - Throws: ``VideoError`` where the file cannot be opened as a video; `CancellationError`.
  package func segments(of url: URL) async throws -> [VideoSegment] {
    let interruption = Interruption()
    let found = try await withTaskCancellationHandler {
      try await BlockingThread.run { try self.segments(of: url, interruption: interruption) }
    } onCancel: {
      interruption.cancel()
    }
    try Task.checkCancellation()
    return found
  }

  private func segments(of url: URL, interruption: Interruption) throws -> [VideoSegment] {
    let reader = try PacketReader(opening: url, interruption: interruption)
    guard let table = reader.table() else { return [.whole] }
    let entries = chosen(from: table).filter { $0.time + ticks(warmUp) < table.lastTime }
    guard !entries.isEmpty, entries.allSatisfy(reader.canEnter) else { return [.whole] }
    let starts = [0] + entries.map { $0.time + ticks(warmUp) }
    return starts.indices.map { index in
      VideoSegment(
        entry: index == 0 ? nil : entries[index - 1], start: starts[index],
        end: index + 1 < starts.count ? starts[index + 1] : nil)
    }
  }

  /// The key frames at which segments begin.
  private func chosen(from table: PacketTable) -> [VideoSegment.Entry] {
    var chosen: [VideoSegment.Entry] = []
    for entry in table.entries
    where entry.time - (chosen.last?.time ?? 0) >= ticks(minimumLength)
      && table.lastTime - entry.time >= ticks(minimumRest)
    {
      chosen.append(entry)
    }
    return chosen
  }

  private func ticks(_ seconds: Double) -> Int {
    Int((seconds * Double(AsyncFrames.timescale)).rounded())
  }
}
