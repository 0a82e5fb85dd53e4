import Foundation
import KinemaAction
import KinemaPose
import KinemaStudio
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Training runs", .ownThreads)
struct RunCenterTests {
  private let folder: TemporaryFolder
  private let project: Project

  init() throws {
    folder = try TemporaryFolder()
    project = try WaveProject.make(at: folder.url("waves"), iterations: 20)
  }

  private func center() -> RunCenter {
    var configuration = RunCenter.Configuration(folder: folder.url("data"), threadCount: { 1 })
    configuration.checkpointInterval = .milliseconds(1)
    return RunCenter(configuration)
  }

  private func model(_ number: Int, of other: Project? = nil) throws -> Data {
    try Data(contentsOf: RunFolder((other ?? project).folder.run(number)).model)
  }

  /// Waits until a run trains and some epochs are complete.
  private func begin(
    _ center: RunCenter, _ number: Int = 1, of other: Project? = nil, epochs: Int = 2
  ) async throws {
    while true {
      let record = try await center.run(number, of: other ?? project).record
      if record.state == .training, record.history.count >= epochs { return }
      try #require(record.state.isUnderWay || record.state == .done, "\(record)")
      guard record.state.isUnderWay else { throw RunEnded() }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// A run that was to be interrupted has ended.
  private struct RunEnded: Error {}

  /// Does `work` with a project of its own, whose runs have at least so many epochs.
  ///
  /// A busy machine may train a short run to its end before it is interrupted: then the work is done again, with
  /// four times as many.
  private func interrupting(
    iterations: Int, _ work: (Project) async throws -> Void
  ) async throws {
    var (isDone, attempt, iterations) = (false, 1, iterations)
    while !isDone {
      do {
        try await work(
          try WaveProject.make(at: folder.url("waves \(attempt)"), iterations: iterations))
        isDone = true
      } catch is RunEnded {
      } catch let error as StudioError {
        switch error.text {
        case .wrongState(_, .done, _), .noSnapshotNow(_, .done): break
        default: throw error
        }
      }
      attempt += 1
      iterations *= 4
    }
  }

  /// A folder into which a training writes meanwhile cannot be emptied: it goes as a whole, and the training may
  /// make another before the file is there.
  private func putFile(inPlaceOf written: URL) throws {
    for attempt in 0..<100 {
      try FileManager.default.moveItem(at: written, to: folder.url("session \(attempt)"))
      // The folder is there again.
      guard (try? Data().write(to: written, options: .withoutOverwriting)) == nil else { return }
    }
    Issue.record("\(written.path) is made again each time.")
  }

  @Test("a run extracts, trains and evaluates; its folder has record, model and evaluations")
  func wholeRun() async throws {
    try project.update { $0.parameters.iterations = 12 }
    let center = center()
    let started = try await center.start(project)
    #expect(started.record.name == "Run 1" && started.record.state.isUnderWay)
    await center.finishAll()
    let record = try await center.run(1, of: project).record
    #expect(record.state == .done && record.message == nil)
    #expect(record.classes == ["down", "up"] && record.history.count == 12)
    #expect(record.summary.training != nil && record.summary.testing != nil)
    #expect(record.summary.validation == nil)
    #expect(record.notes.contains { $0.contains("no clips for validation") })
    #expect(record.noteTexts == [.noValidation])
    #expect(record.parameters.frameRate == 10 && record.parameters.algorithm == .tcn)
    let run = RunFolder(project.folder.run(1))
    #expect(try ActionClassifier(contentsOf: run.model).windowSize == 5)
    let evaluation = try JSONSerialization.jsonObject(
      with: Data(contentsOf: run.evaluation(.training)))
    let object = try #require(evaluation as? [String: Any])
    #expect(object["accuracy"] as? Double == record.summary.training)
    let examples = try #require(object["examples"] as? [[String: Any]])
    let ids = Set(try project.items(in: .training).map(\.id))
    #expect(Set(examples.compactMap { $0["item"] as? String }) == ids)
    // Another center reads it from the folder.
    #expect(await self.center().runs(of: project).map(\.record) == [record])
  }

  @Test("a run that was paused, and one whose server ended, give the model of an uninterrupted one")
  func interruptions() async throws {
    try await interrupting(iterations: 20) { project in
      let first = center()
      _ = try await first.start(project)
      _ = try await first.start(project, name: "Paused")
      _ = try await first.start(project, name: "Killed")
      try await begin(first, 1, of: project)
      let states = await first.runs(of: project).map(\.record.state)
      guard states.last == .training else { throw RunEnded() }
      // The others wait their turn.
      #expect(states == [.waiting, .waiting, .training])
      try await begin(first, 2, of: project)
      #expect(try await first.pause(2, of: project).record.state == .paused)
      try await begin(first, 3, of: project)
      let resumed = try await first.resume(2, of: project).record.state
      await first.shutDown()
      let killed = try await center().run(3, of: project).record.state
      guard killed != .done else { throw RunEnded() }
      #expect(killed == .training && resumed == .waiting)

      let second = center()
      await second.open([project])
      await second.finishAll()
      #expect(await second.runs(of: project).map(\.record.state) == [.done, .done, .done])
      #expect(try model(2, of: project) == model(1, of: project))
      #expect(try model(3, of: project) == model(1, of: project))
      let losses = await second.runs(of: project).map { $0.record.history.map(\.trainingLoss) }
      #expect(losses[0] == losses[2] && losses[1] == losses[2])
    }
  }

  @Test("a stopped run keeps its best epoch's model, and continues to the model of a whole run")
  func stopping() async throws {
    try await interrupting(iterations: 80) { project in
      let center = center()
      _ = try await center.start(project)
      try await begin(center, of: project, epochs: 3)
      _ = try await center.snapshot(1, of: project)
      _ = try await center.stop(1, of: project)
      await center.finishAll()
      let record = try await center.run(1, of: project).record
      guard record.state == .stopped, record.history.count < record.iterationCount else {
        throw RunEnded()
      }
      #expect(record.summary.training != nil && record.best == record.history.count)
      let first = try #require(
        try await center.run(1, of: project).snapshots.min { $0.iteration < $1.iteration })
      let run = RunFolder(project.folder.run(1))
      #expect(
        try model(1, of: project) != Data(contentsOf: run.snapshotModel(first.iteration)))
      #expect(try run.model(of: nil).url == run.model)
      #expect(try run.model(of: first.iteration).version.size == first.bytes)
      _ = try await center.resume(1, of: project)
      _ = try await center.start(project)
      await center.finishAll()
      #expect(try model(1, of: project) == model(2, of: project))
    }
  }

