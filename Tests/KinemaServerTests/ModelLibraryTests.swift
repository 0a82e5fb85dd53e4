import Foundation
import KinemaAction
import KinemaCounting
import KinemaModelFiles
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("Model library")
struct ModelLibraryTests {
  private func exercise() throws -> Data { try Data(contentsOf: BuiltInModel.exercise.url) }

  private func badRequest(_ error: any Error) -> Bool {
    (error as? ServerError)?.code == .badRequest
  }

  @Test("it holds the classifiers that come with Kinema, and not the model that counts")
  func builtIn() async throws {
    let folder = try TemporaryFolder()
    let library = try ModelLibrary(folder: folder.url.appending(path: "models"))
    let models = await library.models()
    #expect(models.map(\.id) == ["Exercise", "Workout"])
    #expect(models[0].name == "Exercise")
    #expect(models[0].labels.contains("squats"))
    #expect(models[0].isBuiltIn)
    let classifier = try await library.classifier("Exercise")
    #expect(models[0].windowSize == classifier.windowSize)
    #expect(models[0].frameRate == classifier.frameRate)
    #expect(try await library.classifier("Exercise") === classifier)
    #expect(try await library.model(id: "Exercise")?.classifier === classifier)
    #expect(try await library.model(id: "other") == nil)
    await #expect { try await library.remove("Exercise") } throws: { badRequest($0) }
  }

  @Test("challenges can ask for what can be done: what is not counted for seconds, and no falls")
  func challenges() async throws {
    let folder = try TemporaryFolder()
    let library = try ModelLibrary(folder: folder.url.appending(path: "models"))
    let model = try #require(await library.description(of: "Workout"))
    let units = Dictionary(uniqueKeysWithValues: model.challenges.map { ($0.label, $0.units) })
    #expect(units["squats"] == [.repetitions, .seconds])
    for label in ["plank", "walking", "sitting", "lying"] {
      #expect(units[label] == [.seconds], "\(label)")
    }
    #expect(units["falling"] == nil && units["other"] == nil && units["standing"] == nil)
    #expect(model.challenges.count == model.labels.count - 3)
    #expect(model.kinds["plank"] == .timed && model.kinds["standing"] == .noAction)
    #expect(model.groups["raises"]?.contains("front_raises") == true)
    #expect(ModelDescription.Offer("open_palm", isOfHands: true)?.units == [.seconds])
  }

