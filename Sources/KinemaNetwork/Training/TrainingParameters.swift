internal import CTrainingKernels

/// A tensor among the weights of a network in training.
package struct TrainingTensor: Sendable {
  /// What it is, such as `block3.temporal.weights`.
  package let name: String
  /// Its place among all weights.
  package let range: Range<Int>
  /// Whether its weights decay: not those of biases and normalisations.
  let decays: Bool
  /// Whether its gradient is summed chunk by chunk.
  let isChunked: Bool
}

/// The weights of a network in training, their gradients and the optimiser's moments.
final class TrainingParameters {
  private(set) var tensors: [TrainingTensor] = []
  private var initial: [Float] = []
  let chunks: Int
  private(set) var weights = FloatMemory(0)
  private(set) var gradients = FloatMemory(0)
  private(set) var first = FloatMemory(0)
  private(set) var second = FloatMemory(0)
  /// The gradients of each chunk of samples.
  private var parts = FloatMemory(0)
  private var blocks: [(range: Range<Int>, decays: Bool, isChunked: Bool)] = []

  init(chunks: Int) {
    self.chunks = chunks
  }

  var count: Int { initial.count }

  /// Adds a tensor; gives its place.
  func add(_ name: String, _ values: [Float], decays: Bool = false, isChunked: Bool = false) -> Int
  {
    let start = initial.count
    tensors.append(
      TrainingTensor(
        name: name, range: start..<(start + values.count), decays: decays, isChunked: isChunked))
    initial += values
    // Each on a boundary of a vector.
    initial += [Float](repeating: 0, count: (16 - initial.count % 16) % 16)
    return start
  }

  /// Makes the memory; no tensor can be added behind it.
  func seal() {
    weights = FloatMemory(count)
    gradients = FloatMemory(count)
    first = FloatMemory(count)
    second = FloatMemory(count)
    parts = FloatMemory(count * chunks)
    weights.pointer.update(from: initial, count: count)
    for tensor in tensors {
      for start in stride(from: tensor.range.lowerBound, to: tensor.range.upperBound, by: 1 << 14) {
        let end = min(start + (1 << 14), tensor.range.upperBound)
        blocks.append((start..<end, tensor.decays, tensor.isChunked))
      }
    }
  }

  /// A chunk's part of a gradient.
  func part(_ chunk: Int, _ offset: Int) -> UnsafeMutablePointer<Float> {
    parts.pointer + chunk * count + offset
  }

  /// Sums the gradients of the chunks in their order.
  func gather(chunks active: Int, _ workers: Workers) {
    workers.run(blocks.count) { task, _ in
      let block = blocks[task]
      guard block.isChunked else { return }
      let start = block.range.lowerBound
      training_sum_parts(
        gradients.pointer + start, parts.pointer + start, Int64(count), Int64(active),
        Int64(block.range.count))
    }
  }

  /// One step of AdamW; `settings` without the decay of the tensors that have none.
  func update(_ settings: training_adamw_settings, _ workers: Workers) {
    workers.run(blocks.count) { task, _ in
      let block = blocks[task]
      var settings = settings
      if !block.decays { settings.weight_decay = 0 }
      let start = block.range.lowerBound
      training_adamw(
        weights.pointer + start, gradients.pointer + start, first.pointer + start,
        second.pointer + start, Int64(block.range.count), &settings)
    }
  }
}
