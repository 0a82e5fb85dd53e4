/// How one person does one motion: the key postures of a cycle, in that person's style.
package struct Choreography: Sendable {
  /// The postures in order; the cycle begins and ends at the first.
  package var postures: [Posture]
  /// How long the way from each posture to the next one takes, in shares of the cycle; the last
  /// one is the way back to the first.
  package var shares: [Double]
  /// Whether every other cycle is done with left and right exchanged.
  package var alternates: Bool
  /// How far the person moves forward in a cycle, in metres.
  package var advance: Float
  /// How many repetitions a cycle has: 2 where one holds a left and a right one.
  ///
  /// Each has as many of the postures.
  package var repetitionsPerCycle: Int

  /// Creates a choreography of postures, each with the relative time to the next one.
  package init(
    _ keys: [(Posture, Float)], alternates: Bool = false, advance: Float = 0,
    repetitionsPerCycle: Int = 1
  ) {
    precondition(
      keys.count.isMultiple(of: repetitionsPerCycle), "Each repetition has as many postures.")
    let total = keys.reduce(0) { $0 + Double($1.1) }
    postures = keys.map(\.0)
    shares = keys.map { Double($0.1) / total }
    self.alternates = alternates
    self.advance = advance
    self.repetitionsPerCycle = repetitionsPerCycle
  }

  /// The posture before and after each cycle.
  package var rest: Posture { postures[0] }

  /// Whether a repetition ends with a posture of a cycle, counted from 0.
  package func endsRepetition(_ index: Int) -> Bool {
    (index + 1).isMultiple(of: postures.count / repetitionsPerCycle)
  }

  /// The postures that follow the first in a cycle, ending with the first of the next one.
  ///
  /// A depth of 1 is this person's usual.
  package func cycle(_ index: Int, depth: Float) -> [Posture] {
    let isMirrored = alternates && index % 2 == 1
    let start = isMirrored ? rest.mirrored : rest
    var way = postures.dropFirst().map { posture in
      let posture = isMirrored ? posture.mirrored : posture
      // Hands that are planted on the way would miss the floor if they went farther or less far.
      let isFree =
        posture.left.planted == start.left.planted && posture.right.planted == start.right.planted
      return isFree ? Posture(lanes: start.lanes + (posture.lanes - start.lanes) * depth) : posture
    }
    // Where every other cycle is mirrored, the way back leads to the mirrored start.
    way.append(alternates && !isMirrored ? rest.mirrored : rest)
    return way
  }
}

extension Style {
  /// The same with left and right exchanged for half of the people.
  mutating func onEitherSide(_ keys: [(Posture, Float)]) -> [(Posture, Float)] {
    chance(0.5) ? keys : keys.map { ($0.0.mirrored, $0.1) }
  }

  /// A few postures in turn, each held for about as long.
  mutating func fidgeting(
    _ count: Int, _ posture: (inout Style) -> Posture
  ) -> Choreography {
    Choreography((0..<count).map { _ in (posture(&self), uniform(0.5...1.5)) })
  }
}
