/// Something about a repetition that can be measured, with the name that rulebooks use.
package enum Measure: Hashable, Sendable {
  /// A turning point of a repetition.
  package enum Point: String, CaseIterable, Sendable {
    case bottom = "at the bottom"
    case top = "at the top"
  }

  package enum Unit: String, Sendable {
    case degrees = "°"
    case seconds = "s"
    case percent = "%"
  }

  /// The angle of a joint, the mean of both sides or that of the side that works; 180° is straight.
  case angle(JointAngle, Point)
  /// The difference of the angles of left and right.
  case difference(JointAngle, Point)
  /// The lean of the trunk from upright.
  case lean(Point)
  case largestLean
  /// How far the hips are above the line from shoulders to ankles, as a share of its length.
  case hipsAboveLine(Point)
  /// The distance of the feet as a share of the trunk's length.
  case feetApart(Point)
  case seconds(RepetitionPhases.Part)
  /// How far a part of the body goes up and down, as a share of the trunk's length.
  case travel(Lead)
  /// How far a part of the body goes sideways in the picture, as a share of the trunk's length.
  case drift(Lead)
  /// How far the path of a part of the body is from the straight line between its turning points, as a
  /// share of the trunk's length; seen from the side.
  case path(Lead)

  /// All measures, in the order in which they are listed.
  package static let all: [Measure] =
    JointAngle.allCases.flatMap { joint in
      Point.allCases.map { Measure.angle(joint, $0) }
        + Point.allCases.map { Measure.difference(joint, $0) }
    } + Point.allCases.map { .lean($0) } + [.largestLean]
    + Point.allCases.map { .hipsAboveLine($0) } + Point.allCases.map { .feetApart($0) }
    + RepetitionPhases.Part.allCases.map { .seconds($0) }
    + Lead.allCases.flatMap { [.travel($0), .drift($0), .path($0)] }

  /// The name in rulebooks and reports, such as `knee angle at the bottom`.
  package var name: String {
    switch self {
    case .angle(let joint, let point): "\(joint.rawValue) angle \(point.rawValue)"
    case .difference(let joint, let point):
      "\(joint.rawValue) angle difference \(point.rawValue)"
    case .lean(let point): "trunk lean \(point.rawValue)"
    case .largestLean: "largest trunk lean"
    case .hipsAboveLine(let point): "hips above the line \(point.rawValue)"
    case .feetApart(let point): "feet apart \(point.rawValue)"
    case .seconds(let part): "seconds \(part.rawValue)"
    case .travel(let lead): "travel of the \(lead.rawValue)"
    case .drift(let lead): "drift of the \(lead.rawValue)"
    case .path(let lead): "path of the \(lead.rawValue)"
    }
  }

  /// The turning point at which it is measured; `nil` for what is measured of the whole repetition.
  var point: Point? {
    switch self {
    case .angle(_, let point), .difference(_, let point), .lean(let point),
      .hipsAboveLine(let point), .feetApart(let point):
      point
    case .largestLean, .seconds, .travel, .drift, .path: nil
    }
  }

  package var unit: Unit {
    switch self {
    case .angle, .difference, .lean, .largestLean: .degrees
    case .seconds: .seconds
    case .hipsAboveLine, .feetApart, .travel, .drift, .path: .percent
    }
  }

  /// The measure of a name; `nil` if there is none.
  package init?(named name: String) {
    let wanted = name.lowercased()
    guard let measure = Self.all.first(where: { $0.name == wanted }) else { return nil }
    self = measure
  }
}

/// What measuring gave.
package enum Reading: Hashable, Sendable {
  package enum Obstacle: String, Sendable {
    /// Joints are outside the frame or occluded.
    case hidden
    /// The limbs point at the camera or away from it, or the rule needs another view.
    case view
    /// The sides work in turn, so that they cannot be compared.
    case oneSided = "one side at a time"
    /// What is measured hardly moves.
    case still = "hardly moves"
    /// The repetition ends before its end is seen.
    case cutShort = "cut short"
  }

  case value(Estimate)
  /// It can't be seen from here.
  case unseen(Obstacle)

  package var obstacle: Obstacle? { if case .unseen(let obstacle) = self { obstacle } else { nil } }
  package var estimate: Estimate? { if case .value(let estimate) = self { estimate } else { nil } }
}
