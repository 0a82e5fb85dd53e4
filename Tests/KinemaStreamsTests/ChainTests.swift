import KinemaStreams
import Testing

/// A sequence of stamped numbers, one every tenth of a second.
private func numbers(_ values: [Int]) -> AnyTemporalSequence<Int> {
  let stream = AsyncStream { continuation in
    for (index, value) in values.enumerated() {
      let id = TemporalSegmentIdentifier(
        source: "numbers", range: (index * 100)..<(index * 100 + 100), timescale: 1000)
      continuation.yield(TemporalFeature(id: id, feature: value))
    }
    continuation.finish()
  }
  return AnyTemporalSequence(stream, count: values.count)
}

private struct Doubler: Transformer, Sendable {
  func applied(to input: Int, eventHandler: EventHandler?) -> Int { input * 2 }
}

private struct Describer: Transformer, Sendable {
  func applied(to input: Int, eventHandler: EventHandler?) -> String { "\(input)" }
}

/// A stage that a user might write: the sum of each window.
private struct WindowSum: TemporalTransformer, Sendable {
  typealias Input = [Int]
  typealias Output = Int
  typealias OutputSequence = AnyTemporalSequence<Int>

  func applied<S>(
    to input: S, eventHandler: EventHandler?
  ) async throws -> AnyTemporalSequence<Int> where S: TemporalSequence, S.Feature == [Int] {
    AnyTemporalSequence(
      input.map { TemporalFeature(id: $0.id, feature: $0.feature.reduce(0, +)) }, count: nil)
  }
}

private func features<S: TemporalSequence>(_ sequence: S) async throws -> [S.Feature] {
  var features: [S.Feature] = []
  for try await element in sequence { features.append(element.feature) }
  return features
}

@Suite("Chains of stages")
struct ChainTests {
  @Test("two stages for single values become one")
  func composition() async throws {
    let chain = Doubler().appending(Describer())
    #expect(try await chain(21) == "42")
  }

  @Test("a stage for single values works on a sequence and preserves identifiers")
  func adaptor() async throws {
    let output = try await TemporalAdaptor(Doubler())(numbers([1, 2, 3]))
    #expect(output.count == 3)
    var stamps: [Double] = []
    var values: [Int] = []
    for try await element in output {
      stamps.append(element.id.rangeInSeconds.lowerBound)
      values.append(element.feature)
    }
    #expect(values == [2, 4, 6])
    #expect(stamps == [0, 0.1, 0.2])
  }

  @Test("stages for values and for sequences are chained freely")
  func mixedChain() async throws {
    let chain = Downsampler<Int>(factor: 2)
      .appending(Doubler())
      .appending(SlidingWindowTransformer<Int>(stride: 1, length: 2))
      .appending(WindowSum())
      .appending(Describer())
    #expect(try await features(chain(numbers(Array(0..<8)))) == ["4", "12", "20"])
  }

  @Test("a downsampler passes the first of every group", arguments: [1, 2, 3, 7, 20])
  func downsampling(factor: Int) async throws {
    let output = try Downsampler<Int>(factor: factor).applied(
      to: numbers(Array(0..<10)), eventHandler: nil)
    let expected = Array(stride(from: 0, to: 10, by: factor))
    #expect(output.count == expected.count)
    #expect(try await features(output) == expected)
  }

  @Test(
    "windows are full, start every stride and are numbered by their values",
    arguments: [(5, 90, 100), (10, 10, 35), (7, 3, 20), (1, 1, 4), (3, 8, 7)])
  func windows(stride: Int, length: Int, count: Int) async throws {
    let values = Array(0..<count)
    let output = try SlidingWindowTransformer<Int>(stride: stride, length: length).applied(
      to: numbers(values), eventHandler: nil)
    var starts: [Int] = []
    for try await window in output {
      #expect(window.feature == Array(values[window.id.range]))
      starts.append(window.id.range.lowerBound)
    }
    let expected = Array(Swift.stride(from: 0, through: count - length, by: stride))
    #expect(starts == expected)
    #expect(output.count == expected.count)
  }

  @Test("the stamps of a window's values are at hand")
  func windowStamps() async throws {
    let windows = try SlidingWindowTransformer<Int>(stride: 2, length: 3).applied(
      to: numbers(Array(0..<6)), eventHandler: nil)
    var iterator = windows.makeAsyncIterator()
    _ = try await iterator.next()
    _ = try await iterator.next()
    #expect(iterator.valueIdentifiers.map(\.range.lowerBound) == [200, 300, 400])
  }
}
