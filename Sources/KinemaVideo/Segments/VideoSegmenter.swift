import CFFmpeg
package import Foundation

/// Splits long videos into segments that can be decoded in parallel.
///
/// The split depends only on the file, whose packets are read once without decoding. MP4, MOV,
/// Matroska and WebM are split at keyframes that reset the decoder (IDR of H.264 and H.265;
/// keyframes of VP8, VP9 and AV1) if their time stamps increase; other files are one segment.
package struct VideoSegmenter: Sendable {
  /// Shortest segment, in seconds.
  package var minimumLength = 20.0
  /// Shortest rest of the file after the start of a segment, in seconds.
  package var minimumRest = 10.0
  /// Warm-up before a segment's start, in seconds, so that tracks exist at its start.
  package var warmUp = 1.0

  /// Creates a segmenter with the default lengths.
  package init() {}

  /// The segments of a file in order; each frame is in one of them.
  ///
  /// - Throws: ``VideoError`` if the file cannot be opened as a video; `CancellationError`.
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

  /// The keyframes at which segments start.
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
