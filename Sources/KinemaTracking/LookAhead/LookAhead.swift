/// Completes the tracks of a file before its frames are reported: ids over all segments, encounters
/// and absences, and positions over short gaps.
package struct LookAhead<Payload: Sendable>: Sendable {
  package typealias Frame = WaitingFrame<Payload>

  private let rules: TrackingRules
  private var joiner: SeamJoiner<Payload>
  private var crossings: CrossingSettler<Payload>
  private var gaps: GapFiller<Payload>

  package init(rules: TrackingRules, maximumPersonCount: Int) {
    self.rules = rules
    joiner = SeamJoiner(rules: rules)
    crossings = CrossingSettler(rules: rules)
    gaps = GapFiller(rules: rules, maximumPersonCount: maximumPersonCount)
  }

  /// Adds the next frame.
  ///
  /// - Returns: The complete frames, in order.
  package mutating func add(_ frame: Frame) -> [Frame] { complete(joiner.add(frame)) }

  /// Ends the file.
  ///
  /// - Returns: The frames that waited.
  package mutating func finish() -> [Frame] {
    endSegment() + crossings.finish().flatMap { gaps.add($0, limit: .max) } + gaps.finish()
  }

  /// Whether a segment has found all people that are tracked in the same frame of the one before.
  package func agrees(with frame: WaitingFrame<Void>) -> Bool { joiner.agrees(with: frame) }

  /// Decides the ids of all people of a segment.
  ///
  /// - Returns: The complete frames, in order.
  mutating func endSegment() -> [Frame] { complete(joiner.finish()) }

  /// Begins another segment.
  ///
  /// - Parameter warmUp: Its frames before its start.
  /// - Returns: The complete frames of the one before, in order.
  package mutating func beginSegment(_ warmUp: [WaitingFrame<Void>]) -> [Frame] {
    complete(joiner.beginSegment(warmUp))
  }

  private mutating func complete(_ frames: [Frame]) -> [Frame] {
    guard rules.completesTracks else { return frames }
    return frames.flatMap { frame in
      let limit = frame.limits.completion
      return crossings.add(frame, limit: limit).flatMap { gaps.add($0, limit: limit) }
    }
  }
}
