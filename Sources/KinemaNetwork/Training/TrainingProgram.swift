/// Samples that one task works on.
struct Chunk {
  let index: Int
  let samples: Range<Int>
  let worker: Int

  func sequences(_ blob: FrameBlob) -> Int64 { Int64(samples.count * blob.points) }
}

/// What a step does, as a list of phases; all of a phase is done before the next begins.
///
/// The samples are cut into chunks whose size depends on the batch size alone. A chunk's sums stay
/// apart until they are added in the order of the chunks, so that the result does not depend on the
/// number of threads.
final class TrainingProgram {
  private enum Phase {
    case chunks([(Chunk) -> Void])
    case tasks(Int, (_ task: Int, _ worker: Int) -> Void)
    case serial(() -> Void)
  }

  private var phases: [Phase] = []

  /// Adds work on each chunk; it joins the phase before it if that, too, is work on chunks.
  func chunks(_ work: @escaping (Chunk) -> Void) {
    if case .chunks(let others)? = phases.last {
      phases[phases.count - 1] = .chunks(others + [work])
    } else {
      phases.append(.chunks([work]))
    }
  }

  /// Adds independent tasks.
  func tasks(_ count: Int, _ work: @escaping (_ task: Int, _ worker: Int) -> Void) {
    if count > 0 { phases.append(.tasks(count, work)) }
  }

  /// Adds work for one thread.
  func serial(_ work: @escaping () -> Void) { phases.append(.serial(work)) }

  /// Runs all phases over the samples 0..<count.
  func run(samples: Int, chunkSize: Int, _ workers: Workers) {
    let chunkCount = (samples + chunkSize - 1) / chunkSize
    for phase in phases {
      switch phase {
      case .serial(let work): work()
      case .tasks(let count, let work): workers.run(count, work)
      case .chunks(let list):
        workers.run(chunkCount) { task, worker in
          let start = task * chunkSize
          let chunk = Chunk(
            index: task, samples: start..<min(start + chunkSize, samples), worker: worker)
          for work in list { work(chunk) }
        }
      }
    }
  }
}

/// What all parts of a network in training share.
final class TrainingContext {
  let batchSize: Int
  let chunkSize: Int
  let chunkCount: Int
  let workers: Workers
  let products: TrainingProducts
  let parameters = TrainingParameters()
  let scratch: [ScratchMemory]
  var sampleCount = 0
  /// Whether statistics are the batch's rather than the running ones.
  var isTraining = false
  /// What each step does before all else: the tasks that prepare weights.
  var preparations: [(count: Int, work: (_ task: Int, _ worker: Int) -> Void)] = []
  /// Memory that the parts use one after another, as large as the largest request.
  private(set) var shared = FloatMemory(0)
  private var sharedCount = 0
  /// The running statistics, in the order of the network.
  var normalizations: [TrainingNormalization] = []

  init(options: NetworkTrainingOptions, leastChunk: Int) {
    batchSize = options.batchSize
    chunkSize = max(leastChunk, (batchSize + 15) / 16)
    chunkCount = (batchSize + chunkSize - 1) / chunkSize
    workers = Workers(count: options.threadCount)
    products = TrainingProducts(precision: options.precision, workers: options.threadCount)
    scratch = (0..<options.threadCount).map { _ in ScratchMemory() }
  }

  /// Requests shared memory.
  func reserve(_ count: Int) { sharedCount = max(sharedCount, count) }

  /// Allocates the memory, after all parts have requested theirs.
  func seal() {
    parameters.seal()
    parameters.reserve(chunks: chunkCount)
    shared = FloatMemory(sharedCount)
  }

  /// The chunks of the present run.
  var activeChunks: Int { (sampleCount + chunkSize - 1) / chunkSize }

  func prepare() {
    for preparation in preparations { workers.run(preparation.count, preparation.work) }
  }
}
