import Foundation
import KinemaAction
import KinemaCounting
import KinemaLab
import KinemaModelFiles
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Synchronization
import Testing

@Suite("The built-in models")
struct BuiltInRecipeTests {
  private static func bytes(
    of recipe: BuiltInRecipe, threadCount: Int? = nil, seed: UInt64 = 1,
    capture: MotionCapture? = nil, networks: URL? = nil,
    progress: @escaping @Sendable (BuiltInRecipe.Progress) -> Void = { _ in }
  ) async throws -> Data {
    var recipe = recipe.only(["squats", "jumping_jacks", "walking", "other_action"])
    if let capture { recipe = recipe.learning(from: capture) }
    // Enough that each motion is shown.
    recipe.sequenceCount = 300
    recipe.parameters.maximumIterations = 1
    recipe.seed = seed
    recipe.threadCount = threadCount
    recipe.networks = networks
    let model = try #require(try await recipe.train(progress: progress))
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mlmodel")
    defer { try? FileManager.default.removeItem(at: url) }
    try model.write(to: url, metadata: recipe.metadata())
    return try Data(contentsOf: url)
  }

  @Test("a recipe gives the same file for a seed with any number of threads")
  func reproducible() async throws {
    // Exercise is Workout, merged into other labels.
    for recipe in [BuiltInRecipe.workout, .motions] {
      let first = try await Self.bytes(of: recipe, threadCount: 1)
      #expect(try await Self.bytes(of: recipe, threadCount: 3) == first)
      #expect(try await Self.bytes(of: recipe, seed: 2) != first)
    }
  }

  @Test("a recipe with motion capture gives a file of its own with the same labels, and says so")
  func capture() async throws {
    let capture = MotionCapture(
      [CaptureLabel.walking, .squats].map { label in
        .init(
          name: label.rawValue, subject: "a", label: label,
          motion: CapturedMotion(frames: CaptureFolder.walker(frames: 100), frameRate: 30))
      })
    for recipe in [BuiltInRecipe.workout, .exercise] {
      let first = try await Self.bytes(of: recipe, threadCount: 1, capture: capture)
      #expect(try await Self.bytes(of: recipe, threadCount: 3, capture: capture) == first)
      let model = try ActionClassifier(Array(first), name: "captured")
      #expect(Set(model.labels).isSubset(of: recipe.labels))
      #expect(model.metadata.shortDescription.hasSuffix("and motion capture."))
    }
    #expect(try BuiltInRecipe.workout.metadata().shortDescription.hasSuffix("people only."))
  }

