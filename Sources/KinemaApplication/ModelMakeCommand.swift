import Foundation
import Kinema
import KinemaFiles
import KinemaLab
import KinemaReport

struct ModelMakeCommand: Command {
  static let name = "model make"
  static let abstract = "Train a built-in model on synthetic people."
  static let usage = "Exercise|Workout|Motions|Repetitions|Depth --output FILE [--motion FOLDER]"
  static let discussion = """
    Exercise classifies jumping jacks, lunges, burpees, squats, push-ups and other actions; Workout 31
    exercises and what people do every day; training takes 15 to 50 minutes on two cores. Motions
    distinguishes the motions of synthetic people, for the benchmark of few takes to start from; training
    takes about five minutes. Repetitions estimates the period of a movement, for kinema count; training
    takes about an hour. Depth estimates bodies in three dimensions, for kinema angles and kinema pose
    --depth; training takes about an hour. The same seed gives the same file on the same kind of processor,
    with any number of threads.

    With --motion, Exercise and Workout are the mean of two trainings: the second learns from motion capture
    as well, which simulated cameras film, and from poses that fail in the ways of kinema bench stress. The
    folder has an index.csv with the columns file, sequence, subject, label, kind, start and frames, and NumPy
    archives (.npz) with an array delta_mm [rows, 19, 3]. People who are kept for that benchmark are left out.
    Depth learns from such recordings and synthetic people; without a folder, from synthetic people alone.

    With --networks, each training is kept in a folder when it is done: the command goes on there after an
    interruption, and Exercise and Workout, which are made of the same networks, are trained once. Each version
    of Kinema needs a folder of its own: the networks of another one may be trained in another way.
    """
  static let examples = """
    kinema model make Exercise --output Exercise.mlmodel
        Train on synthetic people alone.
    kinema model make Exercise --output Other.mlmodel --seed 2 --sequences 200000
        Train on more, and other, people.
    kinema model make Workout --output Workout.mlmodel --motion motion/ --course course.json
        Train the model that comes with Kinema.
    kinema model make Depth --output Depth.mlmodel --motion motion/
        Train the model of bodies in three dimensions.
    """
  @Option("FILE", "The model to write (.mlmodel).")
  var output: OutputFile?
  @Option("N", "Training sequences (default 120000; Motions 80000).", 100...10_000_000)
  var sequences: Int?
  @Option("N", "Epochs of classifiers (default 12).", 1...10_000)
  var iterations: Int?
  @Option("N", "Seeds of which Exercise and Workout are the mean (default 1).", 1...16)
  var trainings: Int?
  @Option("FILE", "How windows are read in their course (kinema bench real-people --fit-course).")
  var course: URL?
  @Option("FOLDER", "Motion capture for Exercise, Workout and Depth to learn from as well.")
  var motion: FolderPath?
  @Option("FOLDER", "Keep the networks of Exercise and Workout there, and take them from there.")
  var networks: FolderPath?
  @Option(
    "N", "Training steps of Repetitions (default 32000) and Depth (default 14000).", 1...10_000_000)
  var steps: Int?
  @Option("N", "Seed of people and training.")
  var seed: UInt64 = 1
  @Operands(1...1, "Name the model to make: Exercise, Workout, Motions, Repetitions or Depth.")
  var models: [String]

