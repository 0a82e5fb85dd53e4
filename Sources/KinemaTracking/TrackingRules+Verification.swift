extension TrackingRules {
  /// When a body is a person: the networks also find bodies in chairs, lamps and curtains.
  ///
  /// Chosen on 46 tracks in 51 videos of real rooms without people, and on 269 tracks of real people and of
  /// furniture beside them.
  package struct Verification: Sendable {
    /// The detector's score of a person, and where furniture is known.
    ///
    /// Of 1,172 scores of furniture none is above 0.873; of people's, 68 to 82 % are above 0.9. With 0.88 one
    /// chair in 51 rooms is a person.
    package var score: Float = 0.9
    package var scoreAtFurniture: Float = 0.95
    /// How often the detector must have that score: once is chance.
    package var sureCount = 2
    /// The sizes of the crops in which a body's score is measured, relative to its region, and how often,
    /// in seconds.
    package var crops: [Float] = [1, 1.4]
    package var interval = 0.2
    /// The share of a body's box in which the picture changes when it is a person who moves.
    ///
    /// In rooms without people it is below 0.01; in 76 to 87 % of the moments of people it is above 0.2. Who
    /// passes furniture mostly changes less of its box.
    package var changedShare: Float = 0.2
    /// By how many of 255 steps it changes, and within how many seconds, where frames are rare at most in the
    /// last, which is longer than a sleeping view is not searched; and how often pictures are kept.
    package var changedStep: Float = 8
    package var span: ClosedRange<Double> = 0.09...1.05
    package var longestSpan = 10.0
    package var pictureInterval = 0.09
    /// How far a person reaches beyond the box of the joints, as a share of its longer side: what changes
    /// there may be due to them.
    package var personMargin: Float = 0.1
    /// How long a body is followed that is not verified, in seconds and checks, before it is furniture.
    package var patience: (seconds: Double, checks: Int) = (1, 3)
    /// How far the hips of a detection may be from the body's whose score is measured, as a share of its
    /// region's size.
    package var hipsDistance: Float = 0.25
    /// The overlap of regions from which two bodies are at one place.
    package var placeOverlap: Float = 0.4
    /// How many pieces of furniture are known at most, and how many bodies are followed that may be some.
    package var furnitureCount = 16
    package var doubtfulCount = 4
  }
}
