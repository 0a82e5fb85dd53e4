import KinemaDepth
import KinemaLab
import KinemaNetwork
import KinemaRandom
import Testing

@Suite("The gradient of the lifter's network")
struct LifterPassTests {
  private static let rows = 3

  /// A network that is small, with inputs and the weights of outputs in the sum whose gradient is taken.
  private struct Small {
    let parameters = TrainingParameters()
    let pass: LifterPass
    let input, goal: [Float]

    init() {
      let size = LifterLayout.Size(
        width: 8, blockCount: 2, mixingWidth: 6, headWidth: 10, headCount: 2)
      pass = LifterPass(LifterLayout(size, in: parameters, seed: 3), rows: rows)
      var generator = SeededGenerator(seed: 9)
      input = (0..<(rows * LiftWindow.inputCount)).map { _ in generator.normal() }
      goal = (0..<(rows * LiftOutput.count)).map { _ in generator.normal() }
      parameters.reserve(chunks: 1)
    }

    /// The weighted sum of the outputs.
    func sum() throws -> Double {
      try input.withUnsafeBufferPointer { input in
        let output = pass.forward(
          try #require(input.baseAddress), weights: parameters.weights.pointer)
        return goal.indices.reduce(0) { $0 + Double(output[$1]) * Double(goal[$1]) }
      }
    }

    func gradient() throws -> [Float] {
      _ = try sum()
      try goal.withUnsafeBufferPointer { goal in
        pass.backward(
          outputGradient: try #require(goal.baseAddress), weights: parameters.weights.pointer,
          into: parameters.part(0))
      }
      return (0..<parameters.count).map { parameters.part(0)[$0] }
    }
  }

  @Test("is what the output changes by, for the weights of every tensor")
  func differences() throws {
    let small = Small()
    let gradient = try small.gradient()
    let weights = small.parameters.weights.pointer
    for tensor in small.parameters.tensors {
      var (wrong, checked, largest) = (0, 0, Float(0))
      for index in stride(
        from: tensor.range.lowerBound, to: tensor.range.upperBound,
        by: max(1, tensor.range.count / 60))
      {
        let (weight, step) = (weights[index], Float(2e-3))
        weights[index] = weight + step
        let more = try small.sum()
        weights[index] = weight - step
        let less = try small.sum()
        weights[index] = weight
        let difference = (more - less) / Double(2 * step)
        let error = abs(difference - Double(gradient[index])) / max(1, abs(difference))
        // At the bend of a rectified unit a difference is no slope.
        if error > 0.02 { wrong += 1 }
        checked += 1
        largest = max(largest, abs(gradient[index]))
      }
      #expect(wrong * 20 <= checked, "\(tensor.name): \(wrong) of \(checked)")
      #expect(largest > 1e-3, "\(tensor.name) has no gradient")
    }
  }
}
