public import Foundation
public import KinemaStreams

/// A causal filter over the poses of consecutive frames.
///
/// - Input: the poses of a frame, with ids.
/// - Output: the same people in the same order, with changed joints.
///
/// A filter is a value with history. Call ``filtered(_:at:)`` on one frame after another; in a
/// chain, each sequence has its own copy.
public protocol PoseFilter: TemporalTransformer, Sendable
where Input == [Pose], Output == [Pose], OutputSequence == FilteredPoses {
  /// The poses of the next frame, filtered; poses without an id count as one person.
  mutating func filtered(_ poses: [Pose], at time: TimeInterval) -> [Pose]

  /// Drops all history, for a new clip.
  mutating func reset()
}

extension PoseFilter {
  /// The sequence with its poses filtered; another source or an earlier time starts a new clip.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler? = nil
  ) -> FilteredPoses where S.Feature == [Pose] {
    FilteredPoses(base: AnyTemporalSequence(input), filter: self)
  }
}

/// Poses filtered as they are read.
public struct FilteredPoses: TemporalSequence {
  /// The poses of a frame.
  public typealias Feature = [Pose]
  /// The element: the poses of a frame, stamped.
  public typealias Element = TemporalFeature<[Pose]>

  let base: AnyTemporalSequence<[Pose]>
  let filter: any PoseFilter

  /// The number of frames, if known in advance.
  public var count: Int? { base.count }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), filter: filter)
  }

  /// Reads the poses, one frame at a time.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AnyTemporalSequence<[Pose]>.Iterator
    var filter: any PoseFilter
    private var source: String?
    private var time = -TimeInterval.infinity

    init(base: AnyTemporalSequence<[Pose]>.Iterator, filter: any PoseFilter) {
      self.base = base
      self.filter = filter
    }

    /// The poses of the next frame, or `nil` at the end.
    public mutating func next() async throws -> TemporalFeature<[Pose]>? {
      guard let element = try await base.next() else { return nil }
      let now = element.id.rangeInSeconds.lowerBound
      if element.id.source != source || now < time { filter.reset() }
      (source, time) = (element.id.source, now)
      return TemporalFeature(id: element.id, feature: filter.filtered(element.feature, at: now))
    }
  }
}

extension PoseSequence {
  /// The sequence filtered from its start.
  public func filtered(by filter: some PoseFilter) -> PoseSequence {
    var filter = filter
    filter.reset()
    var result = self
    for index in frames.indices {
      result.frames[index].poses = filter.filtered(frames[index].poses, at: frames[index].time)
    }
    return result
  }
}

struct PersonMemory<State: Sendable>: Sendable {
  private var states: [Int: (state: State, time: TimeInterval)] = [:]
  private let longestAbsence: TimeInterval

  /// - Parameter longestAbsence: After this time in seconds a person's state is dropped.
  init(longestAbsence: TimeInterval) {
    self.longestAbsence = longestAbsence
  }

  mutating func removeAll() { states = [:] }

  mutating func changing(
    _ poses: [Pose], at time: TimeInterval, first: () -> State,
    _ change: (inout State, Pose) -> Pose
  ) -> [Pose] {
    states = states.filter { (0...longestAbsence).contains(time - $0.value.time) }
    return poses.map { pose in
      let id = pose.personID ?? 0
      var state = states[id]?.state ?? first()
      defer { states[id] = (state, time) }
      return change(&state, pose)
    }
  }
}
