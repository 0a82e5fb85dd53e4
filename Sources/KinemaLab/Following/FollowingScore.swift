package import KinemaPose

/// Tracking metrics, frame by frame.
///
/// As in CLEAR MOT (Bernardin and Stiefelhagen, *Evaluating Multiple Object Tracking Performance*,
/// 2008), a pose goes to the last person of its id if near enough; others are paired by distance,
/// nearest first. A pose of an occluded person without a confident joint counts for no other.
package struct FollowingScore: Hashable, Codable, Sendable {
  /// A true person.
  package typealias Person = TrackRecord.Subject

  /// How far joints may be from the true ones on average, as a share of the person's height.
  package static let reach: Float = 0.2
  /// The share of the outline from which on a person must be found.
  package static let visibleShare: Float = 0.5

  /// What went wrong, or what changed.
  package struct Mishap: Hashable, Codable, Sendable {
    /// A kind of mishap.
    package enum Kind: String, Codable, Sendable, CaseIterable {
      /// A person continues under an id that was another person's: an ID switch.
      case swap
      /// A person continues under a new id: a fragmentation.
      case split
    }

    /// What it is.
    package var kind: Kind
    /// When it shows, in seconds.
    package var time: Double
    package var person: Int
    package var id: Int

    /// Describes a mishap.
    package init(kind: Kind, time: Double, person: Int, id: Int) {
      (self.kind, self.time, self.person, self.id) = (kind, time, person, id)
    }
  }

  /// The number of evaluated frames.
  package private(set) var frames = 0
  /// In how many frames persons could be seen, added up over persons.
  package private(set) var visible = 0
  /// In how many of these they were found.
  package private(set) var found = 0
  /// The number of these with a confident joint, rather than predicted.
  package private(set) var foundConfidently = 0
  /// In how many frames persons were hidden.
  package private(set) var hidden = 0
  /// In how many of these they were found all the same.
  package private(set) var foundHidden = 0
  /// False positives: poses without a person, or of one already found.
  package private(set) var ghosts = 0
  /// Changes of ids, in order.
  package private(set) var mishaps: [Mishap] = []
  /// The id of each person when last found.
  private var ids: [Int: Int] = [:]
  /// The first person of each id.
  private var owners: [Int: Int] = [:]
  private var visibleFrames: [Int: Int] = [:]
  private var foundFrames: [Int: Int] = [:]

  /// Begins to add up.
  package init() {}

  /// The recall of visible people; 1 without any.
  package var foundShare: Double { visible == 0 ? 1 : Double(found) / Double(visible) }

  /// The lowest recall of a person; 1 without any.
  package var leastFoundShare: Double {
    visibleFrames.map { Double(foundFrames[$0.key] ?? 0) / Double($0.value) }.min() ?? 1
  }

  /// How often a person continued under another id.
  package func count(_ kind: Mishap.Kind) -> Int { mishaps.count { $0.kind == kind } }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - poses: The reported poses, with ids.
  ///   - people: The true people, numbered.
  ///   - time: The time in seconds.
  ///   - aspectRatio: Width of the frame divided by its height.
  /// - Returns: The pose of each person that is found, by their indices.
  @discardableResult
  package mutating func add(
    _ poses: [Pose], people: [Person], at time: Double, aspectRatio: Float
  ) -> [Int: Int] {
    frames += 1
    let pairs = pairs(of: people, poses, aspectRatio: aspectRatio)
    ghosts += poses.count - pairs.count
    for (index, person) in people.enumerated() {
      let number = person.pose.personID ?? index
      let isFound = pairs[index] != nil
      if person.isVisible {
        visible += 1
        found += isFound ? 1 : 0
        foundConfidently += pairs[index].map { Self.isConfident(poses[$0]) } ?? false ? 1 : 0
        visibleFrames[number, default: 0] += 1
        foundFrames[number, default: 0] += isFound ? 1 : 0
      } else {
        hidden += 1
        foundHidden += isFound ? 1 : 0
      }
      if let pose = pairs[index], let id = poses[pose].personID {
        note(id, of: number, at: time)
      }
    }
    return pairs
  }

  private mutating func note(_ id: Int, of person: Int, at time: Double) {
    let isForeign = owners[id].map { $0 != person } ?? false
    if isForeign, ids[person] != id {
      mishaps.append(.init(kind: .swap, time: time, person: person, id: id))
    } else if let last = ids[person], last != id {
      mishaps.append(.init(kind: .split, time: time, person: person, id: id))
    }
    owners[id] = owners[id] ?? person
    ids[person] = id
  }

  private func pairs(
    of people: [Person], _ poses: [Pose], aspectRatio: Float
  ) -> [Int: Int] {
    var candidates: [(isKnown: Bool, distance: Float, person: Int, pose: Int)] = []
    for (person, truth) in people.enumerated() {
      for (index, pose) in poses.enumerated() {
        let distance = truth.distance(to: pose, aspectRatio: aspectRatio)
        guard distance <= Self.reach else { continue }
        let isKnown =
          pose.personID != nil && ids[truth.pose.personID ?? person] == pose.personID
        guard isKnown || Self.isConfident(pose) else { continue }
        candidates.append((isKnown, distance, person, index))
      }
    }
    candidates.sort { ($0.isKnown ? 0 : 1, $0.distance) < ($1.isKnown ? 0 : 1, $1.distance) }
    var pairs: [Int: Int] = [:]
    var taken: Set<Int> = []
    for candidate in candidates
    where pairs[candidate.person] == nil && taken.insert(candidate.pose).inserted {
      pairs[candidate.person] = candidate.pose
    }
    return pairs
  }

  /// Whether at least one joint was seen, and not inferred only.
  private static func isConfident(_ pose: Pose) -> Bool {
    pose.keypoints.values.contains { $0.confidence >= JointPoint.leastConfidence }
  }
}
