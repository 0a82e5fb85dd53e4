import Glibc
import KinemaDepth
import KinemaPose

extension MotionTest {
  func squats(in course: PersonCourse) -> Assessment {
    var result = Assessment()
    let height = course.hipHeight
    result.curves = [height.curve("height of the hips", in: .percent, times: 100)]
    let depths = bottoms(of: height)
    let reason =
      course.hiddenLegs ?? (depths.isEmpty ? "nobody squats and comes up again" : nil)
    guard reason == nil else {
      result.measurements = [.init("squats", in: .count, .unseen(reason ?? ""))]
      return result
    }
    let bottoms = depths.compactMap { time in course.moments.first { $0.time >= time } }
    let arms = course.hidden([.leftElbow: "arms", .rightElbow: "arms"])
    let feet = course.hidden([.leftAnkle: "feet", .rightAnkle: "feet"])
    func add(
      _ name: String, _ side: Side? = nil, in unit: Assessment.Unit = .degrees,
      hidden: String? = nil,
      _ value: (PersonCourse.Moment) -> Estimate
    ) {
      let values = bottoms.map(value).sorted { $0.value < $1.value }
      let middle = values[values.count / 2]
      let outcome = hidden.map { Assessment.Outcome.unseen($0) } ?? .value(middle)
      result.measurements.append(.init(name, side, in: unit, outcome))
    }
    result.measurements = [.init("squats", in: .count, Double(bottoms.count), 0)]
    for side in Side.allCases.reversed() {
      add("thigh above level", side) {
        $0.tilt(from: side.knee, to: side.hip, isFromUpright: false)
      }
    }
    for side in Side.allCases.reversed() {
      add("knee flexion", side) { moment in
        let angle = JointAngle.knee.bodyAngle(side)
        return Estimate(
          value: 180 - moment.angle(angle), error: Double(moment.angles[angle]?.error ?? 0))
      }
    }
    add("trunk lean") { moment in
      Estimate(
        value: moment.angle(.trunkLean), error: Double(moment.angles[.trunkLean]?.error ?? 0))
    }
    add("trunk lean more than shins", hidden: feet) { moment in
      let shins = Side.allCases.map {
        moment.tilt(from: $0.ankle, to: $0.knee, isFromUpright: true)
      }
      let error = Double(moment.angles[.trunkLean]?.error ?? 0)
      return Estimate(
        value: moment.angle(.trunkLean) - (shins[0].value + shins[1].value) / 2,
        error: (error * error + shins[0].error * shins[1].error / 2).squareRoot())
    }
    for side in Side.allCases.reversed() {
      add("arm overhead", side, hidden: arms) { moment in
        let angle = JointAngle.shoulder.bodyAngle(side)
        return Estimate(
          value: moment.angle(angle), error: Double(moment.angles[angle]?.error ?? 0))
      }
    }
    add("knees apart, of the feet", in: .percent, hidden: feet) { moment in
      let knees = Double(moment.place(.leftKnee).distance(to: moment.place(.rightKnee)))
      let ankles = Double(moment.place(.leftAnkle).distance(to: moment.place(.rightAnkle)))
      let errors = [JointKey.leftKnee, .rightKnee, .leftAnkle, .rightAnkle].map {
        Double(moment.errors[$0] ?? 0)
      }
      let error = errors.reduce(0) { $0 + $1 * $1 / 3 }.squareRoot()
      return Estimate(
        value: 100 * knees / max(0.05, ankles), error: 100 * error / max(0.05, ankles))
    }
    result.measurements.append(
      .init("heels on the floor", in: .count, .unseen("heels are not among the joints")))
    result.phases = depths.map { .init("lowest", from: $0 - 0.1, to: $0 + 0.1) }
    result.notes.append("Of several squats each value is the median, at the lowest point.")
    return result
  }

  /// When the hips are lowest, each time between two times of standing.
  private func bottoms(of height: Signal) -> [Double] {
    var bottoms: [Double] = []
    var lowest: (time: Double, value: Double)?
    var hasStood = false
    for point in height.points {
      if point.value >= standing {
        if hasStood, let lowest, lowest.value <= seated { bottoms.append(lowest.time) }
        (lowest, hasStood) = (nil, true)
      } else if point.value < lowest?.value ?? .infinity {
        lowest = point
      }
    }
    return bottoms
  }
}

extension PersonCourse.Moment {
  /// The angle of a line above level, or from upright, in degrees.
  fileprivate func tilt(from low: JointKey, to high: JointKey, isFromUpright: Bool) -> Estimate {
    let way = place(high) - place(low)
    let length = max(0.05, Double(place(high).distance(to: place(low))))
    let above = asin(min(max(Double(way.y) / length, -1), 1)) * 180 / .pi
    let errors = [low, high].map { Double(self.errors[$0] ?? 0) }
    // One of three directions tilts the line.
    let error = ((errors[0] * errors[0] + errors[1] * errors[1]) / 3).squareRoot()
    return Estimate(
      value: isFromUpright ? 90 - above : above, error: error / length * 180 / .pi)
  }
}
