import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// `kinema model info`: shows a model's inputs, outputs and metadata.
struct ModelInfoCommand: Command {
  static let name = "model info"
  static let abstract = "Show the inputs, outputs and metadata of an action classifier."
  static let usage = "MODEL …"
  static let discussion = """
    MODEL is an action classifier from Create ML or Kinema: a .mlmodel file, a .mlpackage that holds one, or
    a .onnx that Kinema wrote; or a built-in model, such as Exercise.
    The window size is that of the model's input; the metadata are the file's own.
    """
  static let examples = """
    kinema model info Exercise.mlmodel
        Show labels, window, frame rate and layers.
    kinema model info Exercise.mlmodel --format json
        The same for a script.
    """
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table
  @Operands(1...Int.max, "Name a model.")
  var models: [String]

  func run() async throws {
    let failure = try await InputFiles.forEach(models.map { try NamedModel(named: $0).url }) {
      url in
      let information = try ActionClassifier(contentsOf: url).information
      switch format {
      case .table: StandardStreams.print(Self.table(of: information, at: url))
      case .json: StandardStreams.print(try Self.json(of: information, at: url).jsonText())
      }
    }
    if let failure { throw failure }
  }

  private static func table(of information: ModelInformation, at url: URL) -> String {
    var table = TextTable([("", .left), ("", .left)])
    func add(_ title: String, _ text: String) { if !text.isEmpty { table.add([title, text]) } }
    add("model", url.path)
    let version = information.isONNX ? "operator set" : "specification"
    add("kind", "\(information.kind), \(version) \(information.specificationVersion)")
    for (title, features) in [("input", information.inputs), ("output", information.outputs)] {
      for feature in features {
        let shape = feature.shape.isEmpty ? "" : " \(feature.shape)"
        add(title, "\(feature.name): \(feature.type)\(shape)")
      }
    }
    add("labels", information.labels.joined(separator: ", "))
    let rate = information.frameRate ?? ActionRecognizer.defaultFrameRate
    let seconds = (Double(information.windowSize) / rate).fixed(2)
    add("window", "\(information.windowSize.counted("frame")), \(seconds) s")
    add(
      "frame rate",
      "\(rate.fixed(0)) fps" + (information.frameRate == nil ? " (not in the file)" : ""))
    add(
      "joints", "\(information.jointCount) of \(information.jointCount == 18 ? "a body" : "a hand")"
    )
    let kinds = information.layerCounts.map { "\($0.count) \($0.kind)" }.joined(separator: ", ")
    add("layers", "\(information.layerCount): \(kinds)")
    add(
      "weights",
      "\(information.parameterCount), \(information.weightPrecisions.joined(separator: ", "))")
    add("size", "\(information.byteCount) bytes")
    let metadata = information.metadata
    add("author", metadata.author)
    add("description", metadata.shortDescription)
    add("licence", metadata.license)
    add("version", metadata.version)
    for (key, value) in metadata.userDefined.sorted(by: { $0.key < $1.key }) { add(key, value) }
    return table.text + "\n"
  }

  private static func json(of information: ModelInformation, at url: URL) -> JSONObject {
    func features(_ features: [ModelInformation.Feature]) -> [JSONObject] {
      features.map {
        ["name": $0.name, "type": $0.type, "shape": $0.shape, "description": $0.description]
      }
    }
    let metadata: JSONObject = [
      "author": information.metadata.author, "description": information.metadata.shortDescription,
      "license": information.metadata.license, "version": information.metadata.version,
      "userDefined": information.metadata.userDefined,
    ]
    let layers = Dictionary(
      information.layerCounts.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    return [
      "schema": 1, "path": url.path, "kind": information.kind,
      "specificationVersion": information.specificationVersion,
      "inputs": features(information.inputs), "outputs": features(information.outputs),
      "labels": information.labels, "windowSize": information.windowSize,
      "joints": information.jointCount, "frameRate": information.frameRate, "metadata": metadata,
      "layers": layers, "layerCount": information.layerCount,
      "parameterCount": information.parameterCount,
      "weightPrecisions": information.weightPrecisions, "byteCount": information.byteCount,
    ]
  }
}
