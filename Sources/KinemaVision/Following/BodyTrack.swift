import Foundation

/// What is known of somebody who is followed, enough to tell whether a body is theirs: where they are
/// expected, how large they are, how they hold themselves and what they wear.
struct BodyTrack {
  /// How far off a body may be beside the motion's own uncertainty, in sizes.
  private static let placeSlack: Float = 0.05
  /// How much farther off a body may be for every second in which the person was out of sight, in
  /// sizes, after a moment: who is hidden may turn round.
  private static let absenceSlack: Float = 0.3
  private static let shortAbsence: Float = 0.1
  /// The usual difference of one person's sizes, poses and clothes between frames.
  private static let sizeSpread: Float = 0.25
  private static let shapeSpread: Float = 0.08
  private static let clothesSpread: Float = 0.2
  /// The most that each can weigh.
  private static let limits = (place: Float(12), size: Float(3), shape: Float(2), clothes: Float(8))
  /// For how long somebody's pose says something about the next one, in seconds.
  private static let shapeMemory = 0.3
  /// The least share that a frame has in the clothes.
  private static let clothesWeight: Float = 0.05
  /// The difference of clothes from which on nobody is taken for the same person.
  static let otherClothes: Float = 0.7
  /// The difference of clothes that one person hardly ever has from themselves: 98 % of what was
  /// seen in ten clips is below .43.
  static let unlikeClothes: Float = 0.42
  /// The cost that a body which is seen well hardly ever has for its own person: 99.9 % of what was seen
  /// in synthetic crossings is below.
  static let unlikelyCost: Float = 4
  /// How far from the expected place somebody may turn up again, in sizes, and how much farther for
  /// every second.
  private static let reach: (at: Float, perSecond: Float) = (0.5, 0.3)

  private(set) var motion: BodyMotion
  private var shape: [SIMD2<Float>?]
  private var clothes: ClothesColours?
  /// In how many frames the clothes could be seen well.
  private var clothesCount: Float = 0
  /// Whether the clothes were seen well at least once.
  var knowsClothes: Bool { clothesCount > 0 }

  init(_ sight: BodySight, at time: Double) {
    motion = BodyMotion(position: sight.position, size: sight.size, at: time)
    shape = sight.shape
    clothes = sight.clothes
  }

  /// When the person was last seen, in seconds.
  var lastSeen: Double { motion.time }

  /// How unlike the person a body is, from 0 on, counted as the negative logarithm of a likelihood.
  func cost(of sight: BodySight, at time: Double) -> Float {
    let absence = max(0, Float(time - lastSeen) - Self.shortAbsence)
    let spread =
      motion.uncertainty(at: time) + Self.placeSlack + Self.absenceSlack * absence
    let distance = (sight.position - motion.position(at: time)).length / motion.size
    var cost = min(square(distance / spread), Self.limits.place)
    cost += min(square(log(sight.size / motion.size) / Self.sizeSpread), Self.limits.size)
    if time - lastSeen <= Self.shapeMemory, let difference = sight.difference(from: shape) {
      cost += min(square(difference / Self.shapeSpread), Self.limits.shape)
    }
    if let difference = clothesDifference(of: sight) {
      cost += min(square(difference / Self.clothesSpread), Self.limits.clothes)
    }
    return cost
  }

  /// How different a body's clothes are, from 0 to 1; `nil` where that is not known.
  func clothesDifference(of sight: BodySight) -> Float? {
    guard let clothes, let worn = sight.clothes else { return nil }
    return clothes.difference(from: worn)
  }

  /// Whether a body that turns up can be the person, who was lost.
  func isReturned(_ sight: BodySight, at time: Double) -> Bool {
    if let difference = clothesDifference(of: sight), difference > Self.otherClothes {
      return false
    }
    return abs(log(sight.size / motion.size)) < 0.6 && isNear(sight, at: time)
  }

  /// Whether a body that turns up is near where the person, who was lost, was or may be.
  func isNear(_ sight: BodySight, at time: Double) -> Bool {
    let way = min(
      (sight.position - motion.position(at: time)).length,
      (sight.position - motion.position).length)
    let absence = Float(time - lastSeen)
    let size = max(motion.size, sight.size)
    return way < (Self.reach.at + Self.reach.perSecond * absence) * size
  }

  /// Takes the person's body in the next frame.
  ///
  /// - Parameter isClear: Whether nobody else is near enough to be mistaken for the person.
  mutating func update(_ sight: BodySight, at time: Double, isClear: Bool) {
    let difference = clothesDifference(of: sight) ?? 0
    let trust = isClear ? 1 : max(0.2, 1 - difference / Self.otherClothes)
    motion.update(position: sight.position, size: sight.size, at: time, trust: trust)
    shape = sight.shape
    guard isClear, let worn = sight.clothes else { return }
    clothesCount += 1
    if clothesCount == 1 || clothes == nil {
      // What was seen before was half somebody else's.
      clothes = worn
    } else {
      clothes?.blend(with: worn, weight: max(1 / clothesCount, Self.clothesWeight))
    }
  }

  private func square(_ value: Float) -> Float { value * value / 2 }
}
