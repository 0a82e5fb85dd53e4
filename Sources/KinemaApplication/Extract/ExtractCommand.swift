import Foundation
import Kinema
import KinemaFiles
import KinemaReport
import Synchronization

/// `kinema extract`: extracts the poses of many videos into a folder, on one machine or many.
struct ExtractCommand: Command {
  static let name = "extract"
  static let abstract = "Extract the poses of many videos, on one machine or a cluster."
  static let usage = "LIST | FOLDER | -  --output FOLDER  [--shard I/N]"
  static let discussion = """
    LIST is a text with the path of a video in each line, or a CSV file with a column video, file_name,
    path or file; relative paths start at its folder. FOLDER is searched with the folders inside it.

    Each video becomes poses/PATH.npz in the output folder, written whole or not at all. index.csv has a
    row for each: video, status (done or failed), kind of a failure (permanent or transient), attempts,
    poses, seconds, error. A video that is cut off or damaged is done where a part of it can be read, and
    its error says so. The same command again does only what is missing or failed transiently, after any
    end of the last run. Several processes can share the output folder: none extracts what another one
    does. Each video is extracted in a child process; one that kills it three times has failed
    permanently. To try a video again after that, remove its file in records/.

    --shard takes every N-th video, and writes index-I-of-N.csv; the last shard merges them to index.csv.
    Part 0/N is part N/N, so that the indexes of a cluster's tasks can begin at 0 or 1.

    Without a terminal, progress is a line each ten seconds with rate and time left; --progress json makes
    each an object: done, total, rate (videos a second), secondsLeft.

    With - paths are read from standard input as they come, and a row of JSON is printed for each.

    Exit status: 0 if every video is done or has failed permanently, 75 if some failed transiently.
    """
  static let examples = """
    kinema extract videos/ --output extracted/
        Extract the poses of every video in a folder.
    kinema extract videos.txt --output /shared/extracted --shard 3/8
        Do the third of eight parts, as in an array of jobs.
    kinema extract --merge --output /shared/extracted
        Merge the indexes of the shards.
    kinema train extracted/poses/ --output Mine.mlmodel
        Train on the poses of labelled folders.
    find . -name '*.mp4' | kinema extract - --output extracted/ > rows.jsonl
        Read paths from a pipe.
    """
  @Option("FOLDER", "Where poses, records and the index are written.")
  var output: FolderPath?
  @Option("I/N", "Do part I of N parts; numbers from 1 to N, or from 0 to N−1.")
  var shard: ExtractionManifest.Shard?
  @Flag("Only merge the indexes of the shards.")
  var merge: Bool
  @Flag("Detect hands instead of bodies.")
  var hands: Bool
  @Option("N", "Extract N videos at the same time (default: one for each core).", 1...256)
  var threads: Int?
  @Option("N", "Process at most N frames a second (default: all).", 0.1...1000)
  var rate: Double?
  var subject = SubjectOptions()
  @Option("HOW", "Report progress on standard error:")
  var progress = ExtractionProgressKind.auto
  @Operands(0...1, "Name one list or folder of videos.")
  var inputs: [String]

  func run() async throws {
    guard let folder = output?.url else {
      throw UsageError("Name the folder for the poses with --output.")
    }
    let index = ExtractionIndex(folder: folder)
    if merge {
      return StandardStreams.print("\(try index.merge().path)\n")
    }
    guard let operand = inputs.first else {
      throw UsageError("Name one list or folder of videos.")
    }
    let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
    guard operand != "-" else {
      guard shard == nil else { throw UsageError("--shard needs a list, not standard input.") }
      return try await Self.extractLines(try prepare(folder), threads: threads)
    }
    let manifest = try ExtractionManifest(operand)
    if !manifest.others.isEmpty {
      StandardStreams.printMessage(
        "kinema: left out, as no videos: \(InputFiles.summary(of: manifest.others))")
    }
    let videos = manifest.videos(of: shard)
    let rows = try await Self.extract(
      videos, try prepare(folder), threads: threads, ExtractionReport(progress))
    let merged = try index.write(rows, of: shard)
    StandardStreams.print(Self.summary(of: rows) + (merged.map { "; see \($0.path)" } ?? "") + "\n")
    try Self.checkTransient(rows.count { $0.failure == .transient })
  }

