internal import CTrainingKernels

package struct TrainingTensor: Sendable {
  /// The name, such as `block3.temporal.weights`.
  package let name: String
  package let range: Range<Int>
  /// Whether its weights decay: not those of biases and normalisations.
  let decays: Bool
  /// Whether its gradient is summed chunk by chunk.
  let isChunked: Bool
  /// Whether it belongs to the last layer.
  var isHead: Bool { name.hasPrefix("head.") }
}

/// The weights of a network in training, their gradients and the optimiser's moments.
package final class TrainingParameters {
  package private(set) var tensors: [TrainingTensor] = []
  private var initial: [Float] = []
  package private(set) var weights = FloatMemory(0)
  private(set) var gradients = FloatMemory(0)
  private(set) var first = FloatMemory(0)
  private(set) var second = FloatMemory(0)
  /// The gradients of each chunk of samples.
  private var parts = FloatMemory(0)
  private var blocks: [(range: Range<Int>, decays: Bool, isChunked: Bool, isHead: Bool)] = []

  package init() {}

  /// All weights; a few between the tensors are always 0.
  package var count: Int { initial.count }

  /// Adds a tensor and returns its place.
  package func add(
    _ name: String, _ values: [Float], decays: Bool = false, isChunked: Bool = false
  ) -> Int {
    let start = initial.count
    tensors.append(
      TrainingTensor(
        name: name, range: start..<(start + values.count), decays: decays, isChunked: isChunked))
    initial += values
    // Each tensor begins on a boundary of a vector.
    initial += [Float](repeating: 0, count: (16 - initial.count % 16) % 16)
    return start
  }

  /// Allocates the memory; no tensor can be added after.
  package func seal() {
    weights = FloatMemory(initial)
    gradients = FloatMemory(count)
    first = FloatMemory(count)
    second = FloatMemory(count)
    for tensor in tensors {
      for start in stride(from: tensor.range.lowerBound, to: tensor.range.upperBound, by: 1 << 14) {
        let end = min(start + (1 << 14), tensor.range.upperBound)
        blocks.append((start..<end, tensor.decays, tensor.isChunked, tensor.isHead))
      }
    }
  }

  package var values: [Float] {
    get { weights.values }
    set { Self.replace(weights, by: newValue) }
  }

  package var slopes: [Float] {
    get { gradients.values }
    set { Self.replace(gradients, by: newValue) }
  }

  private static func replace(_ memory: FloatMemory, by values: [Float]) {
    precondition(values.count == memory.count, "the network has another number of weights")
    memory.pointer.update(from: values, count: values.count)
  }

  /// Makes room for the gradients of this many chunks.
  package func reserve(chunks: Int) {
    if parts.count < count * chunks { parts = FloatMemory(count * chunks) }
  }

  /// A chunk's part of a gradient.
  package func part(_ chunk: Int, _ offset: Int = 0) -> UnsafeMutablePointer<Float> {
    parts.pointer + chunk * count + offset
  }

  /// Sums the gradients of the chunks in their order.
  package func gather(chunks active: Int, _ workers: Workers) {
    workers.run(blocks.count) { task, _ in
      let block = blocks[task]
      guard block.isChunked else { return }
      let start = block.range.lowerBound
      training_sum_parts(
        gradients.pointer + start, parts.pointer + start, Int64(count), Int64(active),
        Int64(block.range.count))
    }
  }

  /// Multiplies the gradients by `factor`, then shortens them to the length `limit` if they are
  /// longer.
  package func scaleGradients(by factor: Float, limit: Float) {
    var squares = 0.0
    for index in 0..<count { squares += Double(gradients[index]) * Double(gradients[index]) }
    let length = Float(squares.squareRoot()) * factor
    let scale = factor * (length > limit ? limit / length : 1)
    for index in 0..<count { gradients[index] *= scale }
  }

  /// One step of the optimiser; steps are numbered from 1.
  ///
  /// - Parameter bodyFactor: The factor of the learning rate of tensors before the head.
  package func update(
    _ optimizer: AdamW, step: Int, learningRate: Float, bodyFactor: Float = 1, _ workers: Workers
  ) {
    let settings = optimizer.settings(step: step, learningRate: learningRate)
    workers.run(blocks.count) { task, _ in
      let block = blocks[task]
      var settings = settings
      if !block.isHead { settings.learning_rate *= bodyFactor }
      if !block.decays { settings.weight_decay = 0 }
      let start = block.range.lowerBound
      training_adamw(
        weights.pointer + start, gradients.pointer + start, first.pointer + start,
        second.pointer + start, Int64(block.range.count), &settings)
    }
  }
}
