import Foundation
import KinemaDepth

/// Measures angles of a body in a frame.
///
/// The part of a limb along the line of sight is inferred from its length where it looks too short
/// (``slack``); both limbs at a bent joint are on the same side of it, seen from the camera.
struct BodyMeter: Sendable {
  let track: BodyTrack
  /// `nil` where places are exact.
  let lengths: BodyLengths?
  /// Whether the person is seen from the side, so that limbs are about parallel to the picture.
  let isFromSide: Bool

  /// By how many standard errors of its length a limb must look too short to count as tilted against
  /// the picture: lengths are the longest of noisy ones, and from the side most limbs are parallel to it.
  ///
  /// `kinema bench form`, seeds 7 to 9: of 36 rules, 34 have a precision of 0.9 and a recall of 0.8
  /// so, 33 with 0 elsewhere, 32 with 2 there or from the side.
  static let slack: (side: Float, elsewhere: Float) = (4, 1)
  /// The standard error of an angle by limbs that are not quite parallel to the picture, in degrees.
  static let flatError: Float = 4
  /// The standard error of a joint's place, as a share of stature.
  static let placeError: Float = 0.008
  /// The standard error of the camera's pitch, in degrees: what is upright in the picture may not be.
  static let pitchError: Float = 8

  /// A limb as a vector away from the joint at which an angle is measured.
  private struct Limb {
    var flat: SIMD3<Float>
    var length: BodyLengths.Length?

    /// The vector in space with the length off by a number of standard errors.
    func vector(off: Float = 0, towards direction: Float = 1) -> SIMD3<Float> {
      guard let length else { return flat }
      let full = length.length * (1 + off * length.error)
      let hidden = max(0, full * full - (flat * flat).sum()).squareRoot()
      return SIMD3(flat.x, flat.y, hidden * direction)
    }
  }

  /// The angle of a joint in degrees, 180 where it is straight; `nil` where it is hidden.
  ///
  /// That of the body in space or that in the picture, whichever is surer.
  func angle(_ joint: JointAngle, _ side: Side, at index: Int) -> Estimate? {
    guard let flat = angleInPicture(joint, side, at: index) else { return nil }
    guard !track.isExact, let lifted = track.frames[index].angles[joint.inSpace(side)] else {
      return flat
    }
    let inSpace = Estimate(value: Double(lifted.value), error: Double(lifted.error))
    return inSpace.error < flat.error ? inSpace : flat
  }

  /// The angle of a joint as it is seen in the picture; `nil` where it is hidden.
  func angleInPicture(_ joint: JointAngle, _ side: Side, at index: Int) -> Estimate? {
    let frame = track.frames[index]
    let (first, middle, last) = joint.joints(side)
    guard let start = frame.place(first), let centre = frame.place(middle),
      let end = frame.place(last)
    else { return nil }
    let segments = joint.segments
    let one = Limb(flat: start - centre, length: lengths?[segments.0])
    let other = Limb(flat: end - centre, length: lengths?[segments.1])
    guard let lengths else {
      return Estimate(value: Double(Self.degrees(one.flat, other.flat)), error: 0)
    }
    let (upper, lower) = (one.length?.length ?? 1, other.length?.length ?? 1)
    let noise = Self.placeError * lengths.stature * (1 / upper + 1 / lower) * 180 / .pi
    let off = -(isFromSide ? Self.slack.side : Self.slack.elsewhere)
    let bent = Self.degrees(one.vector(off: off), other.vector(off: off))
    let spread = [(-1, -1), (1, 1), (-1, 1), (1, -1)].map { error in
      abs(Self.degrees(one.vector(off: off + error.0), other.vector(off: off + error.1)) - bent)
    }
    // A straight limb that is tilted against the picture looks like a bent one. Legs that carry the
    // body are rather bent, an arm is as likely straight.
    let straight = Self.degrees(one.vector(off: off), other.vector(off: off, towards: -1))
    let doubt = (straight - bent) * (joint.bendsOneWay ? 0.25 : 0.5)
    let least = isFromSide ? Self.flatError : 0
    let error = max(hypotf(max(spread.reduce(0, +) / 4, least), noise), abs(doubt))
    return Estimate(value: Double(bent + doubt), error: Double(error))
  }

  /// By how many degrees the trunk leans from upright: in space, where that is known.
  func lean(at index: Int) -> Estimate? {
    if !track.isExact, let lifted = track.frames[index].angles[.trunkLean] {
      return Estimate(value: Double(lifted.value), error: Double(lifted.error))
    }
    return leanInPicture(at: index)
  }

  private func leanInPicture(at index: Int) -> Estimate? {
    let frame = track.frames[index]
    guard let hips = frame.place(.hips), let shoulders = frame.place(.shoulders) else { return nil }
    let trunk = Limb(flat: shoulders - hips, length: isFromSide ? nil : lengths?[.trunk])
    let up = SIMD3<Float>(0, 1, 0)
    let value = Self.degrees(trunk.vector(), up)
    guard let lengths, let length = trunk.length else {
      return Estimate(value: Double(value), error: lengths == nil ? 0 : Double(Self.flatError))
    }
    let spread = [-1, 1].map { abs(Self.degrees(trunk.vector(off: $0), up) - value) }
    let noise = Self.placeError * lengths.stature / length.length * 180 / .pi
    let hidden = trunk.vector().z / max(length.length, 1e-6)
    let error = hypotf(hypotf(spread.reduce(0, +) / 2, noise), hidden * Self.pitchError)
    return Estimate(value: Double(value), error: Double(error))
  }

  static func degrees(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Float {
    let lengths = one.length * other.length
    guard lengths > 0 else { return 0 }
    return acosf(max(-1, min(1, (one * other).sum() / lengths))) * 180 / .pi
  }
}

/// A number with its standard error.
package struct Estimate: Hashable, Sendable {
  package var value: Double
  package var error: Double
}

/// A joint whose angle is measured.
package enum JointAngle: String, CaseIterable, Codable, Sendable {
  case knee, hip, elbow, shoulder

  func joints(_ side: Side) -> (Joint, Joint, Joint) {
    switch self {
    case .knee: (.hip(side), .knee(side), .ankle(side))
    case .hip: (.shoulder(side), .hip(side), .knee(side))
    case .elbow: (.shoulder(side), .elbow(side), .wrist(side))
    case .shoulder: (.hip(side), .shoulder(side), .elbow(side))
    }
  }

  /// The angle of the body in space.
  func inSpace(_ side: Side) -> BodyAngle {
    switch (self, side) {
    case (.knee, .left): .leftKnee
    case (.knee, .right): .rightKnee
    case (.hip, .left): .leftHip
    case (.hip, .right): .rightHip
    case (.elbow, .left): .leftElbow
    case (.elbow, .right): .rightElbow
    case (.shoulder, .left): .leftShoulder
    case (.shoulder, .right): .rightShoulder
    }
  }

  var segments: (BodyLengths.Segment, BodyLengths.Segment) {
    switch self {
    case .knee: (.thigh, .shank)
    case .hip: (.trunk, .thigh)
    case .elbow: (.upperArm, .forearm)
    case .shoulder: (.trunk, .upperArm)
    }
  }

  /// Whether both limbs at the joint are mostly on the same side of it, as those of a leg that carries
  /// the body.
  var bendsOneWay: Bool { self == .knee || self == .hip }
}
