import KinemaNetwork
import KinemaTestSupport
import Synchronization
import Testing

/// The optimiser and the gradients' sums against their formulas, in double precision.
@Suite("The parameters of a training")
struct OptimizerTests {
  /// A weight tensor, a bias and the head, of sizes that are no multiples of a vector's.
  private static func parameters(seed: UInt64) -> TrainingParameters {
    var values = Values(seed: seed)
    let parameters = TrainingParameters()
    _ = parameters.add("block.weights", values.next(37), decays: true)
    _ = parameters.add("block.bias", values.next(5))
    _ = parameters.add("head.weights", values.next(21), decays: true)
    parameters.seal()
    return parameters
  }

  @Test("many steps follow the formula of AdamW", arguments: [1, 3])
  func manySteps(threads: Int) {
    let parameters = Self.parameters(seed: 1)
    var optimizer = AdamW(weightDecay: 0.1)
    (optimizer.beta1, optimizer.beta2, optimizer.epsilon) = (0.8, 0.95, 1e-6)
    let workers = Workers(count: threads)
    var weights = parameters.values.map(Double.init)
    var first = weights.map { _ in 0.0 }
    var second = first
    var values = Values(seed: 2)
    for step in 1...30 {
      var slopes = parameters.slopes
      for tensor in parameters.tensors {
        for (index, value) in zip(tensor.range, values.next(tensor.range.count)) {
          slopes[index] = value
        }
      }
      parameters.slopes = slopes
      let rate = 0.01 * Double(step % 5 + 1)
      parameters.update(
        optimizer, step: step, learningRate: Float(rate), bodyFactor: 0.25, workers)
      for tensor in parameters.tensors {
        let isHead = tensor.name.hasPrefix("head.")
        let isWeight = tensor.name.hasSuffix(".weights")
        for index in tensor.range {
          let slope = Double(slopes[index])
          first[index] = 0.8 * first[index] + 0.2 * slope
          second[index] = 0.95 * second[index] + 0.05 * slope * slope
          let (mean, square) = (
            first[index] / (1 - power(0.8, step)), second[index] / (1 - power(0.95, step))
          )
          let decay = isWeight ? 0.1 * weights[index] : 0
          weights[index] -=
            rate * (isHead ? 1 : 0.25) * (decay + mean / (square.squareRoot() + 1e-6))
        }
      }
    }
    for tensor in parameters.tensors {
      for index in tensor.range {
        #expect(abs(Double(parameters.values[index]) - weights[index]) < 1e-4, "\(tensor.name)")
      }
    }
  }

  private func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  @Test("what lies between the tensors stays 0")
  func gaps() {
    let parameters = Self.parameters(seed: 3)
    parameters.slopes = parameters.slopes.map { _ in 1 }
    parameters.update(AdamW(), step: 1, learningRate: 0.1, Workers(count: 2))
    let inside = Set(parameters.tensors.flatMap(\.range))
    #expect(inside.count == 37 + 5 + 21)
    for index in 0..<parameters.count where !inside.contains(index) {
      #expect(parameters.values[index] == 0)
    }
    for tensor in parameters.tensors { #expect(tensor.range.lowerBound.isMultiple(of: 16)) }
  }

  @Test("the gradients of chunks are summed in their order, other tensors are left alone")
  func chunks() {
    let parameters = TrainingParameters()
    let chunked = parameters.add("a", [Float](repeating: 0, count: 40_000), isChunked: true)
    let whole = parameters.add("b", [0, 0])
    parameters.seal()
    parameters.reserve(chunks: 3)
    for chunk in 0..<3 {
      for index in 0..<40_000 {
        parameters.part(chunk, chunked)[index] = Float(chunk + 1) * Float(index % 7)
      }
    }
    var slopes = parameters.slopes
    slopes[whole] = 5
    parameters.slopes = slopes
    for (active, factor) in [(3, Float(6)), (2, 3), (1, 1)] {
      parameters.gather(chunks: active, Workers(count: 2))
      #expect((0..<40_000).allSatisfy { parameters.slopes[chunked + $0] == factor * Float($0 % 7) })
      #expect(parameters.slopes[whole] == 5)
    }
  }

  @Test("gradients are shortened to the limit in their own direction")
  func clipping() {
    let parameters = Self.parameters(seed: 4)
    var values = Values(seed: 5)
    let before = values.next(parameters.count)
    let length = before.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    for (factor, limit) in [(Float(1), Float(1e9)), (2, 0.5), (0.001, 1)] {
      parameters.slopes = before
      parameters.scaleGradients(by: factor, limit: limit)
      let scaled = length * Double(factor)
      let expected = Double(factor) * (scaled > Double(limit) ? Double(limit) / scaled : 1)
      for (after, slope) in zip(parameters.slopes, before) {
        #expect(abs(Double(after) - expected * Double(slope)) < 1e-6)
      }
    }
  }

  @Test("workers run every task once, with a number of their own each", arguments: [1, 2, 7])
  func workers(_ count: Int) {
    let workers = Workers(count: count)
    for tasks in [0, 1, 2, 100] {
      let runs = Mutex([Int](repeating: 0, count: tasks))
      let busy = Mutex(Set<Int>())
      workers.run(tasks) { task, worker in
        #expect((0..<count).contains(worker))
        busy.withLock { #expect($0.insert(worker).inserted) }
        runs.withLock { $0[task] += 1 }
        busy.withLock { _ = $0.remove(worker) }
      }
      #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
    }
  }

  @Test("memory is zero at first, aligned, and keeps what is written")
  func memory() {
    for count in [0, 1, 1000, 1 << 20] {
      let memory = FloatMemory(count)
      #expect(memory.count == count && memory.values.allSatisfy { $0 == 0 })
      #expect(Int(bitPattern: memory.pointer).isMultiple(of: 64))
      guard count > 0 else { continue }
      memory[count - 1] = 3
      #expect(memory.values.last == 3)
    }
  }
}
