/// A stretch of a video file that can be decoded by itself: it begins at a key frame that nothing
/// before it is needed for.
///
/// Times are in ticks of ``AsyncFrames/timescale`` from the start of the file, as those of its frames.
package struct VideoSegment: Hashable, Sendable {
  /// A key frame at which decoding can begin.
  struct Entry: Hashable, Sendable {
    /// When it is shown and when it is decoded, in ticks of the stream.
    let presentation: Int64
    let decoding: Int64
    /// When it is shown, in ticks of the frames' times.
    let time: Int
  }

  /// Where decoding begins; `nil` for the start of the file.
  let entry: Entry?
  /// The first time that belongs to the segment; frames before it are decoded for warming up.
  package let start: Int
  /// Where the segment ends, the first time that does not belong to it; `nil` for the end of the file.
  package let end: Int?

  /// A whole file.
  package static let whole = VideoSegment(entry: nil, start: 0, end: nil)
}
