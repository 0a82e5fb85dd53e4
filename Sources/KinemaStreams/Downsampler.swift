/// Keeps the first of every `factor` values and drops the rest.
///
/// A factor above 1 makes slow movements look faster to the stages behind it.
public struct Downsampler<Input: Sendable>: TemporalTransformer, Codable, Sendable {
  /// The values that come out are those that went in.
  public typealias Output = Input

  /// How many values become one.
  public let factor: Int

  /// Creates a downsampler.
  ///
  /// - Parameter factor: How many values become one; at least 1.
  public init(factor: Int) {
    precondition(factor > 0, "The factor of a Downsampler must be at least 1.")
    self.factor = factor
  }

  /// The sequence with every `factor`-th value.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler?
  ) throws -> DownStreamSequence where S.Feature == Input {
    DownStreamSequence(base: AnyTemporalSequence(input), factor: factor)
  }

  /// The values that a downsampler lets through.
  public struct DownStreamSequence: TemporalSequence {
    /// The values without their stamps.
    public typealias Feature = Input
    /// The element: a stamped value.
    public typealias Element = TemporalFeature<Input>

    let base: AnyTemporalSequence<Input>
    let factor: Int

    /// How many values there are, where that is known without reading them.
    public var count: Int? {
      base.count.map { ($0 + factor - 1) / factor }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), factor: factor)
    }

    /// Reads every `factor`-th value.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AnyTemporalSequence<Input>.Iterator
      let factor: Int
      var index = 0

      /// The next value that is kept, or `nil` at the end.
      public mutating func next() async throws -> TemporalFeature<Input>? {
        while let element = try await base.next() {
          defer { index += 1 }
          if index % factor == 0 { return element }
        }
        return nil
      }
    }
  }
}
