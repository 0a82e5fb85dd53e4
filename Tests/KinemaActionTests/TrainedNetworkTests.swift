import KinemaModelFiles
import KinemaNetwork
import Testing

@Suite("Trained networks as models")
struct TrainedNetworkTests {
  @Test("a network in training can be written and read", arguments: TrainingArchitecture.allCases)
  func writing(_ architecture: TrainingArchitecture) throws {
    let trainer = try NetworkTrainer(
      TrainableNetworkSpecification(architecture: architecture, windowSize: 30, classCount: 2),
      options: NetworkTrainingOptions(batchSize: 2))
    let graph = try trainer.graph()
    let writer = ModelWriter(graph: graph, labels: ["jump", "rest"], frameRate: 30)
    // The writer reads back what it wrote.
    #expect(try writer.bytes().count > 10_000)
    if architecture == .stgcn {
      // Create ML's 117 layers, with one in place of the seven that flatten the scores.
      #expect(graph.nodes.count == 111)
    }
  }
}
