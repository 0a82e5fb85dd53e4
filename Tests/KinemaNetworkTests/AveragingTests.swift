import KinemaNetwork
import Testing

@Suite("Averaging")
struct AveragingTests {
  /// A network whose output is its input times a factor.
  private static func graph(_ factor: Float, output: String = "y", size: Int = 2) -> Graph {
    Graph(
      inputName: "x", inputShape: [1, size],
      nodes: [
        Node(
          name: "scores", layer: Activation(.linear(factor: factor, term: 0)), inputs: ["x"],
          outputs: ["scores"]),
        Node(
          name: output, layer: Activation(.linear(factor: 1, term: 1)), inputs: ["scores"],
          outputs: [output]),
      ])
  }

  @Test("the output is the mean of those of the networks, under the same name")
  func mean() throws {
    let graph = try Graph.averaging([Self.graph(1), Self.graph(2), Self.graph(6)])
    let result = try LayerRun.run(graph.nodes, on: [1, -2], shape: [1, 2], output: "y")
    #expect(LayerRun.difference(result.values, [4, -5]) < 1e-6)
    #expect(Set(graph.nodes.map(\.name)).count == graph.nodes.count)
  }

  @Test("the layers of the first keep their names")
  func names() throws {
    let graph = try Graph.averaging([Self.graph(1), Self.graph(2)])
    #expect(graph.nodes.map(\.name).contains("scores"))
    let layer = graph.nodes.first { $0.name == "scores" }?.layer as? Activation
    #expect(layer?.function == .linear(factor: 1, term: 0))
    #expect(try Graph.averaging([Self.graph(3)]).nodes.map(\.name) == ["scores", "y"])
  }

  @Test("networks that differ in input or output, and none, are refused")
  func refusals() throws {
    #expect(throws: NetworkError.self) { try Graph.averaging([]) }
    #expect(throws: NetworkError.self) {
      try Graph.averaging([Self.graph(1), Self.graph(1, output: "z")])
    }
    #expect(throws: NetworkError.self) {
      try Graph.averaging([Self.graph(1), Self.graph(1, size: 3)])
    }
  }
}
