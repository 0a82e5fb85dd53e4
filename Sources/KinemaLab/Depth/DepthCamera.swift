import Foundation
import KinemaPose
import KinemaRandom
import KinemaSynth

/// A pinhole camera somewhere round a person, for the lifter to learn from: what it sees and where the person
/// is in its own coordinates.
///
/// Its coordinates are x to the right and y up in the picture, z towards the camera; lengths are shares of the
/// person's stature.
struct DepthCamera {
  /// The azimuth round the person, 0 in front, and the downward angle to them, in radians.
  let yaw, pitch: Float
  let aspectRatio: Float
  /// The picture's height at the person, in statures.
  private let height: Float
  private let distance: Float
  /// From the camera's axis to the middle of the person.
  private let place: SIMD2<Float>
  private let right, up, back: Vector

  /// How high a picture is that the camera takes, in radians: wide angles of laptops to small ones of
  /// cameras far away.
  private static let fieldsOfView: ClosedRange<Float> = 0.5...1.35
  /// The angles of cameras that are high above, in radians.
  private static let highPitches: ClosedRange<Float> = 0.35...1.1

  init(using generator: inout SeededGenerator) {
    yaw =
      generator.chance(0.3) ? 0.35 * generator.normal() : generator.uniform(-.pi...(.pi))
    pitch =
      generator.chance(0.15)
      ? generator.uniform(Self.highPitches) : 0.08 + 0.18 * generator.normal()
    // Most cameras stand level, some are fixed to whatever is there.
    let roll = (generator.chance(0.2) ? 0.25 : 0.04) * generator.normal()
    aspectRatio = generator.pick([0.5625, 0.5625, 0.75, 1, 1.333, 1.778, 1.778])
    let fieldOfView = generator.uniform(Self.fieldsOfView)
    let isNear = generator.chance(0.15)
    let fill =
      isNear ? generator.uniform(1...1.9) : exp(generator.uniform(log(0.2)...log(1.0)))
    let tangent = tan(fieldOfView / 2)
    distance = max(1.1, 1 / (2 * fill * tangent))
    height = 2 * distance * tangent
    let free = max(0, height - 1) / 2
    let aside = max(0, height * aspectRatio - 0.6) / 2
    // Who is too near shows the upper part.
    let lift = isNear ? generator.uniform(-0.5...0) : generator.uniform(-0.7...0.7) * free
    place = SIMD2(generator.uniform(-0.7...0.7) * aside, lift)
    // `pitch` is that of the line to the person, not of the optical axis.
    let tilt = pitch + atan(place.y / distance)
    let forward = Vector(sin(yaw) * cos(tilt), -sin(tilt), -cos(yaw) * cos(tilt))
    let level = Vector(cos(yaw), 0, sin(yaw))
    let steep = level.cross(forward)
    right = level * cos(roll) + steep * sin(roll)
    up = steep * cos(roll) - level * sin(roll)
    back = forward * -1
  }

  /// The direction against gravity.
  var gravity: Vector { Vector(right.y, up.y, back.y) }

  /// Places about the middle of a person, in statures, in the camera's coordinates.
  func places(_ away: [Vector]) -> [Vector] {
    away.map {
      Vector($0.dot(right) + place.x, $0.dot(up) + place.y, $0.dot(back) - distance)
    }
  }

  /// What is seen of places in the camera's coordinates: x and y in statures at the distance of the person, z
  /// towards the camera.
  func view(_ places: [Vector]) -> [Vector] {
    places.map { place in
      let size = distance / max(-place.z, 0.3)
      return Vector(place.x * size, place.y * size, place.z + distance)
    }
  }

  /// The picture in the units of ``view(_:)``.
  var picture: SimulatedEstimator.Picture {
    let size = SIMD2(height * aspectRatio, height)
    return (size / -2, size)
  }
}
