import KinemaNetwork
import KinemaRandom
import Synchronization

/// Moments for the lifter to learn from, mixed: those of a sequence resemble each other, and teach less in one
/// batch than spread over many.
///
/// What comes out depends on the sampler alone, not on the number of threads.
struct MomentPool {
  private let sampler: DepthSampler
  private let workers: Workers
  private var generator: SeededGenerator
  /// The number of the next sequence.
  private var sequence = 0
  private var moments: [DepthSampler.Sample] = []

  /// How many sequences are mixed: 100 MB of moments.
  private static let sequenceCount = 4096

  init(_ sampler: DepthSampler, workers: Workers) {
    self.sampler = sampler
    self.workers = workers
    generator = SeededGenerator(seed: sampler.seed ^ 0x9001)
  }

  /// The next moments, each once.
  mutating func next(_ count: Int) -> [DepthSampler.Sample] {
    while moments.count < count { fill() }
    defer { moments.removeLast(count) }
    return Array(moments.suffix(count))
  }

  private mutating func fill() {
    let (first, sampler) = (sequence, sampler)
    sequence += Self.sequenceCount
    let made = Mutex([Int: [DepthSampler.Sample]]())
    workers.run(Self.sequenceCount) { task, _ in
      let samples = sampler.samples(first + task)
      made.withLock { $0[task] = samples }
    }
    moments += made.withLock { made in (0..<Self.sequenceCount).flatMap { made[$0] ?? [] } }
    generator.shuffle(&moments)
  }
}
