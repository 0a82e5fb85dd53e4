/// A movement of a person: repeated, such as squats, or continuous, such as standing.
///
/// The library is in ``library``, one file per family. A motion is a few key postures with numbers
/// drawn within ranges for each person. Lengths are shares of stature or metres, angles radians;
/// see ``Posture``.
package struct Motion: Sendable {
  /// The name as it stands in files, such as `reverse_lunges`; no two motions share it.
  package let name: String
  package let action: ActionClass
  /// What the person does, in a few words.
  package let summary: String
  /// How long one cycle takes, from the quickest to the slowest person, in seconds; a cycle is one
  /// repetition where ``isCounted``.
  package let cycleDurations: ClosedRange<Double>
  /// Whether its cycles are repetitions that one would count.
  package let isCounted: Bool
  /// How often it is drawn against the other motions of its class; one with weight 0, a near
  /// variant that people would argue about, is only drawn by name.
  package let weight: Float
  /// The yaw from which it is seen well, in degrees: what moves must not move towards the camera.
  package let goodYawDegrees: Float
  /// How a camera usually catches it.
  package let sighting: Sighting
  /// The key postures in a person's own style.
  package let choreography: @Sendable (inout Style) -> Choreography

  init(
    _ name: String, of action: ActionClass = .other, _ summary: String, cycle: ClosedRange<Double>,
    weight: Float = 1, yaw: Float = 20, counted: Bool = true, sighting: Sighting = .any,
    choreography: @escaping @Sendable (inout Style) -> Choreography
  ) {
    self.name = name
    self.action = action
    self.summary = summary
    cycleDurations = cycle
    isCounted = counted
    self.weight = weight
    goodYawDegrees = yaw
    self.sighting = sighting
    self.choreography = choreography
  }

  package enum Sighting: Sendable {
    /// From anywhere, the whole body or, now and then, its upper half.
    case any
    /// Near: only the upper body is in the frame.
    case near
    /// Framed at the start only: a travelling person leaves the frame.
    case leaving
    /// Without a person; what a pose network detects in furniture.
    case noPerson
  }

  /// How long a cycle takes by default, in seconds: the geometric mean of ``cycleDurations``.
  package var typicalCycleDuration: Double {
    (cycleDurations.lowerBound * cycleDurations.upperBound).squareRoot()
  }

  package var showsPerson: Bool { if case .noPerson = sighting { false } else { true } }
}

extension Motion: Hashable {
  package static func == (one: Motion, other: Motion) -> Bool { one.name == other.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