  @Test("networks that are kept are not trained again, by either model, and give the same file")
  func keptNetworks() async throws {
    let folder = try TemporaryFolder()
    let begun = Mutex<[String?]>([])
    let note: @Sendable (BuiltInRecipe.Progress) -> Void = { progress in
      guard case .network(_, of: _, kept: let file) = progress else { return }
      begun.withLock { $0.append(file?.lastPathComponent) }
    }
    let capture = MotionCapture([
      .init(
        name: "walk", subject: "a", label: .walking,
        motion: CapturedMotion(frames: CaptureFolder.walker(frames: 100), frameRate: 30))
    ])
    let whole = try await Self.bytes(of: .workout, capture: capture)
    let first = try await Self.bytes(
      of: .workout, capture: capture, networks: folder.url, progress: note)
    let second = try await Self.bytes(
      of: .workout, capture: capture, networks: folder.url, progress: note)
    #expect(first == whole && second == whole)
    #expect(begun.withLock { $0.prefix(2) } == [nil, nil])
    let files = begun.withLock { $0.suffix(2).compactMap(\.self) }
    #expect(
      files.count == 2 && files[0].hasPrefix("seed-1-") && files[1].hasPrefix("seed-1-motion-"))
    // `Exercise` has other labels, made of the same networks.
    let exercise = try await Self.bytes(
      of: .exercise, capture: capture, networks: folder.url, progress: note)
    #expect(try await Self.bytes(of: .exercise, capture: capture) == exercise)
    #expect(begun.withLock { $0.suffix(2).map(\.self) } == files)
    // One that was lost is trained again; a recipe of other people has others.
    try FileManager.default.removeItem(at: folder.url(files[1]))
    _ = try await Self.bytes(of: .workout, capture: capture, networks: folder.url, progress: note)
    _ = try await Self.bytes(of: .workout, seed: 2, networks: folder.url, progress: note)
    #expect(begun.withLock { $0.suffix(3) } == [files[0], nil, nil])
    // What is no network of a training is refused by name.
    try Data(contentsOf: BuiltInModel.workout.url).write(to: folder.url(files[0]))
    let error = await expectAsyncError(TrainingError.self) {
      try await Self.bytes(of: .workout, networks: folder.url)
    }
    #expect(error?.message.contains(files[0]) == true)
  }

  @Test("the models that come with Kinema are the recipes', with their rules")
  func installed() throws {
    for (model, recipe) in [
      (BuiltInModel.exercise, BuiltInRecipe.exercise), (.workout, .workout), (.motions, .motions),
    ] {
      let classifier = try ActionClassifier(contentsOf: model.url)
      #expect(classifier.labels == recipe.labels)
      #expect(classifier.windowSize == 60 && classifier.frameRate == 30)
      var rules = ActionRecognizer.Rules(of: classifier)
      // How windows are read in their course is chosen for the finished model.
      #expect((rules.course != nil) == (model != .motions))
      rules.course = nil
      #expect(rules == recipe.rules)
      let kept = try #require(classifier.metadata.userDefined["org.kinema.parameters"])
      let parameters = try JSONDecoder().decode(
        ActionClassifierParameters.self, from: Data(kept.utf8))
      #expect(parameters == recipe.parameters)
      for label in classifier.labels {
        #expect(classifier.labelKinds.origin(of: label) == .metadata)
        #expect(classifier.labelKinds[label] == LabelKinds()[label])
      }
    }
  }

  @Test(
    "as little of a window as streams read is named as the whole one is",
    arguments: [BuiltInModel.exercise, .workout])
  func shortWindows(model: BuiltInModel) throws {
    let classifier = try ActionClassifier(contentsOf: model.url)
    let length = 60 * 54
    // Streams read 0.8 s of one that begins, and the newest second of one that runs.
    let parts = [0, 30, 36].map { $0 * 54 }
    let classes = SyntheticMotionClass.exercise.filter { $0.label != ActionClass.other.rawValue }
    let sampler = SyntheticMotionSampler(
      classes: classes, duration: 2, frameRate: 30, seed: 501_707)
    let samples = (0..<200).map(sampler.sample)
    let right = try parts.map { empty in
      try samples.count { sample in
        let window = Array(repeating: 0, count: empty) + sample.values[empty..<length]
        return try classifier.predict(window).mostLikely?.label == sample.label
      }
    }
    #expect(right[0] >= 190, "\(right)")
    #expect(right[1] >= 175 && right[2] >= 160, "\(right)")
  }

  @Test("Workout, which learns motions, gives labels and can be scaled")
  func merged() throws {
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.workout.url)
    let window = (0..<(60 * 54)).map { Float($0 % 11) / 13 }
    let prediction = try classifier.predict(window)
    #expect(prediction.probabilities.count == 39)
    #expect(abs(prediction.probabilities.reduce(0, +) - 1) < 1e-4)
    let softer = try classifier.scaled(byTemperature: 100).predict(window)
    // Close to the share of motions that belong to a label.
    #expect(try #require(softer.mostLikely).label == "other")
    #expect(try #require(softer.mostLikely).probability < 0.7)
  }

  @Test("layers to start from have learnt no movement that is held out")
  func heldOut() {
    let heldOut = Set(Motion.heldOut.map(\.name))
    #expect(heldOut.count >= 15 && heldOut.isDisjoint(with: BuiltInRecipe.motions.labels))
    #expect(heldOut.union(BuiltInRecipe.motions.labels) == Set(Motion.library.map(\.name)))
  }

  @Test("Exercise knows five exercises, Workout 31 and what people do every day")
  func labels() {
    #expect(
      BuiltInRecipe.exercise.labels == [
        "jumping_jacks", "lunges", "burpees", "squats", "push_ups", "other_action",
      ])
    let labels = BuiltInRecipe.workout.labels
    #expect(labels.count == 39 && Set(labels).count == 39)
    #expect(labels.filter(LabelKinds().isExercise).count == 31)
    let rules = BuiltInRecipe.workout.rules
    for (name, members) in Array(rules.groups ?? [:]) + Array(rules.broadGroups ?? [:]) {
      #expect(!labels.contains(name) && members.allSatisfy(labels.contains), "\(name)")
    }
  }
}
