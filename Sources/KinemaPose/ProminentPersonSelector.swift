/// Chooses the prominent person frame by frame: the pinned one, else the largest, where who exercises
/// counts as several times as large as who does not; with hysteresis so that two people of similar
/// prominence do not alternate.
package struct ProminentPersonSelector: Sendable {
  /// How many times as prominent another person must be to take over; so too where people compete to
  /// be tracked.
  package static let takeoverRatio: Float = 1.4
  /// How many times as prominent who exercises is: a trainer who stands or crouches beside somebody on
  /// the floor covers two to three times as much of the picture.
  package static let exerciseRatio: Float = 4
  /// How long after a repeated movement a person counts as exercising, in seconds: who rests between two
  /// sets stays the one who is meant.
  package static let exerciseMemory = 15.0
  /// The assumed interval of frames without a time, in seconds.
  private static let assumedStep = 1.0 / 30

  package private(set) var personID: Int?
  /// The id of the pinned person, or `nil`.
  ///
  /// While they are not visible no person is chosen; after ``patience`` the prominent one is, until
  /// they return.
  package var pinnedPersonID: Int? { didSet { if pinnedPersonID != oldValue { pinnedTime = nil } } }
  /// How long the pinned person may be absent before another one is chosen, in seconds.
  package var patience: Double
  /// When the pinned person was last visible or, before that, pinned.
  private var pinnedTime: Double?
  private var time = 0.0
  /// The movements of the people, by id.
  private var rhythms: [Int: PoseRhythm] = [:]

  package init(pinnedPersonID: Int? = nil, patience: Double = 1) {
    self.pinnedPersonID = pinnedPersonID
    self.patience = patience
  }

  /// The chosen person of the next frame, or `nil`; `time` is in seconds, by default 1/30 s later.
  package mutating func select(from poses: [Pose], at time: Double? = nil) -> Pose? {
    self.time = time ?? self.time + Self.assumedStep
    noteRhythms(of: poses)
    if let pinnedPersonID {
      if let pinned = poses.first(where: { $0.personID == pinnedPersonID }) {
        (personID, pinnedTime) = (pinnedPersonID, self.time)
        return pinned
      }
      let start = pinnedTime ?? self.time
      pinnedTime = start
      if self.time - start <= patience { return nil }
    }
    return prominent(among: poses)
  }

  private mutating func noteRhythms(of poses: [Pose]) {
    let time = time
    rhythms = rhythms.filter { (0...Self.exerciseMemory).contains(time - $0.value.newestTime) }
    for pose in poses {
      guard let id = pose.personID else { continue }
      rhythms[id, default: PoseRhythm()].add(pose, at: time)
    }
  }

  private mutating func prominent(among poses: [Pose]) -> Pose? {
    let ranked = poses.map { (pose: $0, prominence: prominence(of: $0)) }
    // Without a confident joint for a bounding box, the first pose is chosen.
    guard let first = ranked.first else { return nil }
    let best = ranked.dropFirst().reduce(first) { $1.prominence > $0.prominence ? $1 : $0 }
    if let personID, let present = ranked.first(where: { $0.pose.personID == personID }),
      present.prominence > 0, best.prominence < present.prominence * Self.takeoverRatio
    {
      return present.pose
    }
    personID = best.pose.personID
    return best.pose
  }

  /// The share of the frame that the bounding box covers, times ``exerciseRatio`` for who exercises.
  private func prominence(of pose: Pose) -> Float {
    let area = pose.boundingBoxArea()
    let lastTime = pose.personID.flatMap { rhythms[$0]?.lastTime } ?? -.infinity
    return time - lastTime <= Self.exerciseMemory ? area * Self.exerciseRatio : area
  }
}

extension PoseSequence {
  package var prominentPoses: [Pose?] {
    var selector = ProminentPersonSelector()
    return frames.map { selector.select(from: $0.poses, at: $0.time) }
  }
}
