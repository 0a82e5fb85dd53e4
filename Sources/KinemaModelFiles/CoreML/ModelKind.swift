/// The kinds of Core ML models, for messages about files that are not action classifiers.
enum ModelKind {
  /// What every refusal ends with.
  static let expectation =
    "expected an action classifier as Create ML makes them: a neural network classifier with one "
    + "input of poses, [frames, 3, 18] for a body or [frames, 3, 21] for a hand"

  /// The kinds by field number in Apple's public `Model.proto`.
  private static let names: [Int: String] = [
    200: "a pipeline classifier", 201: "a pipeline regressor", 202: "a pipeline",
    300: "a generalized linear regressor", 301: "a support vector regressor",
    302: "a tree ensemble regressor", 303: "a neural network regressor",
    304: "a Bayesian probit regressor", 400: "a generalized linear classifier",
    401: "a support vector classifier", 402: "a tree ensemble classifier",
    403: "a neural network classifier", 404: "a nearest neighbours classifier",
    500: "a neural network without classes", 501: "an item recommender", 502: "an ML program",
    555: "a custom model", 556: "a linked model", 600: "a one-hot encoder", 601: "an imputer",
    602: "a feature vectorizer", 603: "a dictionary vectorizer", 604: "a scaler",
    606: "a categorical mapping", 607: "a normalizer", 609: "an array feature extractor",
    610: "a non-maximum suppression", 900: "an identity", 2000: "a text classifier",
    2001: "a word tagger", 2002: "a vision feature print", 2003: "a sound preprocessing",
    2004: "a gazetteer", 2005: "a word embedding", 2006: "an audio feature print",
    3000: "a serialized model",
  ]

  /// What Create ML's preview types mean.
  private static let purposes: [String: String] = [
    "imageClassifier": "an image classifier", "objectDetector": "an object detector",
    "actionClassifier": "an action classifier", "handActionClassifier": "a hand action classifier",
    "handPoseClassifier": "a hand pose classifier", "soundClassifier": "a sound classifier",
    "activityClassifier": "a motion activity classifier", "textClassifier": "a text classifier",
    "styleTransfer": "a style transfer", "tabularClassifier": "a tabular classifier",
  ]

  static func isKnown(_ field: Int) -> Bool { names[field] != nil }

  static func name(ofField field: Int) -> String {
    names[field] ?? "a model of an unknown kind (field \(field))"
  }

  static func refusal(of model: ModelSpecification) -> SpecificationError {
    guard let field = model.kindField else {
      return .damaged("it holds no model; \(expectation)")
    }
    let kind = name(ofField: field)
    let what = purpose(of: model).map { "\($0) (\(kind))" } ?? kind
    return SpecificationError(
      .unsupportedModel, "is \(what) with \(inputs(of: model)); \(expectation)")
  }

  private static func purpose(of model: ModelSpecification) -> String? {
    let userDefined = model.metadata.userDefined
    if let purpose = userDefined[ModelMetadata.Key.previewType].flatMap({ purposes[$0] }) {
      return purpose
    }
    if userDefined["type"] == "ActivityClassifier" { return purposes["activityClassifier"] }
    let isNetwork = model.kindField == ModelSpecification.neuralNetworkClassifier
    if isNetwork, model.inputs.contains(where: { $0.kind == .image }) {
      return purposes["imageClassifier"]
    }
    return nil
  }

  private static func inputs(of model: ModelSpecification) -> String {
    guard !model.inputs.isEmpty else { return "no input" }
    let shown = model.inputs.prefix(4).map { input in
      "“\(input.name.prefix(60))” (\(input.typeName)"
        + (input.shape.isEmpty ? ")" : " \(input.shape.prefix(8)))")
    }
    let rest = model.inputs.count - shown.count
    return (model.inputs.count == 1 ? "the input " : "the inputs ")
      + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
