package import KinemaPose
package import KinemaStreams

/// A frame of a video that was looked at: its time, its size and the poses in it.
package struct FoundFrame: Sendable {
  /// The file and the stretch of time, those of ``AsyncFrames``.
  package var id: TemporalSegmentIdentifier
  /// The width of the upright picture in pixels.
  package var width: Int
  /// The height of the upright picture in pixels.
  package var height: Int
  /// The poses, in the order of their ids.
  package var poses: [Pose]
}
