import Foundation
import KinemaPose

/// A camera somewhere round a person, as people put them.
///
/// It is mostly in front or at the side, mostly level, near or far, now and then too near. Lengths
/// are shares of the person's stature.
package struct ObservingCamera: Sendable {
  /// How far it has gone round the person, in radians: 0 sees the front.
  package let yaw: Float
  /// The downward angle, in radians.
  package let pitch: Float
  /// How far it is tilted, in radians.
  package let roll: Float
  /// From the person's middle, as a share of stature.
  package let distance: Float
  package var aspectRatio: Float
  package let showsUpperBody: Bool
  /// The share of the sequence for which the person is framed.
  package let framedShare: Double
  /// How much of the frame the person fills.
  private let fill: Float
  /// The person's position in the free part of the frame, from −0.4 to 0.4.
  private let place: SIMD2<Float>
  /// How the person turns while being watched, in radians.
  private let turning: SmoothNoise?

  package init(for take: SyntheticTake, using generator: inout SeededGenerator) {
    let isFree = take.motion.action == .other || take.motion.name == "walking_lunges"
    self.init(
      for: take.motion, duration: take.duration, mayTurn: isFree, nearShare: take.nearShare,
      backShare: take.backShare, using: &generator)
  }

  /// Puts a camera somewhere; without a `pitch` in radians, that is drawn as well.
  package init(
    for motion: Motion, duration: Double, mayTurn: Bool, nearShare: Float? = nil,
    backShare: Float = 0, pitch: Float? = nil, using generator: inout SeededGenerator
  ) {
    let isBehind = backShare > 0 && generator.chance(backShare)
    let kind = generator.uniform(0...1)
    if kind < 0.35 || isBehind {
      yaw = (isBehind ? .pi : 0) + 0.35 * generator.normal()
    } else if kind < 0.65 {
      yaw = (generator.chance(0.5) ? .pi / 2 : -.pi / 2) + 0.3 * generator.normal()
    } else {
      yaw = generator.uniform(-.pi...(.pi))
    }
    let usualPitch = 0.08 + 0.18 * generator.normal()
    self.pitch = pitch ?? usualPitch
    roll = 0.05 * generator.normal()
    distance = exp(generator.uniform(log(1.3)...log(6)))
    aspectRatio = generator.pick([0.5625, 0.5625, 0.75, 1, 1.333, 1.778, 1.778])
    let sighting = motion.sighting
    let tooNear = nearShare ?? (motion.action == .pushUps ? 0.3 : 0.12)
    showsUpperBody = sighting == .near || generator.chance(tooNear)
    framedShare = sighting == .leaving ? Double(generator.uniform(0.05...0.5)) : 1
    let isSmall = generator.chance(0.1)
    fill = generator.uniform(0.4...1.03) / (isSmall ? generator.uniform(1...2.5) : 1)
    place = SIMD2(generator.uniform(-0.4...0.4), generator.uniform(-0.4...0.4))
    turning =
      mayTurn && generator.chance(0.25)
      ? SmoothNoise(spacing: 1.6, amplitude: 0.65, duration: duration, using: &generator)
      : nil
  }

  /// Puts a camera where it watches a room: from the height of a table to the ceiling, the person anywhere in
  /// the frame, now and then not quite in it.
  ///
  /// - Parameter framedShare: The share of the sequence for which it is.
  package init(inRoom generator: inout SeededGenerator, framedShare: Double) {
    // People mostly come towards it, and past it: doors are opposite.
    yaw = generator.chance(0.65) ? generator.uniform(-1.4...1.4) : generator.uniform(-.pi...(.pi))
    let away = exp(generator.uniform(log(0.9)...log(3.2)))
    let above = generator.chance(0.3) ? generator.uniform(0...0.3) : generator.uniform(0.3...1.2)
    pitch = atan2(above, away)
    roll = 0.04 * generator.normal()
    distance = (away * away + above * above).squareRoot()
    aspectRatio = generator.pick([1.333, 1.333, 1.333, 1.778, 1.778, 1])
    (showsUpperBody, turning) = (false, nil)
    self.framedShare = framedShare
    fill = generator.uniform(0.35...1) * (generator.chance(0.2) ? generator.uniform(1...1.3) : 1)
    place = SIMD2(generator.uniform(-0.5...0.5), generator.uniform(-0.5...0.3))
  }

  /// The joints of each frame: x to the right and y up in the image plane, z towards the camera;
  /// shares of stature around the middle of the sequence.
  package func views(of take: SyntheticTake, times: [Double]) -> [[Vector]] {
    views(of: take.session.person, at: times) { take.skeleton(at: $0) }
  }

  /// The joints of each frame of a person: x to the right and y up in the image plane, z towards
  /// the camera; shares of stature around the middle of the sequence.
  package func views(
    of person: SyntheticPerson, at times: [Double], skeleton: (Double) -> Skeleton
  ) -> [[Vector]] {
    let scale = 1 / person.stature
    var bodies = times.map { time in
      let body = skeleton(time)
      let angle = turning?.value(at: time) ?? 0
      return (angle == 0 ? body : body.turned(by: angle)).bodyJoints
    }
    let framed = max(1, Int(framedShare * Double(bodies.count)))
    let total = bodies[..<framed].reduce(Vector()) { $0 + $1.reduce(Vector(), +) }
    let middle = total / Float(framed * BodyJoint.count)
    let projection = Projection(yaw: yaw, pitch: pitch, roll: roll, distance: distance)
    for frame in bodies.indices {
      for joint in bodies[frame].indices {
        bodies[frame][joint] = projection.view((bodies[frame][joint] - middle) * scale)
      }
    }
    return bodies
  }

  /// A perspective projection from a direction; angles as those of the camera.
  package struct Projection {
    private let sines, cosines: Vector
    private let distance, zoomedDistance: Float

    package init(yaw: Float, pitch: Float, roll: Float, distance: Float, zoom: Float = 1) {
      sines = Vector(sin(yaw), sin(pitch), sin(roll))
      cosines = Vector(cos(yaw), cos(pitch), cos(roll))
      self.distance = distance
      zoomedDistance = zoom * distance
    }

    /// A place, from the middle of what is watched: x to the right and y up in the image plane, z
    /// towards the camera.
    package func view(_ away: Vector) -> Vector {
      let x = away.x * cosines.x - away.z * sines.x
      let depth = away.x * sines.x + away.z * cosines.x
      let y = away.y * cosines.y - depth * sines.y
      let z = away.y * sines.y + depth * cosines.y
      let size = zoomedDistance / max(distance - z, 0.35)
      return Vector(
        (x * cosines.z - y * sines.z) * size, (x * sines.z + y * cosines.z) * size, z)
    }
  }

  /// The frame's lower left corner and size, in the units of the views.
  package func picture(of views: [[Vector]]) -> (corner: SIMD2<Float>, size: SIMD2<Float>) {
    var low = SIMD2<Float>(repeating: .infinity)
    var high = -low
    let framed = max(1, Int(framedShare * Double(views.count)))
    for joints in views[..<framed] {
      // Head, shoulders and arms come first; the head's other joints are among them.
      let end = showsUpperBody ? BodyJoint.rightHip.rawValue : joints.count
      for place in joints[..<end] {
        low = pointwiseMin(low, SIMD2(place.x, place.y))
        high = pointwiseMax(high, SIMD2(place.x, place.y))
      }
    }
    let extent = high - low
    let height = max(extent.y, extent.x / aspectRatio, 0.05) / fill
    let size = SIMD2(height * aspectRatio, height)
    let free = pointwiseMax(size - extent, SIMD2())
    let middle = (low + high) / 2 - place * free
    return (middle - size / 2, size)
  }
}
