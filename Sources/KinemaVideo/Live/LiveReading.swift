import Dispatch
import Synchronization

/// Stops a live source's thread, also while it waits.
final class LiveStop: Sendable {
  let interruption = InterruptCallback()
  private let signal = DispatchSemaphore(value: 0)

  var isCancelled: Bool { interruption.isCancelled }

  func cancel() {
    interruption.cancel()
    signal.signal()
  }

  /// Waits; `false` if stopped.
  func sleep(seconds: Double) -> Bool {
    let seconds = min(seconds, interruption.secondsToLimit)
    if seconds > 0, signal.wait(timeout: .now() + seconds) == .success { signal.signal() }
    return !isCancelled
  }
}

/// A live source being read; stops when released.
final class LiveReading: Sendable {
  private let mailbox = LiveMailbox()
  private let stop: LiveStop

  init(
    name: String, policy: ReconnectPolicy, stop: LiveStop = LiveStop(),
    open: @escaping @Sendable (LiveStop) throws -> any LiveFrameStream
  ) {
    self.stop = stop
    let worker = LiveWorker(name: name, policy: policy, mailbox: mailbox, stop: stop, open: open)
    do {
      try BlockingThread.start { worker.run() }
    } catch {
      mailbox.post(LiveSourceStatus(state: .ended, message: error.message, text: error.text))
      mailbox.finish()
    }
  }

  deinit { cancel() }

  /// Stops reading and ends the events.
  func cancel() {
    stop.cancel()
    mailbox.cancel()
  }

  /// The events, until the task is cancelled or the source has ended.
  var events: AsyncStream<LiveVideoEvent> {
    AsyncStream {
      await self.next()
    } onCancel: {
      self.cancel()
    }
  }

  func next() async -> LiveVideoEvent? {
    let event = await mailbox.next()
    if event == nil { stop.cancel() }
    return event
  }
}

/// The work of a live source's thread.
private final class LiveWorker: Sendable {
  private let mailbox: LiveMailbox
  private let stop: LiveStop
  private let name: String
  private let watchInterval: Double
  private let open: @Sendable (LiveStop) throws -> any LiveFrameStream
  private let monitor: Mutex<LiveSourceMonitor>

  init(
    name: String, policy: ReconnectPolicy, mailbox: LiveMailbox, stop: LiveStop,
    open: @escaping @Sendable (LiveStop) throws -> any LiveFrameStream
  ) {
    self.name = name
    self.mailbox = mailbox
    self.stop = stop
    self.open = open
    watchInterval = max(0.02, min(0.25, policy.staleAfter.seconds / 8))
    monitor = Mutex(LiveSourceMonitor(name: name, policy: policy))
  }

  func run() {
    let watch = watchForSilence()
    defer {
      watch.cancel()
      mailbox.finish()
    }
    var clock = LiveClock()
    while !stop.isCancelled {
      post { $0.attemptBegins(at: $1) }
      let message: String
      let text: MessageText?
      do {
        clock.beginConnection()
        var stream = try open(stop)
        try pass(&stream, clock: &clock)
        let ended = MessageText("sourceEnded", ["source": name])
        (message, text) = (ended.sentence, ended)
      } catch let failure as PermanentFailure {
        post { monitor, _ in monitor.ended(failure.error.message, failure.error.text) }
        return
      } catch let error as VideoError {
        (message, text) = (error.message, error.text)
      } catch {
        let failed = MessageText("sourceFailed", ["source": name, "reason": "\(error)"])
        (message, text) = (failed.sentence, failed)
      }
      guard !stop.isCancelled else { return }
      let pause = post { $0.failed(message, text, at: $1) }?.retryIn ?? 0
      guard stop.sleep(seconds: pause) else { return }
    }
  }

  /// Passes on all frames of a connection.
  private func pass(_ stream: inout any LiveFrameStream, clock: inout LiveClock) throws {
    while !stop.isCancelled, let picture = try stream.next() {
      if stream.isPaced {
        let wait = clock.wait(stamp: picture.stamp, now: MonotonicTime.seconds)
        monitor.withLock { $0.pictureWaits(until: MonotonicTime.seconds + wait) }
        guard stop.sleep(seconds: wait) else { return }
      }
      let time = clock.time(stamp: picture.stamp, arrival: MonotonicTime.seconds)
      post { $0.pictureCame(at: $1) }
      mailbox.post(picture.frame, time: time)
    }
  }

  /// Detects missing frames on its own queue, even if the thread is blocked.
  private func watchForSilence() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "live source watch"))
    timer.schedule(deadline: .now() + watchInterval, repeating: watchInterval)
    timer.setEventHandler { [weak self] in
      guard let self else { return }
      post { monitor, now in
        monitor.pictureWaits(until: stop.interruption.pictureTime)
        return monitor.timePassed(now: now)
      }
      // The thread may be blocked by the look-up of a name.
      if stop.isCancelled { mailbox.finish() }
    }
    timer.resume()
    return timer
  }

  @discardableResult
  private func post(
    _ decide: (inout LiveSourceMonitor, Double) -> LiveSourceStatus?
  ) -> LiveSourceStatus? {
    monitor.withLock { monitor in
      let status = decide(&monitor, MonotonicTime.seconds)
      if let status { mailbox.post(status) }
      return status
    }
  }
}
