import KinemaVideo

/// Where the detector looks for people who are not followed yet, and how often.
///
/// In the whole picture it mostly sees one person, the nearest. So it looks at parts of the picture as
/// well, by turns: squares over its shorter side and, where it is known that there are several people, smaller
/// ones.
struct SearchPlan {
  /// How many frames lie between two looks while one person is followed.
  static let interval = 15
  /// The same where nobody new was found for long.
  static let restingInterval = 20
  /// The same while several are followed.
  static let severalInterval = 3
  /// One in how many looks is at the whole picture while several are followed.
  static let wholeShare = 3
  /// The sides of the larger and the smaller parts, as shares of the picture's longer side.
  static let largeShare: Float = 0.62
  static let smallShare: Float = 0.45

  /// What the detector looks at.
  struct Look {
    var region: Region
    /// Whether it is the whole picture.
    var isWhole = false
  }

  private var frames = 0
  private var turn = 0
  /// How many looks at the picture and its parts are to be made, one in each frame, since several
  /// people turned up.
  private var openLooks: Int?
  /// How many looks found nobody, one after the other.
  private var vainLooks = 0

  /// The whole picture.
  static func whole(_ frame: Frame) -> Look {
    Look(region: Region(coveringWidth: frame.width, height: frame.height), isWhole: true)
  }

  /// The larger parts of a picture.
  static func largeParts(_ frame: Frame) -> [Look] {
    let longer = Float(max(frame.width, frame.height))
    let share = min(largeShare, Float(min(frame.width, frame.height)) / longer)
    // A square picture has larger parts of its own.
    return parts(frame, share: max(share, smallShare))
  }

  /// The smaller parts of a picture.
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

  /// Notes that everything was looked at.
  mutating func noteWhole() {
    frames = 0
  }

  /// Notes what came of a look.
  mutating func note(found count: Int) {
    vainLooks = count > 0 ? 0 : vainLooks + 1
  }

  /// What is to be looked at in a frame, if anything, while people are followed.
  ///
  /// - Parameter amongSeveral: Whether there are several, or were a moment ago.
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
      // Who is large is seen in the whole picture, which comes round the sooner.
      guard !turn.isMultiple(of: Self.wholeShare) else { return Self.whole(frame) }
      let parts = large + small
      return parts[(turn - turn / Self.wholeShare) % parts.count]
    }
    return turn.isMultiple(of: 2) ? Self.whole(frame) : large[turn / 2 % large.count]
  }
}
