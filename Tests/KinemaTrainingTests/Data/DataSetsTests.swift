import Foundation
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Folders of sets")
struct DataSetsTests {
  private func sets(_ files: [String]) throws -> DataSets {
    let folder = try DataFolder(files)
    return try DataSets(.automatic(at: folder.url))
  }

  @Test(
    "folders named train, val and test are sets, whatever their spelling",
    arguments: [
      ("train", "val", "test"), ("Training", "valid", "TESTING"), ("train", "validation", "test"),
    ])
  func names(train: String, validation: String, test: String) throws {
    let sets = try sets(
      [train, validation, test].flatMap { ["\($0)/squats/a.mp4", "\($0)/other/b.mp4"] })
    #expect(sets.training?.lines.first == "\(train)/other/b.mp4 | other | – | –")
    for listing in [sets.training, sets.validation, sets.test] {
      #expect(listing?.labels == ["other", "squats"])
    }
    #expect(sets.folders.map(\.lastPathComponent) == [train, validation, test])
  }

  @Test("a set may hold a table, or files named by their labels")
  func layouts() throws {
    let folder = try DataFolder(["train/a.mp4", "train/b.mp4", "test/squats.1.mp4"])
    try folder.write("file,label\na.mp4,squats\nb.mp4,other\n", to: "train/labels.csv")
    let sets = try DataSets(.automatic(at: folder.url))
    #expect(sets.training?.labels == ["other", "squats"])
    #expect(sets.test?.labels == ["squats"])
    #expect(sets.validation == nil)
  }

  @Test("a column of a table divides its rows into sets")
  func column() throws {
    let folder = try DataFolder(["a.mp4", "b.mp4", "c.mp4"])
    try folder.write(
      "file,label,Split\na.mp4,squats,train\nb.mp4,squats,Val\nc.mp4,squats,test\n", to: "l.csv")
    let sets = try DataSets(.automatic(at: folder.file("l.csv")))
    #expect(sets.training?.lines == ["a.mp4 | squats | – | –"])
    #expect(sets.validation?.lines == ["b.mp4 | squats | – | –"])
    #expect(sets.test?.lines == ["c.mp4 | squats | – | –"])
    // The number of a set of repetitions is none.
    try folder.write("file,label,set\na.mp4,squats,1\nb.mp4,squats,2\n", to: "l.csv")
    #expect(try !DataSets(.automatic(at: folder.file("l.csv"))).isDivided)
    // Beside it, another column may hold the sets.
    try folder.write(
      "file,label,set,subset\na.mp4,squats,1,train\nb.mp4,squats,2,test\n", to: "l.csv")
    #expect(try DataSets(.automatic(at: folder.file("l.csv"))).test?.annotations.count == 1)
  }

  @Test("a row with an unknown set, or with none beside others, is an error and never trained on")
  func words() throws {
    let folder = try DataFolder(["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
    func divided(_ words: [String]) throws -> DataSets {
      let rows = zip(["a", "b", "c", "d"], words).map { "\($0).mp4,squats,\($1)\n" }
      try folder.write("file,label,split\n" + rows.joined(), to: "l.csv")
      return try DataSets(.automatic(at: folder.file("l.csv")))
    }
    let field = try divided(["train", "dev", "Evaluation", "validate"])
    #expect(field.training?.annotations.map(\.file) == ["a.mp4"])
    #expect(field.validation?.annotations.map(\.file) == ["b.mp4", "d.mp4"])
    #expect(field.test?.annotations.map(\.file) == ["c.mp4"])
    let broken = try divided(["train", "extra", "", "test"])
    #expect(broken.training?.annotations.map(\.file) == ["a.mp4"])
    #expect(broken.test?.annotations.map(\.file) == ["d.mp4"])
    let messages = [
      "l.csv, row 3 names the set “extra”, which is unknown: write train, val or test.",
      "l.csv, row 4 names no set for c.mp4, as other rows do: write train, val or test.",
    ]
    #expect(broken.training?.errorMessages == messages)
    for words in [["1", "2", "3", "3"], ["", "", "", ""], ["warm-up", "", "extra", "1"]] {
      let ignored = try divided(words)
      #expect(!ignored.isDivided && ignored.training?.annotations.count == 4)
      #expect(ignored.training?.errorMessages == [])
    }
  }

  @Test("the folder of a person called Dev, or of a label, is no set")
  func people() throws {
    let sets = try sets(["squats/Dev/a.mp4", "other/Eva/b.mp4", "dev/c.mp4"])
    #expect(sets.training?.labels == ["dev", "other", "squats"])
    #expect(sets.training?.annotations.compactMap(\.person).sorted() == ["Dev", "Eva"])
  }

  @Test("sets are never classes, nor people: what cannot be read as sets is refused")
  func refused() throws {
    for (files, text) in [
      (["train/a.mp4", "test/b.mp4"], "has no labels inside"),
      (["train/squats/a.mp4", "squats/b.mp4"], "keep one folder for each of the sets"),
      (["train/x/a.mp4", "training/x/b.mp4"], "keep one folder for each of the sets"),
      (["squats/train/a.mp4", "squats/test/b.mp4", "x/c.mp4"], "has a set, test, inside"),
    ] {
      let error = expectError(TrainingError.self) { _ = try sets(files) }
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }
    let folder = try DataFolder(["train/x/a.mp4", "test/x/b.mp4"])
    for source in [
      ActionClassifierDataSource.automatic(at: folder.url), .labeledDirectories(at: folder.url),
    ] {
      let error = expectError(TrainingError.self) { try source.listing() }
      #expect(error?.message.contains("has the sets test, train, which are not labels") == true)
    }
  }

  @Test("a training uses the sets; without one for training it is refused")
  func training() async throws {
    let folder = try DataFolder()
    for (index, set) in ["train", "val", "test"].enumerated() {
      for (number, label) in ["squats", "other"].enumerated() {
        try folder.writePoses("\(set)/\(label)/a.npz", seed: 2 * index + number)
      }
    }
    let data = try await TrainingData.prepare(
      training: .automatic(at: folder.url), windowSize: 60, frameRate: 30)
    #expect(data.report.findings.errors.isEmpty)
    for examples in [data.split.training, data.split.validation, data.split.test] {
      #expect(examples.map(\.label).sorted() == ["other", "squats"])
    }
    let tests = try DataFolder(["test/squats/a.npz", "test/other/b.npz"])
    let error = await expectAsyncError(TrainingError.self) {
      try await TrainingData.prepare(
        training: .automatic(at: tests.url), windowSize: 60, frameRate: 30)
    }
    #expect(error?.message.contains("There is no folder train beside") == true)
  }
}