  func run() async throws {
    guard let model = BuiltInModel(rawValue: models[0]) else {
      throw UsageError("Name the model to make: Exercise, Workout, Motions, Repetitions or Depth.")
    }
    guard let output = output?.url else {
      throw UsageError("Name the file to write with --output.")
    }
    guard output.pathExtension.lowercased() == "mlmodel" else {
      throw UsageError("The model is written as .mlmodel; \(output.lastPathComponent) is not.")
    }
    let isClassifier = model == .exercise || model == .workout
    guard trainings == nil && course == nil || isClassifier else {
      throw UsageError("--trainings and --course go with Exercise and Workout.")
    }
    guard networks == nil || isClassifier else {
      throw UsageError("--networks goes with Exercise and Workout.")
    }
    guard motion == nil || isClassifier || model == .depth else {
      throw UsageError("--motion goes with Exercise, Workout and Depth.")
    }
    defer { StandardStreams.finishProgress() }
    switch model {
    case .exercise: try await make(.exercise, output)
    case .workout: try await make(.workout, output)
    case .motions: try await make(.motions, output)
    case .repetitions: try await makeRepetitions(output)
    case .depth: try await makeDepth(output)
    }
  }

  private func make(_ recipe: BuiltInRecipe, _ output: URL) async throws {
    var recipe = recipe
    recipe.sequenceCount = sequences ?? recipe.sequenceCount
    recipe.parameters.maximumIterations = iterations ?? recipe.parameters.maximumIterations
    recipe.seed = seed
    recipe.trainingCount = trainings ?? recipe.trainingCount
    if let course { recipe.rules.course = try Self.course(at: course) }
    if let motion {
      recipe = recipe.learning(from: try MotionCapture(contentsOf: motion.url).split.training)
    }
    if let networks {
      try OutputTarget.makeFolder(networks.url)
      recipe.networks = networks.url
    }
    let model = try await recipe.train { Self.show($0) }
    guard let model else { throw CancellationError() }
    try model.write(to: output, metadata: recipe.metadata())
  }

  private static func show(_ progress: BuiltInRecipe.Progress) {
    switch progress {
    case .network(let number, let count, let file):
      guard count > 1 || file != nil else { return }
      let origin = file.map { "  \($0.path)" } ?? ""
      StandardStreams.printMessage("network \(number) of \(count)\(origin)")
    case .sampling(let done, let count):
      if StandardStreams.showsProgress {
        StandardStreams.showProgress(
          "people  \(done) of \(count)", step: "people", share: Double(done) / Double(count))
      } else if done * 4 / count > max(0, done - BuiltInRecipe.portion) * 4 / count {
        StandardStreams.printMessage("people  \(done) of \(count)")
      }
    case .training(let progress): TrainingDisplay().show(progress)
    }
  }

  private static func course(at url: URL) throws -> ActionDecoder.Course {
    let bytes = try Data(contentsOf: url)
    guard let course = try? JSONDecoder().decodeForeign(ActionDecoder.Course.self, from: bytes),
      course.isUsable
    else {
      // The reasons of the decoder name Swift's types.
      throw UsageError(
        "\(url.lastPathComponent) does not say how windows are read; make it with kinema bench "
          + "real-people --fit-course.")
    }
    return course
  }

  private func makeRepetitions(_ output: URL) async throws {
    var recipe = CounterRecipe()
    recipe.seed = seed
    recipe.stepCount = steps ?? recipe.stepCount
    let model = try recipe.run { progress in
      try Task.checkCancellation()
      Self.show(progress.step, of: progress.stepCount, loss: progress.loss)
    }
    try model.write(to: output)
  }

  private func makeDepth(_ output: URL) async throws {
    var recipe = DepthRecipe()
    recipe.seed = seed
    recipe.stepCount = steps ?? recipe.stepCount
    let capture = try motion.map { try MotionCapture(everySequenceIn: $0.url).split.training }
    let model = try recipe.run(from: capture) { progress in
      try Task.checkCancellation()
      Self.show(progress.step, of: progress.stepCount, loss: progress.loss)
    }
    try model.write(to: output)
  }

  private static func show(_ step: Int, of count: Int, loss: Float) {
    let text = "step \(step) of \(count)  loss \(Double(loss).fixed(3))"
    if StandardStreams.errorIsTerminal {
      StandardStreams.showProgress(text)
    } else if step % max(1, count / 10) == 0 {
      StandardStreams.printMessage(text)
    }
  }
}
