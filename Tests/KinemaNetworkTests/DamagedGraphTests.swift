import KinemaNetwork
import KinemaTestSupport
import Testing

/// Graphs that cannot be run are refused with the place and the reason.
@Suite("Damaged graphs")
struct DamagedGraphTests {
  private static let relu = Activation(.rectified)

  private static func node(
    _ name: String, _ layer: any Layer = relu, _ inputs: [String] = ["x"],
    _ outputs: [String]? = nil
  ) -> Node {
    Node(name: name, layer: layer, inputs: inputs, outputs: outputs ?? [name])
  }

  private func refusal(
    _ nodes: [Node], shape: [Int] = [1, 3, 4, 2], outputs: [String] = ["y"]
  ) -> NetworkError? {
    do {
      _ = try Network(Graph(inputName: "x", inputShape: shape, nodes: nodes), outputs: outputs)
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  @Test("a blob that no layer makes is named with the layer that takes it")
  func missingBlob() {
    let error = refusal([Self.node("y", Self.relu, ["z"])])
    #expect(error?.code == .graph)
    #expect(error?.message == "layer “y” (activation) uses the blob “z”, which no layer makes")
  }

  @Test("a cycle is named with the layer that would have to come first")
  func cycle() {
    let error = refusal([
      Self.node("a", Addition(), ["x", "b"]), Self.node("b", Self.relu, ["a"]),
      Self.node("y", Self.relu, ["b"]),
    ])
    #expect(error?.code == .graph)
    #expect(
      error?.message
        == "layer “a” (add) uses the blob “b” before layer “b” makes it (a cycle?)")
    #expect(refusal([Self.node("y", Self.relu, ["y"])])?.code == .graph)
  }

  @Test("a blob that is made twice, or under the name of the input, is refused")
  func madeTwice() {
    let twice = refusal([
      Self.node("a", Self.relu, ["x"], ["y"]), Self.node("b", Self.relu, ["x"], ["y"]),
    ])
    #expect(twice?.message == "layer “b” (activation) makes the blob “y” a second time")
    #expect(refusal([Self.node("a", Self.relu, ["x"], ["x"])])?.code == .graph)
    let split = Split(axis: 1, parts: .sizes([1, 2]))
    #expect(refusal([Self.node("cut", split, ["x"], ["y", "y"])])?.code == .graph)
  }

  @Test("a layer needs its number of inputs and names all of its outputs")
  func counts() {
    let two = refusal([Self.node("y", Self.relu, ["x", "x"])])
    #expect(two?.message == "layer “y” (activation) has 2 inputs")
    #expect(refusal([Self.node("y", Addition(isBroadcastable: true))])?.code == .graph)
    #expect(refusal([Self.node("y", Gather(axis: 0))])?.code == .graph)
    let split = Split(axis: 1, parts: .sizes([1, 2]))
    #expect(
      refusal([Self.node("y", split)])?.message
        == "layer “y” (splitND) names 1 outputs instead of 2")
  }

  @Test("an output that no layer makes is refused")
  func missingOutput() {
    let error = refusal([Self.node("a")])
    #expect(error?.code == .graph)
    #expect(error?.message == "gives out the blob “y”, which no layer makes")
  }

  @Test(
    "the input needs a shape",
    arguments: [[], [0], [1, -2], [1, 1, 1, 1, 1, 1, 1, 1, 1], [1 << 25]])
  func inputShapes(_ shape: [Int]) {
    let error = refusal([Self.node("y")], shape: shape)
    #expect(error?.code == .shape || error?.code == .limit)
    #expect(error?.message.hasPrefix("its input “x” ") == true)
  }

