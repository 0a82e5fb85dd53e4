import KinemaNetwork
import Testing

@Suite("Layers")
struct LayerTests {
  private let ramp = (0..<24).map(Float.init)

  @Test("an average pooling counts the padding by default")
  func averagePooling() throws {
    let window = try Window(
      kernel: (1, 3), edges: .explicit(top: 0, bottom: 0, left: 1, right: 1))
    let input: [Float] = [3, 6, 9, 12]
    let counting = Pooling(operation: .average, window: window)
    #expect(try LayerRun.run(counting, on: input, shape: [1, 1, 4]).values == [3, 6, 9, 7])
    let excluding = Pooling(operation: .average, window: window, excludesPadding: true)
    #expect(try LayerRun.run(excluding, on: input, shape: [1, 1, 4]).values == [4.5, 6, 9, 10.5])
  }

  @Test("a pooling without a window takes the whole plane")
  func globalPooling() throws {
    let average = Pooling(operation: .average, window: nil)
    #expect(try LayerRun.run(average, on: ramp, shape: [2, 3, 4]).values == [5.5, 17.5])
    let maximum = Pooling(operation: .maximum, window: nil)
    let result = try LayerRun.run(maximum, on: ramp, shape: [2, 3, 4])
    #expect(result.values == [11, 23])
    #expect(result.shape == [2, 1, 1])
  }

  @Test("a strided maximum")
  func maximumPooling() throws {
    let layer = Pooling(
      operation: .maximum,
      window: try Window(kernel: (2, 2), stride: (2, 2), edges: .same(topLeftHeavy: false)))
    let result = try LayerRun.run(layer, on: ramp, shape: [1, 4, 6])
    #expect(result.values == [7, 9, 11, 19, 21, 23])
  }

  @Test("a product with the last axis, and with the last three")
  func innerProduct() throws {
    let layer = try InnerProduct(
      inputChannels: 3, outputChannels: 2, weights: [1, 0, 0, 0, 1, 1], bias: [10, 20])
    let input: [Float] = [1, 2, 3, 4, 5, 6]
    let plain = try LayerRun.run(layer, on: input, shape: [1, 2, 3])
    #expect(plain.values == [11, 25, 14, 31])
    #expect(plain.shape == [1, 2, 2])
    let flattened = try LayerRun.run(layer, on: input, shape: [2, 3, 1, 1])
    #expect(flattened.values == [11, 25, 14, 31])
    #expect(flattened.shape == [2, 2, 1, 1])
  }

