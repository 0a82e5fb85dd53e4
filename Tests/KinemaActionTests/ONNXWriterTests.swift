import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaNetwork
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Writing ONNX")
struct ONNXWriterTests {
  private struct Model {
    let message: ONNXMessage
    var graph: ONNXMessage { message.message(7) }
    var nodes: [ONNXMessage] { graph.messages(1) }
    var operations: [String] { nodes.map { $0.text(4) } }
    var properties: [String: String] {
      let pairs = message.messages(14).map { ($0.text(1), $0.text(2)) }
      return Dictionary(pairs) { $1 }
    }

    init(_ classifier: ActionClassifier) throws {
      message = ONNXMessage(try classifier.onnxWriter.bytes())
    }

    /// Name and shape of an input (11) or output (12).
    func value(_ field: Int) -> (String, [Int]) {
      let value = graph.message(field)
      let dimensions = value.message(2).message(1).message(2).messages(1)
      return (value.text(1), dimensions.map { Int($0.number(1) ?? 0) })
    }
  }

  private func model(_ graph: Graph, labels: [String]) throws -> Model {
    try Model(
      ActionClassifier(
        ModelWriter(
          graph: graph, labels: labels, frameRate: 24,
          metadata: ModelMetadata(shortDescription: "Tiny", author: "Somebody")
        ).bytes(), name: "tiny"))
  }

  @Test("input, output, labels, window and frame rate are those of the Core ML model")
  func interface() throws {
    let model = try model(TinyGraph.body(), labels: ["jump, high", "run", "“rest”"])
    #expect(model.message.message(8).number(2) == 17)
    #expect(model.message.number(1) == 8)
    // 0 is the number of windows, which is free.
    #expect(model.value(11) == ("poses", [0, 6, 3, 18]))
    #expect(model.value(12) == ("labelProbabilities", [0, 3]))
    #expect(model.properties["labels"] == "[\"jump, high\",\"run\",\"“rest”\"]")
    #expect(model.properties["Prediction Window Size"] == "6")
    #expect(model.properties["Target Frame Rate"] == "24.0")
    #expect(model.properties["author"] == "Somebody")
    #expect(model.properties["joints"]?.hasPrefix("[\"nose\",\"neck\"") == true)
    #expect(model.message.text(6) == "Tiny")
  }

