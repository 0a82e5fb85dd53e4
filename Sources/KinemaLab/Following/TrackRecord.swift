package import KinemaPose
import KinemaTracking

/// Who is in the frames of a scene, and what is reported of it.
package struct TrackRecord: Hashable, Sendable {
  /// A true person or hand.
  package struct Subject: Hashable, Sendable {
    /// The joints; ``KinemaPose/Pose/personID`` identifies the person.
    package var pose: Pose
    /// The standing height of a person, or the size of a hand, as a share of the frame's height.
    package var height: Float
    /// The visible share of the outline.
    package var visibleShare: Float

    /// Creates a true person.
    package init(pose: Pose, height: Float, visibleShare: Float) {
      self.pose = pose
      self.height = height
      self.visibleShare = visibleShare
    }

    /// Whether the person must be found.
    var isVisible: Bool { visibleShare >= FollowingScore.visibleShare }

    private static let joints = JointKey.body + JointKey.hand

    /// The mean distance of joints to the true ones, in heights of the person.
    func distance(to pose: Pose, aspectRatio: Float) -> Float {
      var (sum, count): (Float, Float) = (0, 0)
      for key in Self.joints {
        guard let place = self.pose.keypoints[key], let found = pose.keypoints[key] else {
          continue
        }
        let way = (found.position - place.position) * SIMD2(aspectRatio, 1)
        sum += (way * way).sum().squareRoot()
        count += 1
      }
      return count == 0 ? .infinity : sum / count / max(height, 1e-6)
    }

    /// 1 less the distance as a share of the one beyond which joints have nothing in common, as
    /// TrackEval has it for points; 0.5 at ``FollowingScore/reach``.
    func similarity(to pose: Pose, aspectRatio: Float) -> Double {
      let distance = Double(distance(to: pose, aspectRatio: aspectRatio))
      return max(0, 1 - distance / (2 * Double(FollowingScore.reach)))
    }
  }

  /// A frame.
  package struct Frame: Hashable, Sendable {
    /// The time in seconds.
    package var time: Double
    /// The people in the frame by number, each once.
    package var people: [Int]
    /// Whether each is visible.
    package var isVisible: [Bool]
    /// The id under which each is found, as ``FollowingScore`` has it.
    package var found: [Int?]
    /// What is evaluated.
    package var tracks: TrackedFrame
  }

  /// The frames in order.
  package private(set) var frames: [Frame] = []

  /// Creates an empty record.
  package init() {}

  /// Adds a frame.
  ///
  /// An occluded person need not be found: as in MOTChallenge, one is left out together with the
  /// report that matches it.
  ///
  /// - Parameters:
  ///   - poses: The reported poses; those without an id are left out.
  ///   - people: The true people, numbered.
  ///   - found: The reported pose of each person that is found.
  ///   - time: The time in seconds.
  ///   - aspectRatio: Width of the frame divided by its height.
  package mutating func add(
    _ poses: [Pose], people: [Subject], found: [Int: Int], at time: Double, aspectRatio: Float
  ) {
    let reports = poses.filter { $0.personID != nil }
    let similarity = people.map { person in
      reports.map { person.similarity(to: $0, aspectRatio: aspectRatio) }
    }
    let matches = Assignment.largest(
      similarity.map { $0.map { $0 >= TrackingMetrics.threshold ? $0 : 0 } })
    let visible = people.indices.filter { people[$0].isVisible }
    let ignored = people.indices.filter { !people[$0].isVisible }.compactMap { index in
      matches[index].flatMap {
        similarity[index][$0] >= TrackingMetrics.threshold ? $0 : nil
      }
    }
    let kept = reports.indices.filter { !ignored.contains($0) }
    let numbers = people.enumerated().map { $1.pose.personID ?? $0 }
    frames.append(
      Frame(
        time: time, people: numbers, isVisible: people.map(\.isVisible),
        found: people.indices.map { found[$0].flatMap { poses[$0].personID } },
        tracks: TrackedFrame(
          truths: visible.map { numbers[$0] }, reports: kept.compactMap { reports[$0].personID },
          similarity: visible.map { row in kept.map { similarity[row][$0] } })))
  }

  /// The metrics of tracking.
  package var metrics: TrackingMetrics { TrackingMetrics(frames.map(\.tracks)) }

  /// Whether people who return get their ids back.
  package struct Returns: Hashable, Codable, Sendable {
    /// How often a person returned.
    package var returns = 0
    /// How often they got an id back that was theirs.
    package var regained = 0
    /// How often a person came for the first time after another had left.
    package var newcomers = 0
    /// How often a person who returned or is new got another's id.
    package var taken = 0

    /// Counts nothing.
    package init() {}

    static func += (one: inout Returns, other: Returns) {
      one.returns += other.returns
      one.regained += other.regained
      one.newcomers += other.newcomers
      one.taken += other.taken
    }
  }

  /// How long people are out of sight at least before they return, in seconds.
  private static let leastAbsence = 4.0

  /// A time in which a person was visible, and the id that they had most of it.
  private struct Stay {
    let person: Int
    let start: Double
    var end: Double
    var ids: [Int: Int] = [:]

    var id: Int? { ids.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key }
  }

  /// Whether people who were out of sight for some seconds get their ids back; the id of a stay is
  /// the one in most of its frames.
  package var returns: Returns {
    var stays: [Stay] = []
    for frame in frames {
      for (index, person) in frame.people.enumerated() where frame.isVisible[index] {
        let last = stays.lastIndex {
          $0.person == person && frame.time - $0.end < Self.leastAbsence
        }
        if last == nil { stays.append(Stay(person: person, start: frame.time, end: frame.time)) }
        let stay = last ?? stays.count - 1
        stays[stay].end = frame.time
        if let id = frame.found[index] { stays[stay].ids[id, default: 0] += 1 }
      }
    }
    var returns = Returns()
    for (index, stay) in stays.enumerated() {
      let earlier = stays[..<index]
      let own = earlier.filter { $0.person == stay.person }
      if !own.isEmpty {
        returns.returns += 1
      } else if earlier.contains(where: { $0.end < stay.start - Self.leastAbsence }) {
        returns.newcomers += 1
      } else {
        continue
      }
      guard let id = stay.id else { continue }
      if own.contains(where: { $0.id == id }) {
        returns.regained += 1
      } else if earlier.contains(where: { $0.person != stay.person && $0.id == id }) {
        returns.taken += 1
      }
    }
    return returns
  }
}
