package import KinemaAction
import KinemaNetwork
import KinemaStreams
import KinemaSynth

/// `kinema bench postures --fit`: learns ``KinemaAction/PostureModel`` from synthetic people and motion
/// capture.
package struct PostureFit: Sendable {
  /// Motion capture to learn from, besides synthetic people.
  package var capture: MotionCapture?
  package var seed: UInt64 = 1
  /// Sequences of synthetic people.
  package var sequenceCount = 16_000
  /// How often each second of motion capture is filmed.
  package var viewCount = 2
  package var treeCount = 140
  /// The models whose figures deviate, and whose mean is written.
  ///
  /// Each has examples of its own: the errors in them decide more than the seed of the trees.
  package var modelCount = 3

  package init() {}

  /// Models that differ in their seed.
  package func run(
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> [PostureModel] {
    var models: [PostureModel] = []
    for number in 0..<modelCount {
      models.append(
        try await model(number) { done, count in
          progress(number * count + done, modelCount * count)
        })
    }
    return models
  }

  /// The model whose scores are the means of the models'.
  package static func mean(of models: [PostureModel]) -> PostureModel {
    PostureModel(
      kinds: DecisionForest.mean(of: models.map(\.kinds)).shortened,
      plainness: DecisionForest.mean(of: models.map(\.plainness)).shortened)
  }

  private func model(
    _ number: Int, progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void
  ) async throws -> PostureModel {
    // Given seeds are small.
    let seed = seed &+ UInt64(number) << 20
    let examples = try await PostureFit.examples(
      sequenceCount: sequenceCount, capture, viewCount: viewCount, seed: 1 << 40 &+ seed,
      progress: progress)
    let kinds = Self.kindExamples(examples)
    let plain = examples.compactMap { example in
      example.isPlain.map {
        BoostedTrees.Example(values: example.signs.values, target: $0 ? 1 : 0, weight: 1)
      }
    }
    let forests = try await ConcurrentWork.run(2, limit: 2) { place in
      var trees = BoostedTrees()
      trees.seed = seed
      (trees.treeCount, trees.depth, trees.leastWeight) = (treeCount, 5, 1)
      (trees.rate, trees.exampleShare, trees.signShare, trees.stepCount) = (0.15, 0.4, 0.4, 24)
      guard place == 0 else {
        trees.treeCount = treeCount / 2
        return trees.fit(plain, signs: PostureSigns.names).shortened
      }
      let count = HumanBodyPosture.Kind.allCases.count
      return trees.fit(kinds, signs: PostureSigns.names, outputCount: count).shortened
    }
    return PostureModel(kinds: forests[0], plainness: forests[1])
  }

  /// Rare kinds weigh more: by the square root of how much rarer they are.
  private static func kindExamples(_ examples: [PostureExample]) -> [BoostedTrees.Example] {
    let kinds = HumanBodyPosture.Kind.allCases
    let counts = Dictionary(grouping: examples, by: \.kind).mapValues { Float($0.count) }
    let mean = Float(examples.count) / Float(kinds.count)
    return examples.map { example in
      BoostedTrees.Example(
        values: example.signs.values, target: kinds.firstIndex(of: example.kind) ?? 0,
        weight: (mean / (counts[example.kind] ?? mean)).squareRoot())
    }
  }

  /// Moments of synthetic people and of motion capture.
  static func examples(
    sequenceCount: Int, _ capture: MotionCapture?, viewCount: Int, seed: UInt64,
    progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> [PostureExample] {
    let sampler = PostureSampler(seed: seed)
    let starts = (capture?.recordings ?? []).flatMap { recording in
      PostureSampler.starts(in: recording, stride: 1 / Double(viewCount)).map { (recording, $0) }
    }
    let portion = 100
    let portions = try await ConcurrentWork.run(
      (sequenceCount + starts.count + portion - 1) / portion, limit: 2, progress: progress
    ) { number in
      (number * portion..<min((number + 1) * portion, sequenceCount + starts.count)).flatMap {
        index -> [PostureExample] in
        guard index >= sequenceCount else { return sampler.synthetic(index) }
        let (recording, start) = starts[index - sequenceCount]
        return sampler.captured(recording, from: start, index)
      }
    }
    return portions.flatMap(\.self)
  }
}
