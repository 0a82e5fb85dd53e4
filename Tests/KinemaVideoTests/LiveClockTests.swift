import KinemaRandom
import KinemaVideo
import Testing

/// The clock of live pictures, driven by hand.
struct LiveClockTests {
  /// The times of pictures that come at the given moments with the given time stamps.
  private func times(_ pictures: [(arrival: Double, stamp: Double?)]) -> [Double] {
    var clock = LiveClock()
    return pictures.map { clock.time(stamp: $0.stamp, arrival: $0.arrival) }
  }

  @Test("times follow the source's own stamps rather than their jittering arrival")
  func followsStamps() {
    let times = times(
      (0..<30).map { index in
        let late = index % 3 == 0 ? 0.02 : 0
        return (arrival: 50 + Double(index) / 30 + late, stamp: 900 + Double(index) / 30)
      })
    for (index, time) in times.enumerated() {
      #expect(abs(time - Double(index) / 30) < 0.003)
    }
  }

  @Test("without stamps times are those of arrival")
  func followsArrival() {
    #expect(times([(7, nil), (7.5, nil), (9, nil)]).map { ($0 * 100).rounded() } == [0, 50, 200])
  }

  @Test(
    "where time stamps jump, local time applies", arguments: [-800.0, 800, 1.2])
  func survivesJumps(jump: Double) {
    let stamps = [100, 100.1, 100.2 + jump, 100.3 + jump, 100.4 + jump]
    let times = times(zip([0, 0.1, 0.2, 0.3, 0.4], stamps).map { ($0, $1) })
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 10) < 0.002) }
  }

  @Test("after a gap the time has gone on, whether or not the stamps have")
  func survivesGaps() {
    let times = times([(0, 0), (0.1, 0.1), (10, 0.2), (10.1, 0.3), (20, 10.2)])
    #expect(abs(times[2] - 10) < 0.02)
    #expect(abs(times[3] - 10.1) < 0.02)
    #expect(abs(times[4] - 20) < 0.05)
  }

  @Test("a second connection's stamps mean nothing beside the first one's")
  func survivesReconnection() {
    var clock = LiveClock()
    _ = clock.time(stamp: 5, arrival: 0)
    _ = clock.time(stamp: 5.1, arrival: 0.1)
    clock.beginConnection()
    #expect(abs(clock.time(stamp: 5.2, arrival: 3) - 3) < 0.01)
    #expect(abs(clock.time(stamp: 5.3, arrival: 3.1) - 3.1) < 0.01)
  }

  @Test("times increase for any time stamps")
  func alwaysRises() {
    var generator = SeededGenerator(seed: 4)
    var clock = LiveClock()
    var arrival = 0.0
    var last = -1.0
    for _ in 0..<20_000 {
      arrival += Double.random(in: 0...0.1, using: &generator)
      let stamps: [Double?] = [
        nil, .nan, .infinity, -.infinity, 0, arrival, -arrival, 1e300,
        Double.random(in: -10...10, using: &generator),
      ]
      let stamp = stamps[Int.random(in: 0..<stamps.count, using: &generator)]
      if Int.random(in: 0..<20, using: &generator) == 0 { clock.beginConnection() }
      let wait = clock.wait(stamp: stamp, now: arrival)
      #expect((0...LiveClock.longestWait).contains(wait))
      let time = clock.time(stamp: stamp, arrival: arrival)
      #expect(time > last && time < arrival + 25)
      last = time
    }
  }

  @Test("a source's clock that runs a little fast is followed for hours")
  func followsDrift() {
    var clock = LiveClock()
    var last = 0.0
    for index in 0..<300_000 {
      let arrival = Double(index) / 30
      let time = clock.time(stamp: arrival * 1.0004, arrival: arrival)
      if index > 0 { #expect(abs(time - last - 1.0004 / 30) < 1e-6) }
      last = time
    }
  }

  @Test("pictures that are at hand wait for their time")
  func paces() {
    var clock = LiveClock()
    #expect(clock.wait(stamp: 3, now: 10) == 0)
    _ = clock.time(stamp: 3, arrival: 10)
    #expect(abs(clock.wait(stamp: 3.04, now: 10.01) - 0.03) < 1e-9)
    #expect(clock.wait(stamp: 3.04, now: 10.2) == 0)
    #expect(clock.wait(stamp: 900, now: 10.2) == 0)
    #expect(clock.wait(stamp: nil, now: 10.2) == 0)
  }
}
