/// What the last moments of a person's poses show of their posture: numbers that do not change with the
/// size of the person in the frame, nor from left to right.
///
/// Lengths are shares of the person's stature, angles degrees, times seconds, speeds statures a second; y is
/// up. A pair of joints is given by its higher and its lower one, or the larger and the smaller value.
package struct PostureSigns: Hashable, Sendable {
  package enum Sign: Int, CaseIterable, Sendable {
    // Heights above the lowest joint.
    case headHeight, shoulderHeight, hipHeight, highKneeHeight, lowKneeHeight, highAnkleHeight
    case highElbowHeight, lowElbowHeight, highWristHeight, lowWristHeight
    // Heights against other joints: of shoulders, knees and ankles above the hips, of wrists and head
    // above the shoulders, of the knees above the line from hips to ankles.
    case shoulderRise, highKneeRise, lowKneeRise, highAnkleRise, lowAnkleRise
    case highWristRise, lowWristRise, headRise, kneeLift
    // Level ways, positive to where the knees are before the hips: of the knees, shoulders and ankles from
    // the hips, of the ankles from the knees, of the wrists and head from the shoulders, of the trunk's
    // middle from the ankles.
    case kneesBefore, shouldersBefore, anklesBefore, shanksBefore, wristsBefore, headBefore, balance
    // Angles to the upright, and of joints.
    case trunkTilt, largeThighTilt, smallThighTilt, largeShankTilt, smallShankTilt, headTilt
    case largeKneeAngle, smallKneeAngle, largeHipAngle, smallHipAngle
    case largeElbowAngle, smallElbowAngle
    // Lengths as they appear.
    case trunk, thigh, shank, shoulderWidth, hipWidth, headSize
    case width, height, shape
    // How far shoulders and hips are turned to the camera, whichever way is up, and where the face
    // points: up, and along the trunk.
    case shoulderTurn, hipTurn, faceUp, faceAlong
    // How far apart the two joints of a pair are.
    case ankleSpread, kneeSpread, wristSpread, ankleStep, kneeStep
    // Whether joints are seen (1), or hidden (0.5), or in no frame (0).
    case seenHead, seenShoulders, seenElbows, seenWrists, seenHips, seenKnees, seenAnkles
    // The place in the frame, in its heights.
    case lowest, highest, stature
    // What is known: for how long, and the share of time without a pose.
    case history, gaps
    // How the trunk goes, and how much it deviates from that; how fast the person becomes larger.
    case speedAside, speedUp, unrestAside, unrestUp, growth
    // How much joints move against the trunk, and how fast.
    case headUnrest, largeWristUnrest, smallWristUnrest, largeKneeUnrest, smallKneeUnrest
    case largeAnkleUnrest, smallAnkleUnrest, wristSpeed, kneeSpeed, ankleSpeed
    // How much the two joints of a pair move to the side against each other. Their heights, and how often
    // and how much in turn they change, are no signs: learned from simulated poses, they cost real walkers
    // (docs/benchmarks.md, "Postures").
    case anklesApart, kneesApart, wristsApart
  }

  /// The value of a sign whose joints are not seen.
  private static let missing: Float = -9

  /// One value for each sign, in their order.
  package private(set) var values = [Float](repeating: missing, count: Sign.allCases.count)
  /// Steps a second; `nil` where legs do not move in turn.
  ///
  /// It is none of the values: real walkers are missed by trees that find steps too regular in simulated poses.
  package var stepRate: Float?

  package subscript(_ sign: Sign) -> Float? {
    get { values[sign.rawValue] == Self.missing ? nil : values[sign.rawValue] }
    set { values[sign.rawValue] = newValue.flatMap { $0.isFinite ? $0 : nil } ?? Self.missing }
  }

  /// The larger and the smaller of two values, or the one that is known.
  mutating func setPair(_ large: Sign, _ small: Sign, _ one: Float?, _ other: Float?) {
    let known = [one, other].compactMap(\.self)
    (self[large], self[small]) = (known.max(), known.min())
  }

  /// The names of the signs, in their order.
  package static let names = Sign.allCases.map { "\($0)" }
}
