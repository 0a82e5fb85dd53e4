import Foundation
import Kinema
import Synchronization

/// The frames that a client sends to a job, in their order.
final class WorkerInbox: Sendable {
  /// How many frames may wait: what a client sends ahead of the answers.
  static let limit = 64

  let frames: AsyncStream<WorkerRequest.Frame>
  private let entry: AsyncStream<WorkerRequest.Frame>.Continuation
  private let overflow = Atomic(false)

  /// Whether more frames came than may wait, which ends them.
  var hasOverflowed: Bool { overflow.load(ordering: .relaxed) }

  init() {
    (frames, entry) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
  }

  func add(_ frame: WorkerRequest.Frame) {
    guard case .dropped = entry.yield(frame) else { return }
    overflow.store(true, ordering: .relaxed)
    entry.finish()
  }

  /// Ends the frames; those that wait still come.
  func finish() { entry.finish() }
}