  @Test("every blob is made once and before it is used, and every stored tensor is full")
  func structure() throws {
    for (graph, labels) in [
      (try TinyGraph.body(), ["a", "b", "c"]), (try TinyGraph.hand(), ["a", "b"]),
    ] {
      let model = try model(graph, labels: labels)
      var known: Set = ["poses"]
      for tensor in model.graph.messages(5) {
        #expect(known.insert(tensor.text(8)).inserted)
        let count = tensor.integers(1).reduce(1, *)
        switch tensor.number(2) {
        case 1: #expect(tensor.bytes(9).count == 4 * count, "\(tensor.text(8))")
        case 7: #expect(tensor.integers(7).count == count, "\(tensor.text(8))")
        default: Issue.record("a tensor of another type")
        }
      }
      var names: Set<String> = []
      for node in model.nodes {
        for input in node.texts(1) { #expect(known.contains(input), "\(input)") }
        for output in node.texts(2) { #expect(known.insert(output).inserted, "\(output)") }
        #expect(names.insert(node.text(3)).inserted)
      }
      #expect(known.contains("labelProbabilities"))
    }
  }

  @Test("shape arithmetic is done beforehand")
  func foldedShapes() throws {
    let model = try model(TinyGraph.body(), labels: ["a", "b", "c"])
    for operation in ["Shape", "Gather", "Squeeze", "Unsqueeze", "Constant"] {
      #expect(!model.operations.contains(operation), "\(operation)")
    }
    #expect(model.operations.contains("Conv"))
    #expect(model.operations.last == "Softmax" || model.operations.last == "Reshape")
  }

  @Test("a blob that has the output's name in the middle of the network does not clash with it")
  func names() throws {
    var nodes = try TinyGraph.hand().nodes
    let last = nodes.removeLast()
    nodes = nodes.map { node in
      Node(
        name: node.name, layer: node.layer,
        inputs: node.inputs.map { $0 == "n" ? "labelProbabilities" : $0 },
        outputs: node.outputs.map { $0 == "n" ? "labelProbabilities" : $0 })
    }
    nodes.append(Node(name: "end", layer: last.layer, inputs: last.inputs, outputs: ["end"]))
    let model = try model(
      Graph(inputName: "poses", inputShape: [4, 3, 21], nodes: nodes), labels: ["a", "b"])
    let made = model.nodes.flatMap { $0.texts(2) }
    #expect(made.count { $0 == "labelProbabilities" } == 1)
    #expect(made.last == "labelProbabilities")
  }

  @Test("the same model gives the same bytes, and a path that cannot be written is reported")
  func files() throws {
    let classifier = try ActionClassifier(TinyGraph.files()[0], name: "tiny")
    #expect(try classifier.onnxWriter.bytes() == classifier.onnxWriter.bytes())
    let refusal = expectError(ActionError.self) {
      try classifier.writeONNX(to: URL(filePath: "/nonexistent/model.onnx"))
    }
    #expect(refusal?.code == .unwritable)
  }
}

/// The Python that the user lends to the tests.
private let python = ProcessInfo.processInfo.environment["KINEMA_PYTHON"]

/// Runs exported models in `onnxruntime`, where `KINEMA_PYTHON` names a Python that has it.
@Suite(
  "ONNX in onnxruntime",
  .enabled(if: python != nil, "KINEMA_PYTHON names no Python with onnxruntime")
)
struct ONNXRuntimeTests {
  private static let program = """
    import sys
    import numpy as np, onnx, onnxruntime
    model, shape, data = sys.argv[1], [int(size) for size in sys.argv[2].split(",")], sys.argv[3]
    onnx.checker.check_model(onnx.load(model), full_check=True)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    windows = np.fromfile(data, "<f4").reshape([-1] + shape)
    name = session.get_inputs()[0].name
    rows = session.run(["labelProbabilities"], {name: windows})[0]
    assert rows.shape[0] == len(windows)
    for window, row in zip(windows, rows):
        alone = session.run(["labelProbabilities"], {name: window[None]})[0]
        assert np.allclose(alone, row[None], atol=1e-6)
        print(*(repr(float(value)) for value in row))
    """

  /// The probabilities that `onnxruntime` gives for windows, after `onnx`'s own check of the file.
  private func probabilities(
    of classifier: ActionClassifier, _ windows: [[Float]]
  ) throws -> [[Double]] {
    let folder = try TemporaryFolder()
    let (model, data) = (
      folder.url.appending(path: "m.onnx"), folder.url.appending(path: "windows")
    )
    try classifier.writeONNX(to: model)
    var bytes = Data()
    for value in windows.joined() {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    try bytes.write(to: data)
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    let shape = [classifier.windowSize, 3, classifier.joints.count]
    process.arguments = [
      "-c", Self.program, model.path, shape.map(String.init).joined(separator: ","), data.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitForEnd()
    #expect(process.terminationStatus == 0)
    return text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
  }

  @Test("every kind of layer gives what it gives here")
  func layers() throws {
    for bytes in try TinyGraph.files() {
      let classifier = try ActionClassifier(bytes, name: "tiny")
      var values = Values(seed: 5)
      let size = classifier.windowSize * 3 * classifier.joints.count
      let windows = [values.next(size), [Float](repeating: 0, count: size)]
      let found = try probabilities(of: classifier, windows)
      for (window, row) in zip(windows, found) {
        for (mine, other) in zip(try classifier.predict(window).probabilities, row) {
          #expect(abs(Double(mine) - other) < 1e-6)
        }
      }
      #expect(found.count == windows.count)
    }
  }

  @Test(
    "probabilities of real models agree with the double-precision oracle",
    .enabled(if: SharedData.isPresent, SharedData.reason), arguments: GoldenFile.all)
  func goldens(file: URL) throws {
    let golden = try GoldenFile.load(file)
    let classifier = try ActionClassifier(contentsOf: golden.modelURL)
    let found = try probabilities(of: classifier, golden.windows.map(\.values))
    #expect(found.count == golden.windows.count)
    for (window, row) in zip(golden.windows, found) {
      for (label, value) in zip(classifier.labels, row) {
        #expect(abs(value - (window.labelProbabilities[label] ?? -1)) < 1e-5, "\(label)")
      }
    }
  }
}
