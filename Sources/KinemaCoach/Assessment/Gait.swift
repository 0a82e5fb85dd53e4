import Glibc
import KinemaDepth
import KinemaPose

/// The steps of a person who walks.
///
/// A foot is put down about when it is farthest ahead of the other, along where the pelvis points; seen from the
/// front or the side, fixed or following cameras and treadmills alike.
struct Gait: Sendable {
  struct Step: Sendable {
    /// When the foot is put down.
    let time: Double
    let side: Side
    /// How far it is ahead of the other foot, in metres; below 0 where it stays behind.
    let length: Double
    /// The standard error of `length`.
    let error: Double
  }

  /// The longest walk without a pause.
  let steps: [Step]
  /// How far the left foot is ahead of the right one, in metres.
  let lead: Signal
  /// How much the way leads along the line of sight: 0 to the side, 1 towards the camera or away from it.
  let depth: Double

  /// How much farther ahead than at the last step a foot is at least, as a share of the length of the legs.
  private static let leastSwing = 0.2
  /// The longest time of a step, in seconds.
  private static let longestStep = 1.6
  /// The standard error of the moment at which a foot is put down, in seconds: see docs/benchmarks.md.
  static let stepError = 0.03

  init(_ course: PersonCourse) {
    let heading = course.heading
    lead = Signal(
      zip(course.moments, heading.points).map { moment, heading in
        (moment.time, Self.lead(of: moment, heading: heading.value))
      }
    ).smoothed(over: 0.1)
    let moments = Dictionary(course.moments.map { ($0.time, $0) }) { first, _ in first }
    let turns = lead.turns(prominence: Self.leastSwing * course.legLength)
    var walks: [[Step]] = [[]]
    for turn in turns {
      let errors = Side.allCases.map { Double(moments[turn.time]?.errors[$0.ankle] ?? 0) }
      // The errors of joints are in all directions; one of three counts.
      let error = ((errors[0] * errors[0] + errors[1] * errors[1]) / 3).squareRoot()
      let side: Side = turn.isMaximum ? .left : .right
      let isAhead = turn.isMaximum == (turn.value > 0)
      // The pelvis' direction is less certain than that of the way between the feet.
      let distance = moments[turn.time].map(Self.distance) ?? 0
      let step = Step(
        time: turn.time, side: side, length: isAhead ? distance : -distance, error: error)
      if let last = walks[walks.count - 1].last, step.time - last.time > Self.longestStep {
        walks.append([])
      }
      walks[walks.count - 1].append(step)
    }
    steps = walks.max { $0.count < $1.count } ?? []
    let along = heading.part(from: steps.first?.time ?? 0, to: steps.last?.time ?? 0).points
    depth =
      along.reduce(0) { $0 + abs(cos($1.value * .pi / 180)) } / Double(max(1, along.count))
  }

  private static func lead(of moment: PersonCourse.Moment, heading: Double) -> Double {
    let way = moment.place(.leftAnkle) - moment.place(.rightAnkle)
    let angle = heading * .pi / 180
    return Double(way.x) * sin(angle) + Double(way.z) * cos(angle)
  }

  /// How far the feet are apart, level, in metres.
  private static func distance(in moment: PersonCourse.Moment) -> Double {
    var way = moment.place(.leftAnkle) - moment.place(.rightAnkle)
    way.y = 0
    return Double((way * way).sum().squareRoot())
  }

  /// The median duration of the steps that end with a foot, and its standard error, in seconds.
  func stepTime(_ side: Side) -> Estimate? {
    Self.median(
      zip(steps, steps.dropFirst()).filter { $1.side == side }.map { $1.time - $0.time })
  }

  /// The median time from one step of a foot to its next one, in seconds.
  var strideTime: Estimate? {
    Self.median(zip(steps, steps.dropFirst(2)).map { $1.time - $0.time })
  }

  /// The mean length of steps in metres, whose errors don't average out; `nil` without steps.
  func stepLength(_ side: Side? = nil) -> Estimate? {
    // The first step may have begun before the first moment.
    let own = steps.dropFirst().filter { side == nil || $0.side == side }
    guard !own.isEmpty else { return nil }
    let count = Double(own.count)
    return Estimate(
      value: own.reduce(0) { $0 + $1.length } / count,
      error: own.reduce(0) { $0 + $1.error } / count)
  }

