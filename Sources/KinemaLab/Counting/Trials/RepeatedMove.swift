import Foundation
import KinemaSynth

/// A repeated movement in one person's style: a motion of the library, or an invented one.
///
/// A counter of any movement must not learn particular ones. Invented movements go from a posture
/// to one or two others and back with any limbs.
struct RepeatedMove: Sendable {
  /// The key postures; one cycle is one repetition, each side one where sides change.
  var choreography: Choreography
  /// How long a repetition takes, in seconds.
  var period: Double

  /// The shortest and the longest repetition in seconds.
  static let periods = 0.27...7.5

  /// Draws a movement; `longest` is the longest repetition in seconds.
  init(in style: inout Style, longest: Double) {
    if style.chance(0.65) {
      let motion = style.pick(Motion.counted)
      choreography = motion.choreography(&style)
      let range = motion.cycleDurations
      let (low, high) = (log(range.lowerBound * 0.7), log(range.upperBound * 1.4))
      period =
        exp(low + (high - low) * Double(style.uniform(0...1)))
        / Double(choreography.repetitionsPerCycle)
    } else {
      choreography = Self.invented(in: &style)
      period = 1.7 * exp(0.45 * Double(style.generator.normal()))
      if style.chance(0.25) { shrink(by: style.uniform(0.12...0.6)) }
    }
    if style.chance(0.3) {
      let (low, high) = (log(Self.periods.lowerBound), log(Self.periods.upperBound))
      period = exp(low + (high - low) * Double(style.uniform(0...1)))
    }
    let most = min(longest, Self.periods.upperBound)
    if period > most { period = most * Double(style.uniform(0.4...1)) }
    period = max(period, Self.periods.lowerBound)
    distort(in: &style)
  }

  /// A rhythm of one's own: quick down and slow up, a hold here or there.
  private mutating func distort(in style: inout Style) {
    let skew = style.uniform(0...0.45)
    for index in choreography.shares.indices {
      choreography.shares[index] *= Double(exp(skew * style.generator.normal()))
    }
    if choreography.repetitionsPerCycle == 1, style.chance(0.3) {
      // A hold: the same posture twice.
      let index = style.pick(Array(choreography.postures.indices))
      choreography.postures.insert(choreography.postures[index], at: index)
      let total = choreography.shares.reduce(0, +)
      choreography.shares.insert(total * Double(style.uniform(0.05...0.6)), at: index)
    }
    let total = choreography.shares.reduce(0, +)
    choreography.shares = choreography.shares.map { $0 / total }
  }

  private mutating func shrink(by share: Float) {
    let rest = choreography.rest
    for index in choreography.postures.indices {
      let posture = choreography.postures[index]
      guard posture.left.planted == rest.left.planted else { continue }
      choreography.postures[index] = Posture(
        lanes: rest.lanes + (posture.lanes - rest.lanes) * share)
    }
  }

  // MARK: - Invention

  private static func invented(in style: inout Style) -> Choreography {
    let place = style.uniform(0...1)
    let base = basePosture(place, in: &style)
    func other(_ style: inout Style) -> Posture { changed(base, place: place, in: &style) }
    let first = other(&style)
    let kind = style.uniform(0...1)
    if kind < 0.62 {
      let alternates = style.chance(0.35)
      return Choreography([(base, 1), (first, 1)], alternates: alternates)
    }
    let second = other(&style)
    if kind < 0.85 {
      return Choreography(
        [(base, 1), (first, style.uniform(0.5...1.5)), (second, style.uniform(0.5...1.5))])
    }
    if kind < 0.93 {
      return Choreography([(base, 1), (first, 1), (base, 1), (second, 1)])
    }
    return Choreography([(base, 1), (first, 1), (second, 1), (other(&style), 1)])
  }

  /// Where an invented movement starts, by a number from 0 to 1.
  private static func basePosture(_ place: Float, in style: inout Style) -> Posture {
    switch place {
    case ..<0.5:
      var base = style.standing(stance: 0.02...0.2).arms(style.armHold())
      base.pelvis.y = style.hips(style.uniform(0.85...0.985))
      base.pitch = style.chance(0.25) ? style.uniform(0...0.9) : style.uniform(-0.1...0.15)
      return base
    case ..<0.58: return style.sitting().arms(style.armHold())
    case ..<0.72:
      var base = style.supine(bend: 0.35...0.97)
      if style.chance(0.4) {
        // On a bench, weights over the chest.
        base.pelvis.y += 0.25 * style.person.stature
        base = base.arms(raise: 1.5, forward: style.uniform(1.2...1.7), reach: 0.97)
      }
      return base
    case ..<0.79: return style.prone()
    case ..<0.85: return style.onAllFours()
    case ..<0.9: return style.kneeling().arms(style.armHold())
    default:
      // Hanging from a bar.
      let hand = Vector(
        style.person.shoulderWidth * style.uniform(0.4...0.9), 1.35 * style.person.stature, 0)
      var base = style.standing(stance: 0.02...0.06).planted(hand)
      let low = hand.y - style.person.arm * 0.97 - style.person.trunk
      base.pelvis = Vector(0, low, style.uniform(-0.05...0.05))
      let legs = style.person.leg * style.uniform(0.75...0.97)
      base.setAnkles { $0.y = low - legs }
      return base
    }
  }

  /// A posture with something done to one to four parts of the body.
  private static func changed(
    _ base: Posture, place: Float, in style: inout Style
  ) -> Posture {
    var posture = base
    if place >= 0.9 { return pulledUp(base, in: &style) }
    let size = style.person.stature
    let count = 1 + Int(style.uniform(0...1) * style.uniform(0...1) * 4)
    for _ in 0..<count {
      switch Int(style.uniform(0...9.99)) {
      case 0, 1, 2:
        let hold = ArmHold(
          raise: style.uniform(0.05...3), forward: style.uniform(-0.4...1.9),
          reach: style.uniform(0.35...0.99))
        posture = posture.unplanted.arms(hold)
      case 3:
        posture = posture.leftArm(
          raise: style.uniform(0.05...3), forward: style.uniform(-0.4...1.9),
          reach: style.uniform(0.35...0.99))
      case 4:
        posture.pelvis.y *= style.uniform(0.45...0.9)
        posture.pelvis.z -= style.uniform(0...0.12) * size
        posture.pitch += style.uniform(0...0.9)
      case 5:
        let way = Vector(
          style.uniform(-0.05...0.3), style.uniform(0...0.08), style.uniform(-0.35...0.35))
        posture.left.ankle += way * size
        posture.pelvis += Vector(way.x / 2, -0.04, way.z / 2) * size
      case 6:
        posture.left.ankle.y += style.uniform(0.08...0.45) * size
        posture.left.ankle.z += style.uniform(-0.2...0.3) * size
      case 7:
        posture.pitch += style.uniform(-0.5...1.1)
        posture.nod += style.uniform(-0.4...0.4)
      case 8:
        posture.roll += style.side() * style.uniform(0.15...0.7)
      default:
        posture.twist += style.side() * style.uniform(0.2...0.9)
        posture.pelvis.y += style.uniform(0...0.12) * size
      }
    }
    return posture
  }

  private static func pulledUp(_ base: Posture, in style: inout Style) -> Posture {
    let size = style.person.stature
    let way = style.uniform(0.06...0.24) * size
    return base.changed { posture in
      posture.pelvis.y += way
      posture.pelvis.z += style.uniform(-0.08...0.05) * size
      let swing = style.uniform(-0.1...0.2) * size
      posture.setAnkles { ankle in
        ankle.y += way
        ankle.z += swing
      }
    }
  }
}
