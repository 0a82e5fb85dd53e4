import KinemaVideo

package struct StageTimes: Sendable {
  package enum Stage: Int, CaseIterable, Sendable {
    case sampling
    case detector
    case landmarks
    case decoding
  }

  package private(set) var seconds = [Double](repeating: 0, count: Stage.allCases.count)
  package private(set) var counts = [Int](repeating: 0, count: Stage.allCases.count)
  package var isMeasuring = false

  package init() {}

  @inline(__always)
  mutating func measure<R, E: Error>(_ stage: Stage, _ body: () throws(E) -> R) throws(E) -> R {
    guard isMeasuring else { return try body() }
    let start = ThreadTime.seconds
    defer {
      seconds[stage.rawValue] += ThreadTime.seconds - start
      counts[stage.rawValue] += 1
    }
    return try body()
  }
}
