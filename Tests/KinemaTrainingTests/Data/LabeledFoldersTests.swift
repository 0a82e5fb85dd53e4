import Foundation
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Folders of labelled videos")
struct LabeledFoldersTests {
  @Test("a folder for each label, in the order of the names; other files are reported")
  func directories() throws {
    let folder = try DataFolder([
      "squats/b.mp4", "squats/a.MOV", "burpees/c.npz", "burpees/.hidden.mp4", "squats/notes.txt",
      "empty/x.txt", "stray.mp4",
    ])
    let listing = try ActionClassifierDataSource.labeledDirectories(at: folder.url).listing()
    #expect(
      listing.lines == [
        "burpees/c.npz | burpees | – | –", "squats/a.MOV | squats | – | –",
        "squats/b.mp4 | squats | – | –",
      ])
    #expect(listing.labels == ["burpees", "squats"])
    #expect(listing.findings.allSatisfy { $0.severity == .warning && $0.kind == .ignoredFile })
    #expect(
      Set(listing.findings.compactMap(\.file)) == ["notes.txt", "x.txt", "empty", "stray.mp4"])
  }

  @Test("folders within those of the labels name the people")
  func people() throws {
    let folder = try DataFolder(["squats/anna/1.mp4", "squats/2.mp4", "other/ben/1.mp4"])
    let listing = try ActionClassifierDataSource.automatic(at: folder.url).listing()
    let people = Dictionary(
      uniqueKeysWithValues: listing.annotations.map { ($0.file, $0.person ?? "–") })
    #expect(people == ["squats/anna/1.mp4": "anna", "squats/2.mp4": "–", "other/ben/1.mp4": "ben"])
    #expect(listing.labels == ["other", "squats"])
  }

  @Test("pictures of hands: folders of labels, of people, and of sets; other files are reported")
  func pictures() throws {
    let folder = try DataFolder([
      "thumbs_up/1.jpg", "thumbs_up/2.PNG", "thumbs_up/anna/3.jpeg", "fist/1.webp",
      "fist/notes.txt",
      "stray.jpg",
    ])
    let source = try ActionClassifierDataSource.hands(at: folder.url)
    #expect(source.isOfPictures)
    let listing = try source.listing()
    #expect(
      listing.annotations.map { "\($0.file) | \($0.label) | \($0.person ?? "–")" } == [
        "fist/1.webp | fist | –", "thumbs_up/1.jpg | thumbs_up | –",
        "thumbs_up/2.PNG | thumbs_up | –",
        "thumbs_up/anna/3.jpeg | thumbs_up | anna",
      ])
    #expect(listing.findings.map(\.severity) == [.warning])
    #expect(listing.findings.first?.message.contains("fist/notes.txt") == true)
    let sets = try DataFolder(["train/a/1.jpg", "val/a/2.jpg", "test/b/3.jpg"])
    let divided = try DataSets(.hands(at: sets.url))
    #expect(divided.training?.annotations.map(\.file) == ["train/a/1.jpg"])
    #expect(divided.validation?.annotations.map(\.label) == ["a"])
    #expect(divided.test?.annotations.map(\.label) == ["b"])
  }

  @Test("pictures and videos do not mix, and pictures alone say how they are trained on")
  func mixedPictures() throws {
    let mixed = try DataFolder(["fist/1.jpg", "fist/2.mp4"])
    let error = expectError(TrainingError.self) {
      try ActionClassifierDataSource.hands(at: mixed.url)
    }
    #expect(error?.message.contains("1.jpg") == true && error?.message.contains("2.mp4") == true)
    // Videos alone are those of hand actions.
    let videos = try DataFolder(["wave/1.mp4"])
    #expect(try !ActionClassifierDataSource.hands(at: videos.url).isOfPictures)
    let pictures = try DataFolder(["fist/1.jpg", "palm/1.jpg"])
    let hint = expectError(TrainingError.self) {
      try ActionClassifierDataSource.automatic(at: pictures.url).listing()
    }
    #expect(hint?.message.contains("kinema train --hands") == true)
    let empty = try DataFolder(["fist/notes.txt"])
    let none = expectError(TrainingError.self) {
      try ActionClassifierDataSource.labeledPictures(at: empty.url).listing()
    }
    #expect(none?.message.contains("has no pictures") == true)
  }

  @Test("file names that begin with the label")
  func files() throws {
    let folder = try DataFolder(["squats.1.mov", "squats.2.mov", "jumping jacks.mov", "a.txt"])
    let listing = try ActionClassifierDataSource.labeledFiles(at: folder.url).listing()
    #expect(
      listing.lines == [
        "jumping jacks.mov | jumping jacks | – | –", "squats.1.mov | squats | – | –",
        "squats.2.mov | squats | – | –",
      ])
  }

  @Test("labels may be of any script, with emoji")
  func emoji() throws {
    let folder = try DataFolder(["🏃‍♀️ läuft/a.mp4", "深蹲/b.mp4"])
    let listing = try ActionClassifierDataSource.automatic(at: folder.url).listing()
    #expect(listing.labels == ["深蹲", "🏃‍♀️ läuft"])
    #expect(listing.findings.isEmpty)
  }

  @Test("what a folder is, is recognised")
  func automatic() throws {
    let labels = try DataFolder(["squats/a.mp4", "burpees/a.mp4", "readme.json"])
    #expect(
      try ActionClassifierDataSource.automatic(at: labels.url).listing().labels
        == ["burpees", "squats"])
    let names = try DataFolder(["squats.1.mp4", "burpees.1.mp4"])
    #expect(
      try ActionClassifierDataSource.automatic(at: names.url).listing().labels
        == ["burpees", "squats"])
    let table = try DataFolder(["a.mp4", "b.mp4"])
    try table.write("file,label\na.mp4,run\nb.mp4,walk\n", to: "labels.csv")
    for url in [table.url, table.file("labels.csv")] {
      #expect(
        try ActionClassifierDataSource.automatic(at: url).listing().labels == ["run", "walk"])
    }
    try table.write("[{\"file_name\": \"a.mp4\", \"label\": \"run\"}]", to: "more.json")
    let error = expectError(TrainingError.self) {
      try ActionClassifierDataSource.automatic(at: table.url).listing()
    }
    #expect(error?.message.contains("labels.csv, more.json") == true)
  }

  @Test("a folder that is missing, empty, a file or without videos is an error that says so")
  func badFolders() throws {
    let folder = try DataFolder(["note.txt", "sub/other.txt"])
    let empty = try DataFolder()
    let sources: [(ActionClassifierDataSource, TrainingError.Code, String)] = [
      (.labeledDirectories(at: folder.file("nowhere")), .missing, "There is no folder"),
      (.labeledFiles(at: folder.file("note.txt")), .badData, "is a file, not a folder"),
      (.labeledDirectories(at: empty.url), .badData, "has no videos in folders of labels"),
      (.labeledFiles(at: empty.url), .badData, "has no videos whose names"),
      (.automatic(at: empty.url), .badData, "has no videos"),
      (.automatic(at: folder.url), .badData, "has no videos"),
      (.automatic(at: folder.file("nowhere")), .missing, "no annotation file"),
    ]
    for (source, code, text) in sources {
      let error = expectError(TrainingError.self) { try source.listing() }
      #expect(error?.code == code)
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }
  }
}
