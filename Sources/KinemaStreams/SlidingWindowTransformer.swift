public import Foundation

/// Gathers the last `length` values into a window, anew at every `stride` values.
///
/// - Input: single values.
/// - Output: full windows of `length` values, oldest first; what does not fill a window at the end
///   is dropped.
///
/// No window spans a gap: where a camera or stream was away for more than ``longestGap``, or the source
/// changes, or time runs backwards, what has been gathered is dropped and a window begins anew.
///
/// Windows are identified by the index of their values (`0..<length`, `stride..<stride + length`,
/// …), as Create ML Components does; the stamps of the values themselves are in
/// ``WindowSequence/Iterator/valueIdentifiers``.
public struct SlidingWindowTransformer<Input: Sendable>: TemporalTransformer, Sendable {
  /// A window: `length` values, oldest first.
  public typealias Output = [Input]

  /// How many values lie between the starts of two windows.
  public let stride: Int
  /// How many values a window holds.
  public let length: Int
  /// A pause between two values, in seconds, that is longer than this is a gap, unless values come
  /// that seldom anyway: it must also be ``gapFactor`` times as long as the shortest step so far.
  public static var longestGap: TimeInterval { 1 }
  /// How many times as long as the shortest step so far a pause must be to be a gap.
  public static var gapFactor: Double { 5 }

  /// Creates a window transformer.
  ///
  /// - Parameters:
  ///   - stride: How many values lie between the starts of two windows; at least 1.
  ///   - length: How many values a window holds; at least 1.
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

    /// How many windows there are, where that is known without reading the values.
    public var count: Int? {
      base.count.map { $0 < length ? 0 : ($0 - length) / stride + 1 }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), stride: stride, length: length)
    }

    /// Reads one window after the other.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AnyTemporalSequence<Input>.Iterator
      let stride: Int
      let length: Int
      var window: [Input] = []
      var start = 0
      private var last: TemporalSegmentIdentifier?
      private var shortestStep = TimeInterval.infinity
      /// The stamps of the values in the window that was read last, oldest first.
      public private(set) var valueIdentifiers: [TemporalSegmentIdentifier] = []

      init(base: AnyTemporalSequence<Input>.Iterator, stride: Int, length: Int) {
        self.base = base
        self.stride = stride
        self.length = length
      }

      /// The next full window, or `nil` at the end.
      public mutating func next() async throws -> TemporalFeature<[Input]>? {
        // With a stride above the length, the values between two windows belong to none.
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

      /// Whether something is missing between the value before and this one.
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
