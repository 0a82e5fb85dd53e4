import KinemaStreams

/// Finds a single repetition: the body leaves a posture and returns to it.
///
/// One repetition is not periodic, so that this is used only where a classifier recognises an action, or
/// where a recording shows nothing else.
package enum SingleRepetition {
  /// How far the body must get from where it was: squared, in body sizes and radians.
  static let leastDistance: Float = 0.15
  /// How far it may get in a recording of nothing else: three body sizes, squared.
  ///
  /// Farther, the person goes somewhere: in the clips of `kinema bench real-people` and of falls single
  /// repetitions go up to 7.8, and people who leave their place and come back 20 and more.
  static let mostDistance: Float = 9
  /// The share of the largest squared distance at which the body is on its way.
  static let departure: Float = 0.35
  /// The share of the largest squared distance at which the body is back.
  static let arrival: Float = 0.2
  /// The shortest and the longest repetition in seconds.
  static let durations = 0.3...8.0
  /// The shortest where a recording shows nothing else; what is shorter is a step, a gesture or a joint
  /// that is misplaced.
  static let shortestAlone = 0.8
  /// How far back the search goes, in seconds.
  static let longestSearch = 12.0
  /// How much of the start may be the posture that is left, in seconds.
  static let longestStart = 1.5
  /// The time between two searches, in seconds.
  static let interval = 0.1
  /// The same where the whole movement is known.
  static let finalInterval = 0.5

  /// The first repetition that is complete.
  ///
  /// - Parameters:
  ///   - samples: The person's frames, oldest first.
  ///   - start: Where the search begins, in seconds.
  ///   - end: Where it ends.
  static func find(
    in samples: [MotionSample], from start: Double, to end: Double
  ) -> Range<Double>? {
    let first = samples.partitioningIndex { $0.time >= max(start, end - longestSearch) }
    let last = samples.partitioningIndex { $0.time > end }
    guard first < last, let path = path(of: Array(samples[first..<last])) else { return nil }
    // The posture that is left is the stillest of the start.
    guard let rest = starts(of: path).min(by: { path.speeds[$0] < path.speeds[$1] }) else {
      return nil
    }
    return Departures(path, from: rest)?.ranges.first { durations.contains($0.seconds) }
  }

  /// The repetition that is all a recording shows: the body leaves a posture once, and is back in it at
  /// the end.
  ///
  /// - Parameter samples: The person's frames, oldest first.
  package static func only(in samples: [MotionSample]) -> Range<Double>? {
    guard let path = path(of: samples) else { return nil }
    // A movement may be under way in the first frame: what is left is what the body returns to best.
    let departures = starts(of: path).compactMap { Departures(path, from: $0) }.filter(\.isBack)
    guard let best = departures.min(by: { $0.leftOver < $1.leftOver }),
      best.furthest < mostDistance
    else { return nil }
    let whole = best.ranges.filter { $0.seconds >= shortestAlone }
    guard let only = whole.first, whole.count == 1, durations.contains(only.seconds) else {
      return nil
    }
    return only
  }

  private static func path(of samples: [MotionSample]) -> PosturePath? {
    let track = MotionTrack(samples)
    return track.count >= CountingStream.leastFrames / 2 ? PosturePath(track) : nil
  }

  /// The frames that may be the posture that is left.
  private static func starts(of path: PosturePath) -> Range<Int> {
    0..<min(path.track.count, Int(longestStart * MotionTrack.frameRate))
  }

  /// Each time that the body leaves a posture and returns to it.
  private struct Departures {
    /// The largest squared distance from the posture.
    let furthest: Float
    /// The share of it at which the body is again, at best.
    let leftOver: Float
    /// In seconds, oldest first.
    private(set) var ranges: [Range<Double>] = []
    /// Whether the body has returned from the last.
    private(set) var isBack = true

    /// - Parameters:
    ///   - path: The movement.
    ///   - rest: The frame of the posture.
    /// - Returns: `nil` where the body does not get far enough.
    init?(_ path: PosturePath, from rest: Int) {
      let frames = rest..<path.track.count
      let distances = frames.map { path.distance($0, rest) }
      guard let far = distances.indices.max(by: { distances[$0] < distances[$1] }),
        distances[far] > leastDistance
      else { return nil }
      furthest = distances[far]
      leftOver = (distances[far...].min() ?? furthest) / furthest
      var departed: Int?
      for (index, distance) in distances.enumerated() {
        if distance > departure * furthest {
          departed = departed ?? index
        } else if let out = departed, distance < arrival * furthest {
          let begin = distances[...out].lastIndex { $0 < arrival * furthest } ?? 0
          ranges.append(path.track.time(of: rest + begin)..<path.track.time(of: rest + index))
          departed = nil
        }
      }
      isBack = departed == nil
    }
  }
}

extension Range<Double> {
  fileprivate var seconds: Double { upperBound - lowerBound }
}
