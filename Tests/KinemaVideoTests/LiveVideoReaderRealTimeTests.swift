import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Synchronization
import Testing

/// How a source is read whatever it is; the sources are scripted.
@Suite(.timeLimit(.minutes(10)))
struct LiveVideoReaderRealTimeTests {
  private let picture = Frame.sample(1, width: 8, height: 8)

  private func reader(
    _ open: @escaping @Sendable () throws -> any LiveFrameStream
  ) -> LiveVideoReader {
    LiveVideoReader(name: "The source", policy: .quick, open: open)
  }

  @Test("pictures that are made ahead are given at their own rate")
  func paces() async {
    let picture = picture
    var events = LiveEvents(
      reader { ScriptedStream(isPaced: true) { (picture, Double($0) * 0.05) } })
    let start = ContinuousClock.now
    _ = await events.frames(9)
    #expect(ContinuousClock.now - start > .milliseconds(350))
    #expect(events.timesRise)
    #expect(events.statuses.map(\.state) == [.connecting, .live])
    #expect(events.statuses.allSatisfy { $0.message.hasPrefix("The source") })
  }

  @Test("a slow listener gets the newest frame, and the number of dropped ones")
  func dropsLatePictures() async {
    let hasMadeAll = Flag()
    let mayEnd = Flag()
    var events = LiveEvents(
      reader {
        ScriptedStream { index in
          if index == 20 {
            hasMadeAll.raise()
            _ = mayEnd.wait()
            return nil
          }
          return (Frame.sample(index, width: 8, height: 8), Double(index))
        }
      })
    #expect(await hasMadeAll.isRaisedSoon())
    await events.status(.live)
    let frame = await events.frame()
    mayEnd.raise()
    #expect(frame?.color(x: 0, y: 0)[2] == 19 * 8)
    #expect(events.droppedCount == 19)
  }

