/// A fault of form, done to a motion in a known size.
package enum FormFault: String, CaseIterable, Sendable {
  /// Only part of the way to the turning point.
  case halfDepth
  /// Only part of the way back.
  case noLockout
  /// The trunk bends farther forward.
  case lean
  /// One arm does only part of the way.
  case asymmetry
  /// A fraction of the usual time.
  case rushed

  /// The sizes: the missing share of the way or of the time, or radians.
  var sizes: ClosedRange<Float> {
    switch self {
    case .halfDepth: 0.4...0.7
    case .noLockout: 0.35...0.6
    case .lean: 0.5...0.9
    case .asymmetry: 0.5...0.8
    case .rushed: 0.65...0.85
    }
  }

  /// The share of the usual time that a repetition takes.
  func tempo(_ size: Float) -> Double { self == .rushed ? Double(1 - size) : 1 }

  /// The same movement with the fault.
  func applied(to choreography: Choreography, size: Float) -> Choreography {
    let rest = choreography.rest
    let turn = choreography.postures.max { $0.distance(to: rest) < $1.distance(to: rest) } ?? rest
    let farthest = max(turn.distance(to: rest), 1e-6)
    var changed = choreography
    changed.postures = choreography.postures.map { posture in
      switch self {
      case .halfDepth: posture.moved(to: rest, by: size)
      case .noLockout: posture.moved(to: turn, by: size)
      case .lean:
        posture.changed { $0.pitch += size * $0.distance(to: rest) / farthest }
      case .asymmetry:
        posture.changed { $0.left.arm = $0.left.arm.moved(to: rest.left.arm, by: size) }
      case .rushed: posture
      }
    }
    return changed
  }
}

extension Posture {
  fileprivate func moved(to other: Posture, by share: Float) -> Posture {
    Posture(lanes: lanes + (other.lanes - lanes) * share)
  }

  fileprivate func distance(to other: Posture) -> Float {
    let change = lanes - other.lanes
    return (change * change).sum().squareRoot()
  }
}

extension ArmHold {
  fileprivate func moved(to other: ArmHold, by share: Float) -> ArmHold {
    ArmHold(
      raise: raise + (other.raise - raise) * share,
      forward: forward + (other.forward - forward) * share,
      reach: reach + (other.reach - reach) * share)
  }
}
