public import Foundation

/// Gathers windows of `length` values, one every `stride` values.
///
/// - Input: single values.
/// - Output: full windows, oldest value first; an incomplete window at the end is dropped.
///
/// No window spans a gap: after a pause longer than ``longestGap``, another source, or time running
/// backwards, a new window starts. Windows are identified by the indices of their values, as in
/// Create ML Components; ``WindowSequence/Iterator/valueIdentifiers`` has the values' own.
public struct SlidingWindowTransformer<Input: Sendable>: TemporalTransformer, Sendable {
  /// A window: `length` values, oldest first.
  public typealias Output = [Input]

  /// Number of values from the start of one window to the start of the next.
  public let stride: Int
  /// Number of values in a window.
  public let length: Int
  /// Longest pause within a window in seconds, unless values are sparse: a gap is also at least
  /// ``gapFactor`` times the shortest step.
  public static var longestGap: TimeInterval { 1 }
  /// Shortest gap as a multiple of the shortest step so far.
  static var gapFactor: Double { 5 }

  /// Creates a window transformer; stride and length are at least 1.
  public init(stride: Int, length: Int) {
    precondition(stride > 0, "The stride of a SlidingWindowTransformer must be at least 1.")
    precondition(length > 0, "The length of a SlidingWindowTransformer must be at least 1.")
    self.stride = stride
    self.length = length
  }

  /// The sequence of windows.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler?
  ) throws -> WindowSequence where S.Feature == Input {
    WindowSequence(base: AnyTemporalSequence(input), stride: stride, length: length)
  }

  /// Windows over a sequence.
  public struct WindowSequence: TemporalSequence {
    /// A window.
    public typealias Feature = [Input]
    /// The element: a stamped window.
    public typealias Element = TemporalFeature<[Input]>

    let base: AnyTemporalSequence<Input>
    let stride: Int
    let length: Int

    /// The number of windows, if known in advance.
    public var count: Int? { base.count.map { $0 < length ? 0 : ($0 - length) / stride + 1 } }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), stride: stride, length: length)
    }

    /// Reads windows in order.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AnyTemporalSequence<Input>.Iterator
      let stride: Int
      let length: Int
      var window: [Input] = []
      var start = 0
      private var last: TemporalSegmentIdentifier?
      private var shortestStep = TimeInterval.infinity
      /// Identifiers of the values in the last window, oldest first.
      public private(set) var valueIdentifiers: [TemporalSegmentIdentifier] = []

      init(base: AnyTemporalSequence<Input>.Iterator, stride: Int, length: Int) {
        self.base = base
        self.stride = stride
        self.length = length
      }

      /// The next full window, or `nil` at the end.
      public mutating func next() async throws -> TemporalFeature<[Input]>? {
        // With a stride above the length, values between windows are skipped.
        var skipped = 0
        if start > 0 || window.count == length {
          skipped = Swift.max(0, stride - length)
          window.removeFirst(Swift.min(stride, window.count))
          valueIdentifiers.removeFirst(Swift.min(stride, valueIdentifiers.count))
          start += stride
        }
        while window.count < length {
          guard let element = try await base.next() else { return nil }
          if isBehindGap(element.id) {
            start += window.count - skipped
            (window, valueIdentifiers, skipped) = ([], [], 0)
          }
          if skipped > 0 {
            skipped -= 1
            continue
          }
          window.append(element.feature)
          valueIdentifiers.append(element.id)
        }
        let id = TemporalSegmentIdentifier(
          source: valueIdentifiers[0].source, range: start..<(start + length),
          timescale: valueIdentifiers[0].timescale)
        return TemporalFeature(id: id, feature: window)
      }

      private mutating func isBehindGap(_ id: TemporalSegmentIdentifier) -> Bool {
        defer { last = id }
        guard let last else { return false }
        let (before, now) = (last.rangeInSeconds, id.rangeInSeconds)
        let newStep = now.lowerBound - before.lowerBound
        if id.source != last.source || newStep < 0 { return true }
        defer { if newStep > 0 { shortestStep = Swift.min(shortestStep, newStep) } }
        return now.lowerBound - before.upperBound > SlidingWindowTransformer.longestGap
          && (shortestStep == .infinity
            || newStep > shortestStep * SlidingWindowTransformer.gapFactor)
      }
    }
  }
}
