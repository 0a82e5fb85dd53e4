import Foundation
import KinemaAction
import KinemaLab
import KinemaTraining
import Testing

@Suite("The built-in model")
struct ExerciseRecipeTests {
  private static func bytes(threadCount: Int? = nil, seed: UInt64 = 1) async throws -> Data {
    var recipe = ExerciseRecipe()
    recipe.sequenceCount = 300
    recipe.parameters.maximumIterations = 2
    recipe.seed = seed
    recipe.threadCount = threadCount
    let model = try #require(try await recipe.train())
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mlmodel")
    defer { try? FileManager.default.removeItem(at: url) }
    try model.write(to: url, metadata: recipe.metadata())
    return try Data(contentsOf: url)
  }

  @Test("the recipe gives the same file for a seed with any number of threads")
  func reproducible() async throws {
    let first = try await Self.bytes(threadCount: 1)
    #expect(try await Self.bytes(threadCount: 3) == first)
    #expect(try await Self.bytes(seed: 2) != first)
  }

  @Test("the model that comes with Kinema is the recipe's, with its rules")
  func installed() throws {
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    #expect(
      classifier.labels == [
        "jumping_jacks", "lunges", "burpees", "squats", "push_ups", "other_action",
      ])
    #expect(classifier.windowSize == 60 && classifier.frameRate == 30)
    #expect(ActionRecognizer.Rules(of: classifier) == ExerciseRecipe().rules)
    let kept = try #require(classifier.metadata.userDefined["org.kinema.parameters"])
    let parameters = try JSONDecoder().decode(
      ActionClassifierParameters.self, from: Data(kept.utf8))
    #expect(parameters == ExerciseRecipe().parameters)
  }
}
