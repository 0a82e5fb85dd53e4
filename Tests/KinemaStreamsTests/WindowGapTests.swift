import KinemaStreams
import Testing

/// Windows over values that do not come at a steady pace.
struct WindowGapTests {
  /// The windows of values that are shown at the given milliseconds.
  private func windows(
    _ milliseconds: [Int], lasting duration: Int = 1, stride: Int = 1, length: Int = 3,
    sources: [String] = []
  ) async throws -> [[Int]] {
    let values = AnyTemporalSequence<Int>(
      AsyncStream { continuation in
        for (index, time) in milliseconds.enumerated() {
          let source = index < sources.count ? sources[index] : "camera"
          continuation.yield(
            TemporalFeature(
              id: TemporalSegmentIdentifier(
                source: source, range: time..<time + duration, timescale: 1000), feature: index))
        }
        continuation.finish()
      }, count: nil)
    var iterator = try SlidingWindowTransformer<Int>(stride: stride, length: length)
      .applied(to: values, eventHandler: nil).makeAsyncIterator()
    var result: [[Int]] = []
    while let window = try await iterator.next() {
      #expect(window.id.range == window.feature[0]..<window.feature[0] + length)
      result.append(window.feature)
    }
    return result
  }

  @Test("a new window starts after a gap, and none spans it")
  func gap() async throws {
    let times = [0, 33, 66, 100, 3000, 3033, 3066, 3100]
    #expect(
      try await windows(times) == [[0, 1, 2], [1, 2, 3], [4, 5, 6], [5, 6, 7]])
    #expect(try await windows(times, stride: 3) == [[0, 1, 2], [4, 5, 6]])
    #expect(try await windows(times, stride: 5, length: 2) == [[0, 1], [4, 5]])
  }

  @Test("values that come seldom are no gaps, nor are those that last until the next")
  func seldom() async throws {
    #expect(try await windows([0, 2000, 4000, 6100, 8000]).count >= 2)
    #expect(try await windows([0, 2000, 4000, 6000], lasting: 2000).count == 2)
    #expect(try await windows([0, 100, 900, 1700]).count == 2)
  }

  @Test("a window holds values of one source, in the order of time")
  func sources() async throws {
    #expect(
      try await windows([0, 33, 66, 0, 33, 66]) == [[0, 1, 2], [3, 4, 5]])
    #expect(
      try await windows([0, 33, 66, 100, 133, 166], sources: ["a", "a", "b", "b", "b", "b"])
        == [[2, 3, 4], [3, 4, 5]])
  }
}
