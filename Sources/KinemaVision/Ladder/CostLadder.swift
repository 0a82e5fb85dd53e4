package import KinemaPose
package import KinemaVideo

/// Decides when the next frame of a live source is processed, by what happens in its view.
///
/// An empty view is *asleep*: only motion, or a look now and then, wakes it. Where something moves it is
/// *looking* for people; a person who keeps still is *still*, one who moves *moving*. Where something moves
/// beside a still person, others are searched as in an empty view. Times are in seconds
/// of the source and do not decrease; a step back begins again.
package struct CostLadder: Sendable {
  package enum State: String, CaseIterable, Sendable, Encodable {
    case asleep, looking, still, moving
  }

  /// What a source may use at most.
  package struct Limits: Hashable, Sendable {
    /// How many frames a second are processed; `nil` for all.
    package var rate: Double?
    /// Whether it matters what people do; otherwise only whether there are any.
    package var needsPoses = true
    /// Whether every frame is processed, whatever happens.
    package var isFull = false

    package init(rate: Double? = nil, needsPoses: Bool = true, isFull: Bool = false) {
      (self.rate, self.needsPoses, self.isFull) = (rate, needsPoses, isFull)
    }
  }

  package struct Rules: Sendable {
    /// How often a sleeping source is searched: more often than one without frames is stale (3 s).
    package var asleepInterval = 2.0
    /// How often one is searched in which something moves, but nobody is found.
    package var lookingInterval = 0.2
    /// How often a person who keeps still is processed; ``KinemaAction/PoseResampler`` bridges 0.5 s.
    package var stillInterval = 0.45
    /// How long the people of a picture stand for those of later ones, in which nothing moves.
    package var unchangedTime = 2.0
    /// The same where nobody was found: each search takes another part of the picture.
    package var emptyTime = 8.0
    /// How often people are processed where it does not matter what they do.
    package var presenceInterval = 0.2
    /// How long every frame is searched since a motion began or a person was lost: twice the 1.6 s in which
    /// all parts of a picture are searched at 25 frames a second.
    package var searchTime = 3.0
    /// How long without a motion until a source without people sleeps.
    package var fallingAsleepTime = 5.0
    /// How long without a motion until the next one is a new one.
    package var pause = 1.0
    /// In how many pictures of a motion something has to move until people are searched.
    ///
    /// In those before one frame each is processed: a keyframe, or noise, changes a few cells for once.
    package var confirmingCount = 2
    /// How long no picture is decoded roughly after such ones have woken a source for nothing, in which
    /// noise makes their errors look like motion.
    package var careTime = 600.0
    /// How long without motion beside still people until no untracked person is expected: the detector has
    /// run several times since.
    package var quietTime = 3.0
    /// How far around the joints of a still person what moves is theirs, hair, hands and feet: a share of the
    /// width and of the height of their joints, and at least so much of the picture, two cells of the gate.
    package var placeMargin: Float = 0.15
    package var leastPlaceMargin: Float = 0.03
    /// How long a person keeps still before fewer frames are processed.
    package var stillTime = 3.0
    /// How long since a motion near a still person began a frame is processed at each sign of it.
    package var wakeTime = 1.0
    /// A person moves of whom so many joints are further from where they were than this share of the body's
    /// height; landmarks of a still person tremble by one or two hundredths.
    package var movedShare: Float = 0.06
    package var movedJoints = 2

    package init() {}
  }

  package let rules: Rules
  package var limits: Limits
  package private(set) var state = State.looking
  private var time: Double?
  /// Since when people are searched: when a motion, or a person's way out of view, began.
  private var began = 0.0
  /// What moves anywhere, and what moves beside still people.
  private var motion = Motion()
  private var motionElsewhere = Motion()
  /// Where that was in the last picture that was compared, the largest area first.
  private var areasElsewhere: [MotionArea] = []
  /// Whether the search of now was begun by what pictures showed that were decoded roughly.
  private var isRoughlyWoken = false
  private var carefulUntil = -Double.infinity
  /// Until when people are taken to move.
  private var movesUntil = -Double.infinity
  /// When the next frame is due.
  package private(set) var due = -Double.infinity
  /// Where each person was when they last moved.
  private var places: [Int: Pose] = [:]
  /// The people who keep still in the frame that was processed last, or nobody, until something moves.
  private var resting: (poses: [Pose], time: Double)?

  package init(_ limits: Limits = Limits(), rules: Rules = Rules()) {
    (self.limits, self.rules) = (limits, rules)
  }

  /// Notes where something moves in a picture.
  package mutating func note(_ areas: [MotionArea], at time: Double) {
    advance(to: time)
    areasElsewhere = state == .still ? areas.filter { !isOfStillPerson($0) } : areas
    areasElsewhere.sort { $0.size > $1.size }
    guard !areas.isEmpty else { return rest() }
    resting = nil
    motion.note(at: time, pause: rules.pause)
    var isConfirmed = false
    if !areasElsewhere.isEmpty {
      motionElsewhere.note(at: time, pause: rules.pause)
      isConfirmed = motionElsewhere.count == rules.confirmingCount
    }
    switch state {
    case .asleep:
      if isConfirmed {
        isRoughlyWoken = mayBeRough
        (state, began) = (.looking, time)
      }
      due = min(due, time)
    case .looking: if isConfirmed { began = time }
    case .still:
      if isConfirmed { (isRoughlyWoken, began) = (mayBeRough, time) }
      if isConfirmed || time - motion.began <= rules.wakeTime { due = min(due, time) }
    case .moving: break
    }
  }

  /// Whether the next frame is processed, which is then due after an interval.
  package mutating func takes(_ time: Double) -> Bool {
    advance(to: time)
    guard isDue(at: time) else { return false }
    due = max(due + interval, time)
    return true
  }

  /// Whether a frame would be processed, to the next millisecond.
  package func isDue(at time: Double) -> Bool {
    guard let last = self.time, time >= last else { return true }
    return time > due - 0.001
  }

  /// Notes the people in the frame that was processed last.
  package mutating func note(_ poses: [Pose], at time: Double) {
    advance(to: time)
    guard !poses.isEmpty else {
      if state == .still || state == .moving {
        (state, began, motion.last, motionElsewhere.last) = (.looking, time, time, time)
        places = [:]
        due = min(due, time)
      }
      rest()
      resting = state == .asleep ? ([], time) : nil
      return
    }
    if state == .asleep || state == .looking { wake(until: time + rules.stillTime) }
    if hasMoved(poses) { wake(until: time + rules.stillTime) }
    state = time < movesUntil ? .moving : .still
    if state == .still, time - began >= rules.searchTime { beCarefulIfRoughlyWoken(at: time) }
    resting = state == .still ? (poses, time) : nil
    due = min(due, time + interval)
  }

  private mutating func advance(to time: Double) {
    if let last = self.time, time >= last {
      self.time = time
    } else {
      self = CostLadder(limits, rules: rules)
      (self.time, began, motion.last, motionElsewhere.last) = (time, time, time, time)
    }
  }

  private mutating func rest() {
    guard state == .looking, let time, time - max(began, motion.last) >= rules.fallingAsleepTime
    else { return }
    beCarefulIfRoughlyWoken(at: time)
    state = .asleep
  }

  /// Ends a search in which nobody was found.
  private mutating func beCarefulIfRoughlyWoken(at time: Double) {
    if isRoughlyWoken { carefulUntil = time + rules.careTime }
    isRoughlyWoken = false
  }

  private mutating func wake(until time: Double) {
    movesUntil = max(movesUntil, time)
    (state, isRoughlyWoken) = (.moving, false)
  }

  /// Whether pictures may be decoded roughly: with errors that grow until the next keyframe, too small to
  /// hide a person, but large enough to look like motion where there is much noise.
  package var mayBeRough: Bool {
    (state == .asleep || state == .still) && !limits.isFull
      && (time ?? -.infinity) >= carefulUntil
  }

  /// The people of a frame that need not be processed, or nobody: everybody keeps still, no one is searched, and
  /// since a frame was processed nothing has moved.
  package var unchangedPoses: [Pose]? {
    guard let time, let resting, !isSearching, !limits.isFull else { return nil }
    let most = resting.poses.isEmpty ? rules.emptyTime : rules.unchangedTime
    return time - resting.time < most ? resting.poses : nil
  }

  /// What moves beside people who keep still; nothing once it has been for so long that no further person is
  /// expected.
  package var otherMotion: OtherMotion {
    guard let time, state == .still, !limits.isFull else { return .unknown }
    if time - motionElsewhere.last >= rules.quietTime { return .none }
    return .areas(areasElsewhere)
  }

  /// Something that moves in pictures with short pauses.
  private struct Motion: Sendable {
    /// When it began and was last seen, and in how many pictures.
    var began = 0.0
    var last = 0.0
    var count = 0

    mutating func note(at time: Double, pause: Double) {
      if time - last > pause { (began, count) = (time, 0) }
      last = time
      count += 1
    }
  }

  /// Whether what moves is a part of somebody who keeps still, as people sway.
  private func isOfStillPerson(_ area: MotionArea) -> Bool {
    places.values.contains { pose in
      guard let box = pose.boundingBox() else { return false }
      let margin = pointwiseMax(
        rules.placeMargin * (box.upperRight - box.lowerLeft),
        .init(repeating: rules.leastPlaceMargin))
      return all(area.lowerLeft .>= box.lowerLeft - margin)
        && all(area.upperRight .<= box.upperRight + margin)
    }
  }

  /// Whether people are searched since a motion began or somebody was lost.
  private var isSearching: Bool { (time ?? 0) - began < rules.searchTime }

  /// The time between two frames that are processed, in seconds; 0 for every frame.
  package var interval: Double {
    guard !limits.isFull else { return 0 }
    let own =
      switch state {
      case .asleep: rules.asleepInterval
      case .looking: isSearching ? 0 : rules.lookingInterval
      case .still: isSearching ? 0 : rules.stillInterval
      case .moving: limits.needsPoses ? 0 : rules.presenceInterval
      }
    return max(own, limits.rate.map { 1 / $0 } ?? 0)
  }

  /// Whether somebody has moved, or is new; remembers where they are.
  private mutating func hasMoved(_ poses: [Pose]) -> Bool {
    var hasMoved = false
    var now: [Int: Pose] = [:]
    for (index, pose) in poses.enumerated() {
      let id = pose.personID ?? -index
      if let before = places[id], movedCount(from: before, to: pose) < rules.movedJoints {
        now[id] = before
      } else {
        now[id] = pose
        hasMoved = true
      }
    }
    places = now
    return hasMoved
  }

  private func movedCount(from before: Pose, to pose: Pose) -> Int {
    guard let box = pose.boundingBox() else { return rules.movedJoints }
    let size = box.upperRight - box.lowerLeft
    let reach = rules.movedShare * max(size.x, size.y)
    return pose.keypoints.values.count { point in
      guard let old = before.keypoints[point.key],
        min(old.confidence, point.confidence) >= JointPoint.leastConfidence
      else { return false }
      let way = point.position - old.position
      return way.x * way.x + way.y * way.y > reach * reach
    }
  }
}