  /// Makes the output folder, or checks that it was made with the same options.
  private func prepare(_ folder: URL) throws -> ExtractionRun {
    // The options of each video's extraction, as they were given.
    let names = ["hands", "smooth", "rate", "persons", "max-hands", "precision", "device"]
    let given = names.compactMap { name in
      declarations.first { $0.name == name }?.declaration.text.map { (name: name, text: $0) }
    }
    let options = given.map { name, text in
      (name, text.isEmpty ? WorkerRequest.Option.flag(true) : .value(text))
    }
    _ = try subject.subject(hands ? JointKey.hand : JointKey.body)
    try OutputTarget.makeFolder(folder)
    let file = folder.appending(path: "options.txt")
    let words = given.map { "--\($0.name)" + ($0.text.isEmpty ? "" : "=\($0.text)") }
    let line = words.joined(separator: " ") + "\n"
    if FileManager.default.fileExists(atPath: file.path) {
      // Without it, nobody knows how the poses there were extracted.
      guard let known = try? String(contentsOf: file, encoding: .utf8) else {
        throw CommandFailure(
          .noInput, "\(file.path) cannot be read: check its permissions, or take another folder.")
      }
      guard known == line else {
        let known = known.trimmingCharacters(in: .newlines)
        throw UsageError(
          "\(folder.path) has poses that were extracted "
            + "\(known.isEmpty ? "without options" : "with \(known)"): take the same options or "
            + "another folder.")
      }
    } else {
      try WholeFile.write(Data(line.utf8), to: file)
    }
    return ExtractionRun(
      folder: folder,
      workers: ExtractionWorkers(options: Dictionary(uniqueKeysWithValues: options)))
  }

  /// Extracts a list, first what no other process works on.
  private static func extract(
    _ videos: [ExtractionManifest.Video], _ run: ExtractionRun, threads: Int,
    _ report: ExtractionReport
  ) async throws -> [ExtractionRow] {
    var rows = [ExtractionRow?](repeating: nil, count: videos.count)
    defer { StandardStreams.finishProgress() }
    for waits in [false, true] {
      let open = rows.indices.filter { rows[$0] == nil }
      let found = try await ConcurrentWork.run(
        open.count, limit: threads,
        progress: { done, _ in
          report.show(videos.count - open.count + done, of: videos.count)
        },
        work: { try await run.row(for: videos[open[$0]], waits: waits) })
      for (index, row) in zip(open, found) { rows[index] = row }
    }
    try await run.workers.end()
    return rows.compactMap { $0 }
  }

  /// Extracts the videos whose paths come on standard input, and prints each row at once.
  private static func extractLines(_ run: ExtractionRun, threads: Int) async throws {
    let lines = InputLines()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      var (running, transient) = (0, 0)
      while let line = try await lines.next() {
        if running == threads, let isTransient = try await group.next() {
          running -= 1
          transient += isTransient ? 1 : 0
        }
        running += 1
        group.addTask {
          let video: ExtractionManifest.Video
          if let name = String(validating: line, as: UTF8.self) {
            let url = URL(filePath: name)
            video = ExtractionManifest.Video(name: name, url: url, path: url.standardized.path)
          } else {
            video = .unnameable(FolderContents.shown(Array(line)))
          }
          guard let row = try await run.row(for: video, waits: true) else { return false }
          StandardStreams.print(try row.json)
          StandardStreams.flush()
          try StandardStreams.checkOutput()
          return row.failure == .transient
        }
      }
      for try await isTransient in group { transient += isTransient ? 1 : 0 }
      try await run.workers.end()
      try checkTransient(transient)
    }
  }

  private static func summary(of rows: [ExtractionRow]) -> String {
    let failed = rows.count { $0.failure == .permanent }
    let transient = rows.count { $0.failure == .transient }
    var text = "\(rows.count - failed - transient) of \(rows.count) videos done"
    if failed > 0 { text += ", \(failed) failed permanently" }
    if transient > 0 { text += ", \(transient) failed transiently" }
    return text
  }

  private static func checkTransient(_ count: Int) throws {
    guard count > 0 else { return }
    throw CommandFailure(
      .tryAgain,
      "\(count.counted("video")) failed for reasons that may pass: run the same command again.")
  }
}
