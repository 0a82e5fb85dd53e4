import Foundation
import KinemaNetwork
import KinemaTestSupport
import Testing

/// Each layer against its definition, element by element, on blobs of several shapes.
@Suite("Layers and their definitions")
struct LayerDefinitionTests {
  private static let shapes = [[2, 3, 4], [1, 5, 1], [2, 1, 3, 2], [2, 2, 3, 2, 2], [7, 1, 1]]

  private func expect(
    _ layer: any Layer, on input: ReferenceBlob, gives expected: ReferenceBlob,
    tolerance: Float = 1e-5, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try LayerRun.run(layer, on: input.values, shape: input.shape)
    #expect(result.shape == expected.shape, sourceLocation: sourceLocation)
    #expect(
      LayerRun.difference(result.values, expected.values) <= tolerance,
      "\(layer.kind) of \(input.shape)", sourceLocation: sourceLocation)
  }

  @Test("softmax: eˣ / Σ eˣ along each axis", arguments: shapes)
  func softmax(_ shape: [Int]) throws {
    let input = ReferenceBlob(shape, seed: 1)
    for axis in shape.indices {
      let expected = ReferenceBlob(shape) { place in
        let sum = (0..<shape[axis]).reduce(0.0) { sum, index in
          var other = place
          other[axis] = index
          return sum + exp(Double(input[other]))
        }
        return Float(exp(Double(input[place])) / sum)
      }
      try expect(Softmax(axis: axis), on: input, gives: expected)
      try expect(Softmax(axis: axis - shape.count), on: input, gives: expected)
    }
  }

  @Test("transpose: axis a of the output is axis axes[a] of the input", arguments: shapes)
  func transpose(_ shape: [Int]) throws {
    let input = ReferenceBlob(shape, seed: 2)
    for shift in shape.indices {
      // Rotations, forwards and backwards.
      let forward = shape.indices.map { ($0 + shift) % shape.count }
      for axes in [forward, forward.reversed()] {
        let expected = ReferenceBlob(axes.map { shape[$0] }) { place in
          var source = place
          for (output, axis) in axes.enumerated() { source[axis] = place[output] }
          return input[source]
        }
        try expect(Transpose(axes: axes), on: input, gives: expected, tolerance: 0)
      }
    }
  }

  @Test("the mean along every set of axes", arguments: shapes)
  func reduceMean(_ shape: [Int]) throws {
    let input = ReferenceBlob(shape, seed: 3)
    for set in 1..<(1 << shape.count) {
      let axes = shape.indices.filter { set >> $0 & 1 == 1 }
      let kept = shape.indices.filter { !axes.contains($0) }
      let means = ReferenceBlob(kept.map { shape[$0] }) { place in
        Float(
          input.mean { source in zip(kept, place).allSatisfy { source[$0] == $1 } })
      }
      let flat = ReferenceBlob(means.shape.isEmpty ? [1] : means.shape, means.values)
      try expect(ReduceMean(axes: axes, keepsDimensions: false), on: input, gives: flat)
      let ones = shape.indices.map { axes.contains($0) ? 1 : shape[$0] }
      try expect(
        ReduceMean(axes: axes.map { $0 - shape.count }, keepsDimensions: true), on: input,
        gives: ReferenceBlob(ones, means.values))
    }
  }

  /// A window, where the elements behind it lie.
  struct PoolingCase: Sendable, CustomTestStringConvertible {
    var plane = [6, 5]
    var kernel = (2, 2)
    var stride = (1, 1)
    var edges = Window.Edges.none

    var testDescription: String { "\(plane), \(kernel) /\(stride), \(edges)" }
  }

  static let poolings = [
    PoolingCase(), PoolingCase(kernel: (3, 1)), PoolingCase(kernel: (1, 4)),
    PoolingCase(kernel: (3, 3), edges: .explicit(top: 1, bottom: 2, left: 2, right: 0)),
    PoolingCase(
      kernel: (3, 2), stride: (2, 1), edges: .explicit(top: 1, bottom: 0, left: 1, right: 1)),
    PoolingCase(stride: (2, 3)),
    PoolingCase(kernel: (3, 3), stride: (2, 2), edges: .same(topLeftHeavy: true)),
    PoolingCase(kernel: (2, 4), stride: (3, 1), edges: .same(topLeftHeavy: false)),
    PoolingCase(
      plane: [1, 1], kernel: (3, 3), edges: .explicit(top: 1, bottom: 1, left: 1, right: 1)),
    PoolingCase(
      plane: [2, 9], kernel: (1, 3), edges: .explicit(top: 0, bottom: 0, left: 2, right: 2)),
  ]

  @Test("the mean and the maximum of what lies in the window", arguments: poolings)
  func pooling(_ test: PoolingCase) throws {
    let input = ReferenceBlob([2, 2] + test.plane, seed: 4)
    let window = try Window(kernel: test.kernel, stride: test.stride, edges: test.edges)
    let (rows, columns) = (
      try window.rows(on: test.plane[0]), try window.columns(on: test.plane[1])
    )
    func expected(_ value: ([Float]) -> Float) -> ReferenceBlob {
      ReferenceBlob([2, 2, rows.count, columns.count]) { place in
        var inside: [Float] = []
        for row in 0..<test.kernel.0 {
          for column in 0..<test.kernel.1 {
            let y = place[2] * test.stride.0 + row - rows.before
            let x = place[3] * test.stride.1 + column - columns.before
            if (0..<test.plane[0]).contains(y), (0..<test.plane[1]).contains(x) {
              inside.append(input[[place[0], place[1], y, x]])
            }
          }
        }
        return value(inside)
      }
    }
    let area = Float(test.kernel.0 * test.kernel.1)
    try expect(
      Pooling(operation: .average, window: window), on: input,
      gives: expected { $0.reduce(0, +) / area })
    try expect(
      Pooling(operation: .average, window: window, excludesPadding: true), on: input,
      gives: expected { $0.reduce(0, +) / Float($0.count) })
    try expect(
      Pooling(operation: .maximum, window: window), on: input,
      gives: expected { $0.max() ?? .nan }, tolerance: 0)
  }

  @Test("padding surrounds each plane with the value")
  func padding() throws {
    let input = ReferenceBlob([2, 3, 2, 2], seed: 5)
    let layer = try Padding(top: 2, bottom: 1, left: 0, right: 3, value: -7)
    let expected = ReferenceBlob([2, 3, 5, 5]) { place in
      let (row, column) = (place[2] - 2, place[3])
      guard (0..<2).contains(row), column < 2 else { return -7 }
      return input[[place[0], place[1], row, column]]
    }
    try expect(layer, on: input, gives: expected, tolerance: 0)
    #expect(throws: NetworkError.self) {
      try Padding(top: -1, bottom: 0, left: 0, right: 0, value: 0)
    }
    #expect(LayerRun.refusal(of: layer, shape: [4]) != nil)
  }

  @Test("factors and terms are broadcast over what has one of them")
  func scale() throws {
    let input = ReferenceBlob([2, 3, 2, 4], seed: 6)
    for set in 0..<8 {
      let shape = zip([3, 2, 4], 0...).map { set >> $1 & 1 == 1 ? $0 : 1 }
      let factors = ReferenceBlob(shape, seed: 7)
      let terms = ReferenceBlob(shape.map { $0 == 1 ? 1 : $0 }, seed: 8)
      let layer = Scale(
        scale: try BroadcastParameter(shape: shape, values: factors.values),
        bias: try BroadcastParameter(shape: shape, values: terms.values))
      let expected = ReferenceBlob(input.shape) { place in
        let own = zip(shape, place.dropFirst()).map { $0 == 1 ? 0 : $1 }
        return input[place] * factors[own] + terms[own]
      }
      try expect(layer, on: input, gives: expected, tolerance: 1e-6)
    }
    #expect(throws: NetworkError.self) {
      try BroadcastParameter(shape: [2, 2], values: [1, 2, 3, 4])
    }
    #expect(throws: NetworkError.self) { try BroadcastParameter(shape: [3], values: [1]) }
  }

  @Test("channels are normalised by γ · (x − μ) / √(σ² + ε) + β in each item of a batch")
  func batchNormalization() throws {
    var values = Values(seed: 9)
    let (gamma, beta, mean) = (values.next(3), values.next(3), values.next(3))
    let variance = values.next(3).map { $0 + 0.75 }
    let input = ReferenceBlob([2, 3, 2, 5], seed: 10)
    let layer = try BatchNormalization(
      channels: 3, gamma: gamma, beta: beta, mean: mean, variance: variance, epsilon: 1e-3)
    let expected = ReferenceBlob(input.shape) { place in
      let channel = place[1]
      let deviation = (variance[channel] + 1e-3).squareRoot()
      return gamma[channel] * (input[place] - mean[channel]) / deviation + beta[channel]
    }
    try expect(layer, on: input, gives: expected)
  }

  @Test("planes, or all channels, get the mean 0 and the variance 1", arguments: [true, false])
  func meanVariance(acrossChannels: Bool) throws {
    let input = ReferenceBlob([2, 3, 4, 2], seed: 11)
    let layer = try MeanVarianceNormalization(
      acrossChannels: acrossChannels, normalizesVariance: true, epsilon: 1e-4)
    func isTogether(_ one: [Int], _ other: [Int]) -> Bool {
      one[0] == other[0] && (acrossChannels || one[1] == other[1])
    }
    let expected = ReferenceBlob(input.shape) { place in
      let mean = input.mean { isTogether($0, place) }
      let squares = ReferenceBlob(input.shape, input.values.map { $0 * $0 })
      let variance = squares.mean { isTogether($0, place) } - mean * mean
      return Float((Double(input[place]) - mean) / (variance + 1e-4).squareRoot())
    }
    try expect(layer, on: input, gives: expected)
  }

  @Test("a picked slice is that of its index, from the end where negative")
  func gather() throws {
    let input = ReferenceBlob([2, 4, 3], seed: 12)
    for (axis, indices) in [(0, [1, 1, 0]), (1, [-1, 2, 0, 3]), (2, [2]), (-1, [-3, 1])] {
      let nodes = [
        Node(
          name: "indices",
          layer: try Constant(shape: [indices.count], values: indices.map(Float.init)),
          inputs: [], outputs: ["i"]),
        Node(name: "pick", layer: Gather(axis: axis), inputs: ["x", "i"], outputs: ["y"]),
      ]
      let result = try LayerRun.run(nodes, on: input.values, shape: input.shape, output: "y")
      let place = axis < 0 ? axis + 3 : axis
      var shape = input.shape
      shape[place] = indices.count
      let expected = ReferenceBlob(shape) { target in
        var source = target
        let index = indices[target[place]]
        source[place] = index < 0 ? index + input.shape[place] : index
        return input[source]
      }
      #expect(result.shape == shape && result.values == expected.values)
    }
  }

  @Test("parts of any sizes are cut along any axis")
  func split() throws {
    let input = ReferenceBlob([2, 6, 3], seed: 13)
    let layer = Split(axis: 1, parts: .sizes([1, 3, 2]))
    var start = 0
    for (part, size) in [1, 3, 2].enumerated() {
      let names = ["a", "b", "c"]
      let node = Node(name: "cut", layer: layer, inputs: ["x"], outputs: names)
      let result = try LayerRun.run(
        [node], on: input.values, shape: input.shape, output: names[part])
      let expected = ReferenceBlob([2, size, 3]) { input[[$0[0], $0[1] + start, $0[2]]] }
      #expect(result.shape == expected.shape && result.values == expected.values)
      start += size
    }
  }

  @Test("blobs are joined in their order along any axis, also one with itself", arguments: 0..<3)
  func concatenation(axis: Int) throws {
    let input = ReferenceBlob([2, 3, 2], seed: 14)
    let nodes = [
      Node(
        name: "double", layer: Activation(.linear(factor: 2, term: 0)), inputs: ["x"],
        outputs: ["d"]),
      Node(
        name: "join", layer: Concatenation(axis: axis), inputs: ["x", "d", "x"], outputs: ["y"]),
    ]
    let result = try LayerRun.run(nodes, on: input.values, shape: input.shape, output: "y")
    var shape = input.shape
    shape[axis] *= 3
    let expected = ReferenceBlob(shape) { place in
      var source = place
      source[axis] = place[axis] % input.shape[axis]
      return input[source] * (place[axis] / input.shape[axis] == 1 ? 2 : 1)
    }
    #expect(result.shape == shape && result.values == expected.values)
  }

  @Test("a sum takes any number of blobs and spreads those with dimensions of one")
  func addition() throws {
    let input = ReferenceBlob([2, 3, 4], seed: 15)
    let constants = [([4], UInt64(16)), ([3, 1], 17), ([2, 1, 1], 18)].map {
      ReferenceBlob($0.0, seed: $0.1)
    }
    let nodes =
      try constants.enumerated().map { index, blob in
        Node(
          name: "c\(index)", layer: try Constant(shape: blob.shape, values: blob.values),
          inputs: [],
          outputs: ["c\(index)"])
      } + [
        Node(
          name: "sum", layer: Addition(isBroadcastable: true), inputs: ["x", "c0", "c1", "c2"],
          outputs: ["y"])
      ]
    let result = try LayerRun.run(nodes, on: input.values, shape: input.shape, output: "y")
    let expected = ReferenceBlob(input.shape) { place in
      input[place] + constants[0][[place[2]]] + constants[1][[place[1], 0]]
        + constants[2][[place[0], 0, 0]]
    }
    #expect(LayerRun.difference(result.values, expected.values) < 1e-6)
  }

  @Test(
    "a product with the last axis is Σ w · x + b for any shape in front",
    arguments: [[5], [3, 5], [2, 3, 5]])
  func innerProduct(_ shape: [Int]) throws {
    var values = Values(seed: 19)
    let (weights, bias) = (values.next(4 * 5), values.next(4))
    let layer = try InnerProduct(inputChannels: 5, outputChannels: 4, weights: weights, bias: bias)
    let input = ReferenceBlob(shape, seed: 20)
    let expected = ReferenceBlob(shape.dropLast() + [4]) { place in
      let output = place[place.count - 1]
      return (0..<5).reduce(bias[output]) { sum, channel in
        let value = input[Array(place.dropLast()) + [channel]]
        return sum + weights[output * 5 + channel] * value
      }
    }
    try expect(layer, on: input, gives: expected)
  }

  @Test("what is no number stays none, and infinities go where they belong")
  func extremes() throws {
    let input: [Float] = [-.infinity, .infinity, .nan, 1e30, -1e30]
    func run(_ function: Activation.Function) throws -> [Float] {
      try LayerRun.run(Activation(function), on: input, shape: [5]).values
    }
    let sigmoid = try run(.sigmoid)
    #expect(sigmoid[0] == 0 && sigmoid[1] == 1 && sigmoid[3] == 1 && sigmoid[4] == 0)
    let tangent = try run(.hyperbolicTangent)
    #expect(tangent[0] == -1 && tangent[1] == 1)
    for values in [sigmoid, tangent, try run(.rectified), try run(.linear(factor: 1, term: 0))] {
      #expect(values[2].isNaN)
    }
    #expect(try run(.leakyRectified(slope: 0.25)).suffix(2) == [1e30, -0.25e30])
  }
}
