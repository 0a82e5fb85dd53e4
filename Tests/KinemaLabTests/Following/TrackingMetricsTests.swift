import KinemaLab
import Testing

/// The expected values are worked out by hand from the definitions.
@Suite struct TrackingMetricsTests {
  /// Frames in which each true object is reported under an id at a similarity, if it is.
  private func frames(_ reports: [[Int?]], similarity: Double = 1) -> [TrackedFrame] {
    reports.map { ids in
      TrackedFrame(
        truths: Array(1...ids.count), reports: ids.compactMap(\.self),
        similarity: ids.indices.map { truth in
          ids.enumerated().filter { $1 != nil }.map { $0.offset == truth ? similarity : 0 }
        })
    }
  }

  private func isClose(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) < 1e-9
  }

  @Test("perfect tracks have 1 everywhere")
  func perfect() {
    let metrics = TrackingMetrics(frames(Array(repeating: [7, 8], count: 10)))
    #expect(isClose(metrics.hota, 1) && isClose(metrics.detA, 1) && isClose(metrics.assA, 1))
    #expect(metrics.mota == 1 && metrics.idf1 == 1 && metrics.idSwitches == 0)
  }

  @Test("two ids exchanged half-way are two switches and half of all identities")
  func swap() {
    let metrics = TrackingMetrics(
      frames(Array(repeating: [7, 8], count: 5) + Array(repeating: [8, 7], count: 5)))
    #expect(metrics.idSwitches == 2)
    #expect(isClose(metrics.mota, 1 - 2.0 / 20))
    #expect(isClose(metrics.idf1, 0.5))
    // Each match: 5 frames together of 10 + 10 - 5 with either.
    #expect(isClose(metrics.detA, 1) && isClose(metrics.assA, 1.0 / 3))
    #expect(isClose(metrics.hota, (1.0 / 3).squareRoot()))
  }

  @Test("a new id half-way is one switch")
  func split() {
    let metrics = TrackingMetrics(
      frames(Array(repeating: [7], count: 6) + Array(repeating: [9], count: 4)))
    #expect(metrics.idSwitches == 1)
    #expect(isClose(metrics.mota, 0.9))
    // 6 frames match the first id, 4 are missed and 4 are of a false one: 6 / (6 + 4 / 2 + 4 / 2).
    // Of 6 frames .6 are associated, of 4 frames .4.
    #expect(isClose(metrics.idf1, 6 / 10.0))
    #expect(isClose(metrics.assA, 5.2 / 10))
  }

  @Test("false positives and misses count against detection, not against association")
  func falsePositivesAndMisses() {
    var reported = frames(Array(repeating: [7], count: 10))
    for index in 0..<5 {
      reported[index].reports.append(20 + index)
      reported[index].similarity[0].append(0)
    }
    let doubled = TrackingMetrics(reported)
    #expect(isClose(doubled.mota, 0.5) && isClose(doubled.detA, 10.0 / 15))
    #expect(isClose(doubled.assA, 1) && isClose(doubled.idf1, 10 / 12.5))
    let missed = TrackingMetrics(
      frames(Array(repeating: [7], count: 4) + Array(repeating: [nil], count: 6)))
    #expect(isClose(missed.mota, 0.4) && isClose(missed.detA, 0.4))
    #expect(isClose(missed.assA, 0.4) && isClose(missed.idf1, 4 / (4 + 0.5 * 6)))
    #expect(missed.idSwitches == 0)
  }

  @Test("similarity decides the thresholds of HOTA that a pair passes, and 0.5 those of the others")
  func similarity() {
    let near = TrackingMetrics(frames(Array(repeating: [7], count: 10), similarity: 0.6))
    #expect(isClose(near.hota, 12.0 / 19) && near.mota == 1 && near.idf1 == 1)
    let far = TrackingMetrics(frames(Array(repeating: [7], count: 10), similarity: 0.3))
    #expect(isClose(far.hota, 6.0 / 19) && far.mota == -1 && far.idf1 == 0)
  }

  @Test("an id keeps its person while another report is more similar")
  func continuity() {
    var reported = frames([[7], [7]])
    reported[1] = TrackedFrame(truths: [1], reports: [7, 8], similarity: [[0.6, 0.9]])
    #expect(TrackingMetrics(reported).idSwitches == 0)
  }

  @Test("metrics add up over sequences by their counts")
  func sums() {
    var metrics = TrackingMetrics(frames(Array(repeating: [7], count: 10)))
    metrics += TrackingMetrics(frames(Array(repeating: [nil], count: 30)))
    #expect(isClose(metrics.detA, 0.25) && isClose(metrics.assA, 1))
    #expect(isClose(metrics.mota, 0.25) && isClose(metrics.idf1, 10 / 25))
    #expect(TrackingMetrics().hota == 0 && TrackingMetrics().idf1 == 0)
  }
}
