import KinemaTracking
import KinemaVideo

/// Schedules the detector's searches.
///
/// In the whole frame the detector mostly finds the nearest person, of at least a third of the
/// longer side, so parts are searched in rotation: squares over the shorter side and, with several
/// people or while nobody is found, smaller ones.
struct SearchPlan {
  /// A search.
  struct Look {
    var region: Region
    /// Whether it is of the whole frame.
    var isWhole = false
    /// Whether an occluded person is searched.
    var isForMissing = false
    /// Whether only detections with a score that furniture does not have are people.
    var isForLikely = false
  }

  private let rules: TrackingRules.Search
  /// The frames since everything or a part was last searched, and when that was, in seconds.
  private var last = (frames: 0, time: -Double.infinity)
  /// The same of the places where something moves, and how often those were searched.
  private var lastMotion = (frames: 0, time: -Double.infinity, count: 0)
  private var turn = 0
  /// Remaining searches, one per frame, since several people appeared.
  private var openLooks: Int?
  /// Consecutive searches without a new person.
  private var vainLooks = 0
  private var missingCount = 0
  private var first = (frames: 0, turn: 0)
  /// Whether the first frame of the clip was searched.
  private var isBegun = false

  init(rules: TrackingRules.Search) {
    self.rules = rules
  }

  /// A search of the whole frame.
  static func whole(_ frame: Frame) -> Look {
    Look(region: Region(coveringWidth: frame.width, height: frame.height), isWhole: true)
  }

  /// Searches of the larger parts.
  func largeParts(_ frame: Frame) -> [Look] {
    let longer = Float(max(frame.width, frame.height))
    let share = min(rules.largeShare, Float(min(frame.width, frame.height)) / longer)
    // A square frame has larger parts of its own.
    return parts(frame, share: max(share, rules.smallShare))
  }

  /// Searches of the smaller parts.
  func smallParts(_ frame: Frame) -> [Look] {
    parts(frame, share: rules.smallShare)
  }

  private func parts(_ frame: Frame, share: Float) -> [Look] {
    Region.tiles(width: frame.width, height: frame.height, share: share).map { Look(region: $0) }
  }

  /// Notes that everything was searched.
  mutating func noteWhole(at time: Double) {
    last = (0, time)
  }

  /// Notes the result of a search.
  mutating func note(found count: Int, in look: Look) {
    if !look.isForMissing { vainLooks = count > 0 ? 0 : vainLooks + 1 }
  }

  /// Restarts with the whole frame when a person is reported.
  mutating func restartFirstSearch() { first.frames = 0 }

  /// The parts to search beside the whole frame while nobody is found: in the first frame all of them,
  /// for likely people; later one, at half the whole frame's cost, and in turn one for likely people.
  ///
  /// - Parameter lost: The region in which the last person was lost, if that is not long ago.
  mutating func firstSearches(of frame: Frame, lost: Region?) -> [Look] {
    defer { first.frames += 1 }
    let parts = firstParts(frame)
    guard isBegun else {
      isBegun = true
      return parts.map { Look(region: $0.region, isForLikely: true) } + edgeParts(frame)
    }
    guard first.frames >= rules.wholeCount, first.frames.isMultiple(of: rules.partInterval) else {
      return []
    }
    first.turn += 1
    let likelyTurn = first.turn / rules.likelyShare
    if first.turn.isMultiple(of: rules.likelyShare) {
      let likely = (lost.map(lostParts) ?? []) + edgeParts(frame)
      return [likely[likelyTurn % likely.count]]
    }
    return [parts[(first.turn - likelyTurn - 1) % parts.count]]
  }

  private func firstParts(_ frame: Frame) -> [Look] {
    rules.firstShares.indices.flatMap { parts(frame, share: rules.firstShares[$0]) }
  }

  /// Parts centred on the left and right edge.
  private func edgeParts(_ frame: Frame) -> [Look] {
    let parts = Region.tiles(width: frame.width, height: frame.height, share: rules.edgeShare)
    let rows = Set(parts.map(\.center.y)).sorted()
    return rows.flatMap { y in
      [0, Float(frame.width)].map { x in
        Look(region: Region(center: SIMD2(x, y), size: parts[0].size), isForLikely: true)
      }
    }
  }

