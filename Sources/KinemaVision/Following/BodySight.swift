import KinemaPose
import KinemaVideo

/// The features of a body that are compared with a track.
struct BodySight {
  /// The mid-point of the hips, in pixels.
  let position: SIMD2<Float>
  /// The size in pixels.
  let size: Float
  /// The points relative to the hips, in sizes; `nil` if not found.
  let shape: [SIMD2<Float>?]
  /// The colours of the clothes; `nil` if unknown.
  let clothes: ClothesColours?

  /// The compared points: shoulders, elbows, wrists, hips, knees and ankles.
  private static let comparedPoints = Array(11...16) + Array(23...28)

  init(_ body: BodyLandmarks, in frame: Frame, behind hidden: [BodyOutline] = []) {
    let region = body.region
    let size = max(region.size, 1)
    position = body.hips
    self.size = size
    shape = Self.comparedPoints.map { (body.points[$0].position - body.hips) / size }
    clothes = ClothesColours(of: body, in: frame, behind: hidden)
  }

  /// - Returns: `nil` for a pose without confident joints.
  init?(_ pose: Pose, aspectRatio: Float) {
    // Frame heights take the place of pixels.
    let scale = SIMD2(aspectRatio, 1) * Self.unit
    let places = JointKey.body.map { key in
      pose.keypoints[key].flatMap { $0.confidence >= 0.1 ? $0.position * scale : nil }
    }
    let found = places.compactMap { $0 }
    guard let first = found.first else { return nil }
    let low = found.reduce(first, pointwiseMin)
    let high = found.reduce(first, pointwiseMax)
    let hips = [JointKey.leftHip, .rightHip].compactMap { pose.keypoints[$0] }
      .map { $0.position * scale }
    let middle =
      hips.isEmpty ? (low + high) / 2 : hips.reduce(.zero, +) / Float(hips.count)
    let size = max((high - low).length, 1)
    position = middle
    self.size = size
    shape = places.map { place in place.map { ($0 - middle) / size } }
    clothes = nil
  }

  /// Units per frame height if lengths are not in pixels.
  private static let unit: Float = 1000

  /// The mean distance of the points in sizes; `nil` without common points.
  func difference(from other: [SIMD2<Float>?]) -> Float? {
    var (sum, count): (Float, Float) = (0, 0)
    for case (let mine?, let theirs?) in zip(shape, other) {
      sum += (mine - theirs).length
      count += 1
    }
    return count < 4 ? nil : sum / count
  }
}
