package import Foundation

/// What the last seconds of a person's course show of a fall.
///
/// All are of the steepest way down in them: before it, on it, and after it up to now. Lengths are shares
/// of the person's stature, speeds statures a second, angles degrees, times seconds.
package struct FallSigns: Hashable, Sendable {
  package enum Sign: String, CaseIterable, Sendable {
    /// The highest downward speed of the trunk over 0.25, 0.5 and 1 s, of the hips over 0.5 s, and of the
    /// head over 0.25 s.
    case speed, steadySpeed, slowSpeed, hipSpeed, headSpeed
    /// How much lower shoulders, hips and the lowest joint are afterwards.
    case shoulderDrop, hipDrop, floorDrop
    /// How high shoulders and hips are afterwards above the lowest joint before.
    case shoulderHeight, hipHeight
    /// The angle between trunk and upright before and afterwards.
    case tiltBefore, tilt
    /// The height of the body before and afterwards, its width afterwards, and the logarithm of height by
    /// width.
    case extentBefore, extent, width, shape
    /// How far to the side the trunk went, and how far in the second around the steepest moment for each
    /// stature down: who falls goes over, who gets down on purpose keeps the weight above the feet.
    case aside, slant
    /// How much the trunk moved in the last second; −0.05 statures where too little is seen.
    case unrest
    /// How far the shoulders came up afterwards above where they mostly were.
    case rise
    /// The share of the time for which the person was found afterwards.
    case seenAfter
    /// The longest time around the way down for which the person was not found.
    case gap
    /// How long ago it was, and for how long the person has not been found.
    case since, lost
    /// The probability that the person lies, sits or kneels, and is upright on the feet: the mean before and
    /// afterwards, and at the last reading; −1 where no posture is known.
    case lyingBefore, seatedBefore, uprightBefore, lying, seated, upright, lyingNow, uprightNow
  }

  /// When the person was down, in seconds.
  package let time: TimeInterval
  /// Up to when the course is known, in seconds.
  package let now: TimeInterval
  /// One value for each sign, in their order.
  package let values: [Float]

  /// Signs without a value are 0.
  package init(time: TimeInterval, now: TimeInterval, _ values: [Sign: Float]) {
    (self.time, self.now) = (time, now)
    self.values = Sign.allCases.map { values[$0] ?? 0 }
  }

  package subscript(_ sign: Sign) -> Float { values[sign.index] }

  /// The names of the signs, in their order.
  package static var names: [String] { Sign.allCases.map(\.rawValue) }
}

extension FallSigns.Sign {
  private static let places = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// Its position among all signs.
  package var index: Int { Self.places[self] ?? 0 }
}
