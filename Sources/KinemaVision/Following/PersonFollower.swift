import KinemaPose
import KinemaVideo

/// Follows people from frame to frame: the landmarks of one frame say where to look in the next, and
/// the detector looks for people who are not followed yet.
struct PersonFollower {
  /// Somebody in a frame.
  struct Sighting {
    let id: Int
    let landmarks: BodyLandmarks
  }

  /// How many frames lie between two searches for further people while somebody is followed; they
  /// look at the whole picture and at a part of it by turns.
  static let searchInterval = 15
  /// The side of a part, as a share of the picture's longer side.
  static let tileShare: Float = 0.62
  /// In how many frames running a further person must be found before being reported: what the
  /// detector takes for a second person by mistake is mostly gone after one or two frames.
  static let confirmationCount = 3
  /// How near to those of somebody known both points of a detection must be not to be looked into,
  /// as a share of the region's size.
  static let coveredDistance: Float = 0.1

  private struct Person {
    /// Given when the person is first reported.
    var id: Int?
    var landmarks: BodyLandmarks
    /// Where to look in the next frame.
    var region: Region
    var frameCount = 0
    /// Whether the detector saw the person in the whole picture; in parts it errs more often.
    let isSeenInWhole: Bool
    private var hipsFilter = OneEuroFilter()
    private var tipFilter = OneEuroFilter()

    init(_ landmarks: BodyLandmarks, isSeenInWhole: Bool, at time: Double) {
      self.isSeenInWhole = isSeenInWhole
      self.landmarks = landmarks
      region = landmarks.region
      update(landmarks, at: time)
    }

    mutating func update(_ landmarks: BodyLandmarks, at time: Double) {
      self.landmarks = landmarks
      frameCount += 1
      let bodySize = landmarks.region.size / Region.bodyMargin
      region = Region(
        hips: hipsFilter.smoothed(landmarks.hips, at: time, bodySize: bodySize),
        tip: tipFilter.smoothed(landmarks.tip, at: time, bodySize: bodySize))
    }
  }

  /// How many people are followed at most; where it falls, those found last are let go.
  var maximumPersonCount: Int {
    didSet { people.removeLast(max(0, people.count - maximumPersonCount)) }
  }
  /// The people followed, reported or not, in the order in which they were found.
  private var people: [Person] = []
  private var identities = Identities()
  private var firstSearch = FirstSearch()
  private var framesSinceSearch = 0
  private var isTileNext = false
  private var tileIndex = 0

  init(maximumPersonCount: Int) {
    self.maximumPersonCount = maximumPersonCount
  }

  /// Forgets everybody; ids go on.
  mutating func reset() {
    people = []
    identities.forgetDeparted()
    firstSearch.reset()
    framesSinceSearch = 0
    isTileNext = false
    tileIndex = 0
  }

  /// The people in the next frame, by id.
  mutating func people(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) -> [Sighting] {
    try follow(in: frame, at: time, networks: &networks)
    framesSinceSearch += 1
    let whole = Region(coveringWidth: frame.width, height: frame.height)
    if isNobodyReported {
      // Who is seen in the whole picture goes before those who wait to be reported.
      let waiting = people
      people = []
      try search(whole, isWhole: true, of: frame, at: time, networks: &networks)
      if people.isEmpty { people = waiting }
      if people.isEmpty, let part = firstSearch.part(of: frame) {
        try search(part, isWhole: false, of: frame, at: time, networks: &networks)
      }
    } else if people.count < maximumPersonCount, framesSinceSearch >= Self.searchInterval {
      isTileNext.toggle()
      try search(
        isTileNext ? nextTile(of: frame) : whole, isWhole: !isTileNext, of: frame, at: time,
        networks: &networks)
    }
    confirm(at: time)
    if !isNobodyReported { firstSearch.reset() }
    return people.compactMap { person in
      person.id.map { Sighting(id: $0, landmarks: person.landmarks) }
    }.sorted { $0.id < $1.id }
  }

  private mutating func follow(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    var remaining: [Person] = []
    // Who was reported is kept when two turn out to be one.
    for var person in people.filter({ $0.id != nil }) + people.filter({ $0.id == nil }) {
      let found = try networks.landmarks(in: person.region, of: frame)
      guard let found, !Self.contains(found, in: remaining) else {
        if let id = person.id {
          identities.depart(id, from: person.region, at: time)
        }
        continue
      }
      person.update(found, at: time)
      remaining.append(person)
    }
    people = remaining
  }

  private var isNobodyReported: Bool { !people.contains { $0.id != nil } }

  /// A part of the picture, another one each time: people too small for the detector in the whole
  /// picture, or beside larger ones, are found in a part.
  private mutating func nextTile(of frame: Frame) -> Region {
    let tiles = Region.tiles(
      width: frame.width, height: frame.height, share: Self.tileShare)
    defer { tileIndex += 1 }
    return tiles[tileIndex % tiles.count]
  }

  private mutating func search(
    _ region: Region, isWhole: Bool, of frame: Frame, at time: Double,
    networks: inout PoseNetworks
  ) throws(VisionError) {
    framesSinceSearch = 0
    for detection in try networks.people(in: region, of: frame) {
      guard people.count < maximumPersonCount else { return }
      guard !people.contains(where: { Self.isCovered(detection, by: $0.landmarks) }),
        let found = try networks.landmarks(in: detection.region, of: frame),
        isWhole && people.isEmpty || found.presence >= PoseNetworks.furtherPresence,
        !people.contains(where: { $0.landmarks.overlaps(found) })
      else { continue }
      people.append(Person(found, isSeenInWhole: isWhole, at: time))
    }
  }

  /// Gives ids: to the first person in the whole picture at once, to others when they have been there
  /// long enough.
  private mutating func confirm(at time: Double) {
    identities.forgetDeparted(before: time - Identities.memory)
    if isNobodyReported, let first = people.firstIndex(where: \.isSeenInWhole) {
      people[first].id = identities.identifier(near: people[first].landmarks.hips)
    }
    for index in people.indices
    where people[index].id == nil && people[index].frameCount >= Self.confirmationCount {
      people[index].id = identities.identifier(near: people[index].landmarks.hips)
    }
  }

  private static func contains(_ landmarks: BodyLandmarks, in people: [Person]) -> Bool {
    people.contains { $0.landmarks.isSameBody(as: landmarks) }
  }

  private static func isCovered(
    _ detection: PersonDetector.Detection, by landmarks: BodyLandmarks
  ) -> Bool {
    let limit = coveredDistance * landmarks.region.size
    return (detection.points[2] - landmarks.hips).length < limit
      && (detection.points[3] - landmarks.tip).length < limit
  }
}
