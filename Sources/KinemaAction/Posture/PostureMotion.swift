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
    signs[.anklesApart] = apart(ankles).axis(0)?.unrest
    signs[.kneesApart] = apart(knees).axis(0)?.unrest
    signs[.wristsApart] = apart(wrists).axis(0)?.unrest
  }

  private func middle(_ body: [Place?], _ joints: [BodyJoint]) -> Place? {
    guard !body.isEmpty else { return nil }
    let places = joints.compactMap { body[$0] }
    return places.count < joints.count ? nil : places.reduce(Place(), +) / Float(places.count)
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
    return Axis(slope: slope, unrest: unrest)
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
}
