import Foundation
import KinemaAction
import KinemaCounting
import KinemaLab
import KinemaModelFiles
import KinemaTraining
import Testing

@Suite struct CounterRecipeTests {
  /// A recipe that takes seconds; its model counts nothing well.
  private static var small: CounterRecipe {
    var recipe = CounterRecipe()
    recipe.channels = 8
    recipe.stepCount = 4
    recipe.batchSize = 3
    recipe.warmUpSteps = 2
    return recipe
  }

  @Test("The same recipe makes the same file on any number of threads")
  func determinism() throws {
    var recipe = Self.small
    var steps: [Int] = []
    recipe.threadCount = 1
    let first = try recipe.run { steps.append($0.step) }.model.bytes()
    recipe.threadCount = 2
    let second = try recipe.run().model.bytes()
    #expect(second == first)
    #expect(steps == [1, 2, 3, 4])
  }

  @Test("the learning rate rises, falls and ends near zero")
  func schedule() {
    let recipe = CounterRecipe()
    #expect(recipe.learningRate(at: 0) < recipe.learningRate / 10)
    #expect(recipe.learningRate(at: recipe.warmUpSteps) == recipe.learningRate)
    #expect(recipe.learningRate(at: recipe.stepCount - 1) < recipe.learningRate / 1000)
  }

  @Test("The file that is written is read and estimates the periods of a track of any length")
  func file() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "repetitions-\(UUID().uuidString).mlmodel")
    defer { try? FileManager.default.removeItem(at: url) }
    try Self.small.run().write(to: url)
    let estimator = try NetworkPeriodEstimator(contentsOf: url)
    for duration in [0.2, 3, 12] {
      let count = Int(duration * MotionTrack.frameRate)
      let track = MotionTrack(
        positions: (0..<(count * 18)).map { SIMD2(Float($0 % 18), Float($0 % 7)) })
      let periods = try estimator.periods(of: track)
      #expect(periods.count == (count + 1) / 2)
      #expect(periods.allSatisfy { (0.29...8.2).contains($0.period) })
      #expect(periods.allSatisfy { (0...1).contains($0.periodicity) })
    }
  }

  @Test("An action classifier is refused with a sentence")
  func refusal() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "classifier-\(UUID().uuidString).mlmodel")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data([8, 4, 0x9a, 0x19, 0]).write(to: url)
    #expect(throws: ActionError.self) { try NetworkPeriodEstimator(contentsOf: url) }
  }
}
