package import Foundation
import Glibc
import KinemaStreams
import Synchronization

/// Child processes in which files are opened and decoded, so that a file that kills its decoder, or takes
/// it over, ends with the failure of that file: a child has no network, writes nothing, and has limits of
/// memory and processor time.
///
/// They stay for the next files; one that is in doubt ends.
package final class MediaChildren: Sendable {
  /// The argument by which this program becomes a child, see ``MediaChild``.
  package static let argument = "--decode-files"

  private static let current = Mutex<MediaChildren?>(nil)

  /// Those that decode for this process; `nil` where it decodes itself.
  package static var shared: MediaChildren? { current.withLock { $0 } }

  /// Decodes all files of this process from now on, in its program's start; the first children stay.
  package func decodeForThisProcess() {
    Self.current.withLock { $0 = $0 ?? self }
  }

  private static let idleCount = 4

  private let executable: URL
  private let idle = Mutex<[MediaChildProcess]>([])

  /// - Parameter executable: The program that takes ``argument``.
  package init(executable: URL) {
    self.executable = executable
    // Writing to a child that has died is an error, and no signal.
    signal(SIGPIPE, SIG_IGN)
  }

  /// The processes of the children that wait for a file.
  package var idleProcesses: [Int32] { idle.withLock { $0.map(\.processIdentifier) } }

  // MARK: - Work

  /// Opens a segment of a video, or a still picture where there is none, in a child, or in this process
  /// without children.
  ///
  /// - Parameter isOnDemand: Whether frames are left out, by the times that
  ///   ``FrameDecoder/next(from:)`` is asked for.
  static func open(
    _ url: URL, _ segment: VideoSegment?, isOnDemand: Bool = false, in children: MediaChildren?,
    interruption: InterruptCallback
  ) throws(VideoError) -> any FrameDecoder {
    if let children {
      let work =
        segment.map { MediaRequest.Work.frames($0, isOnDemand: isOnDemand) } ?? .stillPicture
      return try children.decoder(for: url, work, interruption: interruption)
    }
    return try MediaDecoder.open(
      url, as: segment == nil ? .stillPicture : .video, segment: segment ?? .whole,
      interruption: interruption)
  }

  /// The kind of a file by its content, found as files are opened; `nil` where it cannot be read.
  static func kind(of url: URL, in children: MediaChildren?) -> MediaKind? {
    // What kills a child is not tried in this process.
    guard let children else { return MediaFile.kind(of: url) }
    return children.kind(of: url)
  }

  /// Opens a file for its frames.
  func decoder(
    for url: URL, _ work: MediaRequest.Work, interruption: InterruptCallback
  ) throws(VideoError) -> any FrameDecoder {
    try withChild(interruption) { child throws(VideoError) in
      try ChildDecoder(child, for: url, work, interruption: interruption) { [weak self] in
        self?.give($0)
      }
    }
  }

  /// The frames of a video, decoded in a child; throws ``VideoError`` as ``VideoReader``.
  package func frames(of url: URL, isOnDemand: Bool = false) async throws -> AsyncFrames {
    try await VideoReader.read(ofFileAt: url, isOnDemand: isOnDemand, in: self)
  }

  /// The segments of a video as ``VideoSegmenter/segments(of:)`` finds them, by a child.
  package func segments(of url: URL, by segmenter: VideoSegmenter) async throws -> [VideoSegment] {
    try await BlockingThread.runInterruptibly { interruption in
      try self.segments(of: url, segmenter, interruption: interruption)
    }
  }

  func segments(
    of url: URL, _ segmenter: VideoSegmenter, interruption: InterruptCallback
  ) throws(VideoError) -> [VideoSegment] {
    guard case .segments(let segments) = try answer(url, .segments(segmenter), interruption) else {
      throw VideoError(
        .damaged, MessageText("decoderDied", ["file": url.path, "reason": "no answer"]))
    }
    return segments
  }

  private func kind(of url: URL) -> MediaKind? {
    guard case .kind(let kind)? = try? answer(url, .kind, InterruptCallback()) else { return nil }
    return kind
  }

  /// Does with a file that is no media what a check of ``MediaChild`` does, in a child.
  ///
  /// - Parameters:
  ///   - check: The check's name.
  ///   - name: The file's name in messages.
  /// - Throws: ``VideoError`` with what the check says of the file, or that the child has ended over it.
  package func check(_ url: URL, by check: String, as name: String) throws(VideoError) {
    let answer = try answer(url, .check(check, as: name), InterruptCallback(), name: name)
    guard case .good = answer else {
      throw VideoError(
        .damaged, MessageText("decoderDied", ["file": name, "reason": "no answer"]))
    }
  }

  private func answer(
    _ url: URL, _ work: MediaRequest.Work, _ interruption: InterruptCallback, name: String? = nil
  ) throws(VideoError) -> MediaAnswer {
    try withChild(interruption) { child throws(VideoError) in
      child.ask(MediaRequest(path: url.path, work: work))
      let answer = try child.answer(about: name ?? url.path, interruption)
      if !interruption.isCancelled { give(child) }
      return answer
    }
  }

  // MARK: - Children

  /// Begins work in a child; again in a new one where the child has died while it waited.
  private func withChild<R>(
    _ interruption: InterruptCallback, _ body: (MediaChildProcess) throws(VideoError) -> R
  ) throws(VideoError) -> R {
    var mayWait = true
    while true {
      let (child, hasWaited) = try take(mayWait)
      do throws(VideoError) {
        return try body(child)
      } catch {
        guard child.isBroken, hasWaited, !interruption.isCancelled else {
          if !interruption.isCancelled { give(child) }
          throw error
        }
        mayWait = false
      }
    }
  }

  private func take(
    _ mayHaveWaited: Bool
  ) throws(VideoError) -> (child: MediaChildProcess, hasWaited: Bool) {
    // One is started at a time: no child inherits the pipes of another one.
    let taken = idle.withLock { idle in
      Result { () throws(VideoError) in
        while mayHaveWaited, let child = idle.popLast() {
          if child.isRunning { return (child, true) }
        }
        return (try MediaChildProcess(executable), false)
      }
    }
    return try taken.get()
  }

  /// Keeps a child for the next file; one that is broken ends.
  private func give(_ child: MediaChildProcess) {
    let isKept = idle.withLock { idle in
      guard !child.isBroken, idle.count < Self.idleCount else { return false }
      idle.append(child)
      return true
    }
    if !isKept { child.end() }
  }
}

