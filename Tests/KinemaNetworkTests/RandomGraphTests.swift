import KinemaNetwork
import KinemaRandom
import KinemaTestSupport
import Testing

/// Chains and branches of layers in any order: what is joined gives what the layers give one by one.
@Suite("Graphs of any layers")
struct RandomGraphTests {
  /// Makes graphs of layers that keep four dimensions.
  private struct Maker {
    var generator: SeededGenerator
    var values: Values
    var shape = [1, 4, 6, 5]
    var nodes: [Node] = []
    /// Blobs with their shapes.
    var blobs: [(name: String, shape: [Int])] = []

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
      values = Values(seed: seed &+ 1)
      blobs = [("x", shape)]
    }

    private mutating func add(_ layer: any Layer, _ inputs: [String], _ shape: [Int]) {
      let name = "b\(nodes.count)"
      nodes.append(Node(name: name, layer: layer, inputs: inputs, outputs: [name]))
      blobs.append((name, shape))
    }

    mutating func step() throws {
      // Mostly the last blob, so that there is something to join.
      let source = Int.random(in: 0..<4, using: &generator) > 0 ? blobs.count - 1 : 0
      let (name, shape) = blobs[max(source, 0)]
      let channels = shape[1]
      switch Int.random(in: 0..<9, using: &generator) {
      case 0, 1:
        let outputs = Int.random(in: 1...6, using: &generator)
        let rows = [1, 3, 5].randomElement(using: &generator) ?? 1
        let window = try Window(
          kernel: (rows, 1), edges: .explicit(top: rows / 2, bottom: rows / 2, left: 0, right: 0))
        add(
          try Convolution(
            outputChannels: outputs, kernelChannels: channels, window: window,
            weights: values.next(outputs * channels * rows), bias: values.next(outputs)),
          [name], [shape[0], outputs, shape[2], shape[3]])
      case 2:
        add(
          try BatchNormalization(
            channels: channels, gamma: values.next(channels), beta: values.next(channels),
            mean: values.next(channels), variance: values.next(channels).map { $0 + 1 }),
          [name], shape)
      case 3: add(Activation(.rectified), [name], shape)
      case 4: add(Activation(.leakyRectified(slope: 0.25)), [name], shape)
      case 5:
        add(
          Scale(
            scale: try BroadcastParameter(shape: [channels], values: values.next(channels)),
            bias: try BroadcastParameter(shape: [1], values: values.next(1))), [name], shape)
      case 6:
        let others = blobs.filter { $0.shape == shape }
        add(
          Addition(), [name, (others.randomElement(using: &generator) ?? (name, shape)).0], shape)
      case 7: add(Transpose(axes: [0, 3, 2, 1]), [name], [shape[0], shape[3], shape[2], shape[1]])
      default:
        add(
          Concatenation(axis: 1), [name, name], [shape[0], 2 * channels, shape[2], shape[3]])
      }
    }
  }

  @Test("joining changes no output", arguments: 0..<24)
  func joining(_ seed: Int) throws {
    var maker = Maker(seed: UInt64(seed))
    for _ in 0..<14 where (maker.blobs.last?.shape[1] ?? 0) < 64 { try maker.step() }
    let graph = Graph(inputName: "x", inputShape: maker.shape, nodes: maker.nodes)
    // The last blob, and one in the middle, which then has to stay.
    let outputs = [
      maker.nodes[maker.nodes.count / 2].name, maker.nodes[maker.nodes.count - 1].name,
    ]
    let plain = Workspace(try Network(graph, outputs: outputs, joinsLayers: false))
    let network = try Network(graph, outputs: outputs)
    let joined = Workspace(network)
    #expect(network.stepCount <= maker.nodes.count)
    var values = Values(seed: 99)
    for _ in 0..<2 {
      let input = values.next(maker.shape.reduce(1, *))
      plain.run(input)
      joined.run(input)
      for output in 0..<2 {
        let expected = plain.output(output)
        let size = max(1, expected.map(abs).max() ?? 0)
        #expect(LayerRun.difference(joined.output(output), expected) < 1e-4 * size)
      }
    }
  }

  @Test("memory is used again: a long chain needs no more than a short one")
  func memory() throws {
    func chain(_ count: Int) throws -> Network {
      let nodes = (0..<count).map {
        Node(
          name: "n\($0)", layer: Softmax(axis: 0), inputs: [$0 == 0 ? "x" : "n\($0 - 1)"],
          outputs: ["n\($0)"])
      }
      return try Network(
        Graph(inputName: "x", inputShape: [256], nodes: nodes), outputs: ["n\(count - 1)"])
    }
    #expect(try chain(40).arenaCount == chain(3).arenaCount)
  }

  @Test("a workspace in memory that held something else gives the same")
  func dirtyMemory() throws {
    var maker = Maker(seed: 5)
    for _ in 0..<8 { try maker.step() }
    let graph = Graph(inputName: "x", inputShape: maker.shape, nodes: maker.nodes)
    let network = try Network(graph, outputs: [maker.nodes[maker.nodes.count - 1].name])
    let memory = FloatMemory(network.arenaCount + 100)
    for index in 0..<memory.count { memory[index] = .nan }
    var values = Values(seed: 6)
    let input = values.next(maker.shape.reduce(1, *))
    let (fresh, dirty) = (Workspace(network), Workspace(network, in: memory))
    fresh.run(input)
    dirty.run(input)
    #expect(fresh.output(0) == dirty.output(0))
    // Only the products, on whatever the memory holds, and a whole run after it.
    dirty.runProducts()
    dirty.run(input)
    #expect(fresh.output(0) == dirty.output(0))
  }
}