  /// Parts around the place where a person was lost.
  private func lostParts(_ region: Region) -> [Look] {
    rules.lostCrops.map { crop in
      var part = region.scaled(by: crop.scale)
      part.angle = Float(crop.quarters) * .pi / 2
      return Look(region: part, isForLikely: true)
    }
  }

  /// The search of a frame while people are tracked, if any.
  ///
  /// - Parameters:
  ///   - missing: The predicted regions of occluded people.
  ///   - isFull: Whether as many are tracked as may be: only a more prominent one matters.
  ///   - amongSeveral: Whether there are, or recently were, several people.
  ///   - otherMotion: See ``PoseFinder/poses(in:at:otherMotion:)``.
  mutating func next(
    for frame: Frame, at time: Double, missing: [Region], isFull: Bool, amongSeveral: Bool,
    otherMotion: OtherMotion
  ) -> Look? {
    last.frames += 1
    if otherMotion == .none, missing.isEmpty, !isDue(at: time, after: rules.quietInterval) {
      return nil
    }
    if isFull {
      guard isDue(at: time, after: rules.interval) else { return nil }
      last = (0, time)
      return Self.whole(frame)
    }
    let (small, large) = (smallParts(frame), largeParts(frame))
    if !missing.isEmpty { return lookForMissing(missing, in: frame, parts: large + small) }
    if let look = lookForMotion(otherMotion, in: frame, at: time) { return look }
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
      amongSeveral ? rules.severalInterval : isResting ? rules.restingInterval : rules.interval
    guard isDue(at: time, after: interval) else { return nil }
    last = (0, time)
    turn += 1
    if amongSeveral {
      // Large people are found in the whole frame, which then comes sooner.
      guard !turn.isMultiple(of: rules.wholeShare) else { return Self.whole(frame) }
      let parts = large + small
      return parts[(turn - turn / rules.wholeShare) % parts.count]
    }
    return turn.isMultiple(of: 2) ? Self.whole(frame) : large[turn / 2 % large.count]
  }

  /// A place where something moves, one of the largest, if one is due.
  private mutating func lookForMotion(
    _ otherMotion: OtherMotion, in frame: Frame, at time: Double
  ) -> Look? {
    guard case .areas(let areas) = otherMotion, !areas.isEmpty else { return nil }
    lastMotion.frames += 1
    let interval = rules.motionInterval
    guard
      Self.isOver(interval, frames: lastMotion.frames, seconds: time - lastMotion.time)
    else { return nil }
    lastMotion = (0, time, lastMotion.count + 1)
    let area = areas[lastMotion.count % min(rules.motionAreaCount, areas.count)]
    let shape = SIMD2(Float(frame.width), Float(frame.height))
    let middle = (area.lowerLeft + area.upperRight) / 2
    let size = rules.motionScale * ((area.upperRight - area.lowerLeft) * shape).max()
    return Look(
      region: Region(
        center: SIMD2(middle.x, 1 - middle.y) * shape,
        size: max(size, rules.motionShare * shape.max())))
  }

  /// Whether an interval after the last search is over, to the next millisecond.
  private func isDue(at time: Double, after interval: TrackingRules.Search.Interval) -> Bool {
    Self.isOver(interval, frames: last.frames, seconds: time - last.time)
  }

  private static func isOver(
    _ interval: TrackingRules.Search.Interval, frames: Int, seconds: Double
  ) -> Bool {
    frames >= interval.frames || seconds > interval.seconds - 0.001
  }

  /// Alternately the predicted position and elsewhere, because an occluded person may turn round.
  private mutating func lookForMissing(
    _ missing: [Region], in frame: Frame, parts: [Look]
  ) -> Look {
    missingCount += 1
    var look =
      switch missingCount % 4 {
      case 2: Self.whole(frame)
      case 0: parts[missingCount / 4 % parts.count]
      default:
        Look(region: missing[missingCount / 2 % missing.count].scaled(by: rules.missingScale))
      }
    look.region.angle = 0
    look.isForMissing = true
    return look
  }
}
