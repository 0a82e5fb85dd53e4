package import Foundation
package import KinemaPose
package import KinemaVideo
import Synchronization

/// The frames of a video, image, pose file, live stream, camera or pipe, with their poses.
///
/// Frames of files and pipes are complete and in order. A long video is processed in segments
/// (``KinemaVideo/VideoSegmenter``) on all threads of the pool, several sources in parallel;
/// results do not depend on the threads. Of a live source the newest frame is processed when a
/// thread is free; frames between are dropped.
///
/// A source is read once, by one task. Releasing it or cancelling the task stops its work.
package final class FrameSource: AsyncSequence, Sendable {
  package typealias Element = PosedFrame

  package enum Kind: Sendable {
    case video, stillImage, poses, stream
  }

  package struct Options: Sendable {
    package var subject = PoseSubject.bodies(.init())
    /// Whether frames come with their images; fewer frames are then processed ahead of the reader.
    package var wantsPictures = false
    /// How many frames are processed.
    package var rate = ProcessingRate.all
    /// Width by height of the frames, in place of their own.
    package var aspectRatio: Float?
    /// What holds where a pose file does not say it.
    package var poseFile = PoseFile.Defaults()
    /// How long a stream may take; `nil` to open it again for ever.
    package var patience: StreamReading.Patience?
    /// Chooses the segments of a video file.
    package var segmenter = VideoSegmenter()
    /// Keeps the poses of video files, and gives those that it has.
    package var cache: PoseCache?
    /// Whether a video fails if its poses cannot be cached; otherwise a warning is reported.
    package var needsCache = false
    /// Decides which frames of a live stream are processed; `nil` for all that there is time for.
    package var ladder: SourceLadder?
    /// The stream's share of the threads where there are not enough for all, relative to others.
    package var weight = 1.0
    /// Is given messages about the state of a stream.
    package var report: (@Sendable (_ message: String) -> Void)?
    /// Is given each change of the state of a live source.
    package var onStatus: (@Sendable (LiveSourceStatus) -> Void)?

    package init(subject: PoseSubject = .bodies(.init())) {
      self.subject = subject
    }
  }

  /// What gives the frames of one kind of source.
  protocol Feed: AnyObject, Sendable {
    /// The number of frames that is likely, for showing progress.
    var estimatedFrameCount: Int? { get }
    /// How many frames were processed or left out, also ahead of the reader.
    var processedCount: Int { get }
    /// The speed of the camera in frame widths a second.
    var cameraSpeed: Double? { get }
    /// The damage of the source, as sentences.
    var warnings: [String] { get }
    /// The next frame; `nil` at the end.
    func next() async throws -> PosedFrame?
    /// Stops reading; frames that are processed already still come.
    func stop()
    /// Stops all work.
    func cancel()
  }

  private struct State {
    var opening: Task<any Feed, any Error>?
    var feed: (any Feed)?
    var count = 0
    var isStopped = false
  }

  package let kind: Kind
  private let aspectRatio: Float?
  private let open: @Sendable () async throws -> any Feed
  private let state = Mutex(State())

  /// The frames of a video, image or pose file; work starts with ``start()`` or with the first
  /// frame read.
  ///
  /// - Parameter kind: The kind of the file, if known.
  package init(contentsOf url: URL, kind: Kind? = nil, options: Options, pool: PosePool) {
    let kind = kind ?? Self.kind(of: url)
    self.kind = kind
    aspectRatio = options.aspectRatio
    let number = Mutex<Int?>(nil)
    open = { @Sendable in
      let number = number.withLock { known in
        let number = known ?? pool.takeSourceNumber()
        known = number
        return number
      }
      switch kind {
      case .poses: return try SequenceFeed(poseFile: url, options: options)
      case .stillImage:
        return try await SequenceFeed(
          picture: url, options: options, pool: pool, number: number)
      case .video, .stream:
        let key = try await PoseCache.key(of: url, options: options)
        if let known = try await BlockingThread.run({
          key.flatMap { options.cache?.load($0, path: url.path) }
        }) {
          return try await CachedFeed(known, of: url, options: options)
        }
        return try await VideoFeed(
          url, options: options, pool: pool, number: number, cacheKey: key)
      }
    }
  }

  /// The frames of a stream, a camera or a pipe.
  package init(_ source: LiveSource, options: Options, pool: PosePool) {
    kind = .stream
    aspectRatio = options.aspectRatio
    open = { @Sendable in StreamFeed(source, options: options, pool: pool) }
  }

  deinit {
    state.withLock {
      $0.opening?.cancel()
      $0.feed?.cancel()
    }
  }

  /// The kind of a file, from its name and first bytes.
  package static func kind(of url: URL) -> Kind {
    if PoseFile.isReadable(url) { return .poses }
    return Frame.isStillPicture(at: url) ? .stillImage : .video
  }

  /// Begins to process frames, before anybody reads them.
  package func start() {
    _ = opening()
  }

  /// Ends a stream now; frames that are processed already still come.
  package func stop() {
    let feed = state.withLock { state in
      state.isStopped = true
      return state.feed
    }
    feed?.stop()
  }

  /// The number of frames that is likely, for showing progress, once the first frame was read.
  package var estimatedFrameCount: Int? { state.withLock { $0.feed }?.estimatedFrameCount }

  /// How many frames were processed or left out, also ahead of the reader.
  package var processedCount: Int { state.withLock { $0.feed }?.processedCount ?? 0 }

  /// Whether the poses come from the cache, once the first frame was read.
  package var isCached: Bool { state.withLock { $0.feed } is CachedFeed }

  /// The speed of the camera in frame widths a second; known after the last frame, if the source
  /// has a cache.
  package var cameraSpeed: Double? { state.withLock { $0.feed }?.cameraSpeed }

  /// The damage of the source, as sentences; complete after the last frame.
  package var warnings: [String] { state.withLock { $0.feed }?.warnings ?? [] }

  /// Starts reading.
  package func makeAsyncIterator() -> Iterator {
    Iterator(source: self)
  }

  /// Reads the frames, one at a time.
  package struct Iterator: AsyncIteratorProtocol {
    let source: FrameSource

    /// The next frame; `nil` at the end.
    ///
    /// - Throws: ``VideoError`` where the source cannot be read, ``VisionError`` where networks are
    ///   missing, `PoseError` for a bad pose file, `CancellationError`.
    package mutating func next() async throws -> PosedFrame? {
      try await source.next()
    }
  }

  // MARK: - Reading

  private func opening() -> Task<any Feed, any Error> {
    state.withLock { state in
      let task = state.opening ?? Task { [open] in try await open() }
      state.opening = task
      return task
    }
  }

  private func next() async throws -> PosedFrame? {
    let task = opening()
    let opened = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    let isStopped = state.withLock { state in
      state.feed = opened
      return state.isStopped
    }
    if isStopped { opened.stop() }
    do {
      try Task.checkCancellation()
      guard var frame = try await opened.next() else {
        try Task.checkCancellation()
        return nil
      }
      frame.givenAspectRatio = aspectRatio
      frame.index = state.withLock { state in
        defer { state.count += 1 }
        return state.count
      }
      return frame
    } catch {
      opened.cancel()
      throw error
    }
  }
}
