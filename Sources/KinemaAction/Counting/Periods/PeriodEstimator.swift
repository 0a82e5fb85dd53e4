/// Finds how fast a person's movement repeats itself.
package protocol PeriodEstimator: Sendable {
  /// The motion, as of ``MotionFeatures/motion(at:)``, under which nothing is counted.
  var leastMotion: Float { get }

  /// What finds the periods more surely, though not as fast, when a movement is over; `nil` where
  /// there is nothing to add to what was found while it went on.
  var hindsight: (any PeriodEstimator)? { get }

  /// The period at every second frame of a track (frames 0, 2, 4 …: ``LagPlanes/step``).
  ///
  /// - Parameters:
  ///   - track: The movement.
  ///   - features: Its features.
  /// - Throws: ``ActionError`` where a model cannot be run.
  func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod]
}

extension PeriodEstimator {
  package var hindsight: (any PeriodEstimator)? { nil }

  /// The period at every second frame of a track.
  package func periods(of track: MotionTrack) throws -> [FramePeriod] {
    try periods(of: track, features: MotionFeatures(track))
  }
}
