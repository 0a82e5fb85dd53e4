import KinemaPose
import KinemaVideo

/// Follows hands from frame to frame: the landmarks of one frame say where to look in the next, and
/// the detector looks for hands that are not followed yet.
struct HandFollower {
  /// A hand in a frame.
  struct Sighting {
    let id: Int
    let landmarks: HandLandmarks
    let chirality: Chirality
  }

  /// How many frames lie between two searches for further hands while a hand is followed.
  ///
  /// MediaPipe searches in every frame in which there are fewer hands than there may be, which costs
  /// a third more time where one hand is shown.
  static let searchInterval = 3
  /// The overlap above which a palm's region is that of a hand which is followed already (MediaPipe:
  /// `AssociationNormRectCalculator`).
  static let coveredOverlap: Float = 0.5

  private struct Hand {
    let id: Int
    private(set) var landmarks: HandLandmarks
    private(set) var frameCount = 0
    /// Above 0 for a right hand: the sum of what the network said of the frames.
    private var rightVote: Float = 0

    init(_ landmarks: HandLandmarks, id: Int) {
      self.id = id
      self.landmarks = landmarks
      update(landmarks)
    }

    mutating func update(_ landmarks: HandLandmarks) {
      self.landmarks = landmarks
      frameCount += 1
      rightVote += landmarks.rightness - 0.5
      rightVote = min(max(rightVote, -Self.voteLimit), Self.voteLimit)
    }

    var chirality: Chirality { rightVote >= 0 ? .right : .left }

    /// What a second of frames of which the network is sure adds up to: a track that has gone over to
    /// the other hand changes its side after as long.
    private static let voteLimit: Float = 15
    /// How many frames make a track an old one.
    private static let oldAge = 3

    /// Whether this one stays where two turn out to be one hand.
    func goesBefore(_ other: Hand) -> Bool {
      let (age, otherAge) = (min(frameCount, Self.oldAge), min(other.frameCount, Self.oldAge))
      return (age, landmarks.presence) > (otherAge, other.landmarks.presence)
    }
  }

  private let maximumHandCount: Int
  /// The hands followed, by id.
  private var hands: [Hand] = []
  private var identities = Identities()
  private var framesSinceSearch = 0

  init(maximumHandCount: Int) {
    self.maximumHandCount = maximumHandCount
  }

  /// Forgets all hands; ids go on.
  mutating func reset() {
    hands = []
    identities.forgetDeparted()
    framesSinceSearch = 0
  }

  /// The hands in the next frame, by id.
  mutating func hands(
    in frame: Frame, at time: Double, networks: inout HandNetworks
  ) throws(VisionError) -> [Sighting] {
    identities.forgetDeparted(before: time - Identities.memory)
    let hasLost = try follow(in: frame, at: time, networks: &networks)
    framesSinceSearch += 1
    if hands.count < maximumHandCount,
      hands.isEmpty || hasLost || framesSinceSearch >= Self.searchInterval
    {
      try search(frame, networks: &networks)
    }
    return hands.map {
      Sighting(id: $0.id, landmarks: $0.landmarks, chirality: $0.chirality)
    }
  }

  /// Looks at the hands of the frame before; returns whether one is gone.
  private mutating func follow(
    in frame: Frame, at time: Double, networks: inout HandNetworks
  ) throws(VisionError) -> Bool {
    var remaining: [Hand] = []
    var lost: [Hand] = []
    for hand in hands {
      var updated = hand
      guard let found = try networks.landmarks(followedInto: hand.landmarks.region, of: frame)
      else {
        lost.append(hand)
        continue
      }
      updated.update(found)
      remaining.append(updated)
    }
    // Two regions sometimes settle on one hand.
    var unique: [Hand] = []
    for hand in remaining.sorted(by: { $0.goesBefore($1) }) {
      if unique.contains(where: { $0.landmarks.isSameHand(as: hand.landmarks) }) {
        lost.append(hand)
      } else {
        unique.append(hand)
      }
    }
    for hand in lost { identities.depart(hand.id, from: hand.landmarks.region, at: time) }
    hands = unique.sorted { $0.id < $1.id }
    return !lost.isEmpty
  }

  private mutating func search(
    _ frame: Frame, networks: inout HandNetworks
  ) throws(VisionError) {
    framesSinceSearch = 0
    let whole = Region(coveringWidth: frame.width, height: frame.height)
    for palm in try networks.palms(in: whole, of: frame) {
      guard hands.count < maximumHandCount else { break }
      let region = palm.region
      guard !hands.contains(where: { $0.landmarks.region.overlap(region) > Self.coveredOverlap }),
        let found = try networks.landmarks(in: region, of: frame),
        !hands.contains(where: { $0.landmarks.isSameHand(as: found) })
      else { continue }
      hands.append(Hand(found, id: identities.identifier(near: found.region.center)))
    }
    hands.sort { $0.id < $1.id }
  }
}