/// The frames of a file from a child.
private final class ChildDecoder: FrameDecoder, @unchecked Sendable {
  let url: URL
  /// Its path, for messages.
  private let file: String
  let interruption: InterruptCallback
  let description: TrackDescription
  private(set) var damage = DamageReport()
  private let child: MediaChildProcess
  private let release: @Sendable (MediaChildProcess) -> Void
  private let pool = PixelBufferPool(capacity: 6)
  private let isOnDemand: Bool
  private var isAtEnd = false
  /// Whether the child waits to be asked for a frame.
  private var isWaiting = false

  init(
    _ child: MediaChildProcess, for url: URL, _ work: MediaRequest.Work,
    interruption: InterruptCallback, release: @escaping @Sendable (MediaChildProcess) -> Void
  ) throws(VideoError) {
    (self.url, self.interruption, self.child, self.release) = (url, interruption, child, release)
    file = url.path
    isOnDemand = if case .frames(_, isOnDemand: true) = work { true } else { false }
    child.ask(MediaRequest(path: file, work: work))
    guard case .opened(let description) = try child.answer(about: file, interruption) else {
      throw child.failure(about: file)
    }
    self.description = description
    isWaiting = isOnDemand
  }

  deinit {
    guard !isAtEnd else { return }
    guard isWaiting else { return child.end() }
    child.leaveFile()
    release(child)
  }

  func next(from time: Int) throws(VideoError) -> TemporalFeature<Frame>? {
    do throws(VideoError) {
      if isOnDemand, !isAtEnd {
        isWaiting = false
        child.ask(from: time)
      }
      let frame = try nextAnswer()
      isWaiting = isOnDemand && frame != nil
      return frame
    } catch {
      // What a child reports of a file is its last answer.
      end()
      throw error
    }
  }

  /// Gives the child back, before the reader knows that there are no more frames.
  private func end() {
    guard !isAtEnd else { return }
    isAtEnd = true
    release(child)
  }

  private func nextAnswer() throws(VideoError) -> TemporalFeature<Frame>? {
    guard !isAtEnd, !interruption.isCancelled else { return nil }
    switch try child.answer(about: file, interruption) {
    case .frame(let width, let height, let start, let end):
      let limits = VideoDecoder.Limits.stillPicture
      guard (1...Int(limits.side)).contains(width), (1...Int(limits.side)).contains(height),
        width * height <= limits.pixelCount, start < end
      else { throw child.failure(about: file) }
      let buffer = PixelBuffer(byteCount: 4 * width * height, pool: pool)
      try child.read(into: buffer.bytes, about: file, interruption)
      if interruption.isCancelled { return nil }
      return TemporalFeature(
        id: TemporalSegmentIdentifier(
          source: url.absoluteURL.path, range: start..<end, timescale: AsyncFrames.timescale),
        feature: Frame(width: width, height: height, buffer: buffer))
    case .end(let counts):
      damage = DamageReport(counts)
      end()
      return nil
    default:
      if interruption.isCancelled { return nil }
      throw child.failure(about: file)
    }
  }
}
