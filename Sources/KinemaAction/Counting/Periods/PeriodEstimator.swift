/// Finds how fast a person's movement repeats itself.
package protocol PeriodEstimator: Sendable {
  /// The period at every second frame of a track (frames 0, 2, 4 …: ``LagPlanes/step``).
  ///
  /// - Throws: ``ActionError`` where a model cannot be run.
  func periods(of track: MotionTrack) throws -> [FramePeriod]
}
