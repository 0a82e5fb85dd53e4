public import Foundation
public import KinemaStreams

/// A stage that changes the poses of a frame by what it saw in the frames before, without delay.
///
/// - Input: the poses of the people in a frame, with their ids.
/// - Output: the same people in the same order, with joints changed.
///
/// An instance is a value that remembers: whoever has the poses one frame at a time keeps one in a
/// variable and calls ``filtered(_:at:)``. In a chain of stages each sequence has a copy of its own.
public protocol PoseFilter: TemporalTransformer, Sendable
where Input == [Pose], Output == [Pose], OutputSequence == FilteredPoses {
  /// Takes the poses of the next frame and returns them changed.
  ///
  /// - Parameters:
  ///   - poses: The poses; those without an id count as one person.
  ///   - time: When the frame is shown, in seconds.
  mutating func filtered(_ poses: [Pose], at time: TimeInterval) -> [Pose]

  /// Forgets everybody, for a new clip.
  mutating func reset()
}

extension PoseFilter {
  /// The sequence with its poses changed.
  ///
  /// A frame of another source, or one that is earlier than the frame before, begins a new clip.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler? = nil
  ) -> FilteredPoses where S.Feature == [Pose] {
    FilteredPoses(base: AnyTemporalSequence(input), filter: self)
  }
}

/// Poses that a ``PoseFilter`` changes as they are read.
public struct FilteredPoses: TemporalSequence {
  /// The poses of a frame.
  public typealias Feature = [Pose]
  /// The element: the poses of a frame, stamped.
  public typealias Element = TemporalFeature<[Pose]>

  let base: AnyTemporalSequence<[Pose]>
  let filter: any PoseFilter

  /// How many frames there are, where that is known without reading them.
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
  /// The sequence with the poses of each frame changed.
  ///
  /// - Parameter filter: What changes them; it forgets what it saw before.
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

/// What a filter remembers of each person, for as long as they may come back.
struct PersonMemory<State: Sendable>: Sendable {
  private var states: [Int: (state: State, time: TimeInterval)] = [:]
  private let longestAbsence: TimeInterval

  /// - Parameter longestAbsence: Who was not seen for longer is forgotten, in seconds.
  init(longestAbsence: TimeInterval) {
    self.longestAbsence = longestAbsence
  }

  /// Forgets everybody.
  mutating func forgetAll() { states = [:] }

  /// Changes each pose by what is remembered of its person.
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
