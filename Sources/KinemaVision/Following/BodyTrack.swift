import Foundation

/// The motion, size, pose and clothes of a track, to match bodies with it.
struct BodyTrack {
  /// Tolerated distance beside the motion's own uncertainty, in sizes.
  private static let placeSlack: Float = 0.05
  /// Additional distance per second of occlusion, in sizes, because an occluded person may turn
  /// round.
  private static let absenceSlack: Float = 0.3
  private static let shortAbsence: Float = 0.1
  /// Usual differences of one person's size, pose and clothes between frames.
  private static let sizeSpread: Float = 0.25
  private static let shapeSpread: Float = 0.08
  private static let clothesSpread: Float = 0.2
  /// The largest cost of each.
  private static let limits = (place: Float(12), size: Float(3), shape: Float(2), clothes: Float(8))
  /// How long a pose predicts the next one, in seconds.
  private static let shapeMemory = 0.3
  /// Smallest weight of a frame in the clothes.
  private static let clothesWeight: Float = 0.05
  /// The difference of clothes from which two bodies are different people.
  static let otherClothes: Float = 0.7
  /// A difference of clothes that one person rarely has: 98 % of the samples in ten clips are below
  /// .43.
  static let unlikeClothes: Float = 0.42
  /// A cost that a well visible body of the track's own person rarely has: 99.9 % in synthetic
  /// crossings are below.
  static let unlikelyCost: Float = 4
  /// How far from the predicted position a person may return, in sizes, and additionally per
  /// second.
  private static let reach: (at: Float, perSecond: Float) = (0.5, 0.3)

  private(set) var motion: BodyMotion
  private var shape: [SIMD2<Float>?]
  private var clothes: ClothesColours?
  /// The number of frames in which the clothes were well visible.
  private var clothesCount: Float = 0
  /// Whether the clothes were ever well visible.
  var knowsClothes: Bool { clothesCount > 0 }

  init(_ sight: BodySight, at time: Double) {
    motion = BodyMotion(position: sight.position, size: sight.size, at: time)
    shape = sight.shape
    clothes = sight.clothes
  }

  /// When the person was last visible, in seconds.
  var lastSeen: Double { motion.time }

  /// The dissimilarity of a body, from 0, as a negative log likelihood.
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

  /// The difference of the clothes, from 0 to 1; `nil` if unknown.
  func clothesDifference(of sight: BodySight) -> Float? {
    guard let clothes, let worn = sight.clothes else { return nil }
    return clothes.difference(from: worn)
  }

  /// Whether a new body may be the occluded person.
  func isReturned(_ sight: BodySight, at time: Double) -> Bool {
    if let difference = clothesDifference(of: sight), difference > Self.otherClothes {
      return false
    }
    return abs(log(sight.size / motion.size)) < 0.6 && isNear(sight, at: time)
  }

  /// Whether a new body is near the occluded person's position.
  func isNear(_ sight: BodySight, at time: Double) -> Bool {
    let way = min(
      (sight.position - motion.position(at: time)).length,
      (sight.position - motion.position).length)
    let absence = Float(time - lastSeen)
    let size = max(motion.size, sight.size)
    return way < (Self.reach.at + Self.reach.perSecond * absence) * size
  }

  /// Adds the person's body in the next frame.
  ///
  /// - Parameter isClear: Whether no other person is near enough to be confused.
  mutating func update(_ sight: BodySight, at time: Double, isClear: Bool) {
    let difference = clothesDifference(of: sight) ?? 0
    let trust = isClear ? 1 : max(0.2, 1 - difference / Self.otherClothes)
    motion.update(position: sight.position, size: sight.size, at: time, trust: trust)
    shape = sight.shape
    guard isClear, let worn = sight.clothes else { return }
    clothesCount += 1
    if clothesCount == 1 || clothes == nil {
      // Earlier samples were partly of another person.
      clothes = worn
    } else {
      clothes?.blend(with: worn, weight: max(1 / clothesCount, Self.clothesWeight))
    }
  }

  private func square(_ value: Float) -> Float { value * value / 2 }
}
