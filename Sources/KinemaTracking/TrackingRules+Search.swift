extension TrackingRules {
  /// When and where those are searched who are not tracked.
  package struct Search: Sendable {
    /// How long there is no search after one: so many frames, at low frame rates so many seconds.
    package typealias Interval = (frames: Int, seconds: Double)

    // MARK: Intervals

    /// While one person, or a hand, is tracked.
    package var interval: Interval = (15, 0.5)
    /// While one person is tracked, if no new one was found for long.
    package var restingInterval: Interval = (20, 0.7)
    /// While several people are tracked.
    package var severalInterval: Interval = (3, 0.1)
    /// While people are tracked and nothing else moves in the whole picture.
    package var quietInterval: Interval = (.max, 5)
    /// While something else moves: one of so many places is searched then, the largest.
    package var motionInterval: Interval = (2, 0.15)
    package var motionAreaCount = 3
    /// How long the search for others continues at full rate with one person left, in seconds.
    package var companyMemory = 5.0
    /// One in this many searches is of the whole frame while several people are tracked.
    package var wholeShare = 3
    /// Number of frames without a person in which only the whole frame is searched, where a lost
    /// person reappears; then a part as well every ``partInterval`` frames, one in ``likelyShare`` for
    /// detections alone that have a score above that of furniture.
    package var wholeCount = 4
    package var partInterval = 2
    package var likelyShare = 3
    /// Number of occluded tracks searched per frame while others are visible.
    package var recoveryCount = 2

    // MARK: Parts

    /// Sides of the larger and smaller parts, as shares of the frame's longer side.
    package var largeShare: Float = 0.62
    package var smallShare: Float = 0.45
    /// The sides of the parts while nobody is found: in the smallest the detector finds a person of
    /// an eighth of the longer side.
    package var firstShares = SIMD3<Float>(0.62, 0.45, 0.33)
    /// The side of the parts that are centred on the left and right edge while nobody is found: in those
    /// the detector finds who is half outside, in others never.
    package var edgeShare: Float = 0.45
    /// How long after the last person was lost they are searched where the track ended, in seconds, and
    /// in which crops: sides relative to the person's region, turned by quarters.
    package var lostMemory = 10.0
    package var lostCrops: [(scale: Float, quarters: Int)] = [
      (1.7, 0), (1.7, 1), (2.5, 0), (1.7, -1),
    ]
    /// The side of the part searched where something moves, relative to the longer side of what moves, and its
    /// least share of the frame's longer side: of a person who comes in, only an edge may have moved.
    package var motionScale: Float = 1.6
    package var motionShare: Float = 0.25
    /// The size of the part searched for an occluded person relative to the person's region.
    package var missingScale: Float = 1.3

    // MARK: Confidence

    /// Lowest presence of a second and further person: false detections between two people or in
    /// furniture mostly have less.
    package var furtherPresence: Float = 0.9
    /// The detector score and landmark presence of a confident detection.
    ///
    /// In 28 views of real rooms without people, 269 false detections have scores up to 0.73.
    package var confidentScore: Float = 0.75
    package var confidentPresence: Float = 0.98
    /// The lowest score of a person in the whole frame of a crowd.
    package var leastScore: Float = 0.6
    /// Largest distance of both points of a detection to a known person's, as a share of the
    /// region's size.
    package var coveredDistance: Float = 0.1
    /// The overlap of regions above which a palm belongs to a tracked hand (MediaPipe:
    /// `AssociationNormRectCalculator`).
    package var coveredOverlap: Float = 0.5
  }

  /// When two sets of landmarks are of one body or hand, or one of them is false.
  package struct Likeness: Sendable {
    /// Largest distance of a point in two inferences of one body, as a share of the region's size;
    /// of one hand, the mean of all points as a share of the hand's size.
    package var points: Float = 0.1
    /// The same for two hands of one side, because touching hands are mostly a person's left and
    /// right.
    package var pointsOfOneSide: Float = 0.35
    /// Largest size of a part mistaken for a body, relative to the body, and how far beyond the
    /// body's box it may be, in body sizes: hair, or loose clothes.
    package var partShare: Float = 0.3
    package var partReach: Float = 0.1
  }
}
