/// Step 1 of counting: estimates the duration of one repetition at each moment.
package protocol PeriodEstimator: Sendable {
  /// The motion, as of ``MotionFeatures/motion(at:)``, under which nothing is counted.
  var leastMotion: Float { get }

  /// A more accurate but slower estimator for movements that are over; `nil` where the live one is
  /// used for them too.
  var finalPass: (any PeriodEstimator)? { get }

  /// The period at every second frame of a track (frames 0, 2, 4 …: ``LagPlanes/step``).
  ///
  /// - Parameters:
  ///   - track: The movement.
  ///   - features: Its features.
  /// - Throws: ``ModelFileError`` where a model cannot be run.
  func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod]
}

extension PeriodEstimator {
  package var finalPass: (any PeriodEstimator)? { nil }

  /// The period at every second frame of a track.
  package func periods(of track: MotionTrack) throws -> [FramePeriod] {
    try periods(of: track, features: MotionFeatures(track))
  }
}
