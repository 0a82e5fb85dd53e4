package import Foundation
package import KinemaAction
import KinemaCounting
import KinemaFiles
package import KinemaModelFiles
import KinemaPose
import KinemaSynth
package import KinemaTraining

/// The recipe of a built-in classifier, trained on synthetic people and, if asked, on motion capture of
/// real ones.
///
/// The same recipe gives the same model, bit for bit, with any number of threads.
package struct BuiltInRecipe: Sendable {
  /// What is drawn.
  private var classes: [SyntheticMotionClass]
  /// The labels of the model, if the network learns the motions of ``classes``, whose probabilities
  /// are then added up.
  private var wholes: [SyntheticMotionClass]?
  /// Whether some people are taken for upright; see ``KinemaSynth/EstimatorErrors/takesForUpright``.
  private var takesForUpright = false
  /// Whether people have manners of their own; see ``KinemaSynth/Manner``.
  private var hasManners = false
  /// By which factor a label is more frequent than in ``classes``.
  private var odds: [String: Float] = [:]
  /// The power to which the probabilities of motions are raised before those of a label are added up.
  private var sharpness: Float = 1
  package var sequenceCount: Int
  /// How many trainings of each kind, with seeds one after the other, the model is the mean of.
  package var trainingCount = 1
  /// Real motion, see ``learning(from:)``; `nil` for synthetic people only.
  private var capture: MotionCapture?
  /// How many sequences of ``capture`` come to one of a synthetic person.
  private let captureShare = 0.2
  /// In how many windows poses fail where real motion is learned: each of nine ways in one of 25.
  private let failureProbability: Float = 0.35
  /// How long a sequence is, in seconds: longer than a window, so that windows begin anywhere.
  var sequenceDuration = 10.0 / 3
  package var seed: UInt64 = 1
  /// The folder in which each network is kept as soon as it is trained; `nil` for none.
  ///
  /// It is taken from there instead of training it again: a recipe that is interrupted goes on with the next
  /// one, and ``exercise`` and ``workout``, which differ in what the motions are added up to, have the same.
  package var networks: URL?
  /// How many threads calculate; `nil` for one a processor.
  package var threadCount: Int?
  package var parameters: ActionClassifierParameters
  package var rules: ActionRecognizer.Rules
  private let summary: String

  package var labels: [String] { (wholes ?? classes).map(\.label) }

  /// The recipe of a model with few of the labels.
  package func only(_ labels: Set<String>) -> BuiltInRecipe {
    var recipe = self
    recipe.classes.removeAll { !labels.contains($0.label) }
    recipe.wholes?.removeAll { !labels.contains($0.label) }
    return recipe
  }

  /// The recipe of the mean of two kinds of trainings: as this one, and with real motion besides and poses
  /// that fail in all ways of ``PoseFailure``.
  ///
  /// The second kind alone names fewer windows of other actions as exercises, and more exercises as other
  /// actions; the mean has the better of both (docs/models/workout.md).
  package func learning(from capture: MotionCapture) -> BuiltInRecipe {
    var recipe = self
    recipe.capture = capture
    return recipe
  }

  /// Jumping jacks, lunges, burpees, squats, push-ups and everything else.
  package static let exercise = BuiltInRecipe(
    classes: SyntheticMotionClass.workout, wholes: SyntheticMotionClass.exercise,
    takesForUpright: true, hasManners: true, odds: exerciseOdds, sharpness: 1.5,
    sequenceCount: 120_000, parameters: averagedParameters, rules: rules,
    summary: "Recognises jumping jacks, lunges, burpees, squats and push-ups among other actions, "
      + "two seconds at a time.")

  /// Thirty-one exercises and what people do every day.
  package static let workout: BuiltInRecipe = {
    var rules = Self.rules
    rules.groups = [
      "squatting": ["squats", "jump_squats", "sit_to_stand"],
      "lunging": ["lunges", "side_lunges"],
      "raises": ["lateral_raises", "front_raises", "arm_circles"],
      "arm_exercises": [
        "bicep_curls", "shoulder_press", "lateral_raises", "front_raises", "arm_circles",
        "pull_ups", "tricep_dips",
      ],
      "bending": ["deadlifts", "bent_over_rows", "kettlebell_swings", "toe_touches"],
      "core_exercises": ["sit_ups", "crunches", "leg_raises", "glute_bridges", "russian_twists"],
      "planks": ["plank", "push_ups", "mountain_climbers"],
      "jumps": ["jumping_jacks", "jump_rope"],
      "fast_feet": ["high_knees", "butt_kicks", "running"],
      // As `Exercise` calls what is none of its exercises.
      "other_action": [
        "other", "walking", "running", "standing", "sitting", "lying", "falling", "dancing",
      ],
    ]
    // Chosen by real people among eight: walking is right in 91 instead of 78 % of windows and standing in 71
    // instead of 57; with 0.8 and 0 standing is in 79, and nobody dances.
    rules.postures = PostureViews.Rules(weight: 0.6, plainnessPower: 0.15)
    let onTheFloor = [
      "burpees", "push_ups", "sit_ups", "crunches", "leg_raises", "glute_bridges", "plank",
      "mountain_climbers", "russian_twists", "tricep_dips", "lying", "sitting", "falling",
    ]
    rules.broadGroups = [
      "leg_exercises": [
        "squats", "jump_squats", "sit_to_stand", "lunges", "side_lunges", "deadlifts",
        "kettlebell_swings", "bent_over_rows", "toe_touches", "calf_raises",
      ],
      // What is no exercise of the model is done on the floor or on one's feet, too.
      "on_the_floor": onTheFloor + ["other"],
      "on_feet": SyntheticMotionClass.workout.map(\.label)
        .filter { !onTheFloor.contains($0) || $0 == "burpees" },
    ]
    return BuiltInRecipe(
      classes: SyntheticMotionClass.workout, wholes: SyntheticMotionClass.workout,
      takesForUpright: true, hasManners: true, odds: workoutOdds, sequenceCount: 120_000,
      parameters: averagedParameters, rules: rules,
      summary: "Recognises \(SyntheticMotionClass.workout.count - 8) exercises and everyday "
        + "actions, two seconds at a time.")
  }()

  /// Every motion of the library on its own, but for those that are held out: layers that have not
  /// learnt what the benchmark of few takes teaches.
  package static let motions = BuiltInRecipe(
    classes: SyntheticMotionClass.eachMotion, sequenceCount: 80_000,
    parameters: classifierParameters, rules: ActionRecognizer.Rules(),
    summary: "Distinguishes the motions of synthetic people: the layers that the few-takes "
      + "benchmark starts from.")

  /// The five exercises are a sixth of what `Workout` learns, and more of what is seen where they are asked
  /// for.
  ///
  /// Chosen with ``sharpness`` by real people (docs/benchmarks.md): without, 90 % of the five are named,
  /// with four times as much and the plain sum all, and 8 instead of 5 % of others as well.
  private static let exerciseOdds: [String: Float] = Dictionary(
    uniqueKeysWithValues: ActionClass.allCases.filter { $0 != .other }.map { ($0.rawValue, 1.5) })

  /// What people do every day is more frequent than in training, and what has no name less, which is made of
  /// a third of all motions.
  ///
  /// Chosen by real people: known labels are named in 79 instead of 76 % of segments.
  private static let workoutOdds: [String: Float] = [
    "walking": 3, "running": 3, "standing": 3, "sitting": 3, "lying": 3, "falling": 3, "dancing": 3,
    "other": 0.8,
  ]

  private static let classifierParameters: ActionClassifierParameters = {
    var parameters = Self.parameters
    parameters.algorithm = .posture
    parameters.maximumIterations = 12
    parameters.poseAugmentation.stretchProbability = 0.15
    return parameters
  }()

  /// With the mean of the weights of the last third of the steps, Workout names 79 % of the segments of
  /// the train clips rightly, with the last weights of a rate that falls to the end 75 %
  /// (docs/models/workout.md).
  private static let averagedParameters: ActionClassifierParameters = {
    var parameters = classifierParameters
    parameters.averagingRate = 0.4
    return parameters
  }()

  private static let parameters: ActionClassifierParameters = {
    var parameters = ActionClassifierParameters()
    parameters.validation = nil
    parameters.batchSize = 128
    parameters.windowStride = 40
    // The people differ in tempo already.
    parameters.poseAugmentation.tempo = 0.85...1.2
    // Two motions in one window have no label of their own.
    parameters.poseAugmentation.splicesEverythingElse = false
    return parameters
  }()

  private static let rules: ActionRecognizer.Rules = {
    var rules = ActionRecognizer.Rules()
    rules.readsCourse = true
    rules.minimumPersonConfidence = 0.9
    rules.wholes = [ActionClass.pushUps.rawValue: ActionClass.burpees.rawValue]
    return rules
  }()

  /// Generates the people and trains on them, ``trainingCount`` times.
  ///
  /// - Parameter progress: Called on other threads.
  /// - Returns: The model; `nil` if the training was paused.
  /// - Throws: ``TrainingError`` for parameters out of range; what reading or writing a file of ``networks``
  ///   throws.
  package func train(
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> TrainedActionClassifier? {
    let captures = capture == nil ? [nil] : [nil, capture]
    let count = max(1, trainingCount) * captures.count
    var trainings: [TrainedActionClassifier] = []
    for number in 0..<count {
      var recipe = self
      recipe.capture = captures[number % captures.count]
      recipe.seed = seed &+ UInt64(number / captures.count)
      let training = try await recipe.trainOnce(number + 1, of: count, progress: progress)
      guard let training else { return nil }
      trainings.append(training)
    }
    return try .averaging(trainings)
  }

  private func trainOnce(
    _ number: Int, of count: Int, progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> TrainedActionClassifier? {
    var parameters = parameters
    parameters.seed = seed
    if capture != nil { parameters.poseAugmentation.failureProbability = failureProbability }
    let learnt = wholes == nil ? classes : classes.flatMap(\.byMotion)
    let examples = examples(of: learnt, frameRate: parameters.targetFrameRate)
    let file = try networks.map { folder in
      // Another recipe's network is in another file.
      let hash = ContentHash.sha256(of: Data((try parameters.json() + examples.hash()).utf8))
      let name = capture == nil ? "seed-\(seed)" : "seed-\(seed)-motion"
      return folder.appending(path: "\(name)-\(hash.prefix(16)).mlmodel")
    }
    let kept = file.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
    progress(.network(number, of: count, kept: kept))
    let model: TrainedActionClassifier
    if let kept {
      model = try TrainedActionClassifier(keptAt: kept, parameters: parameters)
    } else {
      guard let trained = try await network(of: examples, parameters, progress: progress) else {
        return nil
      }
      model = trained
      if let file { try model.keep(at: file) }
    }
    guard let wholes else { return model }
    var labelOfMotion = Dictionary(
      wholes.flatMap { whole in whole.motions.map { ($0.name, whole.label) } },
      uniquingKeysWith: { first, _ in first })
    for label in examples.captureLabels { labelOfMotion[label.name] = whole(of: label) }
    return try model.merged(
      into: self.labels, by: { labelOfMotion[$0] ?? "" }, odds: odds, sharpness: sharpness)
  }

  private func network(
    of examples: RecipeExamples, _ parameters: ActionClassifierParameters,
    progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> TrainedActionClassifier? {
    let clips = try await examples.clips { progress(.sampling(sequenceCount: $0, of: $1)) }
    let windows = TrainingWindows(clips: clips, joints: JointKey.body, parameters: parameters)
    let nothing = TrainingWindows(clips: [], joints: JointKey.body, parameters: parameters)
    var options = ActionClassifierTrainingSession.Options()
    options.threadCount = threadCount
    let session = try ActionClassifierTrainingSession(
      labels: examples.labels, training: windows, validation: nothing, parameters: parameters,
      options: options)
    return try await session.run { progress(.training($0)) }
  }

  private func examples(of classes: [SyntheticMotionClass], frameRate: Double) -> RecipeExamples {
    var sampler = SyntheticMotionSampler(
      classes: classes, duration: sequenceDuration, frameRate: frameRate, seed: seed)
    sampler.errors.takesForUpright = takesForUpright
    sampler.hasManners = hasManners
    let captured = capture.map {
      CaptureSampler($0, duration: sequenceDuration, frameRate: frameRate, seed: seed)
    }
    return RecipeExamples(
      sampler, count: sequenceCount, captured: captured, captureShare: captureShare)
  }

  /// The label of the model that a recording belongs to: everything else where it has none.
  private func whole(of label: CaptureLabel) -> String {
    let everythingElse = labels.first(where: LabelKinds().isEverythingElse) ?? ""
    return labels.contains(label.label) ? label.label : everythingElse
  }

  /// How many sequences a thread makes at a time, and progress is shown for.
  package static let portion = 100

  package enum Progress: Sendable {
    /// A network of the mean begins, or is taken from the file in which it was kept.
    case network(Int, of: Int, kept: URL?)
    case sampling(sequenceCount: Int, of: Int)
    case training(TrainingProgress)
  }

  package func metadata() throws -> ModelMetadata {
    let people = capture == nil ? "synthetic people only" : "synthetic people and motion capture"
    var metadata = ModelMetadata(
      shortDescription: wholes == nil ? summary : "\(summary) Trained on \(people).",
      author: "Kinema", license: "Apache License 2.0", version: "1")
    try metadata.ask(for: rules)
    return metadata
  }
}