  @Test("products of dimensions that overflow are refused")
  func overflow() {
    for shape in [[Int.max, 2], [1 << 32, 1 << 32], [4097, 4096]] {
      let error = expectError(NetworkError.self) { try Shape(shape) }
      #expect(error?.code == .limit)
    }
    #expect((try? Shape([4096, 4096]))?.count == Shape.maximumCount)
    #expect(throws: NetworkError.self) { try checkedProduct([1 << 40, 2], of: "weights") }
    #expect(throws: NetworkError.self) { try checkedProduct([3, -1], of: "weights") }
    #expect((try? checkedProduct([3, 0, 5], of: "weights")) == 0)
  }

  @Test("more layers than the limit are refused before anything is made")
  func layers() {
    let count = NetworkLimits.nodes
    func chain(_ count: Int) -> [Node] {
      (0..<count).map { Self.node("n\($0)", Self.relu, [$0 == 0 ? "x" : "n\($0 - 1)"]) }
    }
    #expect(refusal(chain(count), shape: [2], outputs: ["n\(count - 1)"]) == nil)
    let error = refusal(chain(count + 1), shape: [2], outputs: ["n\(count)"])
    #expect(error?.code == .limit)
    #expect(error?.message == "has \(count + 1) layers where \(count) are possible")
  }

  @Test("work beyond the limit is refused at the layer that is too much")
  func work() throws {
    // 4,096 rows of 4,096 elements with as many multiply-adds each are 69 thousand million.
    let layer = try InnerProduct(
      inputChannels: 4096, outputChannels: 4096,
      weights: [Float](repeating: 0, count: 4096 * 4096))
    let error = refusal([Self.node("y", layer)], shape: [4096, 4096])
    #expect(error?.code == .limit)
    #expect(error?.message == "layer “y” (innerProduct) needs more work than a classifier may")
  }

