/// The thresholds of tracking, for one kind of thing that is tracked.
///
/// Lengths are in sizes of the detection, times in seconds, costs are negative log likelihoods.
/// Where no source is given, a value is chosen on the synthetic crossings of `kinema bench people`
/// with seeds 11 to 13.
package struct TrackingRules: Sendable {
  package var search = Search()
  package var likeness = Likeness()
  package var verification = Verification()

  // MARK: TrackMotion

  /// Variance of a change of speed in a second, in (sizes a second)²: a walking person turns round
  /// in half a second.
  package var agility: Float = 0.4
  /// Standard deviation of a measured position.
  package var placeNoise: Float = 0.015
  /// Initial standard deviation of the speed, in sizes a second.
  package var firstSpeed: Float = 0.4
  /// The weight of a frame in the size.
  package var sizeWeight: Float = 0.15
  /// The time in which the speed of an occluded person decays to a third, horizontally and
  /// vertically: walking continues, rising mostly reverses.
  package var persistence = SIMD2<Float>(0.6, 0.15)
  /// The least weight of a detection among others.
  package var leastTrust: Float = 0.2
  /// The weight of a change of speed while others are near.
  package var crowdedGain: Float = 0.4

  // MARK: Likelihoods

  /// Standard deviation of the distance to the prediction beside the motion's own uncertainty; more
  /// for each second of an absence after the first moment, because a hidden person may turn round.
  package var placeSpread: Float = 0.05
  package var absenceSpread: Float = 0.3
  package var shortAbsence: Float = 0.1
  /// Standard deviations of the logarithm of the size, of the pose and of the appearance.
  package var sizeSpread: Float = 0.25
  package var shapeSpread: Float = 0.08
  package var appearanceSpread: Float = 0.2
  /// Standard deviation of the logarithm of the mean size from before an encounter to after it:
  /// people in other places or of other heights differ by more.
  package var meanSizeSpread: Float = 0.12
  /// The largest cost of each, since outliers are not Gaussian.
  package var limits = (place: Float(12), size: Float(3), shape: Float(2), appearance: Float(8))
  /// The least probability of an error: no evidence is stronger than one in a million.
  package var leastError: Float = 1e-6
  /// The least confidence of a joint that is compared.
  package var leastConfidence: Float = 0.1
  /// Fewest common points for a comparison of poses.
  package var leastPoints = 4
  /// How long a pose predicts the next one.
  package var shapeMemory = 0.3
  /// Smallest weight of a frame in the appearance.
  package var appearanceWeight: Float = 0.05

  // MARK: Gates

  /// The cost up to which a detection is likely its track's.
  ///
  /// Half the 85 % quantile of χ² with five degrees of freedom; 99.9 % of the clear detections in
  /// synthetic crossings are below.
  package var likelyCost: Float = 4
  /// The cost from which a detection in a track's own region is another one's.
  ///
  /// Half the 99 % quantile; between people who hide each other, landmarks are less certain.
  package var foreignCost: Float = 7.5
  /// The cost, in ``foreignCost``, above which detections in a track's own region do not differ.
  package var ownLimit: Float = 1.5
  /// The additional cost of a detection in another track's region.
  package var moveCost: Float = 1.2
  /// How much higher the cost of a detection must be for all other hidden tracks.
  package var ambiguity: Float = 1
  /// The difference of appearance from which two detections are different people.
  package var otherAppearance: Float = 0.7
  /// A difference of appearance that one person rarely has.
  ///
  /// In 89 real clips, 4 % of 700 comparisons of a moment with another time of the same clip are above,
  /// and 0.3 % of 7,600 with other people's clips below.
  package var unlikeAppearance: Float = 0.45
  /// How far from the prediction a hidden person may return, and additionally a second.
  package var reach: (at: Float, perSecond: Float) = (0.5, 0.3)
  /// The largest change of the logarithm of the size while hidden.
  package var sizeReach: Float = 0.6

  // MARK: Boxes

  /// The share of a box that another one may cover while the body is clearly visible.
  package var clearShare: Float = 0.05
  /// The share from which another body may hide parts of this one.
  package var touchingShare: Float = 0.02
  /// Intersection over union from which two bodies are at one place: one may be a false detection.
  package var twinOverlap: Float = 0.5
  /// The share from which another body is painted out to find this one.
  package var coveringShare: Float = 0.1
  /// The share from which a missing person counts as hidden: small, since a person who reappears is
  /// detected some frames later.
  package var hiddenShare: Float = 0.2

  // MARK: States

  /// Frames in which two people must be apart to be several, unless both are confident: one person
  /// detected twice is at one position.
  package var companyCount = 5
  /// The number of detections from which tracks of hands are equally old.
  package var seniorCount = 3
  /// The number of detections that confirm a track; most false ones last one or two frames.
  package var confirmationCount = 3
  /// The mean negative logarithm of the probability of a false detection, up to which a track among
  /// others is not confirmed: the limbs of several people may look like one more.
  ///
  /// In the first ten detections of 206 true tracks, mostly in the scenes `occluders` and
  /// `same-clothes` of seeds 11 to 13 and 48213, 95 % had more than 3.9; of six false ones that lasted
  /// for three frames, four had less than 3.5, and the others 4.5 and 7.7.
  package var confirmationEvidence: Float = 3.9
  /// The number of detections after which a track gets an id even if it may be a hidden one.
  package var longestDoubt = 10
  /// The number of detections from which a missing track is searched and keeps its place.
  package var establishedCount = 10
  /// How long a track without a detection is occluded before it is lost, or interpolated in a file.
  package var occlusion = 1.5
  /// How long an occluded track is reported at its prediction.
  package var carry = 0.6

  // MARK: Re-identification

  /// How long a lost track may get its id back.
  package var memory = 120.0
  /// How much more everybody else must differ.
  package var appearanceMargin: Float = 0.1
  /// The least probability that two hands are of one side, and how much less it must be for others.
  package var sameSide: Float = 0.4
  package var sideMargin: Float = 0.2
  /// The number of clear detections that an appearance needs to be compared.
  package var appearanceCount: Float = 3

  // MARK: Look-ahead and seams

  /// How much lower the cost of an exchange of two people must be than that of none: the negative
  /// logarithm of one in twenty.
  ///
  /// In the scenes `same-clothes` of seeds 11 and 12, eight of nine true exchanges had 4.7 to 16, and the
  /// ninth 0.5; of 72 contacts without one, the highest had −3.3.
  package var exchangeCost: Float = 3
  /// How long two people are observed after they part: a step.
  package var settlingTime = 0.5
  /// The longest contact of two people whose ids are settled afterwards; frames wait for so long.
  package var longestContact = 4.0
  /// How long a new tracklet of a file is observed before its id is decided.
  package var lookAhead = 1.0
  /// How far apart points may be on average to be the same person's in two segments, in sizes.
  package var sameness: Float = 0.2
  /// How long after its end a tracklet may continue nearby without evidence of appearance.
  package var seamMemory = 2.0
  /// Whether encounters are settled and gaps interpolated.
  package var completesTracks = true
  /// The largest confidence of a joint where a track is predicted or interpolated, below the threshold
  /// of drawing and bounding boxes (0.2), and the factor of its person's confidence.
  package var inferred = (confidence: Float(0.1), share: Float(0.5))

  /// The negative log likelihood of a difference of appearance, from 0.
  package func appearanceCost(_ difference: Float) -> Float {
    let share = difference / appearanceSpread
    return min(share * share / 2, limits.appearance)
  }

  /// The rules for bodies of the landmark network.
  package static let bodies = TrackingRules()

  /// The rules for poses without images: whoever is near may be the same person.
  package static func poses(memory: Double) -> TrackingRules {
    var rules = TrackingRules()
    // Above the sum of the limits of place, size and pose.
    rules.likelyCost = rules.limits.place + rules.limits.size + rules.limits.shape
    rules.foreignCost = rules.likelyCost
    (rules.occlusion, rules.memory, rules.confirmationCount) = (memory, 0, 1)
    return rules
  }

  /// The rules for hands, whose size is that of their region: a hand crosses it in half a second.
  ///
  /// The detection in a track's own region remains, unless another track matches far better.
  package static let hands: TrackingRules = {
    var rules = TrackingRules()
    (rules.agility, rules.firstSpeed, rules.placeNoise) = (20, 2, 0.02)
    (rules.placeSpread, rules.sizeWeight) = (0.15, 0.5)
    (rules.likelyCost, rules.foreignCost, rules.moveCost) = (6, 30, 2)
    (rules.occlusion, rules.confirmationCount) = (1, 1)
    rules.completesTracks = false
    rules.likeness.points = 0.25
    // MediaPipe searches in every frame with fewer hands than the maximum, at a third more time with
    // one hand.
    rules.search.interval.frames = 3
    rules.limits.appearance = 3
    return rules
  }()
}
