package import KinemaPose

/// Adds up, frame after frame, how well people are followed: who is found, and under which id.
///
/// As in CLEAR MOT (Bernardin and Stiefelhagen, *Evaluating Multiple Object Tracking Performance*,
/// 2008): a found pose goes to the person to whom its id went before, where that is near enough; the
/// others are paired by distance, nearest first. A pose without a sure joint, of somebody who is
/// hidden, counts for nobody else.
package struct FollowingScore: Hashable, Codable, Sendable {
  /// Somebody who is there.
  package struct Person: Hashable, Sendable {
    /// Where the joints are; its ``KinemaPose/Pose/personID`` says who it is.
    package var pose: Pose
    /// How tall the person is when upright, as a share of the picture's height.
    package var height: Float
    /// The share of the outline that nobody hides.
    package var visibleShare: Float

    /// Describes somebody who is there.
    package init(pose: Pose, height: Float, visibleShare: Float) {
      self.pose = pose
      self.height = height
      self.visibleShare = visibleShare
    }
  }

  /// How far joints may be from the true ones on average, as a share of the person's height.
  package static let reach: Float = 0.2
  /// The share of the outline from which on a person must be found.
  package static let visibleShare: Float = 0.5

  /// What went wrong, or what changed.
  package struct Mishap: Hashable, Codable, Sendable {
    /// A kind of mishap.
    package enum Kind: String, Codable, Sendable, CaseIterable {
      /// A person goes on under an id that was somebody else's.
      case swap
      /// A person goes on under a new id.
      case split
    }

    /// What it is.
    package var kind: Kind
    /// When it shows, in seconds.
    package var time: Double
    /// Whom it concerns.
    package var person: Int
    /// The id under which the person goes on.
    package var id: Int

    /// Describes a mishap.
    package init(kind: Kind, time: Double, person: Int, id: Int) {
      (self.kind, self.time, self.person, self.id) = (kind, time, person, id)
    }
  }

  /// How many frames were looked at.
  package private(set) var frames = 0
  /// In how many frames persons could be seen, added up over persons.
  package private(set) var visible = 0
  /// In how many of these they were found.
  package private(set) var found = 0
  /// In how many of these with a joint that is sure, and not where they are only expected.
  package private(set) var foundSurely = 0
  /// In how many frames persons were hidden.
  package private(set) var hidden = 0
  /// In how many of these they were found all the same.
  package private(set) var foundHidden = 0
  /// Poses of nobody, or of somebody who was found already.
  package private(set) var ghosts = 0
  /// Changes of ids, in order.
  package private(set) var mishaps: [Mishap] = []
  /// The id of each person when last found.
  private var ids: [Int: Int] = [:]
  /// Whose an id was first.
  private var owners: [Int: Int] = [:]
  private var visibleFrames: [Int: Int] = [:]
  private var foundFrames: [Int: Int] = [:]

  /// Begins to add up.
  package init() {}

  /// The share of visible persons that were found; 1 if there were none.
  package var foundShare: Double { visible == 0 ? 1 : Double(found) / Double(visible) }

  /// The share of frames in which the person was found who was found least; 1 if there was nobody.
  package var leastFoundShare: Double {
    visibleFrames.map { Double(foundFrames[$0.key] ?? 0) / Double($0.value) }.min() ?? 1
  }

  /// How often a person went on under another id.
  package func count(_ kind: Mishap.Kind) -> Int { mishaps.count { $0.kind == kind } }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - poses: What was found, with ids.
  ///   - people: Who is there, each with a number of their own.
  ///   - time: When the frame is shown, in seconds.
  ///   - aspectRatio: The picture's width divided by its height.
  package mutating func add(
    _ poses: [Pose], people: [Person], at time: Double, aspectRatio: Float
  ) {
    frames += 1
    let pairs = pairs(of: people, poses, aspectRatio: aspectRatio)
    ghosts += poses.count - pairs.count
    for (index, person) in people.enumerated() {
      let number = person.pose.personID ?? index
      let isVisible = person.visibleShare >= Self.visibleShare
      let isFound = pairs[index] != nil
      if isVisible {
        visible += 1
        found += isFound ? 1 : 0
        foundSurely += pairs[index].map { Self.isSure(poses[$0]) } ?? false ? 1 : 0
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

  /// Which pose is whose.
  private func pairs(
    of people: [Person], _ poses: [Pose], aspectRatio: Float
  ) -> [Int: Int] {
    var candidates: [(isKnown: Bool, distance: Float, person: Int, pose: Int)] = []
    for (person, truth) in people.enumerated() {
      for (index, pose) in poses.enumerated() {
        let distance = Self.distance(truth, pose, aspectRatio: aspectRatio)
        guard distance <= Self.reach else { continue }
        let isKnown =
          pose.personID != nil && ids[truth.pose.personID ?? person] == pose.personID
        guard isKnown || Self.isSure(pose) else { continue }
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
  private static func isSure(_ pose: Pose) -> Bool {
    pose.keypoints.values.contains { $0.confidence >= 0.2 }
  }

  /// How far the joints are from the true ones on average, in heights of the person.
  private static func distance(_ person: Person, _ pose: Pose, aspectRatio: Float) -> Float {
    var (sum, count): (Float, Float) = (0, 0)
    for key in JointKey.body {
      guard let place = person.pose.keypoints[key], let found = pose.keypoints[key] else {
        continue
      }
      let way = (found.position - place.position) * SIMD2(aspectRatio, 1)
      sum += (way * way).sum().squareRoot()
      count += 1
    }
    return count == 0 ? .infinity : sum / count / max(person.height, 1e-6)
  }
}
