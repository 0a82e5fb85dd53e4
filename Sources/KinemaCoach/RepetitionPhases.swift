/// The part of the body whose height divides a repetition into the way down and the way up.
package enum Lead: String, CaseIterable, Sendable {
  case hips, shoulders, hands

  /// Where it is; of the hands the higher one, so that arms may work in turn.
  func place(in frame: BodyTrack.Frame) -> SIMD3<Float>? {
    switch self {
    case .hips: frame.place(.hips)
    case .shoulders: frame.place(.shoulders)
    case .hands:
      Side.allCases.compactMap { frame.place(.wrist($0)) }.max { $0.y < $1.y }
    }
  }
}

extension Lead {
  /// The joints whose paths are its own.
  var joints: [Joint] {
    switch self {
    case .hips: [.hips]
    case .shoulders: [.shoulders]
    case .hands: Side.allCases.map { .wrist($0) }
    }
  }

  /// How high it is; the hands above their shoulders, of which the higher hand counts: leaning moves
  /// hands that hang, and lifts none.
  func height(in frame: BodyTrack.Frame) -> Float? {
    guard self == .hands else { return place(in: frame)?.y }
    return Side.allCases.compactMap { side -> Float? in
      guard let hand = frame.place(.wrist(side)),
        let shoulder = frame.place(.shoulder(side)) ?? frame.place(.shoulders)
      else { return nil }
      return hand.y - shoulder.y
    }.max()
  }
}

/// The turning points of a repetition, and how long it takes from one to the other.
package struct RepetitionPhases: Hashable, Sendable {
  package enum Part: String, CaseIterable, Sendable {
    case down = "down"
    case up = "up"
    case bottom = "at the bottom"
    case top = "at the top"
  }

  /// The frames in which the lead is lowest and highest.
  ///
  /// One is the turning point, the other where the repetition ends: it begins where the one before it
  /// ended.
  package let bottom: Int
  package let top: Int
  /// Whether it ends so early that nothing is known of its end.
  package let isCutShort: Bool
  /// Whether it goes down first.
  package let isDownFirst: Bool
  /// How long each part takes, in seconds.
  package let seconds: [Part: Double]
  /// How long the repetition takes, in seconds.
  package let duration: Double

  /// The frame in which it turns: the bottom of a squat, the top of a curl.
  package var turn: Int { isDownFirst ? bottom : top }

  /// The share of the way at both ends within which the lead is at the end.
  static let endShare: Float = 0.06
  /// The share of a repetition by which it may begin earlier and end later, for its ends are less
  /// certain than its turning point.
  static let margin = 0.15
  /// The share of the way out from which on the way back counts as finished.
  ///
  /// On the clips that end within a repetition a quarter is too little: two of them got a cue for what
  /// they do not show.
  static let leastReturn: Float = 0.5
  /// The least number of frames in which the lead is visible.
  static let leastFrames = 5

  /// The phases of a posture that is held: it has no turning points.
  init?(heldIn track: BodyTrack, from start: Double, to end: Double) {
    let frames = track.indices(from: start, to: end)
    guard frames.count >= Self.leastFrames else { return nil }
    duration = end - start
    bottom = frames.lowerBound + frames.count / 2
    top = bottom
    (isCutShort, isDownFirst, seconds) = (false, true, [:])
  }

  /// `nil` where the lead is hidden for too long or does not move.
  init?(_ track: BodyTrack, from start: Double, to end: Double, lead: Lead) {
    duration = end - start
    let margin = duration * Self.margin
    let heights = track.indices(from: start - margin, to: end + margin).compactMap { index in
      lead.height(in: track.frames[index]).map { (index: index, y: $0) }
    }
    func time(_ place: Int) -> Double { track.frames[heights[place].index].time }
    let own = heights.indices.filter { start <= time($0) && time($0) <= end }
    guard own.count >= Self.leastFrames, let first = own.first, let last = own.last,
      let lowest = own.min(by: { heights[$0].y < heights[$1].y }),
      let highest = own.max(by: { heights[$0].y < heights[$1].y })
    else { return nil }
    let middle = (heights[lowest].y + heights[highest].y) / 2
    isDownFirst = (heights[first].y + heights[last].y) / 2 > middle
    let turn = isDownFirst ? lowest : highest
    let sign: Float = isDownFirst ? 1 : -1
    // How far from the turning point the lead is; the ends are where it is farthest.
    let away = heights.map { sign * ($0.y - heights[turn].y) }
    guard let before = (0...turn).max(by: { away[$0] < away[$1] }),
      let after = (turn..<away.count).max(by: { away[$0] < away[$1] }),
      away[before] > 0, away[after] > 0
    else { return nil }
    isCutShort = away[after] < Self.leastReturn * away[before]
    (bottom, top) =
      isDownFirst
      ? (heights[turn].index, heights[after].index)
      : (heights[after].index, heights[turn].index)

    let leave = (before...turn).last { away[$0] >= (1 - Self.endShare) * away[before] } ?? before
    let arrive = (leave...turn).first { away[$0] <= Self.endShare * away[before] } ?? turn
    let back = (turn...after).last { away[$0] <= Self.endShare * away[after] } ?? turn
    let home = (back...after).first { away[$0] >= (1 - Self.endShare) * away[after] } ?? after
    let (out, hold, way) = (
      time(arrive) - time(leave), time(back) - time(arrive), time(home) - time(back)
    )
    let rest = max(0, duration - out - hold - way)
    seconds =
      isDownFirst
      ? [.down: out, .bottom: hold, .up: way, .top: rest]
      : [.up: out, .top: hold, .down: way, .bottom: rest]
  }
}
