import Foundation
import KinemaAction
package import KinemaFiles
import KinemaModelFiles

/// A run's model as it leaves the project: with the project's metadata.
package struct ModelOutput {
  package enum Format: String, Sendable {
    case mlmodel, onnx
  }

  /// The name for its files, without extension.
  private let name: String
  private let classifier: ActionClassifier
  private let metadata: ModelMetadata

  /// - Parameters:
  ///   - snapshot: The iteration of a snapshot; `nil` for the run's model.
  ///   - name: The name for its files, without extension.
  /// - Throws: ``StudioError`` where the run has no model, ``KinemaAction/ActionError`` where it is
  ///   damaged.
  package init(
    _ run: RunFolder, snapshot: Int? = nil, _ description: ProjectDescription, name: String
  ) throws {
    self.name = name
    classifier = try ActionClassifier(contentsOf: try run.model(of: snapshot).url)
    var metadata = classifier.metadata
    let given = description.metadata
    metadata.author = given.author ?? metadata.author
    metadata.license = given.license ?? metadata.license
    metadata.version = given.version ?? metadata.version
    metadata.shortDescription =
      given.description.flatMap { $0.isEmpty ? nil : $0 }
      ?? "\(description.name): classifies actions by the poses of a person; trained by Kinema."
    self.metadata = metadata
  }

  /// The model's file; throws ``KinemaAction/ActionError``.
  package func bytes(_ format: Format) throws -> [UInt8] {
    switch format {
    case .mlmodel:
      var writer = classifier.modelWriter
      writer.metadata = metadata
      return try writer.bytes()
    case .onnx:
      var writer = classifier.onnxWriter
      writer.metadata = metadata
      return try writer.bytes()
    }
  }

  /// Its description: size, classes, window, metadata, layers, and how to use it.
  package func json() throws -> JSONObject {
    let information = classifier.information
    let metadata: JSONObject = [
      "author": metadata.author, "license": metadata.license, "version": metadata.version,
      "description": metadata.shortDescription,
    ]
    let snippets: JSONObject = ["python": python, "swift": swift, "shell": shell]
    return [
      "bytes": try bytes(.mlmodel).count, "classes": classifier.labels,
      "windowSize": classifier.windowSize, "frameRate": frameRate,
      "duration": Double(classifier.windowSize) / frameRate, "metadata": metadata,
      "layers": information.layerCounts.map { layer -> JSONObject in
        ["kind": layer.kind, "count": layer.count]
      }, "snippets": snippets,
    ]
  }

  // MARK: - Snippets

  private var frameRate: Double { classifier.frameRate ?? ActionRecognizer.defaultFrameRate }

  private var shape: [Int] { [classifier.windowSize, 3, classifier.joints.count] }

  private var input: String { classifier.information.inputs.first?.name ?? "poses" }

  /// A text as a literal of Python and Swift.
  private static func literal(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  private var python: String {
    """
    # pip install onnxruntime numpy
    import numpy as np
    import onnxruntime

    labels = [\(classifier.labels.map(Self.literal).joined(separator: ", "))]
    session = onnxruntime.InferenceSession(\(Self.literal("\(name).onnx")))
    # \(shape[0]) frames at \(frameRate.formatted()) a second: x, y and confidence of \(shape[2]) joints, 0 to 1,
    # the origin at the lower left; a missing joint is (0, 1, 0), a frame without a person all 0.
    poses = np.zeros((\(shape[0]), 3, \(shape[2])), dtype=np.float32)
    probabilities = session.run(["labelProbabilities"], {\(Self.literal(input)): poses})[0][0]
    print(labels[int(probabilities.argmax())], float(probabilities.max()))

    """
  }

  private var swift: String {
    """
    import CoreML

    let url = try await MLModel.compileModel(at: URL(filePath: \(Self.literal("\(name).mlmodel"))))
    let model = try MLModel(contentsOf: url)
    // \(shape[0]) frames at \(frameRate.formatted()) a second, as VNHumanBodyPoseObservation.keypointsMultiArray()
    // gives them: x, y and confidence of \(shape[2]) joints.
    let poses = try MLMultiArray(shape: [\(shape[0]), 3, \(shape[2])], dataType: .float32)
    let input = try MLDictionaryFeatureProvider(dictionary: [\(Self.literal(input)): poses])
    let output = try await model.prediction(from: input)
    print(output.featureValue(for: "label")?.stringValue ?? "")

    """
  }

  private var shell: String {
    """
    kinema classify video.mp4 --model '\(name).mlmodel'
    kinema live --model '\(name).mlmodel'

    """
  }
}