  @Test("a normalisation by stored statistics")
  func batchNormalization() throws {
    let layer = try BatchNormalization(
      channels: 2, gamma: [2, 1], beta: [1, 0], mean: [1, 0], variance: [4, 1], epsilon: 0)
    #expect(
      try LayerRun.run(layer, on: [1, 3, 5, 7], shape: [2, 1, 2]).values == [1, 3, 5, 7])
    #expect(throws: NetworkError.self) {
      try BatchNormalization(channels: 1, gamma: [1], beta: [0], mean: [0], variance: [-1])
    }
  }

  @Test("the mean is subtracted from each plane, or from all")
  func meanVariance() throws {
    let input: [Float] = [1, 3, 10, 30]
    let each = try MeanVarianceNormalization(acrossChannels: false, normalizesVariance: false)
    #expect(try LayerRun.run(each, on: input, shape: [2, 1, 2]).values == [-1, 1, -10, 10])
    let all = try MeanVarianceNormalization(acrossChannels: true, normalizesVariance: false)
    #expect(try LayerRun.run(all, on: input, shape: [2, 1, 2]).values == [-10, -8, -1, 19])
    let unit = try MeanVarianceNormalization(
      acrossChannels: false, normalizesVariance: true, epsilon: 0)
    #expect(try LayerRun.run(unit, on: input, shape: [2, 1, 2]).values == [-1, 1, -1, 1])
  }

  @Test("a vector divided by its length")
  func l2Normalization() throws {
    let layer = try L2Normalization(epsilon: 0)
    #expect(
      LayerRun.difference(
        try LayerRun.run(layer, on: [3, 4, 0, 2], shape: [2, 2, 1, 1]).values, [0.6, 0.8, 0, 1])
        < 1e-6)
    #expect(try LayerRun.run(layer, on: [0, 0], shape: [1, 2, 1]).values == [0, 0])
  }

  @Test("factors and terms spread over channels, rows and columns")
  func scale() throws {
    let input = [Float](repeating: 1, count: 8)
    let perChannel = Scale(
      scale: try BroadcastParameter(shape: [2], values: [2, 3]),
      bias: try BroadcastParameter(shape: [1], values: [10]))
    #expect(
      try LayerRun.run(perChannel, on: input, shape: [1, 2, 2, 2]).values
        == [12, 12, 12, 12, 13, 13, 13, 13])
    let perRow = Scale(bias: try BroadcastParameter(shape: [1, 2, 1], values: [0, 5]))
    #expect(
      try LayerRun.run(perRow, on: input, shape: [2, 2, 2]).values == [1, 1, 6, 6, 1, 1, 6, 6])
    #expect(LayerRun.refusal(of: perChannel, shape: [3, 1, 1]) != nil)
  }

  @Test("functions of each element")
  func activations() throws {
    let input: [Float] = [-2, 0, 2]
    func result(_ function: Activation.Function) throws -> [Float] {
      try LayerRun.run(Activation(function), on: input, shape: [3]).values
    }
    #expect(try result(.rectified) == [0, 0, 2])
    #expect(try result(.leakyRectified(slope: 0.5)) == [-1, 0, 2])
    #expect(try result(.linear(factor: 2, term: 1)) == [-3, 1, 5])
    #expect(LayerRun.difference(try result(.sigmoid), [0.119_203, 0.5, 0.880_797]) < 1e-6)
    #expect(LayerRun.difference(try result(.hyperbolicTangent), [-0.964_028, 0, 0.964_028]) < 1e-6)
  }

  @Test("probabilities along the channels or an axis, also of large scores")
  func softmax() throws {
    let large = try LayerRun.run(Softmax(axis: nil), on: [1000, 1000], shape: [1, 2]).values
    #expect(large == [0.5, 0.5])
    let columns = try LayerRun.run(Softmax(axis: 0), on: [0, 5, 0, 5], shape: [2, 2]).values
    #expect(columns == [0.5, 0.5, 0.5, 0.5])
  }

  @Test("axes change places")
  func transpose() throws {
    let result = try LayerRun.run(Transpose(axes: [2, 0, 1]), on: ramp, shape: [2, 3, 4])
    #expect(result.shape == [4, 2, 3])
    #expect(result.values.prefix(6) == [0, 4, 8, 12, 16, 20])
    #expect(LayerRun.refusal(of: Transpose(axes: [0, 0, 1]), shape: [2, 3, 4]) != nil)
  }

  @Test("a blob split along an axis and concatenated again is unchanged")
  func splitAndConcatenation() throws {
    for axis in 0..<3 {
      let nodes = [
        Node(
          name: "cut", layer: Split(axis: axis, parts: .equal(2)), inputs: ["x"],
          outputs: ["a", "b"]),
        Node(
          name: "join", layer: Concatenation(axis: axis - 3), inputs: ["a", "b"], outputs: ["y"]),
      ]
      let result = try LayerRun.run(
        nodes, on: (0..<16).map(Float.init), shape: [2, 4, 2], output: "y")
      #expect(result.values == (0..<16).map(Float.init))
    }
    #expect(LayerRun.refusal(of: Split(axis: 0, parts: .sizes([1, 2])), shape: [2]) != nil)
  }

  @Test("dimensions are inferred, retained, inserted and dropped")
  func reshaping() throws {
    #expect(
      try LayerRun.run(Reshape(target: [0, -1]), on: ramp, shape: [2, 3, 4]).shape == [2, 12])
    #expect(LayerRun.refusal(of: Reshape(target: [5, -1]), shape: [2, 3, 4]) != nil)
    #expect(
      try LayerRun.run(Reshape(.expanded(axes: [0, -1])), on: ramp, shape: [24]).shape == [
        1, 24, 1,
      ])
    #expect(
      try LayerRun.run(Reshape(.squeezed(axes: nil)), on: ramp, shape: [1, 24, 1]).shape == [24])
    #expect(LayerRun.refusal(of: Reshape(.squeezed(axes: [0])), shape: [2, 12]) != nil)
  }

  @Test("a sum spreads dimensions of one")
  func addition() throws {
    let nodes = [
      Node(
        name: "row", layer: try Constant(shape: [3], values: [10, 20, 30]), inputs: [],
        outputs: ["c"]),
      Node(
        name: "sum", layer: Addition(isBroadcastable: true), inputs: ["x", "c"], outputs: ["y"]),
    ]
    let result = try LayerRun.run(nodes, on: [1, 2, 3, 4, 5, 6], shape: [2, 3], output: "y")
    #expect(result.values == [11, 22, 33, 14, 25, 36])
    #expect(try LayerRun.run(Addition(constant: 2), on: [1], shape: [1]).values == [3])
  }

  @Test("the mean along axes")
  func reduceMean() throws {
    let layer = ReduceMean(axes: [0, 2], keepsDimensions: true)
    let result = try LayerRun.run(layer, on: ramp, shape: [2, 3, 4])
    #expect(result.shape == [1, 3, 1])
    #expect(LayerRun.difference(result.values, [7.5, 11.5, 15.5]) < 1e-5)
    let all = try LayerRun.run(
      ReduceMean(axes: nil, keepsDimensions: false), on: ramp, shape: [2, 3, 4])
    #expect(all.shape == [1])
    #expect(LayerRun.difference(all.values, [11.5]) < 1e-5)
  }
}
