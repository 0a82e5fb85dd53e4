/// The position of a person on hands and feet, and how far the chest can go down.
struct PlankPlace: Sendable {
  let person: SyntheticPerson
  /// The places of the left wrist and the left ankle, in metres.
  let hand, ankle: Vector
  /// The height of the shoulders over stretched arms and of the hips over a straight line, in metres.
  let shoulderHeight, pike: Float

  /// Draws a place.
  ///
  /// - Parameters:
  ///   - spread: Half the distance of the hands as a share of the shoulders' width.
  ///   - reach: How far ahead the hands are, as a share of stature.
  ///   - handRise: How high what the hands stand on is, as a share of stature.
  ///   - footRise: How high what the feet stand on is, as a share of stature.
  ///   - pike: See ``pike``, as a share of stature.
  init(
    _ style: inout Style, spread: ClosedRange<Float> = 0.5...0.9,
    reach: ClosedRange<Float> = 0.24...0.3, handRise: Float = 0, footRise: Float = 0,
    pike: ClosedRange<Float> = -0.03...0.06
  ) {
    person = style.person
    let size = person.stature
    hand = Vector(
      person.shoulderWidth * style.uniform(spread), 0.055 + handRise * size,
      style.stature(reach))
    let aside = hand.x - person.shoulderWidth / 2
    let arm = person.arm * 0.985
    shoulderHeight = hand.y + max(arm * arm - aside * aside, 0.04).squareRoot()
    let low = (0.085 + footRise) * size
    let body = person.leg * 0.995 + person.trunk
    let rise = shoulderHeight - low
    ankle = Vector(
      style.stature(0.03...0.07), low,
      hand.z - max(body * body - rise * rise, 0.1).squareRoot() + style.stature(-0.03...0.02))
    self.pike = style.stature(pike)
  }

  /// Over stretched arms.
  var top: Posture { lowered(by: 0) }

  /// With the chest lowered by a share of the arms' length.
  func lowered(by share: Float) -> Posture {
    .plank(
      person, hand: hand, ankle: ankle,
      shoulderHeight: hand.y + (shoulderHeight - hand.y) * (1 - share),
      pike: pike * (1 - share * 0.7))
  }
}
