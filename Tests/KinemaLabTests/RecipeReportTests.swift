import Foundation
import KinemaLab
import KinemaModelFiles
import KinemaNetwork
import KinemaSynth
import KinemaTraining
import KinemaWatch
import Testing

/// What recipes and small benchmarks report.
@Suite("Recipes and reports")
struct RecipeReportTests {
  private static func json(_ report: some BenchReport) throws -> [String: Any] {
    let data = try JSONEncoder().encode(report)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("the rate of a counter's steps rises evenly, and falls on half a cosine to nothing")
  func learningRate() {
    var recipe = CounterRecipe()
    (recipe.stepCount, recipe.warmUpSteps, recipe.learningRate) = (1100, 100, 0.2)
    let expected: [(Int, Float)] = [
      (0, 0.002), (49, 0.1), (99, 0.2), (100, 0.2), (600, 0.1), (1100, 0),
      (350, 0.1 * (1 + Float(0.5).squareRoot())), (850, 0.1 * (1 - Float(0.5).squareRoot())),
    ]
    for (step, rate) in expected {
      #expect(abs(recipe.learningRate(at: step) - rate) < 1e-6, "step \(step)")
    }
    let rates = (100...1100).map(recipe.learningRate)
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test("a model's file says its recipe, whatever the number of threads")
  func recipe() throws {
    var recipe = CounterRecipe()
    (recipe.channels, recipe.seed) = (4, 77)
    let models = try [1, 3].map { threads in
      recipe.threadCount = threads
      return try RepetitionModel(recipe.trainer(), recipe: recipe)
    }
    let texts = models.map { $0.model.metadata.userDefined["org.kinema.recipe"] }
    #expect(texts[0] == texts[1])
    let stored = try JSONDecoder().decode(
      CounterRecipe.self, from: Data(try #require(texts[0]).utf8))
    recipe.threadCount = 1
    #expect(stored == recipe)
  }

  @Test("a recipe of few labels has these, in the order of all")
  func few() {
    let all = BuiltInRecipe.workout.labels
    let few = BuiltInRecipe.workout.only([all[5], all[1], "nothing of the kind"])
    #expect(few.labels == [all[1], all[5]])
    #expect(few.parameters == BuiltInRecipe.workout.parameters)
    #expect(Set(all).count == all.count)
    #expect(BuiltInRecipe.exercise.only(["squats"]).labels == ["squats"])
  }

  @Test("steps of training are counted in whole batches", arguments: TrainingArchitecture.allCases)
  func training(_ architecture: TrainingArchitecture) throws {
    var settings = TrainingBench.Settings()
    settings.architecture = architecture
    (settings.batchSize, settings.windowSize, settings.seconds) = (4, 12, 0.05)
    let report = try TrainingBench.run(settings)
    let values = try Self.json(report)
    #expect(values["training"] as? String == architecture.rawValue)
    #expect(values["batch"] as? Int == 4 && values["window"] as? Int == 12)
    let windows = try #require(values["windows"] as? Int)
    #expect(windows > 0 && windows.isMultiple(of: 4))
    #expect(try #require(values["windowsPerSecond"] as? Double) > 0)
    #expect(report.table.contains("\(architecture.rawValue), f32, 1 threads"))
    settings.windowSize = 0
    #expect(throws: NetworkError.self) { try TrainingBench.run(settings) }
  }

  @Test("falls and everything else are counted apart, in turn, the same each time")
  func falls() throws {
    var bench = FallBench(try .builtIn)
    (bench.fallCount, bench.otherCount, bench.seed) = (4, 6, 9)
    var steps: [Int] = []
    let report = bench.run { done, count in
      steps.append(done)
      #expect(count == 20)
    }
    #expect(steps == Array(0..<20))
    for part in [report.clear, report.room] {
      #expect(part.falls == 4 && part.others == 6)
      #expect(part.found <= 4 && part.falseAlarms <= 6)
      if let delay = part.delay { #expect(delay <= FallBench.longestDelay) }
    }
    let (one, again) = try (Self.json(report), Self.json(bench.run()))
    #expect(NSDictionary(dictionary: one) == NSDictionary(dictionary: again))
    let share =
      report.clear.found == 4 ? "4 (100.0 %)" : "\(report.clear.found) ("
    #expect(report.table.contains(share))
    // Without any, shares are of nothing.
    (bench.fallCount, bench.otherCount) = (0, 0)
    #expect(bench.run().clear.delay == nil && bench.run().table.contains("0 (0.0 %)"))
  }

  @Test("each kind of fall trial has a name of its own")
  func names() {
    let kinds: [FallTrial.Kind] = [.fall] + FallTrial.others
    #expect(Set(kinds.map(\.name)).count == Set(kinds).count)
    #expect(FallTrial.Kind.motion(.squats).name == "squats")
    #expect(FallTrial.Kind.lyingDown.name == "lying_down")
  }
}
