import Foundation
import KinemaPose

/// How a body moves over the last moments, from which the moving signs of a posture come.
struct PostureMotion {
  typealias Place = SIMD2<Float>

  /// Places of ``BodyJoint`` at equal steps of time, in heights of the frame; empty without a pose.
  private let bodies: [[Place?]]
  private let stature: Float

  /// - Parameters:
  ///   - bins: See ``PostureCourse``.
  ///   - stature: The person's height, in heights of the frame; above 0.
  init(_ bins: [[SIMD3<Float>?]], stature: Float) {
    bodies = bins.map { $0.map { $0.map { Place($0.x, $0.y) } } }
    self.stature = stature
  }

  func add(to signs: inout PostureSigns) {
    let trunk = Line(
      bodies.map { middle($0, [.leftShoulder, .rightShoulder, .leftHip, .rightHip]) })
    let (aside, up) = (trunk.axis(0), trunk.axis(1))
    signs[.speedAside] = aside.map { abs($0.slope) / stature }
    signs[.speedUp] = up.map { $0.slope / stature }
    signs[.unrestAside] = aside.map { $0.unrest / stature }
    signs[.unrestUp] = up.map { $0.unrest / stature }
    let sizes = bodies.map { body in
      body.isEmpty
        ? nil
        : PostureShape.stature(body.map { $0.map { SIMD3($0.x, $0.y, 1) } })
          .map { Place(log(max($0, 1e-4)), 0) }
    }
    signs[.growth] = Line(sizes).axis(0)?.slope

    func against(_ joint: BodyJoint) -> Line {
      Line(
        zip(bodies, trunk.places).map { body, trunk in
          guard let trunk, !body.isEmpty, let place = body[joint] else { return nil }
          return (place - trunk) / stature
        })
    }
    let wrists = (left: against(.leftWrist), right: against(.rightWrist))
    let knees = (left: against(.leftKnee), right: against(.rightKnee))
    let ankles = (left: against(.leftAnkle), right: against(.rightAnkle))
    signs[.headUnrest] = against(.nose).unrest
    signs.setPair(.largeWristUnrest, .smallWristUnrest, wrists.left.unrest, wrists.right.unrest)
    signs.setPair(.largeKneeUnrest, .smallKneeUnrest, knees.left.unrest, knees.right.unrest)
    signs.setPair(.largeAnkleUnrest, .smallAnkleUnrest, ankles.left.unrest, ankles.right.unrest)
    func faster(_ pair: (left: Line, right: Line)) -> Float? {
      [pair.left.speed, pair.right.speed].compactMap(\.self).max()
    }
    signs[.wristSpeed] = faster(wrists)
    signs[.kneeSpeed] = faster(knees)
    signs[.ankleSpeed] = faster(ankles)
    func apart(_ pair: (left: Line, right: Line)) -> Line {
      Line(
        zip(pair.left.places, pair.right.places).map { left, right in
          guard let left, let right else { return nil }
          return left - right
        })
    }
    let (anklesApart, kneesApart) = (apart(ankles), apart(knees))
    signs[.anklesApart] = anklesApart.axis(0)?.unrest
    signs[.anklesLifted] = anklesApart.axis(1)?.unrest
    signs[.kneesApart] = kneesApart.axis(0)?.unrest
    signs[.kneesLifted] = kneesApart.axis(1)?.unrest
    signs[.wristsApart] = apart(wrists).axis(0)?.unrest
    signs[.ankleChanges] = anklesApart.changes
    signs[.kneeChanges] = kneesApart.changes
    signs[.ankleHarmony] = Self.harmony(ankles.left, ankles.right)
    signs[.kneeHarmony] = Self.harmony(knees.left, knees.right)
  }

  private func middle(_ body: [Place?], _ joints: [BodyJoint]) -> Place? {
    guard !body.isEmpty else { return nil }
    let places = joints.compactMap { body[$0] }
    return places.count < joints.count ? nil : places.reduce(Place(), +) / Float(places.count)
  }

  /// The correlation of the heights of two joints; 0 while they are still.
  private static func harmony(_ one: Line, _ other: Line) -> Float? {
    let pairs = zip(one.places, other.places).compactMap { one, other in
      one.flatMap { one in other.map { Place(one.y, $0.y) } }
    }
    guard pairs.count >= Line.leastCount else { return nil }
    let mean = pairs.reduce(Place(), +) / Float(pairs.count)
    let away = pairs.map { $0 - mean }
    let squares = away.reduce(Place()) { $0 + $1 * $1 }
    let product = away.reduce(0) { $0 + $1.x * $1.y }
    // What trembles less than this, in statures, is still.
    let least: Float = 1e-4 * Float(pairs.count)
    return product / ((squares.x + least) * (squares.y + least)).squareRoot()
  }
}

/// A place over equal steps of time, with gaps.
private struct Line {
  static let leastCount = 4

  let places: [SIMD2<Float>?]

  init(_ places: [SIMD2<Float>?]) { self.places = places }

  /// One coordinate as a straight line, and what remains beside it.
  struct Axis {
    /// A second.
    let slope: Float
    /// The standard deviation from the line.
    let unrest: Float
    /// How often the line is crossed, a second.
    let changes: Float
  }

  /// `nil` where too little is known.
  func axis(_ axis: Int) -> Axis? {
    let known = places.enumerated().compactMap { step, place in
      place.map { SIMD2(Float(step) * Float(PostureCourse.step), $0[axis]) }
    }
    guard known.count >= Self.leastCount else { return nil }
    let count = Float(known.count)
    let mean = known.reduce(SIMD2(), +) / count
    let away = known.map { $0 - mean }
    let slope =
      away.reduce(0) { $0 + $1.x * $1.y } / max(away.reduce(0) { $0 + $1.x * $1.x }, 1e-6)
    let rest = away.map { $0.y - slope * $0.x }
    let unrest = (rest.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    let crossings = zip(rest, rest.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    let seconds = (known.last?.x ?? 0) - (known.first?.x ?? 0)
    return Axis(
      slope: slope, unrest: unrest,
      changes: Float(crossings) / max(seconds, Float(PostureCourse.step)))
  }

  /// The deviation from the mean, in both directions together.
  var unrest: Float? {
    let known = places.compactMap(\.self)
    guard known.count >= Self.leastCount else { return nil }
    let mean = known.reduce(SIMD2(), +) / Float(known.count)
    let squares = known.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
    return (squares / Float(known.count)).squareRoot()
  }

  /// The mean speed, a second.
  var speed: Float? {
    let known = places.enumerated().compactMap { step, place in place.map { (step, $0) } }
    guard known.count >= Self.leastCount else { return nil }
    let length = zip(known, known.dropFirst()).reduce(Float(0)) { $0 + ($1.1.1 - $1.0.1).length }
    return length / (Float(known[known.count - 1].0 - known[0].0) * Float(PostureCourse.step))
  }

  /// How often the livelier of the coordinates changes its side, a second.
  var changes: Float? {
    [axis(0), axis(1)].compactMap(\.self).max { $0.unrest < $1.unrest }?.changes
  }
}
