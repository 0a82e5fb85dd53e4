import KinemaVideo

/// Schedules the detector's searches for further people.
///
/// In the whole frame the detector mostly finds the nearest person, so parts are searched in
/// rotation: squares over the shorter side and, with several people, smaller ones.
struct SearchPlan {
  /// Frames between searches while one person is tracked.
  static let interval = 15
  /// The same if no new person was found for long.
  static let restingInterval = 20
  /// The same while several are tracked.
  static let severalInterval = 3
  /// One in this many searches is of the whole frame while several are tracked.
  static let wholeShare = 3
  /// Sides of the larger and smaller parts, as shares of the frame's longer side.
  static let largeShare: Float = 0.62
  static let smallShare: Float = 0.45

  /// A search.
  struct Look {
    var region: Region
    /// Whether it is of the whole frame.
    var isWhole = false
  }

  private var frames = 0
  private var turn = 0
  /// Remaining searches, one per frame, since several people appeared.
  private var openLooks: Int?
  /// Consecutive searches without a new person.
  private var vainLooks = 0

  /// A search of the whole frame.
  static func whole(_ frame: Frame) -> Look {
    Look(region: Region(coveringWidth: frame.width, height: frame.height), isWhole: true)
  }

  /// Searches of the larger parts.
  static func largeParts(_ frame: Frame) -> [Look] {
    let longer = Float(max(frame.width, frame.height))
    let share = min(largeShare, Float(min(frame.width, frame.height)) / longer)
    // A square frame has larger parts of its own.
    return parts(frame, share: max(share, smallShare))
  }

  /// Searches of the smaller parts.
  static func smallParts(_ frame: Frame) -> [Look] {
    parts(frame, share: smallShare)
  }

  private static func parts(_ frame: Frame, share: Float) -> [Look] {
    Region.tiles(width: frame.width, height: frame.height, share: share).map { Look(region: $0) }
  }

  /// Counts a frame.
  mutating func advance() {
    frames += 1
  }

  /// Notes that everything was searched.
  mutating func noteWhole() {
    frames = 0
  }

  /// Notes the result of a search.
  mutating func note(found count: Int) {
    vainLooks = count > 0 ? 0 : vainLooks + 1
  }

  /// The search of a frame while people are tracked, if any.
  ///
  /// - Parameter amongSeveral: Whether there are, or recently were, several people.
  mutating func next(for frame: Frame, amongSeveral: Bool) -> Look? {
    let small = Self.smallParts(frame)
    let large = Self.largeParts(frame)
    if amongSeveral {
      let first = small + large + [Self.whole(frame)]
      let left = openLooks ?? first.count
      if left > 0 {
        openLooks = left - 1
        return first[left - 1]
      }
    }
    let isResting = vainLooks >= 2 * large.count
    let interval =
      amongSeveral ? Self.severalInterval : isResting ? Self.restingInterval : Self.interval
    guard frames >= interval else { return nil }
    frames = 0
    turn += 1
    if amongSeveral {
      // Large people are found in the whole frame, which then comes sooner.
      guard !turn.isMultiple(of: Self.wholeShare) else { return Self.whole(frame) }
      let parts = large + small
      return parts[(turn - turn / Self.wholeShare) % parts.count]
    }
    return turn.isMultiple(of: 2) ? Self.whole(frame) : large[turn / 2 % large.count]
  }
}
