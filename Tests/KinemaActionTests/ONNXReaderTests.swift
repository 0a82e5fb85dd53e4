import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaNetwork
import KinemaTestSupport
import Testing

@Suite("Reading ONNX")
struct ONNXReaderTests {
  /// Models of all kinds of layers, with and without files beside the checkout.
  private static func models() throws -> [(name: String, classifier: ActionClassifier)] {
    var models: [(name: String, classifier: ActionClassifier)] = [
      ("body", try tiny(TinyGraph.body(), ["a", "b", "c"])),
      ("hand", try tiny(TinyGraph.hand(), ["a", "b"])),
    ]
    for model in [BuiltInModel.exercise, .workout] where model.located() != nil {
      models.append((model.rawValue, try ActionClassifier(contentsOf: model.url)))
    }
    return models
  }

  private static func tiny(_ graph: Graph, _ labels: [String]) throws -> ActionClassifier {
    try ActionClassifier(
      ModelWriter(
        graph: graph, labels: labels, frameRate: 24,
        metadata: ModelMetadata(
          shortDescription: "Tiny", author: "Somebody", license: "MIT", version: "7",
          userDefined: ["org.kinema.own": "kept"])
      ).bytes(), name: "tiny")
  }

  /// Windows of any values, each the same in every run.
  private static func windows(_ count: Int, of classifier: ActionClassifier) -> [[Float]] {
    let size = classifier.windowSize * 3 * classifier.joints.count
    var state: UInt32 = 7
    return (0..<count).map { _ in
      (0..<size).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(state >> 8) / Float(1 << 24)
      }
    }
  }

  /// Checks that two classifiers give the same, to the rounding of sums in another order.
  private static func compare(
    _ one: ActionClassifier, _ other: ActionClassifier, _ name: String
  ) throws {
    #expect(other.labels == one.labels && other.windowSize == one.windowSize, "\(name)")
    #expect(other.joints == one.joints && other.frameRate == one.frameRate, "\(name)")
    for window in windows(4, of: one) + [[Float](repeating: 0, count: windows(1, of: one)[0].count)]
    {
      let (first, second) = (try one.predict(window), try other.predict(window))
      for (p, q) in zip(first.probabilities, second.probabilities) {
        #expect(abs(p - q) < 1e-4, "\(name): \(p) and \(q)")
      }
      // Those of a mean of several networks are named in Core ML's file alone.
      #expect(first.logits != nil || second.logits == nil, "\(name)")
    }
  }

  @Test("a model that was written as ONNX and read again gives the same probabilities")
  func roundTrip() throws {
    for (name, classifier) in try Self.models() {
      let again = try ActionClassifier(classifier.onnxWriter.bytes(), name: "\(name).onnx")
      try Self.compare(classifier, again, name)
      // Written as a .mlmodel, it still gives the same.
      let folder = try TemporaryFolder()
      let file = folder.url("again.mlmodel")
      try again.write(to: file)
      try Self.compare(classifier, try ActionClassifier(contentsOf: file), "\(name) as .mlmodel")
    }
  }

  @Test(
    "Create ML's models give the same as ONNX",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func createML() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SharedData.url("models").path)
    var count = 0
    for name in names.sorted() where name.hasSuffix(".mlmodel") {
      // Some of the files there are no classifiers of poses.
      guard let classifier = try? ActionClassifier(contentsOf: SharedData.url("models/\(name)")),
        classifier.windowSize <= 120
      else { continue }
      let again = try ActionClassifier(classifier.onnxWriter.bytes(), name: name)
      try Self.compare(classifier, again, name)
      count += 1
    }
    #expect(count > 10)
  }

  @Test("what the file says beside the network is read again")
  func metadata() throws {
    let classifier = try Self.tiny(TinyGraph.body(), ["jump, high", "run", "“rest”"])
    let again = try ActionClassifier(classifier.onnxWriter.bytes(), name: "tiny.onnx")
    #expect(again.labels == ["jump, high", "run", "“rest”"])
    let metadata = again.metadata
    #expect(metadata.shortDescription == "Tiny" && metadata.author == "Somebody")
    #expect(metadata.license == "MIT" && metadata.version == "7")
    #expect(metadata.userDefined["org.kinema.own"] == "kept")
    #expect(metadata.userDefined["labels"] == nil && metadata.userDefined["joints"] == nil)
    #expect(again.information.isONNX && again.information.specificationVersion == 17)
  }

  @Test("a file that is cut off, or has a changed byte, is refused or read, and named")
  func damaged() throws {
    let bytes = try Self.tiny(TinyGraph.body(), ["a", "b", "c"]).onnxWriter.bytes()
    // What follows the network is metadata, which may end early.
    for count in stride(from: 8, to: bytes.count / 2, by: max(1, bytes.count / 120)) {
      let error = expectError(ActionError.self) {
        try ActionClassifier(Array(bytes.prefix(count)), name: "cut.onnx")
      }
      #expect(error?.message.contains("cut.onnx") == true)
    }
    for place in stride(from: 12, to: bytes.count, by: max(1, bytes.count / 300)) {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var changed = bytes
        changed[place] ^= change
        do {
          _ = try ActionClassifier(changed, name: "changed.onnx")
        } catch let error as ActionError {
          #expect(error.message.contains("changed.onnx"))
        }
      }
    }
  }

  @Test("an ONNX model of another tool is refused with what is read")
  func foreign() throws {
    let bytes = try Self.tiny(TinyGraph.hand(), ["a", "b"]).onnxWriter.bytes()
    let key = Array("labels".utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: key) }
    var renamed = bytes
    for place in places { renamed[place] = UInt8(ascii: "n") }
    let error = expectError(ActionError.self) {
      try ActionClassifier(renamed, name: "yolo.onnx")
    }
    #expect(error?.message.contains("without labels in its metadata") == true)
    #expect(error?.message.contains("kinema model convert") == true)
  }
}
