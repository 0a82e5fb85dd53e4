/// Something about a repetition that can be measured, with the name that rulebooks use.
package enum Measure: Hashable, Sendable {
  /// When something is measured.
  package enum Point: String, Sendable {
    case bottom = "at the bottom"
    case top = "at the top"
    /// The mean of all of the time, as of something that is held.
    case throughout = "throughout"

    /// The turning points of a repetition.
    static let turns: [Point] = [.bottom, .top]
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
  /// The largest angle between two directions of the trunk in the picture.
  case swing
  /// How far the hips are above the line from shoulders to ankles, as a share of its length.
  case hipsAboveLine(Point)
  /// The distance of the feet as a share of the trunk's length.
  case feetApart(Point)
  /// The distance of the knees as a share of that of the ankles; from the front.
  case kneesApart(Point)
  /// How far the knee of the leg in front is ahead of its ankle, as a share of the shank; from the side.
  case kneeAhead(Point)
  /// The tilt of the forearms outwards from upright, the mean of both; from the front.
  case forearmTilt(Point)
  case seconds(RepetitionPhases.Part)
  /// How far a part of the body goes up and down, as a share of the trunk's length.
  case travel(Lead)
  /// How far a part of the body goes sideways in the picture, as a share of the trunk's length.
  case drift(Lead)
  /// How far the path of a part of the body is from the straight line between its turning points, as a
  /// share of the trunk's length; seen from the side.
  case path(Lead)
  /// How much a repetition resembles right executions rather than wrong ones (``QualityModel``), of the
  /// movements that have been learned.
  case likeness

  /// All measures, in the order in which they are listed.
  package static let all: [Measure] = {
    var all: [Measure] = []
    for joint in JointAngle.allCases {
      all += Point.turns.map { .angle(joint, $0) }
      all += Point.turns.map { .difference(joint, $0) }
    }
    all += Point.turns.map { .lean($0) }
    all += [.largestLean, .swing]
    all += Point.turns.map { .hipsAboveLine($0) } + [.hipsAboveLine(.throughout)]
    all += Point.turns.map { .feetApart($0) }
    all += [.kneesApart(.bottom), .kneeAhead(.bottom), .forearmTilt(.bottom)]
    all += RepetitionPhases.Part.allCases.map { .seconds($0) }
    for lead in Lead.allCases { all += [.travel(lead), .drift(lead), .path(lead)] }
    return all + [.likeness]
  }()

  /// The joint at which one sees it best; `nil` for what concerns the whole body or its tempo.
  package var focus: JointAngle? {
    switch self {
    case .angle(let joint, _), .difference(let joint, _): joint
    case .lean, .largestLean, .swing, .hipsAboveLine: .hip
    case .feetApart, .kneesApart, .kneeAhead: .knee
    case .forearmTilt: .elbow
    case .travel(let lead), .drift(let lead), .path(let lead):
      switch lead {
      case .hips: .hip
      case .shoulders: .shoulder
      case .hands: .elbow
      }
    case .seconds, .likeness: nil
    }
  }

  /// The name in rulebooks and reports, such as `knee angle at the bottom`.
  package var name: String {
    switch self {
    case .angle(let joint, let point): "\(joint.rawValue) angle \(point.rawValue)"
    case .difference(let joint, let point):
      "\(joint.rawValue) angle difference \(point.rawValue)"
    case .lean(let point): "trunk lean \(point.rawValue)"
    case .largestLean: "largest trunk lean"
    case .swing: "trunk swing"
    case .hipsAboveLine(let point): "hips above the line \(point.rawValue)"
    case .feetApart(let point): "feet apart \(point.rawValue)"
    case .kneesApart(let point): "knees apart \(point.rawValue)"
    case .kneeAhead(let point): "knee ahead of the ankle \(point.rawValue)"
    case .forearmTilt(let point): "forearm tilt \(point.rawValue)"
    case .seconds(let part): "seconds \(part.rawValue)"
    case .travel(let lead): "travel of the \(lead.rawValue)"
    case .drift(let lead): "drift of the \(lead.rawValue)"
    case .path(let lead): "path of the \(lead.rawValue)"
    case .likeness: "likeness to right executions"
    }
  }

  /// When it is measured; `nil` for what is measured of the whole repetition.
  var point: Point? {
    switch self {
    case .angle(_, let point), .difference(_, let point), .lean(let point),
      .hipsAboveLine(let point), .feetApart(let point), .kneesApart(let point),
      .kneeAhead(let point), .forearmTilt(let point):
      point
    case .largestLean, .swing, .seconds, .travel, .drift, .path, .likeness: nil
    }
  }

  package var unit: Unit {
    switch self {
    case .angle, .difference, .lean, .largestLean, .swing, .forearmTilt: .degrees
    case .seconds: .seconds
    case .hipsAboveLine, .feetApart, .kneesApart, .kneeAhead, .travel, .drift, .path, .likeness:
      .percent
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
    /// Right executions of the movement have not been learned.
    case notLearned = "not learned"
  }

  case value(Estimate)
  /// It can't be seen from here.
  case unseen(Obstacle)

  package var obstacle: Obstacle? { if case .unseen(let obstacle) = self { obstacle } else { nil } }
  package var estimate: Estimate? { if case .value(let estimate) = self { estimate } else { nil } }
}
