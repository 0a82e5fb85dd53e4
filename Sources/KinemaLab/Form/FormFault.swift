import Foundation
import KinemaSynth

/// A fault of form, done to a motion in a known size.
package struct FormFault: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Only part of the way to the turning point.
    case halfDepth
    /// Only part of the way back.
    case noLockout
    /// The trunk bends farther forward.
    case lean
    /// One arm does only part of the way.
    case asymmetry
    /// The arms bend.
    case bentArms
    /// The feet go only part of the way.
    case narrowFeet
    /// The hips sink below the line from shoulders to ankles.
    case sag
    /// The hips rise above it.
    case pike
    /// A fraction of the usual time.
    case rushed

    /// The sizes: the missing share of the way, of the time or of the arm's reach, radians of lean, or
    /// lengths of the trunk.
    package var sizes: ClosedRange<Float> {
      switch self {
      case .halfDepth: 0.3...0.8
      case .noLockout: 0.3...0.9
      case .lean: 0.3...1.2
      case .asymmetry: 0.25...0.6
      case .bentArms: 0.15...0.45
      case .narrowFeet: 0.4...1
      case .sag, .pike: 0.25...0.6
      case .rushed: 0.6...0.88
      }
    }
  }

  package let kind: Kind
  package let size: Float

  package init(_ kind: Kind, size: Float) { (self.kind, self.size) = (kind, size) }

  /// The share of the usual time that a repetition takes.
  var tempo: Double { kind == .rushed ? Double(1 - size) : 1 }

  /// The same movement with the fault.
  func applied(to choreography: Choreography, of person: SyntheticPerson) -> Choreography {
    let rest = choreography.rest
    let turn = choreography.postures.max { $0.distance(to: rest) < $1.distance(to: rest) } ?? rest
    let farthest = max(turn.distance(to: rest), 1e-6)
    var changed = choreography
    changed.postures = choreography.postures.map { posture in
      let share = posture.distance(to: rest) / farthest
      return switch kind {
      case .halfDepth: posture.moved(to: rest, by: size)
      case .noLockout: posture.moved(to: turn, by: size)
      case .lean: posture.changed { $0.pitch += size * share }
      case .asymmetry:
        posture.changed { $0.left.arm = $0.left.arm.moved(to: rest.left.arm, by: size) }
      case .bentArms:
        posture.changed {
          $0.left.armReach *= 1 - size * share
          $0.right.armReach *= 1 - size * share
        }
      case .narrowFeet:
        posture.changed {
          $0.left.ankle += (rest.left.ankle - $0.left.ankle) * size
          $0.right.ankle += (rest.right.ankle - $0.right.ankle) * size
        }
      case .sag: posture.withHips(higherBy: -size * person.trunk, of: person)
      case .pike: posture.withHips(higherBy: size * person.trunk, of: person)
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

  /// The hips higher or lower, the shoulders at their height.
  fileprivate func withHips(higherBy metres: Float, of person: SyntheticPerson) -> Posture {
    changed {
      let rise = cos($0.pitch) * person.trunk - metres
      $0.pelvis.y += metres
      $0.pitch = acos(max(-1, min(1, rise / person.trunk)))
    }
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
