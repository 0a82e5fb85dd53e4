import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaNetwork
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Golden windows", .enabled(if: SharedData.isPresent, SharedData.reason))
struct ActionClassifierGoldenTests {
  @Test(
    "probabilities and scores agree with the double-precision oracle", arguments: GoldenFile.all)
  func predictions(file: URL) throws {
    let golden = try GoldenFile.load(file)
    let classifier = try ActionClassifier(contentsOf: golden.modelURL)
    #expect(classifier.labels == golden.labels.map(\.text))
    #expect(classifier.windowSize == golden.inputShape[0])
    #expect(classifier.joints.count == golden.inputShape[2])
    #expect(golden.windows.count == 8)
    for (index, window) in golden.windows.enumerated() {
      let prediction = try classifier.predict(window.values)
      for (label, probability) in zip(prediction.labels, prediction.probabilities) {
        let expected = try #require(window.labelProbabilities[label])
        #expect(abs(Double(probability) - expected) < 1e-5, "window \(index), label \(label)")
      }
      let logits = try #require(prediction.logits)
      // Scores grow with the input (up to 50 on noise): compared relative to their size.
      let size = max(1, window.logits.map(abs).max() ?? 1)
      for (score, expected) in zip(logits, window.logits) {
        #expect(abs(Double(score) - expected) < 1e-5 * size, "window \(index)")
      }
      if window.margin >= 1e-4 {
        #expect(prediction.mostLikely?.label == window.label, "window \(index)")
      }
    }
  }

  @Test("every blob of every layer agrees with the oracle", arguments: GoldenFile.all)
  func blobs(file: URL) throws {
    let golden = try GoldenFile.load(file)
    let classifier = try ActionClassifier(contentsOf: golden.modelURL)
    // Shape arithmetic is left out: its blobs are constants to us.
    let blobs = golden.blobsOfWindow0.filter { $0.shape.count > 2 }
    let network = try Network(
      classifier.model.graph, outputs: blobs.map(\.name), joinsLayers: false)
    let workspace = Workspace(network)
    workspace.run(golden.windows[0].values)
    for (index, blob) in blobs.enumerated() {
      let values = workspace.output(index)
      #expect(network.outputShapes[index].dimensions == blob.shape, "\(blob.name)")
      let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
      let greatest = Double(values.map(abs).max() ?? 0)
      let tolerance = 1e-5 * max(1, blob.greatest)
      #expect(abs(mean - blob.mean) < tolerance, "\(blob.name)")
      #expect(abs(greatest - blob.greatest) < tolerance, "\(blob.name)")
    }
  }

  @Test("predictions from many threads at once equal those made one by one")
  func concurrency() async throws {
    let golden = try GoldenFile.load(SharedData.url("golden/juggling_T15.json"))
    let classifier = try ActionClassifier(contentsOf: golden.modelURL)
    let windows = golden.windows.map(\.values)
    let alone = try windows.map(classifier.predict)
    let together = try await withThrowingTaskGroup(
      of: (Int, ClassificationDistribution).self
    ) { group in
      for round in 0..<5 {
        for (index, window) in windows.enumerated() {
          group.addTask { (round * windows.count + index, try classifier.predict(window)) }
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(together.count == 40)
    for (index, prediction) in together { #expect(prediction == alone[index % windows.count]) }
  }
}
