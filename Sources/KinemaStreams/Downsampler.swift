/// Passes the first of every `factor` values and drops the rest; motion behind it appears faster.
public struct Downsampler<Input: Sendable>: TemporalTransformer, Codable, Sendable {
  /// The output values are the input values.
  public typealias Output = Input

  /// Number of input values for each output value.
  public let factor: Int

  /// Creates a downsampler with a factor of at least 1.
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

  /// The output sequence.
  public struct DownStreamSequence: TemporalSequence {
    /// The values without their stamps.
    public typealias Feature = Input
    /// The element: a stamped value.
    public typealias Element = TemporalFeature<Input>

    let base: AnyTemporalSequence<Input>
    let factor: Int

    /// The number of values, if known in advance.
    public var count: Int? { base.count.map { ($0 + factor - 1) / factor } }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), factor: factor)
    }

    /// Reads every `factor`-th value.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AnyTemporalSequence<Input>.Iterator
      let factor: Int
      var index = 0

      /// The next value, or `nil` at the end.
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
