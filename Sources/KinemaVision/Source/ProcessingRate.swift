import KinemaPose

/// How many frames of a source are processed.
package enum ProcessingRate: Hashable, Sendable {
  /// Every frame.
  case all
  /// At most so many a second, evenly.
  case atMost(Double)
  /// As many as movement needs: see ``Pace``.
  case auto
}

extension ProcessingRate: CustomStringConvertible {
  package var description: String {
    switch self {
    case .all: "all"
    case .atMost(let rate): "\(rate)"
    case .auto: "auto \(Pace.Rules())"
    }
  }
}

/// Chooses the frames to process by how quickly the joints of people move.
///
/// The next frame is due when a joint has moved by a share of its person, at the speed between the last two
/// frames that were processed. Frames are the closer the quicker somebody moves; where nobody
/// moves, or nobody is in view, they come at a constant low rate. After somebody came or left, some frames
/// are processed one after the other, which tracking needs.
struct Pace {
  /// The numbers of the choice; `kinema bench real-people --rate auto` and docs/benchmarks.md, "What does
  /// --rate cost?", show what they cost.
  struct Rules: Hashable, Sendable {
    /// The least frames a second.
    var leastRate: Float = 10
    /// How far a joint moves between two frames, as a share of the longer side of its person's box.
    var step: Float = 0.15
    /// The least confidence of joints whose movement counts: those that are guessed jump.
    var leastConfidence: Float = 0.5
    /// How many frames follow one another after somebody came or left.
    var arrivalFrameCount = 5
    /// How much too early a frame may be, in seconds, so that times that are not exact, and rates that the
    /// least one does not divide, do not make a gap longer by a whole frame.
    var slack = 0.02
  }

  private let rules = Rules()
  private var last: (time: Double, people: [Int: Pose], ids: Set<Int>)?
  private var due = -Double.infinity
  private var arrivals = 0

  /// The earliest time of the next frame to process, in seconds.
  var next: Double { due - rules.slack }

  /// Whether the next frame is to be processed, of a time in seconds.
  mutating func isDue(_ time: Double) -> Bool {
    // A step back in time begins another clip.
    if let last, time < last.time { self = Pace() }
    return time >= next
  }

  /// Takes the people of a frame that was processed.
  ///
  /// - Parameters:
  ///   - time: The time of the frame in seconds.
  ///   - aspectRatio: Width of the frame divided by its height.
  mutating func note(_ poses: [Pose], at time: Double, aspectRatio: Float) {
    var people: [Int: Pose] = [:]
    for pose in poses { people[pose.personID ?? 0] = pose }
    let ids = Set(people.keys)
    var interval = 1 / rules.leastRate
    if let last, time > last.time {
      if last.ids != ids { arrivals = rules.arrivalFrameCount }
      for (id, pose) in people {
        guard let before = last.people[id] else { continue }
        let way = way(from: before, to: pose, aspectRatio: aspectRatio)
        let speed = way / Float(time - last.time)
        if speed * interval > rules.step { interval = rules.step / speed }
      }
    }
    if arrivals > 0 {
      arrivals -= 1
      interval = 0
    }
    last = (time, people, ids)
    due = time + Double(interval)
  }

  /// How far the joint that moved furthest did, as a share of the longer side of the person's box.
  private func way(from before: Pose, to now: Pose, aspectRatio: Float) -> Float {
    guard let box = now.boundingBox(confidenceThreshold: rules.leastConfidence) else { return 0 }
    let scale = SIMD2(aspectRatio, 1)
    let size = ((box.upperRight - box.lowerLeft) * scale).max()
    guard size > 0 else { return 0 }
    let ways = now.keypoints.map { key, point -> Float in
      guard point.isUsable(above: rules.leastConfidence), let other = before.keypoints[key],
        other.isUsable(above: rules.leastConfidence)
      else { return 0 }
      let way = (point.position - other.position) * scale
      return (way * way).sum().squareRoot()
    }
    return (ways.max() ?? 0) / size
  }
}
