extension Style {
  /// From feet together to feet apart and back, with a flight on both ways.
  ///
  /// - Parameters:
  ///   - closed: Feet together.
  ///   - stance: From the middle to each ankle with the feet apart, in metres.
  ///   - raise: How far the arms are lifted then.
  ///   - hop: How high the feet get, in metres.
  ///   - give: How far the knees give at each landing, in metres.
  mutating func opening(
    _ closed: Posture, stance: Float, raise: Float, hop: Float, give: Float
  ) -> [(Posture, Float)] {
    func opened(_ share: Float) -> Posture {
      var posture = closed.arms(raise: blend(closed.left.armRaise, raise, share))
      let aside = blend(closed.left.ankle.x, stance, share)
      posture.left.ankle.x = aside
      posture.right.ankle.x = -aside
      let level = aside - person.hipWidth / 2
      let leg = person.leg * 0.99
      posture.pelvis.y = (leg * leg - level * level).squareRoot() + person.ankleHeight - give
      return posture
    }
    let flight = opened(0.5).moved(by: Vector(0, hop + give * 0.5, 0))
    let open = opened(1)
    return [
      (closed, 1), (flight, 1), (open, uniform(0.1...0.4)), (open, 1), (flight, 1),
      (closed, uniform(0.1...0.4)),
    ]
  }
}
