import KinemaAction
import KinemaModelFiles
import KinemaNetwork
import KinemaTestSupport
import Testing

@Suite("Trained networks as models")
struct TrainedNetworkTests {
  private static func graph(_ architecture: TrainingArchitecture, windowSize: Int = 30) throws
    -> Graph
  {
    try NetworkTrainer(
      TrainableNetworkSpecification(
        architecture: architecture, windowSize: windowSize, pointCount: 18, classCount: 2,
        graph: .createML),
      options: NetworkTrainingOptions(batchSize: 2)
    ).graph().namedAsCreateML
  }

  @Test("a network in training can be written and read", arguments: TrainingArchitecture.allCases)
  func writing(_ architecture: TrainingArchitecture) throws {
    let graph = try Self.graph(architecture)
    let writer = ModelWriter(graph: graph, labels: ["jump", "rest"], frameRate: 30)
    // The writer reads back what it wrote.
    #expect(try writer.bytes().count > 10_000)
    #expect(graph.inputName == "poses")
    #expect(graph.nodes.last?.outputs == ["labelProbabilities"])
  }

  @Test("the graph network has the layers, names and joints of a network that Create ML trained")
  func createML() throws {
    let file = SharedData.url("models/juggling_T15.mlmodel")
    let apple = try ActionClassifier(contentsOf: file).model.graph
    let own = try Self.graph(.stgcn, windowSize: apple.inputShape[0])
    // Seven layers flatten the scores in Create ML's network, one in Kinema's.
    let head = try #require(apple.nodes.firstIndex { $0.name == "stgcn_action_conv_1" })
    #expect(apple.nodes.count == 117 && own.nodes.count == 111)
    for (node, other) in zip(own.nodes[...head], apple.nodes[...head]) {
      #expect(node.name == other.name)
      #expect(node.layer.kind == other.layer.kind, "\(node.name)")
      #expect(node.inputs == other.inputs, "\(node.name)")
      #expect(node.outputs == other.outputs, "\(node.name)")
      guard node.name.hasSuffix("graph_conv_conv_2") else { continue }
      let weights = (node.layer as? Convolution)?.weights
      #expect(weights?.count == 18 * 54)
      #expect(weights == (other.layer as? Convolution)?.weights, "\(node.name)")
    }
  }
}
