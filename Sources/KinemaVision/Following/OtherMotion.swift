package import KinemaVideo

/// What is known of motion beside the people who are tracked: where others are searched.
package enum OtherMotion: Hashable, Sendable {
  /// The pictures are not compared.
  case unknown
  /// Nothing else has moved for a while.
  case none
  /// Something moves there, the largest area first; an array without any says nothing.
  case areas([MotionArea])
}
