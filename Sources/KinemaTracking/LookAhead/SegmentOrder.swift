/// The order of a video's segments: what is read next, and which frames are complete.
///
/// Segments are tracked side by side, each from a moment before its start, and completed one after
/// the other. While a segment has not found everybody whom the one before tracks, that one tracks on
/// through its frames.
package struct SegmentOrder<Payload: Sendable>: Sendable {
  package typealias Frame = WaitingFrame<Payload>

  package enum Action: Sendable {
    /// A complete frame.
    case report(Frame)
    /// The next frame of a segment is needed: ``SegmentOrder/take(_:)``.
    case read(segment: Int)
    /// The frame's people as the segment before tracks them are needed, for the first time in a
    /// segment or again: ``SegmentOrder/takeContinued(_:)``.
    case track(Frame, isFirst: Bool)
    /// All segments are reported.
    case end
  }

  /// The segment that is read.
  package private(set) var segment = 0
  /// Whether the segment before tracks the people of this one.
  package private(set) var isContinued = false
  private let starts: [Int]
  private let warmUpFrameCount: Int
  private var lookAhead: LookAhead<Payload>
  /// Frames of the segment that are tracked by the one before as well, the last ones.
  private var warmUp: [WaitingFrame<Void>] = []
  /// The frame that the segment before is to track.
  private var held: Frame?
  private var ready: ArraySlice<Frame> = []

  /// - Parameters:
  ///   - starts: The numbers of the segments' first frames; earlier ones are warm-up.
  ///   - warmUpFrameCount: The largest number of frames by which a segment that is tracked on is
  ///     compared.
  package init(starts: [Int], warmUpFrameCount: Int, lookAhead: LookAhead<Payload>) {
    (self.starts, self.warmUpFrameCount) = (starts, warmUpFrameCount)
    self.lookAhead = lookAhead
  }

  /// What is done next.
  package mutating func next() -> Action {
    if let frame = ready.popFirst() { return .report(frame) }
    if let held { return .track(held, isFirst: !isContinued) }
    return segment < starts.count ? .read(segment: segment) : .end
  }

  /// Takes the next frame of the segment; `nil` at its end.
  package mutating func take(_ frame: Frame?) {
    guard let frame else {
      endSegment()
      return
    }
    guard frame.number >= starts[segment] else {
      warmUp.append(frame.withoutPayload)
      return
    }
    guard let last = warmUp.last else {
      begin(frame)
      return
    }
    if !isContinued { ready += lookAhead.endSegment() }
    if lookAhead.agrees(with: last) { begin(frame) } else { held = frame }
  }

  /// Takes the frame as the segment before tracks it; `nil` if it cannot.
  package mutating func takeContinued(_ tracked: Frame?) {
    guard let frame = held else { return }
    held = nil
    guard let tracked else {
      begin(frame)
      return
    }
    isContinued = true
    warmUp.removeFirst(max(0, warmUp.count - warmUpFrameCount))
    warmUp.append(frame.withoutPayload)
    ready += lookAhead.add(tracked)
  }

  /// Adds a frame of the segment's own tracks.
  private mutating func begin(_ frame: Frame) {
    if !warmUp.isEmpty {
      ready += lookAhead.beginSegment(warmUp)
      (warmUp, isContinued) = ([], false)
    }
    ready += lookAhead.add(frame)
  }

  private mutating func endSegment() {
    // The segment has never found everybody.
    if isContinued { (warmUp, isContinued) = ([], false) }
    segment += 1
    if segment == starts.count { ready += lookAhead.finish() }
  }
}
