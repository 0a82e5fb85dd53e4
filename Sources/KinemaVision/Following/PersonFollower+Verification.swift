import KinemaTracking
import KinemaVideo

/// Something that looks like a body to both networks.
struct Furniture {
  /// Where the detector found it, and the region of its landmarks.
  let regions: [Region]
  let box: RecentChanges.Box
  /// The brightness of a picture in which it was.
  let grid: LumaGrid
}

/// Distinguishes people from furniture.
///
/// A body is a person if the detector is sure of it, if the picture changes where it is, or if a person was
/// lost there.
extension PersonFollower {
  /// The bodies of the last frame that may be furniture.
  private var doubtful: [Person] { bodies.filter { !$0.content.isVerified } }

  /// Verifies the bodies that may be furniture; those that are not verified for long are.
  mutating func verify(
    in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) {
    let rules = rules.verification
    for body in doubtful {
      if hasChanged(body.landmarks, in: frame) {
        tracker.changeContent(of: body.key) { $0.verify() }
        continue
      }
      let content = body.content
      guard content.sureCount > 0 || time - content.checks.time >= rules.interval,
        try !verify(body.key, in: frame, at: time, networks: &networks),
        time - content.firstTime >= rules.patience.seconds,
        content.checks.count + 1 >= rules.patience.checks
      else { continue }
      tracker.lose(body.key)
      note(furniture: body, in: frame)
    }
    for body in doubtful.dropLast(rules.doubtfulCount) { tracker.lose(body.key) }
  }

  /// Verifies a body if the detector is sure of it often enough.
  ///
  /// - Returns: Whether it is verified.
  mutating func verify(
    _ key: Int, in frame: Frame, at time: Double, networks: inout PoseNetworks
  ) throws(VisionError) -> Bool {
    guard let body = tracker[key], !body.content.isVerified else { return true }
    let isSure = try isSure(of: body.landmarks, in: frame, networks: &networks)
    let rules = rules.verification
    tracker.changeContent(of: key) { $0.note(isSure: isSure, rules, at: time) }
    return tracker[key]?.content.isVerified ?? false
  }

  /// Whether a body that was just found is a person: it moves, or is where one was lost.
  mutating func isPerson(_ body: BodyLandmarks, in frame: Frame, at time: Double) -> Bool {
    if hasChanged(body, in: frame) { return true }
    guard isNobodyReported, let lost = lostRegion(at: time) else { return false }
    return lost.overlap(body.region) >= rules.verification.placeOverlap
  }

  /// Takes a detection of a known body into account.
  mutating func note(_ detection: BodyDetection, of body: Person, at time: Double) {
    let rules = rules.verification
    guard !body.content.isVerified, detection.score >= rules.score else { return }
    tracker.changeContent(of: body.key) { $0.note(isSure: true, rules, at: time) }
  }

  /// Whether a detection is of furniture, which is forgotten once the picture has changed there.
  mutating func isFurniture(_ detection: BodyDetection, in frame: Frame) -> Bool {
    let rules = rules.verification
    guard detection.score < rules.scoreAtFurniture,
      let index = furniture.firstIndex(where: {
        $0.regions.contains { $0.overlap(detection.region) >= rules.placeOverlap }
      })
    else { return false }
    let known = furniture[index]
    let share = changes.share(in: known.box, of: frame, since: known.grid)
    if share ?? 1 < rules.changedShare { return true }
    furniture.remove(at: index)
    return false
  }

  private mutating func note(furniture body: Person, in frame: Frame) {
    furniture.append(
      Furniture(
        regions: [body.content.foundRegion, body.landmarks.region], box: body.landmarks.box,
        grid: changes.grid(of: frame)))
    if furniture.count > rules.verification.furnitureCount { furniture.removeFirst() }
  }

  /// Whether the picture has changed where the body is, and no other person is there.
  private mutating func hasChanged(_ body: BodyLandmarks, in frame: Frame) -> Bool {
    let others = people.map(\.landmarks.box)
    let share = changes.share(in: body.box, of: frame, beside: others) ?? 0
    return share >= rules.verification.changedShare
  }

  /// Whether the detector is sure of the body when it is large in a crop.
  private func isSure(
    of body: BodyLandmarks, in frame: Frame, networks: inout PoseNetworks
  ) throws(VisionError) -> Bool {
    for scale in rules.verification.crops {
      let crop = Region(center: body.region.center, size: body.region.size * scale)
      let isFound = try networks.people(in: crop, of: frame).contains {
        $0.score >= rules.verification.score
          && ($0.hips - body.hips).length < rules.verification.hipsDistance * body.region.size
      }
      if isFound { return true }
    }
    return false
  }
}
