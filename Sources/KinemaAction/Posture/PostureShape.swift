import Foundation
import KinemaPose

/// The shape of a body in the frame, from which the still signs of a posture come.
package struct PostureShape {
  typealias Place = SIMD2<Float>

  private let body: [Place?]
  private let stature: Float

  /// Shares of stature: Winter, *Biomechanics and Motor Control of Human Movement*.
  private static let (trunkShare, legShare, shoulderShare): (Float, Float, Float) =
    (0.288, 0.491, 0.215)

  /// - Parameters:
  ///   - body: The place of each ``BodyJoint``, in heights of the frame; `nil` where it is not seen.
  ///   - stature: The person's height, in heights of the frame; above 0.
  init(_ body: [Place?], stature: Float) { (self.body, self.stature) = (body, stature) }

  /// The person's height by the longest of trunk, legs and shoulders; too short while they point at the
  /// camera, and `nil` where none is seen.
  package static func stature(_ joints: [SIMD3<Float>?]) -> Float? {
    guard !joints.isEmpty else { return nil }
    let body = joints.map { $0.map { Place($0.x, $0.y) } }
    func length(_ one: BodyJoint, _ other: BodyJoint) -> Float? {
      guard let from = body[one], let to = body[other] else { return nil }
      return (to - from).length
    }
    func leg(_ hip: BodyJoint, _ knee: BodyJoint, _ ankle: BodyJoint) -> Float? {
      guard let thigh = length(hip, knee), let shank = length(knee, ankle) else { return nil }
      return (thigh + shank) / legShare
    }
    let trunks = [(BodyJoint.leftShoulder, BodyJoint.leftHip), (.rightShoulder, .rightHip)]
    let lengths =
      trunks.map { length($0, $1).map { $0 / trunkShare } } + [
        leg(.leftHip, .leftKnee, .leftAnkle), leg(.rightHip, .rightKnee, .rightAnkle),
        length(.leftShoulder, .rightShoulder).map { $0 / shoulderShare },
      ]
    return lengths.compactMap(\.self).max()
  }

  private func place(_ joint: BodyJoint) -> Place? { body[joint] }

  private func middle(_ joints: BodyJoint...) -> Place? {
    let places = joints.compactMap { body[$0] }
    return places.isEmpty ? nil : places.reduce(Place(), +) / Float(places.count)
  }

  /// From one place to another, in statures.
  private func way(_ from: Place?, _ to: Place?) -> Place? {
    guard let from, let to else { return nil }
    return (to - from) / stature
  }

  func add(to signs: inout PostureSigns) {
    addHeights(to: &signs)
    addRises(to: &signs)
    addLevelWays(to: &signs)
    addAngles(to: &signs)
    addLengths(to: &signs)
  }

  private var shoulders: Place? { middle(.leftShoulder, .rightShoulder) }
  private var hips: Place? { middle(.leftHip, .rightHip) }
  private var knees: Place? { middle(.leftKnee, .rightKnee) }
  private var ankles: Place? { middle(.leftAnkle, .rightAnkle) }
  private var ears: Place? { middle(.leftEar, .rightEar) }
  private var head: Place? { ears ?? place(.nose) }
  /// Where the knees are before the hips: 1 to the right, −1 to the left.
  private var front: Float {
    guard let way = way(hips, knees) else { return 1 }
    return way.x < 0 ? -1 : 1
  }

  private func addHeights(to signs: inout PostureSigns) {
    let places = body.compactMap(\.self)
    guard let first = places.first else { return }
    let low = places.reduce(first) { pointwiseMin($0, $1) }
    let high = places.reduce(first) { pointwiseMax($0, $1) }
    func height(_ place: Place?) -> Float? { place.map { ($0.y - low.y) / stature } }
    func heights(_ large: PostureSigns.Sign, _ small: PostureSigns.Sign, _ pair: [BodyJoint]) {
      signs.setPair(large, small, height(place(pair[0])), height(place(pair[1])))
    }
    signs[.headHeight] = height(head)
    signs[.shoulderHeight] = height(shoulders)
    signs[.hipHeight] = height(hips)
    heights(.highKneeHeight, .lowKneeHeight, [.leftKnee, .rightKnee])
    heights(.highElbowHeight, .lowElbowHeight, [.leftElbow, .rightElbow])
    heights(.highWristHeight, .lowWristHeight, [.leftWrist, .rightWrist])
    signs[.highAnkleHeight] =
      [place(.leftAnkle), place(.rightAnkle)].compactMap(height).max()
    let extent = (high - low) / stature
    signs[.width] = extent.x
    signs[.height] = extent.y
    signs[.shape] = log(max(extent.y, 1e-3) / max(extent.x, 1e-3))
    signs[.lowest] = low.y
    signs[.highest] = high.y
    signs[.stature] = stature
  }

  private func addRises(to signs: inout PostureSigns) {
    func rise(_ from: Place?, _ joint: BodyJoint) -> Float? { way(from, place(joint))?.y }
    signs[.shoulderRise] = way(hips, shoulders)?.y
    signs.setPair(.highKneeRise, .lowKneeRise, rise(hips, .leftKnee), rise(hips, .rightKnee))
    signs.setPair(.highAnkleRise, .lowAnkleRise, rise(hips, .leftAnkle), rise(hips, .rightAnkle))
    signs.setPair(
      .highWristRise, .lowWristRise, rise(shoulders, .leftWrist), rise(shoulders, .rightWrist))
    signs[.headRise] = way(shoulders, head)?.y
    if let hips, let ankles { signs[.kneeLift] = way((hips + ankles) / 2, knees)?.y }
  }

  private func addLevelWays(to signs: inout PostureSigns) {
    func before(_ from: Place?, _ to: Place?) -> Float? { way(from, to).map { $0.x * front } }
    signs[.kneesBefore] = before(hips, knees)
    signs[.shouldersBefore] = before(hips, shoulders)
    signs[.anklesBefore] = before(hips, ankles)
    signs[.shanksBefore] = before(knees, ankles)
    signs[.wristsBefore] = before(shoulders, middle(.leftWrist, .rightWrist))
    signs[.headBefore] = before(shoulders, place(.nose))
    if let hips, let shoulders { signs[.balance] = before(ankles, (hips + shoulders) / 2) }
  }

  private func addAngles(to signs: inout PostureSigns) {
    func tilt(_ from: Place?, _ to: Place?) -> Float? {
      way(from, to).map { Self.degrees(atan2(abs($0.x), $0.y)) }
    }
    func tilt(_ from: BodyJoint, _ to: BodyJoint) -> Float? { tilt(place(from), place(to)) }
    func angle(_ one: Place?, _ at: BodyJoint, _ other: BodyJoint) -> Float? {
      guard let one = way(place(at), one), let other = way(place(at), place(other)) else {
        return nil
      }
      let (dot, cross) = ((one * other).sum(), one.x * other.y - one.y * other.x)
      return Self.degrees(abs(atan2(cross, dot)))
    }
    signs[.trunkTilt] = tilt(hips, shoulders)
    signs[.headTilt] = tilt(shoulders, head)
    signs.setPair(
      .largeThighTilt, .smallThighTilt, tilt(.leftKnee, .leftHip), tilt(.rightKnee, .rightHip))
    signs.setPair(
      .largeShankTilt, .smallShankTilt, tilt(.leftAnkle, .leftKnee), tilt(.rightAnkle, .rightKnee))
    signs.setPair(
      .largeKneeAngle, .smallKneeAngle, angle(place(.leftHip), .leftKnee, .leftAnkle),
      angle(place(.rightHip), .rightKnee, .rightAnkle))
    signs.setPair(
      .largeHipAngle, .smallHipAngle, angle(shoulders, .leftHip, .leftKnee),
      angle(shoulders, .rightHip, .rightKnee))
    signs.setPair(
      .largeElbowAngle, .smallElbowAngle, angle(place(.leftShoulder), .leftElbow, .leftWrist),
      angle(place(.rightShoulder), .rightElbow, .rightWrist))
  }

  private func addLengths(to signs: inout PostureSigns) {
    func length(_ pairs: (BodyJoint, BodyJoint)...) -> Float? {
      pairs.compactMap { way(place($0), place($1))?.length }.max()
    }
    signs[.trunk] = way(hips, shoulders)?.length
    signs[.thigh] = length((.leftHip, .leftKnee), (.rightHip, .rightKnee))
    signs[.shank] = length((.leftKnee, .leftAnkle), (.rightKnee, .rightAnkle))
    signs[.shoulderWidth] = length((.leftShoulder, .rightShoulder))
    signs[.hipWidth] = length((.leftHip, .rightHip))
    signs[.headSize] = length((.leftEar, .rightEar), (.nose, .leftEar), (.nose, .rightEar))
    let trunk = way(hips, shoulders)
    func turn(_ right: BodyJoint, _ left: BodyJoint) -> Float? {
      guard let trunk, let line = way(place(right), place(left)), trunk.length > 1e-3 else {
        return nil
      }
      return (line.x * trunk.y - line.y * trunk.x) / trunk.length
    }
    signs[.shoulderTurn] = turn(.rightShoulder, .leftShoulder)
    signs[.hipTurn] = turn(.rightHip, .leftHip)
    let face = way(ears ?? shoulders, place(.nose))
    signs[.faceUp] = face?.y
    if let face, let trunk, trunk.length > 1e-3 {
      signs[.faceAlong] = (face * trunk).sum() / trunk.length
    }
    let pairs: [(PostureSigns.Sign, PostureSigns.Sign?, BodyJoint, BodyJoint)] = [
      (.ankleSpread, .ankleStep, .leftAnkle, .rightAnkle),
      (.kneeSpread, .kneeStep, .leftKnee, .rightKnee), (.wristSpread, nil, .leftWrist, .rightWrist),
    ]
    for (spread, step, left, right) in pairs {
      let way = way(place(left), place(right))
      signs[spread] = way.map { abs($0.x) }
      if let step { signs[step] = way.map { abs($0.y) } }
    }
  }

  private static func degrees(_ radians: Float) -> Float { radians * 180 / .pi }
}

extension SIMD2<Float> {
  var length: Float { (self * self).sum().squareRoot() }
}
