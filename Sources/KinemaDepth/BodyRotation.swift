import Foundation

/// A rotation in three dimensions: where it turns the axes to.
package struct BodyRotation: Sendable {
  package var x = Vector3(1, 0, 0)
  package var y = Vector3(0, 1, 0)
  package var z = Vector3(0, 0, 1)

  package init() {}

  private init(x: Vector3, y: Vector3, z: Vector3) { (self.x, self.y, self.z) = (x, y, z) }

  /// The axes of a body: `across` to its left, and up as near to `up` as is possible; `nil` without both.
  init?(across: Vector3, up: Vector3) {
    guard let x = across.direction, let y = (up - x * x.dot(up)).direction else { return nil }
    self.init(x: x, y: y, z: x.cross(y))
  }

  /// The same, up as `up` is, and `across` as near as is possible.
  init?(up: Vector3, across: Vector3) {
    guard let y = up.direction, let x = (across - y * y.dot(across)).direction else { return nil }
    self.init(x: x, y: y, z: x.cross(y))
  }

  /// The smallest rotation from a direction to another one, without a twist.
  init(from start: Vector3, to end: Vector3) {
    guard let start = start.direction, let end = end.direction else {
      self.init()
      return
    }
    let cosine = start.dot(end)
    guard cosine > -0.9999 else {
      // Half a turn, about any axis across.
      let across = start.cross(abs(start.z) < 0.9 ? Vector3(0, 0, 1) : Vector3(0, 1, 0))
      let axis = across.direction ?? Vector3(0, 0, 1)
      func turned(_ way: Vector3) -> Vector3 { axis * (2 * axis.dot(way)) - way }
      self.init(
        x: turned(Vector3(1, 0, 0)), y: turned(Vector3(0, 1, 0)), z: turned(Vector3(0, 0, 1)))
      return
    }
    // Rodrigues' formula, with sine and axis as one vector.
    let axis = start.cross(end)
    func turned(_ way: Vector3) -> Vector3 {
      way * cosine + axis.cross(way) + axis * (axis.dot(way) / (1 + cosine))
    }
    self.init(
      x: turned(Vector3(1, 0, 0)), y: turned(Vector3(0, 1, 0)), z: turned(Vector3(0, 0, 1)))
  }

  package func callAsFunction(_ way: Vector3) -> Vector3 { x * way.x + y * way.y + z * way.z }

  var inverse: BodyRotation {
    BodyRotation(
      x: Vector3(x.x, y.x, z.x), y: Vector3(x.y, y.y, z.y), z: Vector3(x.z, y.z, z.z))
  }

  package static func * (one: BodyRotation, other: BodyRotation) -> BodyRotation {
    BodyRotation(x: one(other.x), y: one(other.y), z: one(other.z))
  }

  /// The angles in degrees by which it turns about z, then about the new x, then about the new y, each
  /// −180…180°: the rotation is Rz · Rx · Ry.
  package var eulerAngles: Vector3 {
    let tilt = asinf(min(max(y.z, -1), 1))
    // Looking along z, turns about z and y are one.
    let isLocked = abs(y.z) > 0.99999
    let turn = isLocked ? atan2f(x.y, x.x) : atan2f(-y.x, y.y)
    let spin = isLocked ? 0 : atan2f(-x.z, z.z)
    return Vector3(tilt, spin, turn) * (180 / Float.pi)
  }
}
