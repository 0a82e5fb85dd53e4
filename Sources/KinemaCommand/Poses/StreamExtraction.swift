import Foundation
import Kinema
import Synchronization

/// The way from a stream to poses: until it ends, for a number of seconds, or until Ctrl-C.
///
/// Ctrl-C is a way to end, not a failure: what was found is kept.
struct StreamExtraction {
  let operand: StreamOperand
  let subject: PoseSubject
  /// How many seconds are looked at; `nil` for no limit.
  var seconds: Double?

  /// A frame, and how many came before it while nobody was ready for them.
  private struct Arrival: Sendable {
    let frame: TemporalFeature<Frame>
    let droppedCount: Int
  }

  /// Looks at every frame that comes in time.
  ///
  /// - Parameters:
  ///   - stop: Ends the work, as the end of the stream does.
  ///   - body: Takes each frame as soon as its poses are known.
  func run(
    until stop: StopRequest, _ body: (PoseExtraction.Step) async throws -> Void
  ) async throws {
    let channel = AsyncChannel<Arrival>()
    let failure = Mutex<(any Error)?>(nil)
    let feeder = Task {
      do {
        try await feed(channel)
      } catch is CancellationError {
      } catch {
        failure.withLock { $0 = error }
      }
      channel.finish()
    }
    stop.whenRequested { feeder.cancel() }
    subject.precision.tellWhereMissing()
    let finder = subject.clipFinder()
    var progress = ProgressBar(operand.source.name, total: nil)
    defer {
      feeder.cancel()
      progress.finish()
    }
    var index = 0
    var droppedCount = 0
    for await arrival in channel {
      let time = arrival.frame.id.rangeInSeconds.lowerBound
      if let seconds, time >= seconds { break }
      if StandardStreams.outputIsClosed { throw ClosedOutput() }
      let picture = arrival.frame.feature
      try await body(
        PoseExtraction.Step(
          index: index, time: time, size: (picture.width, picture.height), frame: arrival.frame,
          poses: try await finder.poses(arrival.frame)))
      index += 1
      droppedCount = arrival.droppedCount
      progress.update(index)
    }
    if let error = failure.withLock({ $0 }) { throw error }
    guard index > 0 else {
      throw CommandFailure(
        .unavailable, "\(operand.source.name) has sent no picture; check that it runs.")
    }
    if droppedCount > 0 {
      StandardStreams.printMessage(
        "kinema: \(droppedCount) pictures of \(index + droppedCount) were left out: they came "
          + "faster than they could be looked at.")
    }
  }

  private func feed(_ channel: AsyncChannel<Arrival>) async throws {
    guard await !operand.waits() else {
      for try await frame in StreamFrames(operand.source) {
        await channel.send(Arrival(frame: frame, droppedCount: 0))
      }
      return
    }
    // A source that sends nothing must not keep a run of so many seconds for ever.
    let limit = seconds.map { limit in
      Task {
        try await Task.sleep(for: .seconds(limit + Self.grace))
        channel.finish()
      }
    }
    defer { limit?.cancel() }
    var hasBegun = false
    for await event in LiveVideoReader(operand.source).events() {
      switch event {
      case .frame(let frame, let time, let droppedCount):
        hasBegun = true
        await channel.send(
          Arrival(
            frame: TemporalFeature(
              id: TemporalSegmentIdentifier(
                source: operand.source.name, range: Self.range(at: time),
                timescale: Self.timescale), feature: frame), droppedCount: droppedCount))
      case .status(let status) where status.state != .live && (hasBegun || status.attempt > 0):
        StandardStreams.printMessage("kinema: \(status.message)")
        if status.state == .ended { return }
      case .status(let status) where status.state == .ended:
        throw CommandFailure(.unavailable, status.message)
      case .status: break
      }
    }
  }

  /// How much longer than asked for a source is waited for, in seconds.
  private static let grace = 10.0
  private static let timescale = 1_000_000

  private static func range(at time: TimeInterval) -> Range<Int> {
    let start = Int((time * Double(timescale)).rounded())
    return start..<start + timescale / 30
  }
}

/// Does work that a polite request to end (Ctrl-C) stops taking in more, and lets finish.
func endingOnRequest<Result: Sendable>(
  _ work: @escaping @Sendable (_ stop: StopRequest) async throws -> Result
) async throws -> Result {
  let stop = StopRequest()
  let task = Task { try await work(stop) }
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    stop.request()
  }
}

/// Tells work that it is to end.
final class StopRequest: Sendable {
  private let handler = Mutex<(isRequested: Bool, body: (@Sendable () -> Void)?)>((false, nil))

  /// Has `body` run at the request, or now if that was made.
  func whenRequested(_ body: @escaping @Sendable () -> Void) {
    let isLate = handler.withLock { state in
      state.body = body
      return state.isRequested
    }
    if isLate { body() }
  }

  func request() {
    let body = handler.withLock { state in
      state.isRequested = true
      return state.body
    }
    body?()
  }
}
