import KinemaPose
import KinemaVideo

/// Tracks hands: the landmarks of one frame give the region in the next, and the detector searches
/// for further hands.
struct HandFollower {
  /// A hand in a frame.
  struct Sighting {
    let id: Int
    let landmarks: HandLandmarks
    let chirality: Chirality
  }

  /// Frames between two searches for further hands while a hand is tracked.
  ///
  /// MediaPipe searches in every frame with fewer hands than the maximum, at a third more time with
  /// one hand.
  static let searchInterval = 3
  /// The overlap above which a palm belongs to a tracked hand (MediaPipe:
  /// `AssociationNormRectCalculator`).
  static let coveredOverlap: Float = 0.5

  private struct Hand {
    let id: Int
    private(set) var landmarks: HandLandmarks
    private(set) var frameCount = 0
    /// Above 0 for a right hand: the sum of the network's outputs.
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

    /// The sum of about a second of confident frames, after which a track that drifted to the other
    /// hand changes its side.
    private static let voteLimit: Float = 15
    /// The age of an established track, in frames.
    private static let oldAge = 3

    /// Whether this track remains if both are one hand.
    func goesBefore(_ other: Hand) -> Bool {
      let (age, otherAge) = (min(frameCount, Self.oldAge), min(other.frameCount, Self.oldAge))
      return (age, landmarks.presence) > (otherAge, other.landmarks.presence)
    }
  }

  /// The limit of tracked hands; if it falls, the latest ones are dropped.
  var maximumHandCount: Int {
    didSet { hands.removeLast(max(0, hands.count - maximumHandCount)) }
  }
  /// The tracked hands, by id.
  private var hands: [Hand] = []
  private var identities = Identities()
  private var framesSinceSearch = 0

  init(maximumHandCount: Int) {
    self.maximumHandCount = maximumHandCount
  }

  /// Drops all hands; ids continue.
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

  /// Updates the hands of the last frame; returns whether one is lost.
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
    // Two regions may converge to one hand.
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
