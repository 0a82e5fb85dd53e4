import Foundation
import Kinema
import KinemaLab
import KinemaReport

enum ModelMakeCommand: Command {
  static let name = "model make"
  static let abstract = "Train a built-in model on synthetic people."
  static let operands = "Exercise|Workout|Motions|Repetitions --output FILE"
  static let discussion = """
    Exercise classifies jumping jacks, lunges, burpees, squats, push-ups and other actions; Workout 31
    exercises and what people do every day; training takes about seven minutes on two cores. Motions
    distinguishes the motions of synthetic people, for the benchmark of few takes to start from; training
    takes about five minutes. Repetitions estimates the period of a movement, for kinema count; training
    takes about an hour. The same seed gives the same file on the same kind of processor, with any number
    of threads.
    """
  static let examples = """
    kinema model make Exercise --output Exercise.mlmodel
        Train the model that comes with Kinema.
    kinema model make Exercise --output Other.mlmodel --seed 2 --sequences 200000
        Train on more, and other, people.
    """
  static let options = """
    --output FILE  The model to write (.mlmodel).
    --sequences N  Training sequences (default 120000; Motions 80000).
    --iterations N  Epochs of classifiers (default 12).
    --steps N  Training steps of Repetitions (default 26000).
    --seed N  Seed of people and training (default 1).
    """

  static func run(_ arguments: Arguments) async throws {
    guard arguments.operands.count == 1,
      let model = BuiltInModel(rawValue: arguments.operands[0])
    else {
      throw UsageError("Name the model to make: Exercise, Workout, Motions or Repetitions.")
    }
    guard let output = try arguments.outputURL("output") else {
      throw UsageError("Name the file to write with --output.")
    }
    guard output.pathExtension.lowercased() == "mlmodel" else {
      throw UsageError("The model is written as .mlmodel; \(output.lastPathComponent) is not.")
    }
    defer { StandardStreams.finishProgress() }
    switch model {
    case .exercise: try await make(.exercise, arguments, output)
    case .workout: try await make(.workout, arguments, output)
    case .motions: try await make(.motions, arguments, output)
    case .repetitions: try await makeRepetitions(arguments, output)
    }
  }

  private static func make(
    _ recipe: BuiltInRecipe, _ arguments: Arguments, _ output: URL
  ) async throws {
    var recipe = recipe
    try arguments.set(&recipe.sequenceCount, from: "sequences", within: 100...10_000_000)
    try arguments.set(&recipe.parameters.maximumIterations, from: "iterations", within: 1...10_000)
    recipe.seed = try arguments.seed() ?? recipe.seed
    let display = TrainingDisplay()
    let sequenceCount = recipe.sequenceCount
    let model = try await recipe.train { progress in
      switch progress {
      case .sampling(let count):
        StandardStreams.showProgress("synthetic people  \(count) of \(sequenceCount)")
      case .training(let progress): display.show(progress)
      }
    }
    guard let model else { throw CancellationError() }
    try model.write(to: output, metadata: recipe.metadata())
  }

  private static func makeRepetitions(_ arguments: Arguments, _ output: URL) async throws {
    var recipe = CounterRecipe()
    recipe.seed = try arguments.seed() ?? recipe.seed
    try arguments.set(&recipe.stepCount, from: "steps", within: 1...10_000_000)
    let model = try recipe.run { progress in
      try Task.checkCancellation()
      show(progress)
    }
    try model.write(to: output)
  }

  private static func show(_ progress: CounterRecipe.Progress) {
    let text =
      "step \(progress.step) of \(progress.stepCount)  loss \(Double(progress.loss).fixed(3))"
    if StandardStreams.errorIsTerminal {
      StandardStreams.showProgress(text)
    } else if progress.step % max(1, progress.stepCount / 10) == 0 {
      StandardStreams.printMessage(text)
    }
  }
}
