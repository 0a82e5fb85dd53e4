import Dispatch
import KinemaRandom
import Synchronization

struct TrainingBatch: Sendable {
  var windows: [Float]
  var labels: [Int]
}

/// Prepares batches one ahead on its own thread; the contents depend only on seed and position.
final class BatchPreparation {
  private final class Pending: Sendable {
    let iteration: Int
    let index: Int
    private let isDone = DispatchSemaphore(value: 0)
    private let batch = Mutex<TrainingBatch?>(nil)

    init(iteration: Int, index: Int) { (self.iteration, self.index) = (iteration, index) }

    func fulfil(_ made: TrainingBatch) {
      batch.withLock { $0 = made }
      isDone.signal()
    }

    func wait() -> TrainingBatch {
      isDone.wait()
      return batch.withLock { $0 } ?? TrainingBatch(windows: [], labels: [])
    }
  }

  private let windows: TrainingWindows
  private let augmenter: WindowAugmenter?
  private let seed: UInt64
  private let queue = DispatchQueue(label: "kinema.batches")
  private var pending: Pending?
  private var order: (iteration: Int, windows: [Int])?

  var windowCount: Int { windows.windows.count }
  let batchCount: Int

  /// - Parameter augmenter: The augmentation; `nil` for none.
  init(_ windows: TrainingWindows, batchSize: Int, augmenter: WindowAugmenter?, seed: UInt64) {
    self.windows = windows
    self.augmenter = augmenter
    self.seed = seed
    batchCount = (windows.windows.count + batchSize - 1) / batchSize
  }

  /// A batch of an epoch, both counted from 0; starts preparing the next one.
  func batch(iteration: Int, index: Int) -> TrainingBatch {
    let present =
      pending.flatMap { $0.iteration == iteration && $0.index == index ? $0 : nil }
      ?? begin(iteration: iteration, index: index)
    let isLast = index + 1 == batchCount
    pending = begin(iteration: isLast ? iteration + 1 : iteration, index: isLast ? 0 : index + 1)
    return present.wait()
  }

  private func begin(iteration: Int, index: Int) -> Pending {
    let pending = Pending(iteration: iteration, index: index)
    let chosen = members(iteration: iteration, index: index)
    queue.async { [windows, augmenter] in
      var batch = TrainingBatch(windows: [], labels: [])
      batch.windows.reserveCapacity(chosen.count * windows.windowSize * windows.frameSize)
      for number in chosen {
        let window = windows.windows[number]
        batch.windows +=
          augmenter?.values(ofWindow: number, iteration: iteration) ?? windows.values(of: window)
        batch.labels.append(windows.label(of: window))
      }
      pending.fulfil(batch)
    }
    return pending
  }

  /// The windows of a batch: each window once an epoch, in random order, in batches of similar
  /// size.
  private func members(iteration: Int, index: Int) -> ArraySlice<Int> {
    if order?.iteration != iteration {
      var shuffled = Array(windows.windows.indices)
      var generator = WindowAugmenter.generator(seed: ~seed, iteration: iteration, index: 0)
      generator.shuffle(&shuffled)
      order = (iteration, shuffled)
    }
    let count = windows.windows.count
    let bounds = (index * count / batchCount)..<((index + 1) * count / batchCount)
    return order?.windows[bounds] ?? []
  }
}
