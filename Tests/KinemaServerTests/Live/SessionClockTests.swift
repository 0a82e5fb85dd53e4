import KinemaServer
import Testing

@Suite("The clock of a session")
struct SessionClockTests {
  @Test("the sender's intervals apply, also when frames arrive faster than they were captured")
  func steps() {
    var clock = SessionClock()
    #expect(clock.advance(to: 1000, arrivedAt: 5) == 0)
    #expect(abs(clock.advance(to: 1000.033, arrivedAt: 5.001) - 0.033) < 1e-9)
    #expect(abs(clock.advance(to: 1000.066, arrivedAt: 5.002) - 0.066) < 1e-9)
    // Nothing came for a minute on either clock.
    #expect(abs(clock.advance(to: 1060.066, arrivedAt: 65.002) - 60.066) < 1e-9)
  }

  @Test("a clock that runs backwards, stands or jumps is replaced by the time of arrival")
  func wrongSteps() {
    var clock = SessionClock()
    _ = clock.advance(to: 1000, arrivedAt: 5)
    #expect(abs(clock.advance(to: 990, arrivedAt: 5.04) - 0.04) < 1e-9)
    // From there, its steps hold again.
    #expect(abs(clock.advance(to: 990.03, arrivedAt: 5.08) - 0.07) < 1e-9)
    #expect(abs(clock.advance(to: 1e300, arrivedAt: 5.11) - 0.1) < 1e-9)
    #expect(clock.advance(to: 1e300, arrivedAt: 5.11) > 0.1)
    #expect(clock.time.isFinite)
  }
}
