/// An asynchronous sequence of time-stamped values.
public protocol TemporalSequence<Feature>: AsyncSequence
where Element == TemporalFeature<Feature> {
  /// The values without their stamps.
  associatedtype Feature

  /// The number of values, if known in advance.
  var count: Int? { get }
}

/// A type-erased temporal sequence; iterate it once, from one task.
public struct AnyTemporalSequence<Feature>: TemporalSequence {
  /// The element: a stamped value.
  public typealias Element = TemporalFeature<Feature>

  /// The number of values, if known in advance.
  public let count: Int?
  private let makeNext: () -> (() async throws -> Element?)

  /// Erases the type of a temporal sequence.
  public init<S: TemporalSequence>(_ base: S) where S.Feature == Feature {
    self.init(base, count: base.count)
  }

  /// Makes a temporal sequence of any asynchronous sequence of stamped values.
  public init<S: AsyncSequence>(_ base: S, count: Int?)
  where S.Element == TemporalFeature<Feature> {
    self.count = count
    makeNext = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.next() }
    }
  }

  /// Makes a temporal sequence of a function that gives one value after the other, `nil` at the end.
  package init(count: Int?, _ next: @escaping () async throws -> Element?) {
    self.count = count
    makeNext = { next }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator { Iterator(nextElement: makeNext()) }

  /// Reads the sequence, one value at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let nextElement: () async throws -> Element?

    /// The next value, or `nil` at the end.
    public mutating func next() async throws -> Element? { try await nextElement() }
  }
}
