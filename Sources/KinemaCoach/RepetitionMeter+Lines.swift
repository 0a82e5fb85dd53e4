import Foundation
import KinemaFiles
import KinemaPose

/// Lines of the body in the picture.
extension RepetitionMeter {
  /// The side that an angle is of, where only one works or is seen; `nil` where it is the mean of both.
  func side(of measure: Measure) -> Side? {
    guard case .angle(let joint, let point) = measure else { return nil }
    let seen = workingSides(joint).filter { side(joint, $0, point) != nil }
    return seen.count == 1 ? seen[0] : nil
  }

  /// The share of the angles between two moments' trunks that are larger than what counts as the
  /// largest, so that single moments in which the person is lost do not decide.
  private static let lostShare = 0.02

  /// The largest angle between two directions of the trunk.
  var swing: Estimate? {
    let trunks = frames.compactMap { index -> SIMD3<Float>? in
      let frame = meter.track.frames[index]
      guard let hips = frame.place(.hips), let shoulders = frame.place(.shoulders) else {
        return nil
      }
      return shoulders - hips
    }
    guard trunks.count >= RepetitionPhases.leastFrames else { return nil }
    let angles = trunks.enumerated().flatMap { index, trunk in
      trunks[..<index].map { BodyMeter.degrees(trunk, $0) }
    }.sorted()
    let largest = angles[Int(saturating: (1 - Self.lostShare) * Double(angles.count - 1))]
    guard let lengths = meter.lengths else { return Estimate(value: Double(largest), error: 0) }
    let noise = BodyMeter.placeError * lengths.stature / lengths[.trunk].length * 180 / .pi
    return Estimate(value: Double(largest), error: Double(noise) * 2.0.squareRoot())
  }

  func kneesApart(at index: Int) -> Estimate? {
    let frame = meter.track.frames[index]
    guard let right = frame.place(.knee(.right)), let left = frame.place(.knee(.left)),
      let rightAnkle = frame.place(.ankle(.right)), let leftAnkle = frame.place(.ankle(.left))
    else { return nil }
    let feet = abs(rightAnkle.x - leftAnkle.x)
    guard feet > 0 else { return nil }
    let value = Double(abs(right.x - left.x) / feet) * 100
    guard let lengths = meter.lengths else { return Estimate(value: value, error: 0) }
    // Of each of the four places.
    let place = Double(BodyMeter.placeError * lengths.stature / feet) * 100 * 2.0.squareRoot()
    return Estimate(value: value, error: hypot(place, place * value / 100))
  }

  func kneeAhead(at index: Int) -> Estimate? {
    let frame = meter.track.frames[index]
    /// How far something is ahead: in the picture to the side, in space along the way that people face.
    func along(_ place: SIMD3<Float>) -> Float { meter.track.isExact ? place.z : place.x }
    // The face is ahead of the ears; the leg in front is that whose foot is.
    let ears = [BodyJoint.rightEar, .leftEar].filter {
      frame.confidences[$0] >= BodyTrack.leastConfidence
    }
    guard !ears.isEmpty, frame.confidences[.nose] >= BodyTrack.leastConfidence else { return nil }
    let middle = ears.reduce(0) { $0 + along(frame.places[$1]) } / Float(ears.count)
    let ahead: Float = along(frame.places[.nose]) < middle ? -1 : 1
    let legs = Side.allCases.compactMap { side in
      frame.place(.ankle(side)).flatMap { ankle in frame.place(.knee(side)).map { ($0, ankle) } }
    }
    guard legs.count == 2,
      let (knee, ankle) = legs.max(by: { ahead * along($0.1) < ahead * along($1.1) })
    else { return nil }
    let shank = meter.lengths?[.shank].length ?? (knee - ankle).length
    guard shank > 0 else { return nil }
    let value = Double(ahead * (along(knee) - along(ankle)) / shank) * 100
    guard let lengths = meter.lengths else { return Estimate(value: value, error: 0) }
    let place = Double(BodyMeter.placeError * lengths.stature / shank) * 100
    return Estimate(value: value, error: hypot(place, abs(value) * Double(lengths[.shank].error)))
  }

  /// Outwards: forearms that tilt the same way in the picture rather point at the camera.
  func forearmTilt(at index: Int) -> Estimate? {
    let frame = meter.track.frames[index]
    guard let right = frame.place(.elbow(.right)), let left = frame.place(.elbow(.left)) else {
      return nil
    }
    let tilts = [(Side.right, right, left), (.left, left, right)].compactMap {
      side, elbow, other -> Estimate? in
      // A hand that carries the body is below its elbow.
      guard let wrist = frame.place(.wrist(side)), elbow.y > wrist.y else { return nil }
      let forearm = elbow - wrist
      let outwards = elbow.x < other.x ? -forearm.x : forearm.x
      let value = Double(atan2f(outwards, forearm.y) * 180 / .pi)
      guard let lengths = meter.lengths else { return Estimate(value: value, error: 0) }
      let noise = BodyMeter.placeError * lengths.stature / forearm.length * 180 / .pi
      return Estimate(value: value, error: Double(noise))
    }
    guard tilts.count == 2 else { return nil }
    return Estimate(
      value: (tilts[0].value + tilts[1].value) / 2, error: (tilts[0].error + tilts[1].error) / 2)
  }
}
