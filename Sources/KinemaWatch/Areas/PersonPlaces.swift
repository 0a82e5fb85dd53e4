import Foundation
import KinemaPose
import KinemaVideo

/// Which zones a person is in, and which lines they cross.
struct PersonPlaces: Sendable {
  enum Change: Hashable, Sendable {
    case entered(zone: String)
    case left(zone: String, seconds: TimeInterval)
    case stayed(zone: String, seconds: TimeInterval)
    case crossed(line: String, isInward: Bool)
  }

  private struct Stay: Sendable {
    var since: TimeInterval
    var until: TimeInterval
    var hasBegun = false
    var lasted: Set<TimeInterval> = []
  }

  /// How far beside a line a person must be to be on that side, in heights of the person: more than the
  /// noise of the poses, less than a step.
  private static let margin: Float = 0.08

  private var stays: [String: Stay] = [:]
  /// Where the person last was clearly on one side of each line.
  private var sides: [String: (place: SIMD2<Float>, isInside: Bool)] = [:]

  /// The zones that the person is in.
  var zones: Set<String> { Set(stays.filter(\.value.hasBegun).keys) }

  /// Processes the next frame; without a body, the person stays where they were for a moment.
  mutating func add(
    _ pose: Pose?, isUpright: Bool, hasEntered: Bool, at time: TimeInterval,
    _ rules: SceneEvents.Rules
  ) -> [Change] {
    let place = pose.flatMap { Self.place(of: $0, isUpright: isUpright) }
    var changes: [Change] = []
    for zone in rules.areas.zones {
      if let place, zone.polygon.contains(place.point) {
        stays[zone.name, default: Stay(since: time, until: time)].until = time
      }
      changes += follow(zone.name, canBegin: hasEntered, at: time, rules)
    }
    // A zone may have gone from the file.
    stays = stays.filter { name, _ in rules.areas.zones.contains { $0.name == name } }
    guard let place else { return changes }
    for line in rules.areas.lines {
      if let isInward = cross(line, place) {
        changes.append(.crossed(line: line.name, isInward: isInward))
      }
    }
    return changes
  }

  private mutating func follow(
    _ zone: String, canBegin: Bool, at time: TimeInterval, _ rules: SceneEvents.Rules
  ) -> [Change] {
    guard var stay = stays[zone] else { return [] }
    var changes: [Change] = []
    if time - stay.until > rules.leaveZoneAfter {
      stays[zone] = nil
      return stay.hasBegun ? [.left(zone: zone, seconds: stay.until - stay.since)] : []
    }
    if !stay.hasBegun, canBegin, stay.until - stay.since >= rules.enterAfter {
      stay.hasBegun = true
      changes.append(.entered(zone: zone))
    }
    if stay.hasBegun {
      for seconds in (rules.stayTimes[zone] ?? []).subtracting(stay.lasted).sorted()
      where stay.until - stay.since >= seconds {
        stay.lasted.insert(seconds)
        changes.append(.stayed(zone: zone, seconds: seconds))
      }
    }
    stays[zone] = stay
    return changes
  }

  /// - Returns: Whether the person came in, where they have crossed the line.
  private mutating func cross(
    _ line: SourceAreas.Line, _ place: (point: SIMD2<Float>, height: Float)
  ) -> Bool? {
    let way = line.end - line.start
    let length = (way * way).sum().squareRoot()
    let aside = Self.cross(way, place.point - line.start) / length
    guard abs(aside) > Self.margin * place.height else { return nil }
    // To the right of the way from start to end is inside.
    let isInside = aside < 0
    defer { sides[line.name] = (place.point, isInside) }
    guard let before = sides[line.name], before.isInside != isInside else { return nil }
    // Where the person's own way meets the line, as a share of it.
    let step = place.point - before.place
    let share = Self.cross(before.place - line.start, step) / Self.cross(way, step)
    return (0...1).contains(share) ? isInside : nil
  }

  private static func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float { a.x * b.y - a.y * b.x }

  /// Where a person is: their feet while upright, or else their hips; and how long the body is.
  private static func place(
    of pose: Pose, isUpright: Bool
  ) -> (point: SIMD2<Float>, height: Float)? {
    guard let box = pose.boundingBox() else { return nil }
    func middle(_ keys: JointKey...) -> SIMD2<Float>? {
      let places = keys.compactMap { pose.keypoints[$0] }.filter {
        $0.confidence >= JointPoint.leastConfidence
      }.map(\.position)
      return places.isEmpty ? nil : places.reduce(SIMD2(), +) / Float(places.count)
    }
    let size = box.upperRight - box.lowerLeft
    let feet = SIMD2((box.lowerLeft.x + box.upperRight.x) / 2, box.lowerLeft.y)
    let point =
      isUpright ? middle(.leftAnkle, .rightAnkle) ?? feet : middle(.leftHip, .rightHip) ?? feet
    return (point, max(size.x, size.y))
  }
}
