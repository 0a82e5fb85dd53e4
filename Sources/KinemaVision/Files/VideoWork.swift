import Foundation
import KinemaStreams
import KinemaVideo
import Synchronization

/// What the workers and the reader of a video's poses share.
final class VideoWork: Sendable {
  /// What a worker has found, frame by frame.
  typealias Output = AsyncThrowingStream<FoundFrame, any Error>.Continuation

  let url: URL
  let segments: [VideoSegment]
  private let observe: (@Sendable (Int, Frame, TimeInterval) -> Void)?
  private let opened = Mutex<AsyncFrames?>(nil)
  private let damages: Mutex<[DamageReport]>
  private let foundFrames = Atomic(0)
  private let isCancelled = Atomic(false)

  init(
    url: URL, segments: [VideoSegment], observe: (@Sendable (Int, Frame, TimeInterval) -> Void)?
  ) {
    self.url = url
    self.segments = segments
    self.observe = observe
    damages = Mutex(segments.map { _ in DamageReport() })
  }

  /// How many frames were looked at, in all segments, those of warming up left out.
  var foundCount: Int { foundFrames.load(ordering: .relaxed) }

  /// What was wrong with the file, as far as it was read.
  var damage: DamageReport {
    damages.withLock { damages in
      damages.reduce(into: DamageReport()) { $0.add($1) }
    }
  }

  /// Keeps the file open for the worker that looks at all of it.
  func keep(_ frames: AsyncFrames) {
    opened.withLock { $0 = frames }
  }

  /// Nobody wants to know any more.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
  }

  /// Looks at the frames of a segment, those of its warming up first.
  func look(at number: Int, with finder: ClipPoseFinder, _ output: Output) async {
    let segment = segments[number]
    do {
      let known = opened.withLock { opened in
        defer { opened = nil }
        return opened
      }
      guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
      var frames = known
      if frames == nil { frames = try await VideoReader.read(segment, ofFileAt: url) }
      guard let frames else { return output.finish() }
      await finder.reset()
      for try await frame in frames {
        guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
        if frame.id.range.lowerBound >= segment.start {
          observe?(number, frame.feature, frame.id.rangeInSeconds.lowerBound)
          foundFrames.add(1, ordering: .relaxed)
        }
        output.yield(
          FoundFrame(
            id: frame.id, width: frame.feature.width, height: frame.feature.height,
            poses: try await finder.poses(frame)))
      }
      damages.withLock { $0[number] = frames.damage }
      output.finish()
    } catch {
      output.finish(throwing: error)
    }
  }
}
