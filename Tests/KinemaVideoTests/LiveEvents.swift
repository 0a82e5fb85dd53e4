import Foundation
import KinemaTestSupport
import KinemaVideo
import Synchronization

/// Reads a live source's events, one after the other, as a test wants them.
struct LiveEvents {
  private var iterator: AsyncStream<LiveVideoEvent>.Iterator
  /// All statuses of the source.
  private(set) var statuses: [LiveSourceStatus] = []
  /// The times of all pictures.
  private(set) var times: [TimeInterval] = []
  private(set) var droppedCount = 0

  init(_ reader: LiveVideoReader) {
    iterator = reader.events().makeAsyncIterator()
  }

  init(_ source: LiveSource) {
    self.init(LiveVideoReader(source, policy: .quick))
  }

  mutating func next() async -> LiveVideoEvent? {
    let event = await iterator.next()
    switch event {
    case .status(let status): statuses.append(status)
    case .frame(_, let time, let count):
      times.append(time)
      droppedCount = count
    case nil: break
    }
    return event
  }

  /// Reads on until the source says that it is in a state; `nil` where the events end before.
  @discardableResult
  mutating func status(_ state: LiveSourceStatus.State) async -> LiveSourceStatus? {
    while let event = await next() {
      if case .status(let status) = event, status.state == state { return status }
    }
    return nil
  }

  /// Reads on until a picture comes that is as wanted; `nil` where the events end before.
  @discardableResult
  mutating func frame(where isWanted: (Frame) -> Bool = { _ in true }) async -> Frame? {
    while let event = await next() {
      if case .frame(let frame, _, _) = event, isWanted(frame) { return frame }
    }
    return nil
  }

  /// Reads some pictures.
  mutating func frames(_ count: Int) async -> [Frame] {
    var frames: [Frame] = []
    while frames.count < count, let frame = await frame() { frames.append(frame) }
    return frames
  }

  /// Whether the times of all pictures rise.
  var timesRise: Bool { zip(times, times.dropFirst()).allSatisfy { $0 < $1 } }
}

extension ReconnectPolicy {
  /// For tests that do not wait.
  static let quick = {
    var policy = ReconnectPolicy()
    (policy.staleAfter, policy.readTimeout) = (.milliseconds(600), .milliseconds(1500))
    (policy.firstPause, policy.longestPause) = (.milliseconds(50), .milliseconds(200))
    policy.openTimeout = .seconds(5)
    return policy
  }()
}

/// A live source that does what a closure says for each picture, counted from 0.
final class ScriptedStream: LiveFrameStream {
  let isPaced: Bool
  private let script: (Int) throws -> (frame: Frame, stamp: TimeInterval?)?
  private let onClose: @Sendable () -> Void
  private var index = 0

  init(
    isPaced: Bool = false, onClose: @escaping @Sendable () -> Void = {},
    _ script: @escaping (Int) throws -> (frame: Frame, stamp: TimeInterval?)?
  ) {
    self.isPaced = isPaced
    self.onClose = onClose
    self.script = script
  }

  deinit { onClose() }

  func next() throws -> (frame: Frame, stamp: TimeInterval?)? {
    defer { index += 1 }
    return try script(index)
  }
}

/// Something that one thread says and another waits for.
final class Flag: Sendable {
  private let value = Atomic(false)

  func raise() { value.store(true, ordering: .sequentiallyConsistent) }
  var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }

  /// Waits for a generous while, on a thread that runs no tasks.
  ///
  /// - Returns: Whether it was not in vain.
  func wait() -> Bool {
    eventually(within: 20, every: 0.005) { isRaised }
  }

  /// Waits on a thread of its own.
  func isRaisedSoon() async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait()) }
    }
  }
}
