import KinemaDepth
import KinemaPose

extension MotionTest {
  /// The longest gap in which a lifted foot seems to touch the floor, in seconds.
  private static let longestGap = 0.15
  /// The share of the height of a lifted foot below which it touches the floor.
  private static let touching = 0.5

  func stances(in course: PersonCourse) -> Assessment {
    var result = Assessment()
    let length = course.legLength
    // Above 0 where the left foot is higher.
    let rise = course.signal { moment in
      Double(moment.place(.leftAnkle).y - moment.place(.rightAnkle).y) / length
    }
    result.curves = [rise.curve("left foot above the right one", in: .percent, times: 100)]
    let hidden = course.hidden([
      .leftAnkle: "feet", .rightAnkle: "feet", .leftKnee: "knees", .rightKnee: "knees",
    ])
    guard hidden == nil, let time = course.time else {
      result.measurements = Side.allCases.reversed().map {
        .init("time", $0, in: .seconds, .unseen(hidden ?? ""))
      }
      return result
    }
    for side in Side.allCases.reversed() {
      // Who stands on the left leg lifts the right foot.
      let lifted = side == .left ? rise.negated() : rise
      let stances = stances(lifted)
      result.phases += stances.map { .init("stands", side, from: $0.start, to: $0.end) }
      guard let longest = stances.max(by: { $0.end - $0.start < $1.end - $1.start }) else {
        result.measurements.append(
          .init("time", side, in: .seconds, .unseen("the person does not stand on this leg alone")))
        continue
      }
      let seconds = min(longest.end - longest.start, self.seconds ?? .infinity)
      result.measurements.append(.init("time", side, in: .seconds, seconds, 0.15))
      if longest.end >= time.upperBound - 0.05, seconds < self.seconds ?? .infinity {
        result.notes.append(
          "On the \(side.rawValue) leg the person still stands when the video ends: it is at least this long."
        )
      }
    }
    result.phases.sort { $0.start < $1.start }
    result.notes.append("Whether arms or the standing foot move is not evaluated: watch for it.")
    return result
  }

  private func stances(_ lifted: Signal) -> [(start: Double, end: Double)] {
    var stances: [(start: Double, end: Double)] = []
    var from: Double?
    var highest = 0.0
    for point in lifted.points {
      if let start = from {
        highest = max(highest, point.value)
        guard point.value < Self.touching * lift else { continue }
        if highest >= lift { stances.append((start, point.time)) }
        from = nil
      } else if point.value >= Self.touching * lift {
        if let last = stances.last, point.time - last.end <= Self.longestGap {
          from = last.start
          stances.removeLast()
        } else {
          (from, highest) = (point.time, point.value)
        }
      }
    }
    if let from, highest >= lift, let last = lifted.points.last {
      stances.append((from, last.time))
    }
    return stances.filter { $0.end - $0.start >= 0.5 }
  }
}
