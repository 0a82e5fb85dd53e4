import KinemaPose
import KinemaTracking
import KinemaVideo

/// Tracks hands: the landmarks of one frame give the region in the next.
///
/// The detector searches for further hands. A ``Tracker`` decides which hand belongs to which track.
struct HandFollower {
  /// A hand in a frame.
  struct Sighting {
    let id: Int
    let landmarks: HandLandmarks
    let chirality: Chirality
  }

  /// The limit of tracked hands; if it falls, the latest ones are dropped.
  var maximumHandCount: Int {
    didSet {
      for hand in tracker.visible.dropFirst(maximumHandCount) { tracker.lose(hand.key) }
    }
  }
  private var tracker = Tracker<HandLandmarks>(rules: .hands)
  private var framesSinceSearch = 0

  init(maximumHandCount: Int) {
    self.maximumHandCount = maximumHandCount
  }

  /// Drops all hands; ids continue.
  mutating func reset() {
    tracker.reset()
    framesSinceSearch = 0
  }

  /// The hands in the next frame, by id.
  mutating func hands(
    in frame: Frame, at time: Double, networks: inout HandNetworks
  ) throws(VisionError) -> [Sighting] {
    tracker.advance(to: time)
    let hasLost = try follow(in: frame, networks: &networks)
    framesSinceSearch += 1
    let count = tracker.visible.count
    if count < maximumHandCount,
      count == 0 || hasLost || framesSinceSearch >= tracker.rules.search.interval.frames
    {
      try search(frame, networks: &networks)
    }
    for hand in tracker.visible where hand.id == nil { tracker.confirm(hand.key) }
    return tracker.visible.compactMap { hand in
      hand.id.map {
        Sighting(
          id: $0, landmarks: hand.content,
          chirality: (hand.rightness ?? 0) >= 0.5 ? .right : .left)
      }
    }.sorted { $0.id < $1.id }
  }

  /// Updates the hands of the last frame; returns whether one is lost.
  private mutating func follow(
    in frame: Frame, networks: inout HandNetworks
  ) throws(VisionError) -> Bool {
    let known = tracker.visible
    var found: [(hand: Track<HandLandmarks>, landmarks: HandLandmarks)] = []
    for hand in known {
      if let landmarks = try networks.landmarks(followedInto: hand.content.region, of: frame) {
        found.append((hand, landmarks))
      }
    }
    // Two regions may converge to one hand, which is that of the older track.
    let ranks = found.enumerated().map {
      (-min($1.hand.count, tracker.rules.seniorCount), -$1.landmarks.presence, $0)
    }.sorted(by: <)
    var hands: [(landmarks: HandLandmarks, owner: Int)] = []
    for (hand, landmarks) in ranks.map({ found[$0.2] })
    where !hands.contains(where: { $0.landmarks.isSameHand(as: landmarks) }) {
      hands.append((landmarks, hand.key))
    }
    let candidates = hands.map {
      Tracker<HandLandmarks>.Candidate(Detection($0.landmarks), owners: [$0.owner])
    }
    let keys = tracker.assign(candidates, in: tracker.tracks.count > 1 ? .several : .one)
    for (index, key) in keys.enumerated() {
      if let key {
        tracker.update(key, with: candidates[index].detection) { $0 = hands[index].landmarks }
      } else {
        tracker.add(candidates[index].detection, content: hands[index].landmarks)
      }
    }
    tracker.missOthers()
    return hands.count < known.count
  }

  private mutating func search(
    _ frame: Frame, networks: inout HandNetworks
  ) throws(VisionError) {
    framesSinceSearch = 0
    let whole = Region(coveringWidth: frame.width, height: frame.height)
    for palm in try networks.palms(in: whole, of: frame) {
      let known = tracker.visible.map(\.content)
      guard known.count < maximumHandCount else { break }
      let region = palm.region
      guard
        !known.contains(where: { $0.region.overlap(region) > tracker.rules.search.coveredOverlap }),
        let found = try networks.landmarks(in: region, of: frame),
        !known.contains(where: { $0.isSameHand(as: found) })
      else { continue }
      tracker.add(Detection(found), content: found)
    }
  }
}

extension Detection {
  fileprivate init(_ hand: HandLandmarks) {
    let region = hand.region
    self.init(
      position: region.center, size: region.size,
      shape: hand.points.map { ($0 - region.center) / max(region.size, 1) },
      rightness: hand.rightness)
  }
}
