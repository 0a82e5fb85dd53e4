import KinemaDepth
import KinemaPose

extension MotionTest {
  /// How long an angle is held to count, in seconds.
  private static let hold = 0.2
  /// From which elevation on the direction of an arm is evaluated, in degrees, and up to which.
  private static let raised = 45.0...135.0

  func range(in course: PersonCourse) -> Assessment {
    var result = Assessment()
    guard let joint else { return result }
    var best: [String: [Double]] = [:]
    for side in Side.allCases.reversed() {
      let angle = joint.bodyAngle(side)
      let names = joint == .shoulder ? ["elevation"] : ["flexion", "extension"]
      let seen = course.moments.filter { moment in
        joint.keys(side).allSatisfy { moment.visible.contains($0) }
      }
      let part = PersonCourse(seen)
      let reason: String? =
        seen.count < 10
        ? "\(joint.rawValue) out of the picture or hidden"
        : misdirection(of: side, in: part)
      let signal = part.signal { $0.angle(angle) }
      result.curves.append(signal.curve("\(joint.rawValue) angle", side, in: .degrees))
      for name in names {
        // Knees, hips and elbows are 180° when straight.
        let value =
          joint == .shoulder
          ? signal
          : name == "flexion"
            ? Signal(signal.points.map { ($0.time, 180 - $0.value) })
            : signal
        guard reason == nil, let found = value.held(for: Self.hold) else {
          result.measurements.append(
            .init(
              title(of: name), side, in: .degrees,
              .unseen(reason ?? "\(joint.rawValue) not seen long enough")))
          continue
        }
        let error =
          part.moments.min { abs($0.time - found.time) < abs($1.time - found.time) }
          .flatMap { $0.angles[angle].map { Double($0.error) } } ?? 0
        let degrees = name == "extension" ? 180 - found.value : found.value
        best[name, default: []].append(degrees)
        result.measurements.append(.init(title(of: name), side, in: .degrees, degrees, error))
        result.phases.append(
          .init(
            title(of: name), side, from: found.time - Self.hold / 2, to: found.time + Self.hold / 2)
        )
      }
    }
    for (name, degrees) in best.sorted(by: { $0.key < $1.key }) where degrees.count == 2 {
      let errors = result.measurements.filter { $0.name == title(of: name) }
        .compactMap(\.outcome.estimate?.error)
      let error = errors.reduce(0) { $0 + $1 * $1 }.squareRoot()
      result.measurements.append(
        .init("\(title(of: name)), left − right", in: .degrees, degrees[0] - degrees[1], error))
    }
    result.phases.sort { $0.start < $1.start }
    result.notes.append("Each value is the best that was held for \(Self.hold.short) s.")
    return result
  }

  /// `extension` is what is missing to a straight joint.
  private func title(of name: String) -> String {
    switch (name, plane) {
    case ("elevation", .front): "flexion"
    case ("elevation", .side): "abduction"
    case ("extension", _): "missing extension"
    default: name
    }
  }

  /// Why the movement of an arm is another one; `nil` where it isn't.
  private func misdirection(of side: Side, in course: PersonCourse) -> String? {
    guard joint == .shoulder, let plane else { return nil }
    let raised = course.moments.filter { Self.raised.contains($0.angle(side.shoulder)) }
    guard !raised.isEmpty else { return "the arm is not raised beyond 45°" }
    let outwards = raised.map { abs($0.angle(side.shoulderAbduction)) / $0.angle(side.shoulder) }
    let mean = outwards.reduce(0, +) / Double(outwards.count)
    switch plane {
    case .front where mean > 0.7: return "the arm is raised to the side, not to the front"
    case .side where mean < 0.4: return "the arm is raised to the front, not to the side"
    default: return nil
    }
  }
}

extension JointAngle {
  func bodyAngle(_ side: Side) -> BodyAngle {
    switch self {
    case .knee: side == .left ? .leftKnee : .rightKnee
    case .hip: side == .left ? .leftHip : .rightHip
    case .elbow: side == .left ? .leftElbow : .rightElbow
    case .shoulder: side.shoulder
    }
  }

  /// The joints whose lines make the angle.
  fileprivate func keys(_ side: Side) -> [JointKey] {
    let (near, middle, far) = joints(side)
    return [near, middle, far].flatMap(\.members).map(\.key)
  }
}

extension Side {
  fileprivate var shoulder: BodyAngle { self == .left ? .leftShoulder : .rightShoulder }
  fileprivate var shoulderAbduction: BodyAngle {
    self == .left ? .leftShoulderAbduction : .rightShoulderAbduction
  }
}
