import Foundation
import KinemaPose

/// What a fall changes of a body in the frame; lengths are in heights of the frame, y is up.
struct BodyReading: Hashable, Sendable {
  /// The middle of the visible ears and nose; of the shoulders without any.
  let head: SIMD2<Float>
  /// The middle of the visible shoulders.
  let shoulders: SIMD2<Float>
  /// The middle of the visible hips.
  let hips: SIMD2<Float>
  /// The corners of the box around all confident joints.
  let lowest, highest: SIMD2<Float>
  /// The person's height by the longest of trunk and legs; too short while they point at the camera.
  let stature: Float

  /// The trunk as a share of stature, and the legs: Winter, *Biomechanics and Motor Control of Human
  /// Movement*.
  private static let trunkShare: Float = 0.288
  private static let legShare: Float = 0.491
  private static let legs: [[JointKey]] = [
    [.leftHip, .leftKnee, .leftAnkle], [.rightHip, .rightKnee, .rightAnkle],
  ]

  /// - Returns: `nil` without a confident shoulder and hip.
  init?(_ pose: Pose, aspectRatio: Float) {
    func place(_ key: JointKey) -> SIMD2<Float>? {
      guard let point = pose.keypoints[key], point.confidence >= JointPoint.leastConfidence
      else { return nil }
      return SIMD2(point.position.x * aspectRatio, point.position.y)
    }
    func middle(_ keys: JointKey...) -> SIMD2<Float>? {
      let places = keys.compactMap(place)
      return places.isEmpty ? nil : places.reduce(SIMD2(), +) / Float(places.count)
    }
    guard let shoulders = middle(.leftShoulder, .rightShoulder),
      let hips = middle(.leftHip, .rightHip), let box = pose.boundingBox()
    else { return nil }
    head = middle(.nose, .leftEar, .rightEar) ?? shoulders
    self.shoulders = shoulders
    self.hips = hips
    lowest = box.lowerLeft * SIMD2(aspectRatio, 1)
    highest = box.upperRight * SIMD2(aspectRatio, 1)
    let legs = Self.legs.compactMap { keys -> Float? in
      let places = keys.compactMap(place)
      guard places.count == 3 else { return nil }
      return Self.length(places[1] - places[0]) + Self.length(places[2] - places[1])
    }
    stature = max(
      Self.length(shoulders - hips) / Self.trunkShare, (legs.max() ?? 0) / Self.legShare)
  }

  /// The middle of the trunk.
  var trunk: SIMD2<Float> { (shoulders + hips) / 2 }

  /// The width and height of the box around all confident joints.
  var extent: SIMD2<Float> { highest - lowest }

  /// The angle between the trunk and the upright, in degrees.
  var tiltDegrees: Double {
    let way = shoulders - hips
    return atan2(Double(abs(way.x)), Double(way.y)) * 180 / .pi
  }

  static func length(_ way: SIMD2<Float>) -> Float { (way * way).sum().squareRoot() }
}