  @Test("statuses wait for a slow listener, all of them, in their order")
  func keepsStatuses() async {
    let attempts = Atomic(0)
    let picture = picture
    let isDone = Flag()
    var events = LiveEvents(
      reader {
        let attempt = attempts.add(1, ordering: .relaxed).newValue
        switch attempt {
        case 1: return ScriptedStream { $0 < 2 ? (picture, nil) : nil }
        case 2: throw VideoError(.sourceUnavailable, "The source is away.")
        default:
          isDone.raise()
          throw PermanentFailure(VideoError(.unsupportedCodec, "The source is over."))
        }
      })
    #expect(await isDone.isRaisedSoon())
    while await events.next() != nil {}
    #expect(
      events.statuses.map(\.state) == [
        .connecting, .live, .reconnecting, .reconnecting, .reconnecting, .reconnecting, .ended,
      ])
    #expect(events.statuses.map(\.attempt) == [0, 0, 0, 0, 1, 1, 1])
    #expect(events.statuses[2].retryIn == 0.05)
    #expect(events.statuses[3].retryIn == nil)
    #expect(events.statuses[4].message == "The source is away.")
    #expect(events.statuses[6].message == "The source is over.")
    #expect(events.times.count == 1)
  }

  @Test("a source that is held up is stale, and live again with its next picture")
  func becomesStale() async {
    let mayGoOn = Flag()
    let picture = picture
    var events = LiveEvents(
      reader {
        ScriptedStream(isPaced: true) { index in
          if index == 2 { _ = mayGoOn.wait() }
          return (picture, Double(index) * 0.02)
        }
      })
    let stale = await events.status(.stale)
    #expect(stale != nil)
    mayGoOn.raise()
    await events.status(.live)
    _ = await events.frames(3)
    #expect(events.statuses.map(\.state) == [.connecting, .live, .stale, .live])
    #expect(events.timesRise)
  }

  @Test("time continues while a source is away")
  func keepsTimeAcrossGaps() async {
    let picture = picture
    var events = LiveEvents(
      reader { ScriptedStream(isPaced: true) { $0 < 4 ? (picture, 500 + Double($0) / 50) : nil } })
    _ = await events.frames(14)
    #expect(events.timesRise)
    #expect(zip(events.times, events.times.dropFirst()).contains { $1 - $0 >= 0.05 })
  }

  @Test(
    "a source whose clock jumps continues at once, drops no frame, and its times increase evenly",
    arguments: [-4 * 3600.0, 7 * 3600.0], [true, false])
  func survivesClockJumps(jump: Double, isPaced: Bool) async {
    let count = 40
    // Each picture waits until the one before was read, so that none is late.
    let reads = Atomic(0)
    var policy = ReconnectPolicy.quick
    policy.readTimeout = .seconds(60)
    var events = LiveEvents(
      LiveVideoReader(name: "The source", policy: policy) {
        ScriptedStream(isPaced: isPaced) { index in
          eventually(every: 0.0005) { reads.load(ordering: .relaxed) >= index }
          if index >= count { return nil }
          if !isPaced { usleep(10_000) }
          return (
            Frame.sample(index, width: 8, height: 8),
            20_000 + Double(index) * 0.02 + (index < count / 2 ? 0 : jump)
          )
        }
      })
    let start = ContinuousClock.now
    var numbers: [Int] = []
    while numbers.count < count, let frame = await events.frame() {
      numbers.append(frame.color(x: 0, y: 0)[2] / 8)
      reads.add(1, ordering: .relaxed)
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(numbers == (0..<count).map { $0 % 32 })
    #expect(events.droppedCount == 0)
    #expect(events.timesRise)
    #expect(!events.statuses.contains { $0.state == .reconnecting })
    // Never further ahead than what has passed here.
    #expect(events.times.last ?? .infinity < seconds + LiveClock.longestLead)
  }

  @Test("windows over a source that was away hold pictures from before or after, never both")
  func cutsWindows() async throws {
    let picture = picture
    var policy = ReconnectPolicy.quick
    policy.firstPause = .milliseconds(1300)
    policy.longestPause = .milliseconds(1300)
    let reader = LiveVideoReader(name: "The source", policy: policy) {
      ScriptedStream(isPaced: true) { $0 < 50 ? (picture, Double($0) * 0.02) : nil }
    }
    let frames = AsyncStream<TemporalFeature<Int>> { continuation in
      let task = Task {
        var index = 0
        for await event in reader.events() {
          guard case .frame(_, let time, _) = event else { continue }
          let start = Int(time * 1_000_000)
          let id = TemporalSegmentIdentifier(
            source: "camera", range: start..<start + 1000, timescale: 1_000_000)
          continuation.yield(TemporalFeature(id: id, feature: index))
          index += 1
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
    var windows = try SlidingWindowTransformer<Int>(stride: 1, length: 5)
      .applied(to: AnyTemporalSequence(frames, count: nil), eventHandler: nil)
      .makeAsyncIterator()
    // Until there was a window before a gap and one after it; a busy machine may lose pictures.
    var end = Double.infinity
    while let window = try await windows.next() {
      let times = windows.valueIdentifiers.map(\.rangeInSeconds.lowerBound)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 1 })
      #expect(window.feature == Array(window.feature[0]..<window.feature[0] + 5))
      if times[0] - end > 1 { break }
      end = times[4]
    }
  }

  @Test("cancelling the listener ends the source", arguments: [true, false])
  func endsWithListener(isPaced: Bool) async {
    let isClosed = Flag()
    let picture = picture
    let reader = reader {
      ScriptedStream(isPaced: isPaced, onClose: { isClosed.raise() }) { index in
        if !isPaced { usleep(1000) }
        return (picture, Double(index) * 4)
      }
    }
    let task = Task {
      var count = 0
      for await event in reader.events() {
        if case .frame = event { count += 1 }
        if count > 0 { break }
      }
      for await _ in reader.events() {}
      return Task.isCancelled
    }
    // The first events are dropped with the loop, the second ones by cancelling.
    #expect(await isClosed.isRaisedSoon())
    task.cancel()
    #expect(await task.value)
  }

  @Test("a source that waits to be tried again ends at once when it is cancelled")
  func endsDuringPause() async {
    let isReleased = Flag()
    final class Token: Sendable {
      let flag: Flag
      init(_ flag: Flag) { self.flag = flag }
      deinit { flag.raise() }
    }
    var policy = ReconnectPolicy.quick
    policy.firstPause = .seconds(600)
    policy.longestPause = .seconds(600)
    do {
      let token = Token(isReleased)
      var events = LiveEvents(
        LiveVideoReader(name: "The source", policy: policy) {
          _ = token
          throw VideoError(.sourceUnavailable, "The source is away.")
        })
      #expect(await events.status(.reconnecting)?.retryIn == 600)
    }
    #expect(await isReleased.isRaisedSoon())
  }
}
