import Foundation
import KinemaAction
import KinemaLab
import KinemaTraining
import Testing

@Suite("The built-in models")
struct BuiltInRecipeTests {
  private static func bytes(
    of recipe: BuiltInRecipe, threadCount: Int? = nil, seed: UInt64 = 1
  ) async throws -> Data {
    var recipe = recipe
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

  @Test("a recipe gives the same file for a seed with any number of threads")
  func reproducible() async throws {
    for recipe in [BuiltInRecipe.exercise, .workout] {
      let first = try await Self.bytes(of: recipe, threadCount: 1)
      #expect(try await Self.bytes(of: recipe, threadCount: 3) == first)
      #expect(try await Self.bytes(of: recipe, seed: 2) != first)
    }
  }

  @Test("the models that come with Kinema are the recipes', with their rules")
  func installed() throws {
    for (model, recipe) in [(BuiltInModel.exercise, BuiltInRecipe.exercise), (.workout, .workout)] {
      let classifier = try ActionClassifier(contentsOf: model.url)
      #expect(classifier.labels == recipe.labels)
      #expect(classifier.windowSize == 60 && classifier.frameRate == 30)
      #expect(ActionRecognizer.Rules(of: classifier) == recipe.rules)
      let kept = try #require(classifier.metadata.userDefined["org.kinema.parameters"])
      let parameters = try JSONDecoder().decode(
        ActionClassifierParameters.self, from: Data(kept.utf8))
      #expect(parameters == recipe.parameters)
    }
  }

  @Test("Exercise knows five exercises, Workout 31 and what people do every day")
  func labels() {
    #expect(
      BuiltInRecipe.exercise.labels == [
        "jumping_jacks", "lunges", "burpees", "squats", "push_ups", "other_action",
      ])
    let labels = BuiltInRecipe.workout.labels
    #expect(labels.count == 39 && Set(labels).count == 39)
    let ignored = RepetitionCounter.Rules().ignoredActions
    #expect(labels.filter { !ignored.contains($0) }.count == 31)
    for (name, members) in BuiltInRecipe.workout.rules.groups ?? [:] {
      #expect(!labels.contains(name) && members.allSatisfy(labels.contains), "\(name)")
    }
  }
}