  @Test("a run that trains has no model until its first snapshot, and then the newest one's")
  func modelOfSnapshot() async throws {
    try project.update { $0.parameters.iterations = 100_000 }
    let center = center()
    _ = try await center.start(project)
    try await begin(center, epochs: 3)
    #expect(try await !center.run(1, of: project).hasModel)
    let first = try #require(try await center.snapshot(1, of: project).snapshots.first)
    #expect(try await center.run(1, of: project).hasModel)
    let run = RunFolder(project.folder.run(1))
    #expect(try run.model(of: nil).url == run.snapshotModel(first.iteration))
    _ = try await center.stop(1, of: project)
    await center.finishAll()
  }

  @Test("each snapshot is kept with its iteration, evaluated when that is asked for, and deleted")
  func snapshots() async throws {
    try project.update { $0.parameters.iterations = 100_000 }
    let center = center()
    _ = try await center.start(project)
    var iterations: Set<Int> = []
    for epochs in [2, 20, 60] {
      try await begin(center, epochs: epochs)
      iterations.formUnion(try await center.snapshot(1, of: project).snapshots.map(\.iteration))
    }
    _ = try await center.pause(1, of: project)
    let kept = try await center.snapshot(1, of: project).snapshots.map(\.iteration)
    #expect(iterations.isSubset(of: kept))
    #expect(kept == kept.sorted(by: >) && kept.count >= 2)
    // Those of a record are found by another center.
    #expect(try await self.center().run(1, of: project).snapshots.map(\.iteration) == kept)

    let evaluations = Studio(
      library: ProjectLibrary(folder: folder.url("projects")), folders: ImportFolders([]),
      runs: center
    ).evaluations
    func evaluation(_ iteration: Int, _ well: Well) async throws -> Data {
      while true {
        let answer = try await evaluations.evaluation(
          of: iteration, ofRun: 1, on: well, in: project)
        if case .done(let data) = answer { return data }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    let last = try #require(kept.last)
    let object = try #require(
      try JSONSerialization.jsonObject(with: try await evaluation(last, .testing))
        as? [String: Any])
    #expect(object["labels"] as? [String] == ["down", "up"])
    await #expect(throws: StudioError.self) { try await evaluation(last, .validation) }

    let run = RunFolder(project.folder.run(1))
    #expect(FileManager.default.fileExists(atPath: run.evaluation(.testing, of: last).path))
    try run.deleteSnapshot(last)
    #expect(
      try await center.run(1, of: project).snapshots.map(\.iteration) == Array(kept.dropLast()))
    #expect(!FileManager.default.fileExists(atPath: run.evaluation(.testing, of: last).path))
    #expect(throws: StudioError.self) { try run.deleteSnapshot(last) }
    await #expect(throws: StudioError.self) { try await evaluation(last, .testing) }
    try await center.delete(1, of: project)
  }

  @Test("a run that ended trains for more epochs, to one model with and without a pause")
  func more() async throws {
    try await interrupting(iterations: 12) { project in
      let count = try #require(try project.description.parameters.iterations)
      try project.update { $0.parameters.iterations = 4 }
      let center = center()
      for number in 1...2 {
        _ = try await center.start(project)
        await center.finishAll()
        let more = try await center.train(number, of: project, moreIterations: count).record
        #expect(more.parameters.iterations == 4 + count)
        if number == 2 {
          try await begin(center, 2, of: project, epochs: 6)
          _ = try await center.pause(2, of: project)
          _ = try await center.resume(2, of: project)
        }
        await center.finishAll()
        #expect(try await center.run(number, of: project).record.history.count == 4 + count)
      }
      #expect(try model(1, of: project) == model(2, of: project))
    }
  }

