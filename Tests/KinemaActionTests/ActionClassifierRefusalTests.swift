import Foundation
import KinemaAction
import KinemaErrors
import KinemaModelFiles
import KinemaTestSupport
import Testing

@Suite("Files without an action classifier", .enabled(if: SharedData.isPresent, SharedData.reason))
struct ActionClassifierRefusalTests {
  /// What follows in every refusal of a lawful model.
  private static let expectation =
    "; expected an action classifier as Create ML makes them: a neural network classifier with "
    + "one input of poses, [frames, 3, 18] for a body or [frames, 3, 21] for a hand"

  /// The names of models of others, and what is said of them.
  private static let refusals: [(name: String, sentence: String)] = [
    (
      "neg_digits_image_nnclassifier",
      "is an image classifier (a neural network classifier) with the input “image” (image)"
    ),
    (
      "neg_iris_glmclassifier_pipeline",
      "is a pipeline classifier with the inputs “sepal length (cm)” (number), “sepal width (cm)” "
        + "(number), “petal length (cm)” (number), “petal width (cm)” (number)"
    ),
    (
      "neg_iris_svm",
      "is a support vector classifier with the input “data” (multi-array (no element type) [4])"
    ),
    (
      "neg_marshabitat_pipelineregressor",
      "is a pipeline regressor with the inputs “solarPanels” (number), “greenhouses” (number), "
        + "“size” (number)"
    ),
    (
      "neg_motion_activityclassifier",
      "is a motion activity classifier (a neural network classifier) with the inputs “features” "
        + "(multi-array (Double) [1, 50, 7]), “hiddenIn” (multi-array (Double) [200]), “cellIn” "
        + "(multi-array (Double) [200])"
    ),
    (
      "neg_synthetic_glmclassifier",
      "is a generalized linear classifier with the input “x” (multi-array (Double) [3])"
    ),
    (
      "neg_synthetic_objectdetector_pipeline",
      "is an object detector (a pipeline) with the input “image” (image)"
    ),
    (
      "neg_yogaimage_pipelineclassifier",
      "is an image classifier (a pipeline classifier) with the input “image” (image)"
    ),
  ]

  @Test("other models are refused by name", arguments: refusals)
  func otherModels(name: String, sentence: String) throws {
    let error = try #require(refusal(of: SharedData.url("models/\(name).mlmodel")))
    #expect(error.code == .unsupportedModel)
    #expect(error.message == "“\(name).mlmodel” \(sentence)\(Self.expectation)")
  }

  @Test(
    "damaged and foreign files are refused, harmless oddities are not",
    arguments: SharedData.files(in: "malformed", withExtension: "mlmodel"))
  func malformed(file: URL) throws {
    let name = file.lastPathComponent
    if name.hasSuffix("_ok.mlmodel") {
      let classifier = try ActionClassifier(contentsOf: file)
      #expect(classifier.labels == ["OkSign", "NotOkSign"])
    } else {
      let error = try #require(refusal(of: file))
      #expect(error.code == .malformedModel)
      #expect(error.message.replacing(/[“”]/, with: "").hasPrefix("\(name) is "))
    }
  }

  @Test("each negative has a reason")
  func allNegatives() {
    let negatives = SharedData.files(in: "models", withExtension: "mlmodel")
      .filter { $0.lastPathComponent.hasPrefix("neg_") }
    #expect(negatives.count == 8)
    for file in negatives { #expect(refusal(of: file)?.code == .unsupportedModel) }
  }
}

@Suite("Files that are none")
struct ActionClassifierFileTests {
  @Test("a missing file is not found")
  func missing() throws {
    let error = try #require(refusal(of: URL(filePath: "/nonexistent/kinema.mlmodel")))
    #expect(error.code == .notFound)
    #expect(
      error.message == "“/nonexistent/kinema.mlmodel” does not exist; give the path of a model")
  }

  @Test("a device that never ends is not a regular file")
  func device() throws {
    let error = try #require(refusal(of: URL(filePath: "/dev/zero")))
    #expect(error.code == .unreadable)
  }

  @Test("a file above the limit is refused before it is read")
  func large() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "large.mlmodel")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 300 << 20)
    try handle.close()
    let error = try #require(refusal(of: file))
    #expect(error.code == .tooLarge)
    #expect(error.message.hasPrefix("“large.mlmodel” has 300 MB where 128 MB are possible"))
  }
}

/// The error with which a file is refused.
func refusal(of file: URL) -> ActionError? {
  do {
    _ = try ActionClassifier(contentsOf: file)
    return nil
  } catch {
    return error as? ActionError
  }
}