  /// A median, which a step that is overlooked does not change, with the error of a mean times √(π/2).
  private static func median(_ durations: [Double]) -> Estimate? {
    guard !durations.isEmpty else { return nil }
    let sorted = durations.sorted()
    let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return Estimate(
      value: middle,
      error: stepError * 2.0.squareRoot() * (.pi / 2 / Double(sorted.count)).squareRoot())
  }
}

extension MotionTest {
  /// The least number of steps of which a walk is measured.
  private static let leastSteps = 4
  /// The largest standard error of a step's length, as a share of it.
  private static let largestError = 0.3
  /// How far along the line of sight the way may lead at most, as a share of it: beyond, a camera shows too
  /// little of how long steps are.
  private static let largestDepth = 0.7

  func walk(
    in course: PersonCourse, metres: Double, crossing: ClosedRange<Double>?
  ) -> Assessment {
    var result = Assessment()
    let gait = Gait(course)
    result.curves = [gait.lead.curve("left foot ahead of the right one", in: .metres)]
    result.phases = zip(gait.steps, gait.steps.dropFirst()).map {
      .init("step", $1.side, from: $0.time, to: $1.time)
    }
    let hidden = course.hidden([.leftAnkle: "feet", .rightAnkle: "feet"])
    guard hidden == nil, gait.steps.count >= Self.leastSteps, let stride = gait.strideTime,
      let length = gait.stepLength()
    else {
      let reason = hidden ?? "fewer than \(Self.leastSteps) steps in a row"
      result.add(speed: .unseen(reason), over: metres, crossing)
      result.measurements.append(.init("cadence", in: .stepsPerMinute, .unseen(reason)))
      return result
    }
    let obstacle: String? =
      gait.depth > Self.largestDepth
      ? "the person walks towards the camera or away from it; film from the side"
      : length.error > Self.largestError * length.value
        ? "too little of the legs is seen; film nearer, from the side" : nil
    func seen(_ estimate: Estimate) -> Assessment.Outcome {
      obstacle.map { .unseen($0) } ?? .value(estimate)
    }
    let speed = 2 * length.value / stride.value
    result.add(
      speed: seen(
        Estimate(
          value: speed,
          error: speed * (length.error / length.value + stride.error / stride.value))),
      over: metres, crossing)
    if crossing == nil {
      result.notes.append(
        "Speed is the length of the steps by their time. Where you know when the person crosses both ends "
          + "of the way, give --from and --to: that is exact.")
    }
    result.measurements.append(
      .init(
        "cadence", in: .stepsPerMinute, 120 / stride.value,
        120 / stride.value * stride.error / stride.value))
    for side in Side.allCases.reversed() {
      if let time = gait.stepTime(side) {
        result.measurements.append(.init("step time", side, in: .seconds, .value(time)))
      }
      if let length = gait.stepLength(side) {
        result.measurements.append(.init("step length", side, in: .metres, seen(length)))
      }
    }
    if let left = gait.stepTime(.left), let right = gait.stepTime(.right) {
      let (shorter, longer) = (min(left.value, right.value), max(left.value, right.value))
      result.measurements.append(
        .init(
          "symmetry of step times", in: .percent, 100 * shorter / longer,
          100 * (left.error + right.error) / longer))
    }
    result.measurements.append(.init("steps", in: .count, Double(gait.steps.count), 1))
    return result
  }
}

extension Assessment {
  /// Adds the speed and the time for a way: of a person who crosses its ends at known moments, or as
  /// estimated.
  fileprivate mutating func add(
    speed: Outcome, over metres: Double, _ crossing: ClosedRange<Double>?
  ) {
    var (speed, time) = (speed, speed)
    if let crossing {
      // Moments that people give are right within a frame or two.
      let seconds = Estimate(value: crossing.upperBound - crossing.lowerBound, error: 0.05)
      time = .value(seconds)
      speed = .value(
        Estimate(
          value: metres / seconds.value,
          error: metres / seconds.value * seconds.error / seconds.value))
    } else if let estimate = speed.estimate {
      let seconds = metres / estimate.value
      time = .value(Estimate(value: seconds, error: seconds * estimate.error / estimate.value))
    }
    measurements += [
      .init("speed", in: .metresPerSecond, speed),
      .init("time for \(metres.short) m", in: .seconds, time),
    ]
  }
}