  @Test("a change of the project does not change a run under way")
  func changedProject() async throws {
    try await interrupting(iterations: 20) { project in
      let center = center()
      _ = try await center.start(project)
      try await begin(center, of: project)
      _ = try await center.pause(1, of: project)
      _ = try project.remove(try project.items(in: .training).prefix(2).map(\.id))
      _ = try await center.resume(1, of: project)
      await center.finishAll()
      #expect(try await center.run(1, of: project).record.state == .done)
    }
  }

  @Test("a run whose data cannot be used fails with the reason, and the next one trains")
  func failure() async throws {
    let center = center()
    let missing = try project.add([NewItem(file: "gone.jsonl", label: "up")])
    _ = try await center.start(project)
    _ = try project.remove(missing.map(\.id))
    _ = try await center.start(project)
    await center.finishAll()
    let record = try await center.run(1, of: project).record
    #expect(record.state == .failed)
    #expect(record.message?.contains("gone.jsonl") == true)
    #expect(record.messageText?.sentence == record.message)
    #expect(try await center.run(2, of: project).record.state == .done)
  }

  @Test("a run whose record cannot be written ends in memory, and on the disk once it can be")
  func unwritableRecord() async throws {
    try project.update { $0.parameters.iterations = 100_000 }
    let center = center()
    _ = try await center.start(project)
    try await begin(center)
    let run = project.folder.run(1)
    let (record, aside) = (run.appending(path: "run.json"), folder.url("run.json"))
    // Neither checkpoint nor record can be written any more.
    try FileManager.default.moveItem(at: record, to: aside)
    try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
    try putFile(inPlaceOf: run.appending(path: "session"))
    await center.finishAll()
    for _ in 0..<2 {
      let failed = try await center.run(1, of: project).record
      #expect(failed.state == .failed && failed.message?.isEmpty == false)
      #expect(await center.runs(of: project).map(\.record.state) == [.failed])
    }
    let error = await expectAsyncError(StudioError.self) { try await center.pause(1, of: project) }
    #expect(error?.text == .wrongState(number: 1, state: .failed, order: .pause))
    // An order that cannot be kept is refused, and changes nothing.
    let refusal = await expectAsyncError(StudioError.self) {
      try await center.resume(1, of: project)
    }
    #expect(refusal?.code == .storage)
    #expect(try await center.run(1, of: project).record.state == .failed)

    try FileManager.default.removeItem(at: record)
    try FileManager.default.moveItem(at: aside, to: record)
    #expect(try await self.center().run(1, of: project).record.state == .training)
    #expect(try await center.run(1, of: project).record.state == .failed)
    #expect(try await self.center().run(1, of: project).record.state == .failed)
    try FileManager.default.removeItem(at: run.appending(path: "session"))
    _ = try await center.resume(1, of: project)
    _ = try await center.pause(1, of: project)
    #expect(try await self.center().run(1, of: project).record.state == .paused)
  }

  @Test("a run that cannot be stored does not begin, and leaves nothing")
  func failedStart() async throws {
    // The longest path of the system, 4096 bytes, ends within the names of the run's files.
    var url = folder.url("deep")
    while url.path.utf8.count < 4068 {
      let rest = 4067 - url.path.utf8.count
      url.append(path: String(repeating: "d", count: rest > 250 ? 200 : rest))
    }
    let deep = try WaveProject.make(at: url)
    let center = center()
    let error = await expectAsyncError(StudioError.self) { try await center.start(deep) }
    #expect(error?.code == .storage)
    #expect(await center.runs(of: deep).isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: deep.folder.runs.path)
    #expect(names == [".lock"])
  }

  @Test("orders that do not fit a run's state are refused")
  func refusals() async throws {
    try project.update { $0.parameters.iterations = 2 }
    let center = center()
    await #expect(throws: StudioError.self) { try await center.pause(1, of: project) }
    _ = try await center.start(project)
    await center.finishAll()
    await #expect(throws: StudioError.self) { try await center.pause(1, of: project) }
    await #expect(throws: StudioError.self) { try await center.resume(1, of: project) }
    await #expect(throws: StudioError.self) { try await center.stop(1, of: project) }
    await #expect(throws: StudioError.self) { try await center.snapshot(1, of: project) }
    await #expect(throws: StudioError.self) { try await center.rename(1, of: project, to: " ") }
    #expect(try await center.rename(1, of: project, to: " A ").record.name == "A")
    try await center.delete(1, of: project)
    #expect(await center.runs(of: project).isEmpty)
    _ = try project.remove(try project.items().map(\.id))
    await #expect(throws: StudioError.self) { try await center.start(project) }
  }

  @Test("two centers do not work on the runs of a project at the same time")
  func twoServers() async throws {
    try await interrupting(iterations: 20) { project in
      let first = center()
      _ = try await first.start(project)
      try await begin(first, of: project)
      let second = center()
      await second.open([project])
      await second.finishAll()
      await #expect(throws: StudioError.self) { try await second.start(project) }
      await first.finishAll()
      #expect(try await first.run(1, of: project).record.state == .done)
    }
  }
}
