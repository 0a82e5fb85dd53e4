import KinemaStreams

/// Finds a single repetition: the body leaves a posture and returns to it.
///
/// One repetition is not periodic, so that this is used only where a classifier recognises an action.
enum SingleRepetition {
  /// How far the body must get from where it was: squared, in body sizes and radians.
  static let leastDistance: Float = 0.15
  /// The share of the largest squared distance at which the body is on its way.
  static let departure: Float = 0.35
  /// The share of the largest squared distance at which the body is back.
  static let arrival: Float = 0.2
  /// The shortest and the longest repetition in seconds.
  static let durations = 0.3...8.0
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
    guard first < last else { return nil }
    let track = MotionTrack(Array(samples[first..<last]))
    guard track.count >= CountingStream.leastFrames / 2 else { return nil }
    let path = PosturePath(track)
    // The posture that is left is the stillest of the start.
    let early = min(track.count, Int(longestStart * MotionTrack.frameRate))
    guard let rest = (0..<early).min(by: { path.speeds[$0] < path.speeds[$1] }) else { return nil }
    let distances = (0..<track.count).map { path.distance($0, rest) }
    guard let furthest = distances[rest...].max(), furthest > leastDistance else { return nil }
    var departed: Int?
    for frame in rest..<track.count {
      if distances[frame] > departure * furthest {
        departed = departed ?? frame
      } else if let out = departed, distances[frame] < arrival * furthest {
        let begin = (rest...out).last { distances[$0] < arrival * furthest } ?? rest
        let range = track.time(of: begin)..<track.time(of: frame)
        if durations.contains(range.upperBound - range.lowerBound) { return range }
        departed = nil
      }
    }
    return nil
  }
}
