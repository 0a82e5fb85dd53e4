import KinemaErrors
import KinemaVideo
import Testing

/// The statuses of a live source, driven by hand.
struct LiveSourceMonitorTests {
  private let policy = ReconnectPolicy()

  @Test("a source is connecting, live, stale and live again")
  func becomesStale() {
    var monitor = LiveSourceMonitor(name: "The camera", policy: policy)
    let begun = monitor.attemptBegins(at: 0)
    #expect(begun.state == .connecting)
    #expect(begun.text == MessageText("sourceConnects", ["source": "The camera"]))
    #expect(monitor.timePassed(now: 5) == nil)
    #expect(monitor.pictureCame(at: 6)?.state == .live)
    #expect(monitor.pictureCame(at: 6.1) == nil)
    #expect(monitor.timePassed(now: 8) == nil)
    #expect(monitor.timePassed(now: 9)?.state == .stale)
    #expect(monitor.timePassed(now: 10) == nil)
    #expect(monitor.pictureCame(at: 11)?.state == .live)
  }

  @Test("a picture that waits for its time does not make a source stale")
  func waits() {
    var monitor = LiveSourceMonitor(name: "The film", policy: policy)
    _ = monitor.attemptBegins(at: 0)
    _ = monitor.pictureCame(at: 1)
    monitor.pictureWaits(until: 5)
    #expect(monitor.timePassed(now: 5) == nil)
    #expect(monitor.timePassed(now: 8)?.state == .stale)
  }

  @Test("pauses double from half a second to five, and restart after a frame")
  func pauses() {
    var monitor = LiveSourceMonitor(name: "The camera", policy: policy)
    var pauses: [Double] = []
    for attempt in 1...6 {
      _ = monitor.attemptBegins(at: 0)
      let status = monitor.failed("It failed.", at: 0)
      #expect(status.state == .reconnecting && status.attempt == attempt)
      pauses.append(status.retryIn ?? 0)
    }
    #expect(pauses == [0.5, 1, 2, 4, 5, 5])
    let again = monitor.attemptBegins(at: 20)
    #expect(again.state == .reconnecting && again.retryIn == nil && again.attempt == 6)
    _ = monitor.pictureCame(at: 21)
    let lost = monitor.failed("It failed.", at: 30)
    #expect(lost.attempt == 0 && lost.retryIn == 0.5)
  }

  @Test("the time that an attempt took is part of the pause")
  func countsAttempts() {
    var monitor = LiveSourceMonitor(name: "The camera", policy: policy)
    for time in [0.0, 10, 20] {
      _ = monitor.attemptBegins(at: time)
      _ = monitor.failed("It failed.", at: time)
    }
    _ = monitor.attemptBegins(at: 30)
    #expect(monitor.failed("It failed.", at: 31).retryIn == 3)
    _ = monitor.attemptBegins(at: 40)
    #expect(monitor.failed("It failed.", at: 47).retryIn == 0.5)
  }

  @Test("with the default times a source that returns is seen within ten seconds")
  func isQuickEnough() {
    // It returns just after an attempt began that is to hang.
    #expect(policy.openTimeout + policy.firstPause <= .milliseconds(7500))
    #expect(policy.longestPause <= .seconds(5))
    #expect(policy.staleAfter + .milliseconds(500) <= .seconds(3))
  }
}
