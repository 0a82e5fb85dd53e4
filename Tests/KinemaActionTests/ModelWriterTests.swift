import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaNetwork
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Writing models")
struct ModelWriterTests {
  @Test("what is written is read back the same, with the same predictions")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    for bytes in try TinyGraph.files() {
      let first = try ActionClassifier(bytes, name: "first")
      let file = folder.url.appending(path: "second.mlmodel")
      try first.write(to: file)
      let second = try ActionClassifier(contentsOf: file)
      #expect(try Array(Data(contentsOf: file)) == bytes)
      let count = first.windowSize * 3 * first.joints.count
      let window = (0..<count).map { Float($0 % 13) / 13 }
      #expect(try first.predict(window) == second.predict(window))
    }
  }

  @Test("a model carries the features and metadata by which tools know an action classifier")
  func metadata() throws {
    let bytes = try ModelWriter(
      graph: TinyGraph.body(), labels: ["a", "b", "c"], frameRate: 24,
      metadata: ModelMetadata(shortDescription: "Tiny", author: "Somebody", license: "CC0-1.0")
    ).bytes()
    let information = try ActionClassifier(bytes, name: "tiny").information
    #expect(information.specificationVersion == 4)
    #expect(information.inputs.map(\.name) == ["poses"])
    #expect(information.inputs[0].shape == [6, 3, 18])
    #expect(information.outputs.map(\.name) == ["labelProbabilities", "label"])
    #expect(information.outputs.map(\.type) == ["dictionary", "text"])
    #expect(information.frameRate == 24)
    #expect(information.metadata.author == "Somebody")
    #expect(
      information.metadata.userDefined == [
        "com.apple.coreml.model.preview.type": "actionClassifier",
        "Prediction Window Size": "6", "Target Frame Rate": "24.0",
        "type": "action_classification", "target": "label", "classes": "a,b,c",
      ])
  }

  @Test("labels that do not fit the network are refused before anything is written")
  func labels() throws {
    let writer = ModelWriter(graph: try TinyGraph.body(), labels: ["only one"])
    #expect(throws: ActionError.self) { try writer.bytes() }
    let numbers = ModelWriter(
      graph: try TinyGraph.hand(), labels: ["1", "one"], hasIntegerLabels: true)
    #expect(throws: ActionError.self) { try numbers.bytes() }
  }

  @Test(
    "a window of 600 frames, five seconds at 120 frames a second, is within the limits",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func longWindow() throws {
    let short = try ActionClassifier(
      contentsOf: SharedData.url("models/sirbot_mcontroller_T60.mlmodel"))
    let nodes = try short.model.graph.nodes.map { node in
      var layer = node.layer
      if let reshape = layer as? Reshape, case .dimensions(let dimensions) = reshape.target {
        layer = Reshape(target: dimensions.map { $0 == 60 ? 600 : $0 })
      } else if layer is Pooling {
        let edges = Window.Edges.explicit(top: 0, bottom: 0, left: 0, right: 0)
        layer = Pooling(
          operation: .average,
          window: try Window(kernel: (150, 18), stride: (150, 18), edges: edges))
      }
      return Node(name: node.name, layer: layer, inputs: node.inputs, outputs: node.outputs)
    }
    let bytes = try ModelWriter(
      graph: Graph(inputName: "poses", inputShape: [600, 3, 18], nodes: nodes),
      labels: short.labels, frameRate: 120
    ).bytes()
    let long = try ActionClassifier(bytes, name: "long")
    #expect(long.windowSize == 600)
    let window = [Float](repeating: 0.5, count: 600 * 54)
    #expect(abs(try long.predict(window).probabilities.reduce(0, +) - 1) < 1e-5)
  }

  @Test(
    "a Create ML model keeps its layers, labels and predictions",
    .enabled(if: SharedData.isPresent, SharedData.reason),
    arguments: ["juggling_T15", "apple_exercise_T64", "handpose_oksign"])
  func realModel(name: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "copy.mlmodel")
    let first = try ActionClassifier(contentsOf: SharedData.url("models/\(name).mlmodel"))
    try first.write(to: file)
    let second = try ActionClassifier(contentsOf: file)
    #expect(second.labels == first.labels)
    #expect(second.information.layerCounts == first.information.layerCounts)
    #expect(second.metadata.author == first.metadata.author)
    let window = [Float](repeating: 0.5, count: first.windowSize * 3 * first.joints.count)
    #expect(try second.predict(window) == first.predict(window))
  }
}