  @Test("an uploaded model is stored under a safe name and found after a restart")
  func uploads() async throws {
    let folder = try TemporaryFolder()
    let models = folder.url.appending(path: "data/models")
    let library = try ModelLibrary(folder: models)
    let data = try exercise()
    let names = [
      ("squats.mlmodel", "squats", "squats"),
      ("../../etc/Müsli &co.mlmodel", "Müsli co", "M-sli-co"),
      ("squats.mlmodel", "squats 2", "squats-2"), ("..", "Model", "Model"),
      ("Exercise.mlmodel", "Exercise 2", "Exercise-2"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 60), nil),
      (String(repeating: "体", count: 300), String(repeating: "体", count: 60) + " 2", "Model-2"),
    ]
    for (fileName, name, id) in names {
      let model = try await library.add(data, name: fileName)
      #expect(model.name == name)
      #expect(model.id == id ?? name)
      #expect(!model.isBuiltIn)
      #expect(FileManager.default.fileExists(atPath: models.path + "/\(name).mlmodel"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: models.path).count == names.count)
    let all = await library.models()
    #expect(Set(all.map(\.id)).count == names.count + 2)

    let again = try ModelLibrary(folder: models)
    #expect(Set(await again.models().map(\.name)) == Set(all.map(\.name)))
    let classifier = try await again.classifier("squats-2")
    #expect(classifier.labels == all[0].labels)
    try await again.remove("squats-2")
    await #expect { try await again.classifier("squats-2") } throws: {
      ($0 as? ServerError)?.code == .notFound
    }
    await #expect(throws: ServerError.self) { try await again.remove("squats-2") }
    #expect(try await again.add(data, name: "squats").id == "squats-2")
    #expect(again.problems.isEmpty)
  }

  @Test("an invalid model is refused with a reason, and nothing is stored")
  func refusals() async throws {
    let folder = try TemporaryFolder()
    let library = try ModelLibrary(folder: folder.url)
    var damaged = try exercise()
    damaged.removeLast(damaged.count / 2)
    for (data, word) in [
      (Data(), "empty"), (Data("{}".utf8), "JSON"), (Data("PK\u{3}\u{4}".utf8), "ZIP"),
      (damaged, "x"), (Data(count: ModelLibrary.maximumByteCount + 1), "64"),
      (try Data(contentsOf: BuiltInModel.repetitions.url), "expected an action classifier"),
    ] {
      await #expect { try await library.add(data, name: "x.mlmodel") } throws: {
        badRequest($0) && "\($0)".contains(word)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(
    "hand models are taken, and say so",
    .enabled(if: SharedData.isPresent, SharedData.reason),
    arguments: ["hand_swipe_T30", "handpose_oksign"])
  func hands(name: String) async throws {
    let folder = try TemporaryFolder()
    let library = try ModelLibrary(folder: folder.url)
    let url = SharedData.url("models/\(name).mlmodel")
    let data = try Data(contentsOf: url)
    #expect(try await library.add(data, name: "hand.mlmodel").jointCount == 21)
    let models = try await ModelLibrary(folder: folder.url, additional: [url]).models()
    #expect(models.map(\.jointCount).sorted() == [18, 18, 21, 21])
  }

  @Test("a built-in model to start with comes first, once")
  func builtInFirst() async throws {
    let folder = try TemporaryFolder()
    let library = try ModelLibrary(
      folder: folder.url.appending(path: "none"), additional: [BuiltInModel.workout.url])
    #expect(await library.models().map(\.id) == ["Workout", "Exercise"])
  }

  @Test(
    "models of other kinds are refused, those of body actions taken",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func kinds() async throws {
    let folder = try TemporaryFolder()
    let library = try ModelLibrary(folder: folder.url)
    for url in SharedData.files(in: "models", withExtension: "mlmodel")
    where url.lastPathComponent.hasPrefix("neg_") {
      let data = try Data(contentsOf: url)
      await #expect(throws: ServerError.self, "\(url.lastPathComponent)") {
        try await library.add(data, name: url.lastPathComponent)
      }
    }
    let names = ["apple_exercise_T64", "apple_playerthrow_T45", "juggling_T15"]
    for name in names {
      let data = try Data(contentsOf: SharedData.url("models/\(name).mlmodel"))
      #expect(try await library.add(data, name: name + ".mlmodel").id == name)
    }
    let additional = names.map { SharedData.url("models/\($0).mlmodel") }
    let other = try ModelLibrary(
      folder: folder.url.appending(path: "none"), additional: additional + additional)
    #expect(
      await other.models().map(\.id)
        == names + names.map { "\($0)-2" } + ["Exercise", "Workout"])
    #expect(await other.models().allSatisfy(\.isBuiltIn))
    for model in await other.models() { _ = try await other.classifier(model.id) }
  }

  @Test("an invalid file among the uploads is skipped and reported")
  func problems() async throws {
    let folder = try TemporaryFolder()
    try Data("<html>".utf8).write(to: folder.url.appending(path: "page.mlmodel"))
    try exercise().write(to: folder.url.appending(path: "good.mlmodel"))
    try exercise().write(to: folder.url.appending(path: ".good.mlmodel.7.part"))
    let library = try ModelLibrary(folder: folder.url, builtIn: [])
    #expect(await library.models().map(\.id) == ["good"])
    #expect(library.problems.count == 1)
    #expect(library.problems.first?.contains("page.mlmodel") == true)
    try FileManager.default.removeItem(at: folder.url.appending(path: "good.mlmodel"))
    await #expect { try await library.classifier("good") } throws: {
      ($0 as? ServerError)?.code == .storage
    }
    try await library.remove("good")
    #expect(await library.models().isEmpty)
    // A folder that cannot be listed is no empty one.
    let file = folder.url.appending(path: "page.mlmodel")
    #expect(
      try ModelLibrary(folder: file, builtIn: []).problems == [
        "\(file.path) cannot be read: check that it is there and its permissions."
      ])
  }
}
