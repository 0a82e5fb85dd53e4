import Foundation
package import KinemaPose

package struct Viewpoint: Hashable, Codable, Sendable {
  /// The point at the centre of the frame, in metres.
  package var target: SIMD3<Float>
  /// How far the camera has gone round the target, counter-clockwise from above: 0 sees a person
  /// who faces z from the front, 90 from their left, 180 from behind.
  package var yawDegrees: Float
  package var pitchDegrees: Float
  /// From the camera to the target, in metres.
  package var distance: Float
  package var verticalFieldOfViewDegrees: Float

  /// Creates a viewpoint; distances are in metres.
  package init(
    target: SIMD3<Float> = SIMD3(0, 0.9, 0), yawDegrees: Float, pitchDegrees: Float = 6,
    distance: Float = 4, verticalFieldOfViewDegrees: Float = 45
  ) {
    self.target = target
    self.yawDegrees = yawDegrees
    self.pitchDegrees = pitchDegrees
    self.distance = distance
    self.verticalFieldOfViewDegrees = verticalFieldOfViewDegrees
  }

  /// A viewpoint from which a whole session is in the frame, by default a good one.
  package static func framing(
    _ session: SyntheticSession, yawDegrees: Float? = nil, pitchDegrees: Float = 6,
    aspectRatio: Float = 4 / 3, margin: Float = 0.08
  ) -> Viewpoint {
    let times = stride(from: 0, through: session.duration, by: 0.1)
    let places = times.flatMap { session.skeleton(at: $0).extent }
    return framing(
      places, yawDegrees: yawDegrees ?? session.goodYawDegrees,
      pitchDegrees: pitchDegrees, aspectRatio: aspectRatio, margin: margin)
  }

  /// A viewpoint from which all points are in the frame, with a margin.
  package static func framing(
    _ places: [SIMD3<Float>], yawDegrees: Float, pitchDegrees: Float, aspectRatio: Float,
    margin: Float
  ) -> Viewpoint {
    let low = places.reduce(places[0], pointwiseMin)
    let high = places.reduce(places[0], pointwiseMax)
    var view = Viewpoint(
      target: (low + high) / 2, yawDegrees: yawDegrees, pitchDegrees: pitchDegrees)
    // Nearer, perspective would make the hands in front as large as the head.
    let nearest: Float = 2.8
    view.distance = nearest
    // Centring moves with the distance and the distance with the centring: a few rounds settle it.
    for _ in 0..<12 {
      let projected = places.map { view.projected($0, aspectRatio: aspectRatio) }
      let lower = projected.reduce(projected[0], pointwiseMin)
      let upper = projected.reduce(projected[0], pointwiseMax)
      let off = (lower + upper) / 2 - 0.5
      let height = 2 * view.distance * tan(view.verticalFieldOfViewDegrees * .pi / 360)
      let axes = view.axes
      view.target += axes.right * (off.x * height * aspectRatio) + axes.up * (off.y * height)
      view.distance *= max(0.7, (upper - lower).max() / (1 - 2 * margin))
      view.distance = max(view.distance, nearest)
    }
    // Who comes towards the camera does not settle: step back until all are in the frame.
    for _ in 0..<60 where view.cuts(places, aspectRatio: aspectRatio, margin: 0.9 * margin) {
      view.distance *= 1.1
    }
    return view
  }

  private func cuts(_ places: [SIMD3<Float>], aspectRatio: Float, margin: Float) -> Bool {
    places.contains { place in
      let away = projected(place, aspectRatio: aspectRatio) - 0.5
      return max(away.max(), -away.min()) > 0.5 - margin
    }
  }

  /// The camera's own directions.
  package var axes: (right: Vector, up: Vector, back: Vector) {
    let (yaw, pitch) = (yawDegrees * .pi / 180, pitchDegrees * .pi / 180)
    let back = Vector(sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch))
    let right = Vector(cos(yaw), 0, -sin(yaw))
    return (right, back.cross(right), back)
  }

  package var position: SIMD3<Float> { target + axes.back * distance }

  /// A point in metres projected to pose coordinates.
  package func projected(_ place: SIMD3<Float>, aspectRatio: Float) -> SIMD2<Float> {
    let axes = axes
    let away = place - position
    let depth = max(-away.dot(axes.back), 0.05)
    let focal = 0.5 / tan(verticalFieldOfViewDegrees * .pi / 360)
    return SIMD2(
      0.5 + focal * away.dot(axes.right) / depth / aspectRatio,
      0.5 + focal * away.dot(axes.up) / depth)
  }
}

extension Skeleton {
  /// The outermost places: all joints, finger tips, toes and the crown.
  package var extent: [Vector] {
    bodyJoints + [
      left.fingertips, right.fingertips, left.ball, right.ball, head + headUp * 0.15,
    ]
  }
}

extension SyntheticSession {
  /// The yaw from which its motions are seen well: that of the only one or, with several, two
  /// thirds of the way to the one that needs most, because on the floor the side matters more.
  package var goodYawDegrees: Float {
    let motions = segments.compactMap(\.motion)
    let yaws = motions.filter(\.isCounted).map(\.goodYawDegrees)
    guard let least = yaws.min(), let most = yaws.max() else {
      return motions.first?.goodYawDegrees ?? 0
    }
    return least + (most - least) * 2 / 3
  }
}

extension Viewpoint {
  /// The 18 joints of a body in the frame; a joint outside it has confidence 0.
  package func pose(of skeleton: Skeleton, aspectRatio: Float, personID: Int? = nil) -> Pose {
    pose(
      of: zip(JointKey.body, skeleton.bodyJoints), aspectRatio: aspectRatio, personID: personID)
  }

  /// The pose of joints at places in metres.
  package func pose(
    of joints: some Sequence<(JointKey, SIMD3<Float>)>, aspectRatio: Float, personID: Int?
  ) -> Pose {
    var keypoints: [JointKey: JointPoint] = [:]
    for (key, place) in joints {
      let position = projected(place, aspectRatio: aspectRatio)
      let isInside = position.min() >= 0 && position.max() <= 1
      keypoints[key] = JointPoint(key, position: position, confidence: isInside ? 1 : 0)
    }
    return Pose(from: keypoints, personID: personID)
  }
}