  @Test("weights beyond the limit are refused")
  func weights() throws {
    let layer = try Constant(shape: [1 << 23], values: [Float](repeating: 0, count: 1 << 23))
    let nodes = (0..<3).map { Self.node("c\($0)", layer, []) }
    let error = refusal(nodes + [Self.node("y")])
    #expect(error?.code == .limit)
    #expect(
      error?.message.hasPrefix("layer “c2” (loadConstantND) is one of too many weights") == true)
  }

  @Test("memory that is live at one time is limited, memory that can be used again is not")
  func memory() {
    // A blob of 2²³ elements: two are within the limit of 2²⁵, five at one time are not.
    let shape = [1, 8, 1024, 1024]
    let chain = (0..<6).map { Self.node("n\($0)", Self.relu, [$0 == 0 ? "x" : "n\($0 - 1)"]) }
    #expect(refusal(chain, shape: shape, outputs: ["n5"]) == nil)
    let star =
      (0..<6).map { Self.node("n\($0)") } + [Self.node("y", Addition(), (0..<6).map { "n\($0)" })]
    #expect(refusal(star, shape: shape)?.code == .limit)
  }

  @Test("shapes that do not fit are refused at their layer")
  func shapes() throws {
    let cases: [(any Layer, [Int], NetworkErrorCode)] = [
      (Transpose(axes: [0, 1]), [1, 3, 4, 2], .shape),
      (Transpose(axes: [0, 1, 2, 2]), [1, 3, 4, 2], .shape),
      (Softmax(axis: 4), [1, 3, 4, 2], .shape), (Softmax(axis: -5), [1, 3, 4, 2], .shape),
      (ReduceMean(axes: [9], keepsDimensions: true), [2], .shape),
      (Split(axis: 0, parts: .equal(2)), [3], .shape),
      (Split(axis: 0, parts: .equal(0)), [3], .shape),
      (Split(axis: 0, parts: .sizes([4])), [3], .shape),
      (Split(axis: 0, parts: .sizes([2, -1, 2])), [3], .shape),
      (Reshape(target: [-1, -1]), [4], .shape), (Reshape(target: [3]), [4], .shape),
      (Reshape(target: [3, -1]), [4], .shape), (Reshape(target: []), [4], .shape),
      (Reshape(.expanded(axes: [0, 0])), [4], .shape), (Reshape(.expanded(axes: [5])), [4], .shape),
      (Reshape(.squeezed(axes: [2])), [1, 4], .shape),
      (Pooling(operation: .average, window: nil), [4], .shape),
      (
        Pooling(
          operation: .maximum,
          window: try Window(kernel: (2, 2), edges: .explicit(top: 2, bottom: 0, left: 0, right: 0))
        ),
        [1, 4, 4], .parameters
      ),
      (Pooling(operation: .maximum, window: try Window(kernel: (9, 1))), [1, 4, 4], .shape),
      (try L2Normalization(), [4], .shape),
      (
        try MeanVarianceNormalization(acrossChannels: true, normalizesVariance: true), [2, 2],
        .shape
      ),
    ]
    for (layer, shape, code) in cases {
      let error = refusal([Self.node("y", layer)], shape: shape)
      #expect(error?.code == code, "\(layer.kind) of \(shape)")
      #expect(error?.message.hasPrefix("layer “y” (\(layer.kind)) ") == true)
    }
  }

  @Test("blobs that cannot be added or joined are refused")
  func pairs() throws {
    let other = Self.node("c", try Constant(shape: [3, 2], values: [1, 2, 3, 4, 5, 6]), [])
    let sum = Self.node("y", Addition(isBroadcastable: true), ["x", "c"])
    #expect(
      refusal([other, sum], shape: [2, 2])?.message
        == "layer “y” (addBroadcastable) cannot add blobs of [2, 2] and [3, 2]")
    let joined = Self.node("y", Concatenation(axis: 0), ["x", "c"])
    #expect(
      refusal([other, joined], shape: [2, 3])?.message
        == "layer “y” (concatND) cannot join blobs of [2, 3] and [3, 2] along axis 0")
  }

  @Test("parameters that are no numbers or below zero are refused")
  func parameters() {
    #expect(throws: NetworkError.self) { try L2Normalization(epsilon: -1) }
    #expect(throws: NetworkError.self) { try L2Normalization(epsilon: .nan) }
    #expect(throws: NetworkError.self) {
      try MeanVarianceNormalization(
        acrossChannels: false, normalizesVariance: true, epsilon: .infinity)
    }
    #expect(throws: NetworkError.self) {
      try BatchNormalization(channels: 2, gamma: [1], beta: [1], mean: [1], variance: [1])
    }
    #expect(throws: NetworkError.self) {
      try InnerProduct(inputChannels: 0, outputChannels: 1, weights: [])
    }
    #expect(throws: NetworkError.self) {
      try InnerProduct(inputChannels: 1, outputChannels: 2, weights: [1, 2], bias: [1])
    }
    #expect(throws: NetworkError.self) { try Constant(shape: [2, 2], values: [1]) }
    for kernel in [(0, 1), (1, 1 << 25)] {
      #expect(throws: NetworkError.self) { try Window(kernel: kernel) }
    }
    #expect(throws: NetworkError.self) {
      try Window(kernel: (1, 1), edges: .explicit(top: -1, bottom: 0, left: 0, right: 0))
    }
  }

  @Test("indices and shapes from a blob are whole numbers within the limits, and known before")
  func dynamicIndices() throws {
    func pick(_ indices: [Float]) throws -> NetworkError? {
      refusal(
        [
          Self.node("i", try Constant(shape: [indices.count], values: indices), []),
          Self.node("y", Gather(axis: 0), ["x", "i"]),
        ], shape: [3])
    }
    #expect(try pick([0, 2, -3]) == nil)
    #expect(try pick([3])?.message == "layer “y” (gather) picks element 3 of 3")
    #expect(try pick([-4])?.code == .shape)
    #expect(try pick([.infinity])?.code == .unsupported)
    #expect(try pick([Float](repeating: 0, count: 4097))?.code == .limit)
    let computed = refusal([Self.node("y", Gather(axis: 0), ["x", "x"])], shape: [3])
    #expect(computed?.code == .unsupported)
  }
}
