import Foundation
import KinemaFiles
import KinemaPose

/// The step rate of a person whose legs alternate.
///
/// The positions of the left ankle and knee relative to the right ones repeat with the opposite sign after one step:
/// the first minimum of their autocorrelation is at the step time. This holds for any view, on the spot, and with
/// exchanged sides.
struct StepRate {
  /// For how long poses are remembered, in seconds: nearly two strides of walking.
  static let span = 2.0
  /// For how long a person has to be known, in seconds, and in how many frames a second.
  private static let leastDuration = 1.2
  private static let leastFrameRate = 9.0
  /// The share of the frames in which both joints of a pair have to be seen.
  private static let leastShare = 0.6
  /// The autocorrelation at a step time is below this; for people who walk or run in real clips it is mostly near
  /// −0.8.
  private static let leastOpposition: Float = -0.6
  /// How long a step may take, in seconds.
  private static let stepTimes = 0.2...0.8
  /// The largest lag as a share of the time that is known.
  private static let largestLag = 0.65
  /// Values a second of the signals.
  private static let rate = 30.0

  /// The steps a second at which running is as likely as walking, and with how many more its odds are _e_ times
  /// as high.
  ///
  /// People who walk faster and faster change to running at 2.33 (Hansen et al., *The role of stride frequency for
  /// walk-to-run transition in humans*, Scientific Reports 2017); slow joggers take fewer steps. Chosen by real clips
  /// and motion capture (docs/benchmarks.md, "Postures").
  private static let (transition, width): (Float, Float) = (2.15, 0.1)

  /// The way from a right joint to the left one at a time, in seconds.
  private struct Moment {
    let time: Double
    let way: SIMD2<Float>
  }

  /// The way from the right to the left ankle and knee over time, without its trend, x and y one by one.
  private var signals: [[Float]] = []

  /// - Parameters:
  ///   - times: In seconds, increasing.
  ///   - bodies: The place of each ``BodyJoint`` with a third number above 0 where it is seen.
  init(times: [TimeInterval], bodies: [[SIMD3<Float>]]) {
    guard let first = times.first, let last = times.last, last - first >= Self.leastDuration,
      Double(times.count - 1) >= Self.leastFrameRate * (last - first)
    else { return }
    let count = Int(saturating: (last - first) * Self.rate) + 1
    let pairs: [(left: BodyJoint, right: BodyJoint)] = [
      (.leftAnkle, .rightAnkle), (.leftKnee, .rightKnee),
    ]
    for pair in pairs {
      let known = zip(times, bodies).compactMap { time, body -> Moment? in
        let (left, right) = (body[pair.left.rawValue], body[pair.right.rawValue])
        guard left.z > 0, right.z > 0 else { return nil }
        return Moment(time: time - first, way: SIMD2(left.x - right.x, left.y - right.y))
      }
      guard Double(known.count) >= Self.leastShare * Double(times.count) else { continue }
      let ways = Self.resampled(known, count: count)
      for axis in 0..<2 { signals.append(Self.level(ways.map { $0[axis] })) }
    }
  }

  /// Steps a second; `nil` where legs do not move in turn, or are not seen for long enough.
  var stepsPerSecond: Float? {
    guard let count = signals.first?.count else { return nil }
    let shortest = Int(saturating: Self.stepTimes.lowerBound * Self.rate)
    let longest = Int(
      saturating: min(Self.stepTimes.upperBound * Self.rate, Self.largestLag * Double(count)))
    guard longest - shortest >= 2 else { return nil }
    let values = (shortest...longest).map(correlation)
    for index in 1..<(values.count - 1) {
      let (before, value, after) = (values[index - 1], values[index], values[index + 1])
      guard value < Self.leastOpposition, value <= before, value <= after else { continue }
      // The lowest point of the parabola through the three.
      let bend = before - 2 * value + after
      let shift = bend > 0 ? (before - after) / (2 * bend) : 0
      return Float(Self.rate) / (Float(shortest + index) + shift)
    }
    return nil
  }

  /// How likely somebody who takes steps runs, from 0 to 1.
  static func runningShare(at stepsPerSecond: Float) -> Double {
    1 / (1 + exp(-Double((stepsPerSecond - transition) / width)))
  }

  /// The correlation of the signals with themselves after a lag, from −1 to 1.
  private func correlation(_ lag: Int) -> Float {
    var (product, squares, laterSquares): (Float, Float, Float) = (0, 0, 0)
    for signal in signals {
      for (one, later) in zip(signal, signal.dropFirst(lag)) {
        product += one * later
        squares += one * one
        laterSquares += later * later
      }
    }
    return product / max((squares * laterSquares).squareRoot(), 1e-9)
  }

  /// Values at equal steps of time from 0 on, on straight lines between those that are known.
  private static func resampled(
    _ known: [Moment], count: Int
  ) -> [SIMD2<Float>] {
    var next = 0
    return (0..<count).map { step in
      let time = Double(step) / rate
      while next < known.count - 1, known[next].time < time { next += 1 }
      let later = known[next]
      guard next > 0, time < later.time else { return later.way }
      let earlier = known[next - 1]
      let share = Float((time - earlier.time) / (later.time - earlier.time))
      return earlier.way + share * (later.way - earlier.way)
    }
  }

  /// A signal without its straight line.
  private static func level(_ values: [Float]) -> [Float] {
    let middle = Float(values.count - 1) / 2
    let mean = values.reduce(0, +) / Float(max(1, values.count))
    var (product, squares): (Float, Float) = (0, 0)
    for (step, value) in values.enumerated() {
      product += (Float(step) - middle) * (value - mean)
      squares += (Float(step) - middle) * (Float(step) - middle)
    }
    let slope = product / max(squares, 1e-9)
    return values.enumerated().map { $1 - mean - slope * (Float($0) - middle) }
  }
}
