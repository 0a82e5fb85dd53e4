package import Foundation
import KinemaStreams
import KinemaVideo

/// The poses in the frames of a video, in order of presentation, as the workers of a ``FilePosePool``
/// find them.
///
/// It is read by one task. When it is released the workers stop.
package final class VideoPoses: @unchecked Sendable {
  // What changes is touched by the one task that reads; the rest does not change.

  /// The width and height of an upright frame in pixels.
  package let frameSize: CGSize
  /// How many frames are likely, for showing progress.
  package let estimatedFrameCount: Int?
  private let work: VideoWork
  private let submit: (Int, VideoWork.Output) -> Void
  /// How many segments are looked at ahead of the one that is read.
  private let lead: Int
  private var streams: [AsyncThrowingStream<FoundFrame, any Error>] = []
  private var current: AsyncThrowingStream<FoundFrame, any Error>.Iterator?
  private var segment = 0
  private var joiner = SeamJoiner()
  private var warmUp: [FoundFrame] = []
  private var deliveredCount = 0

  init(
    _ frames: AsyncFrames, work: VideoWork, lead: Int,
    submit: @escaping (Int, VideoWork.Output) -> Void
  ) {
    frameSize = frames.frameSize
    estimatedFrameCount = frames.estimatedFrameCount
    self.work = work
    self.lead = lead
    self.submit = submit
  }

  deinit {
    work.cancel()
  }

  /// How many segments the video has.
  package var segmentCount: Int { work.segments.count }

  /// How many frames were looked at so far, some of them ahead of the reader.
  package var foundCount: Int { work.foundCount }

  /// What was wrong with the file, as sentences; complete once the last frame has been read.
  package var warnings: [String] { work.damage.sentences(about: work.url) }

  /// The next frame; `nil` at the end.
  ///
  /// - Throws: ``VideoError`` where the file holds no picture that can be decoded, ``VisionError``,
  ///   `CancellationError`.
  package func next() async throws -> FoundFrame? {
    while segment < segmentCount {
      let found: FoundFrame?
      do {
        found = try await current?.next()
        try Task.checkCancellation()
      } catch {
        work.cancel()
        throw error
      }
      guard let found else {
        segment += 1
        start()
        continue
      }
      if found.id.range.lowerBound < work.segments[segment].start {
        warmUp.append(found)
        continue
      }
      if !warmUp.isEmpty {
        joiner.beginSegment(warmUp)
        warmUp = []
      }
      deliveredCount += 1
      return joiner.joined(found)
    }
    if deliveredCount == 0 { throw VideoError.nothingDecoded(at: work.url, work.damage) }
    return nil
  }

  /// Has work done on the segment to be read and on those that follow.
  func start() {
    while streams.count < min(segmentCount, segment + lead) {
      let (stream, output) = AsyncThrowingStream<FoundFrame, any Error>.makeStream()
      streams.append(stream)
      submit(streams.count - 1, output)
    }
    current = segment < segmentCount ? streams[segment].makeAsyncIterator() : nil
  }
}
