import KinemaVideo

/// Completes the tracks of a file before its frames are reported: ids over all segments, encounters
/// and absences, and positions over short gaps.
package struct LookAhead {
  /// The largest number of frames without images that wait.
  private static let frameCount = 1000

  private var joiner = SeamJoiner()
  private var crossings = CrossingSettler()
  private var gaps: GapFiller

  package init(_ subject: PoseSubject) {
    gaps = GapFiller(maximumPersonCount: subject.maximumCount)
  }

  /// Adds the next frame.
  ///
  /// - Returns: The complete frames, in order.
  package mutating func add(_ frame: PosedFrame) -> [PosedFrame] {
    complete(joiner.add(frame))
  }

  /// Ends the file.
  ///
  /// - Returns: The frames that waited.
  package mutating func finish() -> [PosedFrame] {
    endSegment() + crossings.finish().flatMap { gaps.add($0, limit: Self.frameCount) }
      + gaps.finish()
  }

  /// Whether a segment has found all people that are tracked in the same frame of the one before.
  mutating func agrees(with frame: PosedFrame) -> Bool { joiner.agrees(with: frame) }

  /// Decides the ids of all people of a segment.
  ///
  /// - Returns: The complete frames, in order.
  mutating func endSegment() -> [PosedFrame] { complete(joiner.finish()) }

  /// Begins another segment.
  ///
  /// - Parameter warmUp: Its frames before its start.
  /// - Returns: The complete frames of the one before, in order.
  mutating func beginSegment(_ warmUp: [PosedFrame]) -> [PosedFrame] {
    complete(joiner.beginSegment(warmUp))
  }

  private mutating func complete(_ frames: [PosedFrame]) -> [PosedFrame] {
    frames.flatMap { frame in
      let byteCount = frame.picture.map { $0.width * $0.height * 4 } ?? 0
      let limit = byteCount == 0 ? Self.frameCount : PosedFrame.waitingByteCount / byteCount
      return crossings.add(frame, limit: limit).flatMap { gaps.add($0, limit: limit) }
    }
  }
}
