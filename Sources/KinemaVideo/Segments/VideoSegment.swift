/// A part of a video file that can be decoded by itself.
///
/// Times are in ticks of ``AsyncFrames/timescale`` from the start of the file.
package struct VideoSegment: Hashable, Codable, Sendable {
  /// A keyframe at which decoding can start.
  struct Entry: Hashable, Codable, Sendable {
    /// Presentation and decoding time, in stream ticks.
    let presentation: Int64
    let decoding: Int64
    /// Presentation time, in ticks of the frames' times.
    let time: Int
  }

  /// The first decoded keyframe; `nil` for the start of the file.
  let entry: Entry?
  /// The first time that is read; earlier frames are decoded and dropped.
  let first: Int
  /// The start of the segment; earlier frames are warm-up.
  package let start: Int
  /// The end of the segment, exclusive; `nil` for the end of the file.
  package let end: Int?

  /// The same segment, read from its start on.
  package var withoutWarmUp: VideoSegment {
    VideoSegment(entry: entry, first: start, start: start, end: end)
  }

  package static let whole = VideoSegment(entry: nil, first: 0, start: 0, end: nil)
}
