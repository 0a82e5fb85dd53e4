/// Finds a single repetition: the body leaves a posture and comes back to it.
///
/// One repetition is not periodic, so this is only asked where a classifier says that an action is
/// under way.
enum FirstRepetition {
  /// How far the body must get from where it was: squared, in body sizes and radians.
  static let leastDistance: Float = 0.15
  /// The share of the furthest squared distance at which the body is on its way.
  static let departure: Float = 0.35
  /// The share of the furthest squared distance at which the body is back.
  static let arrival: Float = 0.2
  /// The shortest and the longest repetition in seconds.
  static let durations = 0.3...8.0
  /// How far back the search may go, in seconds.
  static let longestSearch = 12.0

  /// The first repetition that is complete.
  ///
  /// - Parameters:
  ///   - samples: The person's frames, oldest first.
  ///   - start: Where the search begins, in seconds.
  static func find(in samples: [MotionSample], since start: Double) -> Range<Double>? {
    guard let end = samples.last?.time else { return nil }
    let begin = max(start, end - longestSearch)
    let first = samples.partitioningIndex { $0.time >= begin }
    let track = MotionTrack(Array(samples[first...]))
    guard track.count >= CountingStream.leastFrames / 2 else { return nil }
    let path = PosturePath(track)
    // The posture that is left: the stillest of the beginning.
    let early = min(track.count, Int(1.5 * MotionTrack.frameRate))
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
