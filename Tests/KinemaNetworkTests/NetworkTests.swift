import KinemaNetwork
import KinemaTestSupport
import Testing

@Suite("Networks")
struct NetworkTests {
  /// How the graph convolution is expressed: the joints' blobs joined and then transposed, or
  /// transposed, cut and joined.
  enum Spelling: CaseIterable {
    case joinedFirst
    case transposedFirst
  }

  private static let frames = 8
  private static let joints = 5

  /// A block of a graph network, as classifiers express it.
  private static func block(_ spelling: Spelling) throws -> [Node] {
    var values = Values(seed: 3)
    let none = Window.Edges.explicit(top: 0, bottom: 0, left: 0, right: 0)
    let point = try Window(kernel: (1, 1), edges: none)
    var nodes: [Node] = []
    func add(_ layer: any Layer, _ inputs: [String], _ outputs: [String]) {
      nodes.append(Node(name: outputs[0], layer: layer, inputs: inputs, outputs: outputs))
    }
    func normalization(_ channels: Int) throws -> BatchNormalization {
      try BatchNormalization(
        channels: channels, gamma: values.next(channels), beta: values.next(channels),
        mean: values.next(channels), variance: values.next(channels).map { $0 + 1 })
    }
    add(
      try Convolution(
        outputChannels: 12, kernelChannels: 3, window: point, weights: values.next(36),
        bias: values.next(12)), ["x"], ["c"])
    switch spelling {
    case .joinedFirst:
      add(Split(axis: 1, parts: .equal(3)), ["c"], ["s0", "s1", "s2"])
      add(Concatenation(axis: 3), ["s0", "s1", "s2"], ["j"])
      add(Transpose(axes: [0, 3, 2, 1]), ["j"], ["t"])
    case .transposedFirst:
      add(Transpose(axes: [0, 3, 2, 1]), ["c"], ["j"])
      add(Split(axis: 3, parts: .equal(3)), ["j"], ["s0", "s1", "s2"])
      add(Concatenation(axis: -3, isNamed: true), ["s0", "s1", "s2"], ["t"])
    }
    add(
      try Convolution(
        outputChannels: joints, kernelChannels: 3 * joints, window: point,
        weights: values.next(3 * joints * joints)), ["t"], ["g"])
    add(Transpose(axes: [0, 3, 2, 1]), ["g"], ["b"])
    add(try normalization(4), ["b"], ["n"])
    add(Activation(.rectified), ["n"], ["r"])
    add(try Padding(top: 1, bottom: 1, left: 0, right: 0, value: 0), ["r"], ["p"])
    add(
      try Convolution(
        outputChannels: 4, kernelChannels: 4, window: Window(kernel: (3, 1), edges: none),
        weights: values.next(48), bias: values.next(4)), ["p"], ["q"])
    add(try normalization(4), ["q"], ["m"])
    add(Addition(), ["r", "m"], ["a"])
    add(Activation(.rectified), ["a"], ["y"])
    return nodes
  }

  @Test("joined layers give what the layers give one by one", arguments: Spelling.allCases)
  func joining(_ spelling: Spelling) throws {
    let nodes = try Self.block(spelling)
    let shape = [1, 3, Self.frames, Self.joints]
    var values = Values(seed: 4)
    let input = values.next(3 * Self.frames * Self.joints)
    let plain = try LayerRun.run(
      nodes, on: input, shape: shape, output: "y", joinsLayers: false)
    let joined = try LayerRun.run(nodes, on: input, shape: shape, output: "y")
    #expect(LayerRun.difference(plain.values, joined.values) < 1e-5)
    // Three products are left, and nothing between them.
    let network = try Network(
      Graph(inputName: "x", inputShape: shape, nodes: nodes), outputs: ["y"])
    #expect(network.stepCount == 3)
  }

  @Test("both forms of the graph convolution give the same")
  func spellings() throws {
    var values = Values(seed: 5)
    let input = values.next(3 * Self.frames * Self.joints)
    let results = try Spelling.allCases.map { spelling in
      try LayerRun.run(
        Self.block(spelling), on: input, shape: [1, 3, Self.frames, Self.joints], output: "y"
      ).values
    }
    #expect(LayerRun.difference(results[0], results[1]) < 1e-6)
  }

  @Test("a blob that is also read elsewhere is not joined away", arguments: Spelling.allCases)
  func readElsewhere(_ spelling: Spelling) throws {
    let nodes = try Self.block(spelling)
    let shape = [1, 3, Self.frames, Self.joints]
    let graph = Graph(inputName: "x", inputShape: shape, nodes: nodes)
    let names = nodes.flatMap(\.outputs)
    var values = Values(seed: 6)
    let input = values.next(3 * Self.frames * Self.joints)
    let all = Workspace(try Network(graph, outputs: names, joinsLayers: false))
    all.run(input)
    for (index, name) in names.enumerated() {
      let pair = Workspace(try Network(graph, outputs: [name, "y"]))
      pair.run(input)
      #expect(LayerRun.difference(pair.output(0), all.output(index)) < 1e-5, "\(name)")
      #expect(LayerRun.difference(pair.output(1), all.output(names.count - 1)) < 1e-5)
    }
  }

  @Test("shape arithmetic is done before the first run")
  func shapeArithmetic() throws {
    let nodes = [
      Node(name: "shape", layer: GetShape(), inputs: ["x"], outputs: ["s"]),
      Node(
        name: "zero", layer: try Constant(shape: [1], values: [0.01]), inputs: [], outputs: ["z"]),
      Node(name: "first", layer: Gather(axis: 0), inputs: ["s", "z"], outputs: ["f"]),
      Node(name: "deeper", layer: Reshape(.expanded(axes: [0])), inputs: ["f"], outputs: ["e"]),
      Node(
        name: "rest", layer: try Constant(shape: [1], values: [-0.99]), inputs: [],
        outputs: ["r"]),
      Node(name: "both", layer: Concatenation(axis: 0), inputs: ["e", "r"], outputs: ["t"]),
      Node(name: "reshape", layer: Reshape(.input), inputs: ["x", "t"], outputs: ["y"]),
    ]
    let result = try LayerRun.run(
      nodes, on: [1, 2, 3, 4], shape: [1, 4, 1, 1], output: "y")
    #expect(result.shape == [1, 4])
    #expect(result.values == [1, 2, 3, 4])
  }

  @Test("a shape that depends on the input is refused")
  func dynamicShape() throws {
    let nodes = [
      Node(name: "reshape", layer: Reshape(.input), inputs: ["x", "x"], outputs: ["y"])
    ]
    #expect(throws: NetworkError.self) {
      try Network(Graph(inputName: "x", inputShape: [1], nodes: nodes), outputs: ["y"])
    }
  }

  @Test("threads with a workspace each share one network")
  func threads() async throws {
    let graph = Graph(
      inputName: "x", inputShape: [1, 3, Self.frames, Self.joints],
      nodes: try Self.block(.joinedFirst))
    let network = try Network(graph, outputs: ["y"])
    var values = Values(seed: 8)
    let inputs = (0..<8).map { _ in values.next(3 * Self.frames * Self.joints) }
    let alone = inputs.map { input in
      let workspace = Workspace(network)
      workspace.run(input)
      return workspace.output(0)
    }
    let together = await withTaskGroup(of: (Int, [Float]).self) { group in
      for (index, input) in inputs.enumerated() {
        group.addTask {
          let workspace = Workspace(network)
          for _ in 0..<50 { workspace.run(input) }
          return (index, workspace.output(0))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for index in inputs.indices { #expect(together[index] == alone[index]) }
  }
}
