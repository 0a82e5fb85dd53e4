package import KinemaAction
import KinemaFiles
package import KinemaSynth

/// Which posture a body is in, by where its joints are in space: few rules, on which no camera has a say.
///
/// Lengths are shares of the person's stature, heights are above the body's lowest joint, so that stairs and
/// benches do not matter.
package struct PostureTruth {
  /// The bodies up to the moment, oldest first, at ``frameRate``.
  private let bodies: ArraySlice<Skeleton>
  private let body: Skeleton
  private let stature: Float
  private let floor: Float

  /// The bodies of a second; more than half a stride of slow walking.
  package static let frameRate = 30.0
  static let span = 1.2
  /// How long before the moment the body is measured, in seconds: the middle of what
  /// ``KinemaAction/PostureCourse`` shows of it.
  private static let delay = 0.25

  // Steps: how far each foot goes up, on the way and on the spot, how little both go up together, and how
  // fast the hips go, in statures a second; who is in flight has both feet this high.
  private static let (leastLift, leastLiftOnSpot): (Float, Float) = (0.02, 0.05)
  private static let mostHarmony: Float = 0.3
  private static let (walkingSpeed, runningSpeed): (Float, Float) = (0.25, 1.3)
  private static let flight: Float = 0.04
  // How upright the trunk is: the rise from hips to neck as a share of the way.
  private static let (levelTrunk, bentTrunk): (Float, Float) = (0.5, 0.64)
  // Heights of hips, of a knee or hand on the floor, and of shoulders that arms carry.
  private static let (uprightHips, floorHips, raisedHips): (Float, Float, Float) = (0.4, 0.13, 0.3)
  private static let (onFloor, carried): (Float, Float) = (0.08, 0.12)
  /// How far the middle of the trunk may be from the feet, in level, if they carry it.
  private static let farthestBalance: Float = 0.14

  /// - Parameter bodies: At ``frameRate``, oldest first, at least one.
  package init(_ bodies: [Skeleton], stature: Float) {
    let count = Int(saturating: Self.span * Self.frameRate)
    self.bodies = bodies.suffix(count)
    let late = Int(saturating: Self.delay * Self.frameRate)
    body = bodies[max(0, bodies.count - 1 - late)]
    self.stature = stature
    floor = body.bodyJoints.map(\.y).min() ?? 0
  }

  private func height(_ place: Vector) -> Float { (place.y - floor) / stature }
  private var hips: Float { height(body.root) }
  /// The direction of the trunk: 1 upright, −1 upside down.
  private var rise: Float { (body.neck - body.root).normalized.y }
  private var sides: [Skeleton.Side] { [body.left, body.right] }

  package var kind: HumanBodyPosture.Kind {
    let ankles = (body.left.ankle + body.right.ankle) / 2
    if rise < -0.3, ankles.y > body.root.y + 0.1 * stature { return .upsideDown }
    let chestDown = -body.chestForward.y
    if rise < Self.levelTrunk {
      let handsCarry =
        (sides.map { height($0.wrist) }.min() ?? 1) < Self.onFloor
        && height(body.neck) > Self.carried && hips < 0.5 && chestDown > 0.2
      if handsCarry { return .onAllFours }
      let lies = hips < Self.floorHips + 0.02 || (hips < Self.raisedHips && chestDown < -0.5)
      if lies, rise > -0.75 {
        return chestDown > 0.5 ? .lyingProne : chestDown < -0.5 ? .lyingSupine : .lyingOnSide
      }
      // On hands and feet with the hips high, as in a downward dog.
      let lowHands = sides.allSatisfy { height($0.wrist) < 0.05 }
      let handsBefore = level((body.left.wrist + body.right.wrist) / 2 - ankles) > 0.35
      return lowHands && handsBefore ? .onAllFours : .bending
    }
    if hips > Self.uprightHips {
      if rise < Self.bentTrunk { return .bending }
      return steps ?? .standing
    }
    if hips < Self.floorHips { return kneels ? .kneeling : .sitting }
    if kneels { return .kneeling }
    let trunk = (body.root + body.neck) / 2
    return level(trunk - ankles) < Self.farthestBalance || feetAround(trunk) ? .crouching : .sitting
  }

  private func level(_ way: Vector) -> Float {
    Vector(way.x, 0, way.z).length / stature
  }

  /// Whether the trunk is between the feet, as in a lunge.
  private func feetAround(_ trunk: Vector) -> Bool {
    let (left, right) = (body.left.ankle - trunk, body.right.ankle - trunk)
    return level(left - right) > 0.25 && left.x * right.x + left.z * right.z < 0
  }

  /// Whether a knee is on the floor with its shank, under the hips.
  private var kneels: Bool {
    sides.contains { side in
      height(side.knee) < Self.onFloor && abs(side.knee.y - side.ankle.y) < 0.08 * stature
        && body.root.y > side.knee.y + 0.05 * stature && level(side.knee - body.root) < 0.2
        && level(side.ankle - side.knee) > 0.1
    }
  }

  /// Walking or running; `nil` without steps.
  private var steps: HumanBodyPosture.Kind? {
    guard let first = bodies.first, let last = bodies.last, bodies.count > 15 else { return nil }
    let left = bodies.map { $0.left.ankle.y / stature }
    let right = bodies.map { $0.right.ankle.y / stature }
    let ground = min(left.min() ?? 0, right.min() ?? 0)
    let seconds = Float(bodies.count - 1) / Float(Self.frameRate)
    let speed = level(last.root - first.root) / seconds
    let lift = min((left.max() ?? 0) - ground, (right.max() ?? 0) - ground)
    let harmony = Self.correlation(left, right)
    guard lift > Self.leastLift else { return nil }
    if speed > Self.runningSpeed { return .running }
    guard harmony < Self.mostHarmony, speed > Self.walkingSpeed || lift > Self.leastLiftOnSpot
    else { return nil }
    let feet = bodies.map {
      min($0.left.ball.y, $0.right.ball.y, $0.left.ankle.y, $0.right.ankle.y)
    }
    let flies = (feet.max() ?? 0) - (feet.min() ?? 0) > Self.flight * stature
    return flies && lift > Self.leastLiftOnSpot ? .running : .walking
  }

  private static func correlation(_ one: [Float], _ other: [Float]) -> Float {
    func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(max(1, values.count)) }
    let (first, second) = (mean(one), mean(other))
    let product = zip(one, other).reduce(Float(0)) { $0 + ($1.0 - first) * ($1.1 - second) }
    let squares = (
      one.reduce(Float(0)) { $0 + ($1 - first) * ($1 - first) },
      other.reduce(Float(0)) { $0 + ($1 - second) * ($1 - second) }
    )
    return product / max((squares.0 * squares.1).squareRoot(), 1e-9)
  }

  // MARK: - Nothing in particular

  /// Speeds of hands and feet against the trunk, in statures a second, up to which somebody who does not
  /// walk does nothing in particular, and from which they do something.
  private static let (still, lively): (Float, Float) = (0.08, 0.3)

  /// Whether the person does nothing but hold the posture; `nil` where that is open: they move a little, or
  /// walk, which may be part of something else.
  var isStill: Bool? {
    let places: [KeyPath<Skeleton, Vector>] = [
      \.left.wrist, \.right.wrist, \.left.ankle, \.right.ankle, \.head,
    ]
    let seconds = Float(max(1, bodies.count - 1)) / Float(Self.frameRate)
    let speeds = places.map { place in
      zip(bodies, bodies.dropFirst()).reduce(Float(0)) { sum, pair in
        let way = (pair.1[keyPath: place] - pair.1.root) - (pair.0[keyPath: place] - pair.0.root)
        return sum + way.length
      } / seconds / stature
    }
    let fastest = speeds.max() ?? 0
    let hands = sides.map { $0.wrist.y - body.neck.y }.max() ?? 0
    if hands > 0 || fastest > Self.lively { return kind == .walking && hands < 0 ? nil : false }
    return fastest < Self.still ? true : nil
  }
}
