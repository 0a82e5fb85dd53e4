package import Foundation
import KinemaStreams

/// Splits long videos into segments that can be decoded in parallel.
///
/// The split depends only on the file, whose packets are read once without decoding. MP4, MOV,
/// Matroska and WebM are split at keyframes that reset the decoder (IDR of H.264 and H.265;
/// keyframes of VP8, VP9 and AV1) if their time stamps increase, or into halves if there are no such
/// keyframes far enough apart; other files, and short ones, are one segment.
package struct VideoSegmenter: Codable, Sendable {
  /// Shortest file that is split, in seconds.
  package var minimumTotal = 20.0
  /// Shortest segment that starts at a keyframe, in seconds.
  package var minimumLength = 20.0
  /// Shortest rest of the file after the start of a segment, in seconds.
  package var minimumRest = 10.0
  /// Warm-up before a segment's start, in seconds, so that tracks exist at its start.
  package var warmUp = 1.0
  /// The least number of frames in it: a new track needs frames, not seconds (a walking person at
  /// 5 frames a second was lost for 3 s behind a warm-up of 5 frames).
  package var warmUpFrameCount = 24

  package init() {}

  /// Whether a file of a length is split if possible; lengths are exact to a hundredth of a second.
  package func splits(seconds: Double) -> Bool { seconds >= minimumTotal - 0.01 }

  /// The segments of a file in order; each frame is in one of them; throws ``VideoError`` if the
  /// file cannot be opened as a video; `CancellationError`.
  package func segments(of url: URL) async throws -> [VideoSegment] {
    try await BlockingThread.runInterruptibly { interruption in
      if let children = MediaChildren.shared {
        return try children.segments(of: url, self, interruption: interruption)
      }
      return try segments(of: url, interruption: interruption)
    }
  }

  func segments(
    of url: URL, interruption: InterruptCallback
  ) throws(VideoError) -> [VideoSegment] {
    if LibraryFormat(contentsOf: url)?.kind == .video { return [.whole] }
    let reader = try PacketReader(opening: url, interruption: interruption)
    guard !reader.isLarge, let table = reader.table() else { return [.whole] }
    guard splits(seconds: Double(table.length) / Double(AsyncFrames.timescale)) else {
      return [.whole]
    }
    let entries = chosen(from: table).filter { start(behind: $0, in: table) != nil }
    guard !entries.isEmpty else { return halves(of: table, reader) }
    guard entries.allSatisfy(reader.canEnter) else { return [.whole] }
    let starts = [0] + entries.compactMap { start(behind: $0, in: table) }
    return starts.indices.map { index in
      VideoSegment(
        entry: index == 0 ? nil : entries[index - 1],
        first: index == 0 ? 0 : entries[index - 1].time, start: starts[index],
        end: index + 1 < starts.count ? starts[index + 1] : nil)
    }
  }

  /// Two segments of equal length; frames between the last keyframe and the second's warm-up are decoded
  /// and dropped, which costs little beside finding poses in a frame.
  private func halves(of table: PacketTable, _ reader: PacketReader) -> [VideoSegment] {
    let middle = table.lastTime / 2
    let index = table.times.partitioningIndex { $0 >= middle }
    let earliest = table.times[max(0, index - warmUpFrameCount)]
    let first = max(0, min(middle - ticks(warmUp), earliest))
    let entry = table.entries.last { 0 < $0.time && $0.time <= first && reader.canEnter($0) }
    return [
      VideoSegment(entry: nil, first: 0, start: 0, end: middle),
      VideoSegment(entry: entry, first: first, start: middle, end: nil),
    ]
  }

  /// The time after the warm-up from a keyframe on; `nil` if the file ends before.
  private func start(behind entry: VideoSegment.Entry, in table: PacketTable) -> Int? {
    let index = table.times.partitioningIndex { $0 >= entry.time } + warmUpFrameCount
    let start = entry.time + ticks(warmUp)
    guard index < table.times.count, start < table.lastTime else { return nil }
    return max(start, table.times[index])
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
    AsyncFrames.ticks(seconds) ?? .max
  }
}
