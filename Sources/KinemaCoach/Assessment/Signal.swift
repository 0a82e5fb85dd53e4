import KinemaFiles

/// A number over time.
struct Signal: Sendable {
  let points: [(time: Double, value: Double)]

  init(_ points: [(time: Double, value: Double)]) { self.points = points }

  var isEmpty: Bool { points.isEmpty }

  /// Averaged with weights that fall linearly to both sides.
  func smoothed(over half: Double) -> Signal {
    var low = 0
    return Signal(
      points.indices.map { index in
        let time = points[index].time
        while points[low].time < time - half { low += 1 }
        var (sum, weights) = (0.0, 0.0)
        for point in points[low...].prefix(while: { $0.time <= time + half }) {
          let weight = 1.01 - abs(point.time - time) / half
          sum += point.value * weight
          weights += weight
        }
        return (time, sum / weights)
      })
  }

  /// The part of some time.
  func part(from start: Double, to end: Double) -> Signal {
    Signal(points.filter { $0.time >= start && $0.time <= end })
  }

  /// The value below which a share of all lie; `nil` of an empty signal.
  func quantile(_ share: Double) -> Double? {
    let sorted = points.map(\.value).filter(\.isFinite).sorted()
    guard !sorted.isEmpty else { return nil }
    let place = share * Double(sorted.count - 1)
    return sorted[min(sorted.count - 1, Int(saturating: place.rounded()))]
  }

  /// The last moment up to which the signal is on one side of a level before it crosses it for good, up to a
  /// moment `limit`; between frames interpolated.
  ///
  /// - Parameter rises: Whether it crosses the level upwards.
  func lastCrossing(of level: Double, rising rises: Bool, before limit: Double) -> Double? {
    for index in points.indices.dropFirst().reversed() where points[index - 1].time < limit {
      if let time = crossing(at: index, level, rises) { return time }
    }
    return nil
  }

  /// The first moment from `start` on at which the signal crosses a level.
  func firstCrossing(of level: Double, rising rises: Bool, after start: Double) -> Double? {
    for index in points.indices.dropFirst() where points[index].time > start {
      if let time = crossing(at: index, level, rises) { return time }
    }
    return nil
  }

  private func crossing(at index: Int, _ level: Double, _ rises: Bool) -> Double? {
    let (one, two) = (points[index - 1], points[index])
    let (from, to) = rises ? (one.value, two.value) : (-one.value, -two.value)
    let limit = rises ? level : -level
    guard from < limit, to >= limit else { return nil }
    return one.time + (two.time - one.time) * (limit - from) / (to - from)
  }

  /// The turning points whose way from the last one and to the next one is at least `prominence`, in turn
  /// maxima and minima.
  func turns(prominence: Double) -> [(time: Double, value: Double, isMaximum: Bool)] {
    var turns: [(time: Double, value: Double, isMaximum: Bool)] = []
    guard let first = points.first else { return [] }
    var (low, high) = (first, first)
    // Whether the next turning point is a maximum; unknown at first.
    var isRising: Bool?
    for point in points {
      if point.value > high.value { high = point }
      if point.value < low.value { low = point }
      if isRising != false, point.value <= high.value - prominence {
        if isRising == true || high.time > first.time {
          turns.append((high.time, high.value, true))
        }
        (isRising, low, high) = (false, point, point)
      } else if isRising != true, point.value >= low.value + prominence {
        if isRising == false || low.time > first.time {
          turns.append((low.time, low.value, false))
        }
        (isRising, low, high) = (true, point, point)
      }
    }
    return turns
  }

  /// The largest value that lasts some seconds, and when: the greatest of the least values of all stretches of
  /// that length; `nil` where none is as long.
  func held(for seconds: Double) -> (value: Double, time: Double)? {
    var best: (value: Double, time: Double)?
    for (index, point) in points.enumerated() {
      let stretch = points[index...].prefix { $0.time <= point.time + seconds }
      guard let last = stretch.last, last.time >= point.time + 0.7 * seconds,
        let least = stretch.map(\.value).min()
      else { continue }
      if least > best?.value ?? -.infinity { best = (least, (point.time + last.time) / 2) }
    }
    return best
  }

  func negated() -> Signal { Signal(points.map { ($0.time, -$0.value) }) }

  /// As a curve of a report.
  func curve(
    _ name: String, _ side: Side? = nil, in unit: Assessment.Unit, times factor: Double = 1
  )
    -> Assessment.Curve
  {
    Assessment.Curve(
      name: name, side: side, unit: unit, points: points.map { ($0.time, $0.value * factor) })
  }
}
