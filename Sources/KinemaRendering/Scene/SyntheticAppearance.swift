import KinemaSynth

/// The appearance of a synthetic person: colours as red, green and blue from 0 to 1.
package struct SyntheticAppearance: Hashable, Codable, Sendable {
  package var skin: SIMD3<Float>
  package var hair: SIMD3<Float>
  package var shirt: SIMD3<Float>
  package var trousers: SIMD3<Float>
  package var shoes: SIMD3<Float>
  package var hasLongSleeves: Bool
  package var hasLongTrousers: Bool
  package var hasLongHair: Bool

  /// A blue shirt, dark trousers, short dark hair.
  package static let plain = SyntheticAppearance(
    skin: SIMD3(0.87, 0.67, 0.55), hair: SIMD3(0.23, 0.15, 0.1), shirt: SIMD3(0.16, 0.36, 0.68),
    trousers: SIMD3(0.17, 0.17, 0.23), shoes: SIMD3(0.9, 0.9, 0.9), hasLongSleeves: false,
    hasLongTrousers: true, hasLongHair: false)

  /// Any skin, hair and clothes.
  package static func random(using generator: inout some RandomNumberGenerator)
    -> SyntheticAppearance
  {
    func colour(_ generator: inout some RandomNumberGenerator) -> SIMD3<Float> {
      let vivid = generator.uniform(0.2...1)
      let grey = SIMD3<Float>(repeating: generator.uniform(0.08...0.9))
      let tint = SIMD3(
        generator.uniform(0.05...0.85), generator.uniform(0.05...0.85),
        generator.uniform(0.05...0.85))
      return grey + (tint - grey) * vivid
    }
    let skins: [SIMD3<Float>] = [
      SIMD3(0.93, 0.76, 0.66), SIMD3(0.87, 0.67, 0.55), SIMD3(0.76, 0.56, 0.42),
      SIMD3(0.6, 0.42, 0.3), SIMD3(0.45, 0.31, 0.23),
    ]
    let hairs: [SIMD3<Float>] = [
      SIMD3(0.1, 0.08, 0.07), SIMD3(0.23, 0.15, 0.1), SIMD3(0.4, 0.26, 0.15),
      SIMD3(0.62, 0.48, 0.28), SIMD3(0.5, 0.49, 0.48),
    ]
    return SyntheticAppearance(
      skin: generator.pick(skins), hair: generator.pick(hairs), shirt: colour(&generator),
      trousers: colour(&generator), shoes: colour(&generator),
      hasLongSleeves: generator.chance(0.3), hasLongTrousers: generator.chance(0.65),
      hasLongHair: generator.chance(0.35))
  }

  /// Puts on the clothes of another person.
  mutating func dress(like other: SyntheticAppearance) {
    (shirt, trousers, shoes) = (other.shirt, other.trousers, other.shoes)
    (hasLongSleeves, hasLongTrousers) = (other.hasLongSleeves, other.hasLongTrousers)
  }
}
