import Foundation
import KinemaFiles
import KinemaStreams
import KinemaTraining

/// The training runs of all projects: one at a time trains, the others wait in order.
///
/// A run is a folder (``RunFolder``). One that was under way when the process ended continues from its
/// checkpoint, once its project is opened with ``open(_:)``.
package actor RunCenter {
  /// A run and how far it has come.
  package struct Status: Sendable {
    package var record: RunRecord
    /// That of the present phase.
    package var progress: RunProgress
    /// Whether it has a model: that of its end, or of a snapshot.
    package var hasModel: Bool
    package var snapshots: [RunFolder.Snapshot]

    fileprivate init(_ record: RunRecord, _ progress: RunProgress, _ folder: RunFolder) {
      self.record = record
      self.progress = progress
      hasModel = folder.hasModel
      snapshots = folder.snapshots
    }
  }

  private struct Place: Hashable {
    let project: ProjectFolder
    let number: Int

    var folder: RunFolder { RunFolder(project.run(number)) }
  }

  private struct ActiveRun {
    let place: Place
    let project: Project
    let monitor: RunMonitor
    let task: Task<Void, Never>
    /// What becomes of the run when the turn is ended before its work; `nil` for another turn.
    var next: RunRecord.State?
  }

  /// What trainings take on this machine.
  package nonisolated let rates: WorkRates
  nonisolated let configuration: Configuration
  private var waiting: [(place: Place, project: Project)] = []
  private var active: ActiveRun?
  /// Records that could not be written: they hold, and are written when there is room again.
  private var unwritten: [Place: RunRecord] = [:]
  private var locks: [ProjectFolder: FileLock] = [:]
  private var isOver = false

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    rates = WorkRates(folder: configuration.folder)
  }

  deinit { active?.task.cancel() }

  // MARK: - Runs

  /// The runs of a project, newest first; damaged ones are left out.
  package func runs(of project: Project) -> [Status] {
    project.folder.runFolders.reversed().compactMap { try? status(place($0, project)) }
  }

  /// A run; throws ``StudioError``.
  package func run(_ number: Int, of project: Project) throws -> Status {
    try status(Place(project: project.folder, number: number))
  }

  /// What a project's runs are doing: `extracting`, `training` (also evaluating), or `nil`.
  package func activity(of project: Project) -> RunRecord.State? {
    guard let active, active.place.project == project.folder else { return nil }
    switch active.monitor.now.record.state {
    case .waiting, .extracting: return .extracting
    case .training, .evaluating: return .training
    case .paused, .done, .stopped, .failed: return nil
    }
  }

  private func place(_ folder: RunFolder, _ project: Project) -> Place {
    Place(project: project.folder, number: folder.number)
  }

  private func status(_ place: Place) throws -> Status {
    if let active, active.place == place {
      let now = active.monitor.now
      return Status(now.record, now.progress, place.folder)
    }
    let record = try record(place)
    return Status(record, RunProgress(of: record), place.folder)
  }

  // MARK: - Orders

  /// Lets the runs that were under way continue; those that another process works on are its own.
  package func open(_ projects: [Project]) {
    var found: [(RunRecord, Place, Project)] = []
    func underWay(_ project: Project) -> [(RunRecord, Place, Project)] {
      project.folder.runFolders.compactMap { folder in
        let place = place(folder, project)
        // One without a readable record cannot continue.
        guard let record = try? record(place), record.state.isUnderWay,
          active?.place != place, !waiting.contains(where: { $0.place == place })
        else { return nil }
        return (record, place, project)
      }
    }
    // A project without such a run is not touched, so that another server may train it.
    for project in projects where !underWay(project).isEmpty {
      // Read again: another process, which has the lock or had it, may have ended a run meanwhile.
      if (try? lock(project)) != nil { found += underWay(project) }
    }
    // One that had a turn first.
    found.sort { one, other in
      let isFirst = (one.0.state == .waiting, other.0.state == .waiting)
      return isFirst.0 != isFirst.1
        ? !isFirst.0 : (one.0.created, one.0.id) < (other.0.created, other.0.id)
    }
    waiting += found.map { ($0.1, $0.2) }
    advance()
  }

  /// Starts a run with a project's items and parameters as they are now; throws ``StudioError``.
  package func start(_ project: Project, name: String? = nil) throws -> Status {
    guard try !project.items(in: .training).isEmpty else {
      throw StudioError(.nothingToTrain)
    }
    try lock(project)
    let number = (project.folder.runFolders.last?.number ?? 0) + 1
    guard number <= RunFolder.largestNumber else { throw StudioError(.lastRun(number: number - 1)) }
    let record = try RunRecord(
      id: number, name: name, parameters: try project.description.parameters)
    let place = Place(project: project.folder, number: number)
    try Project.storing(.run) {
      try FileManager.default.createDirectory(
        at: project.folder.runs, withIntermediateDirectories: true)
      // It fails for one that is there, of a folder that could not be listed.
      try FileManager.default.createDirectory(
        at: place.folder.url, withIntermediateDirectories: false)
    }
    do {
      for well in Well.allCases where well != .leftOut {
        try place.folder.write(try project.csv(of: well), to: place.folder.table(well))
      }
      try place.folder.write(record)
    } catch {
      // Where it stays, it is no run either: it has no record.
      try? FileManager.default.removeItem(at: place.folder.url)
      throw error
    }
    waiting.append((place, project))
    advance()
    return try status(place)
  }

  /// Pauses a run after its present step; throws ``StudioError`` for one that is not under way.
  package func pause(_ number: Int, of project: Project) async throws -> Status {
    let place = Place(project: project.folder, number: number)
    if active?.place == place {
      await endTurn(.paused)
    } else if try status(place).record.state != .paused {
      try take(place, from: [.waiting], .pause) { $0.state = .paused }
    }
    return try status(place)
  }

  /// Lets a run that was paused or stopped, or has failed, continue; throws ``StudioError``.
  package func resume(_ number: Int, of project: Project) throws -> Status {
    try queue(number, of: project, from: [.paused, .stopped, .failed], .resume) { record in
      record.report(nil)
    }
  }

  /// Ends a run with the model of its best epoch so far; throws ``StudioError`` for one that has
  /// ended.
  package func stop(_ number: Int, of project: Project) async throws -> Status {
    let place = Place(project: project.folder, number: number)
    if active?.place == place {
      guard active?.monitor.now.record.state != .evaluating else { return try status(place) }
      active?.monitor.update { $0.record.isEnding = true }
      await endTurn(nil)
    } else {
      try lock(project)
      try take(place, from: [.waiting, .paused], .stop) { record in
        record.state = .waiting
        record.isEnding = true
      }
      waiting.insert((place, project), at: 0)
      advance()
    }
    return try status(place)
  }

  /// Trains a run that has ended, or is paused, for more epochs; throws ``StudioError``.
  package func train(
    _ number: Int, of project: Project, moreIterations count: Int
  ) throws -> Status {
    try queue(number, of: project, from: [.done, .stopped, .paused], .more) { record in
      // One that was stopped continues from where it is.
      let done =
        record.state == .stopped ? record.history.last?.iteration ?? 0 : record.iterationCount
      let (sum, isTooMuch) = done.addingReportingOverflow(count)
      record.parameters.iterations = isTooMuch ? .max : sum
      _ = try record.parameters.training()
    }
  }

  /// Keeps the model of the best epoch so far of a run that trains or is paused, beside those of
  /// other epochs; throws ``StudioError``.
  package func snapshot(_ number: Int, of project: Project) async throws -> Status {
    let place = Place(project: project.folder, number: number)
    let model: TrainedActionClassifier?
    if let session = active?.place == place ? active?.monitor.now.session : nil {
      model = try await Background.run { _ in try session.bestModel() }
    } else {
      let record = try record(place)
      guard record.state == .paused else {
        throw StudioError(.noSnapshotNow(number: number, state: record.state))
      }
      model = try await run(place, project, RunMonitor(record)).bestModel()
    }
    guard let model else {
      throw StudioError(.noEpochYet(number: number))
    }
    try place.folder.keep(model)
    return try status(place)
  }

  /// Evaluates a snapshot on the sets of its run and writes the reports; throws ``StudioError``, or
  /// what the work failed with.
  nonisolated func evaluateSnapshot(
    _ iteration: Int, ofRun number: Int, of project: Project,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let place = Place(project: project.folder, number: number)
    let run = run(place, project, RunMonitor(try place.folder.record()))
    try await run.evaluate(snapshot: iteration, progress: progress)
  }

  /// Renames a run; throws ``StudioError``.
  package func rename(_ number: Int, of project: Project, to name: String) throws -> Status {
    let place = Place(project: project.folder, number: number)
    let name = try RunRecord.checked(name)
    var record = try status(place).record
    record.name = name
    try write(record, place)
    if let active, active.place == place { active.monitor.update { $0.record.name = name } }
    return try status(place)
  }

  /// Ends a run and deletes its folder; throws ``StudioError``.
  package func delete(_ number: Int, of project: Project) async throws {
    let place = Place(project: project.folder, number: number)
    if active?.place == place { await endTurn(.paused) }
    guard FileManager.default.fileExists(atPath: place.folder.url.path) else {
      throw StudioError(.noRun(number: String(number)))
    }
    waiting.removeAll { $0.place == place }
    unwritten[place] = nil
    try Project.storing(.run) { try FileManager.default.removeItem(at: place.folder.url) }
  }

  /// Pauses all runs of a project and leaves its folder, so that it can be moved.
  package func close(_ project: Project) async {
    for entry in waiting where entry.place.project == project.folder {
      // One whose record cannot be written waits on where the project is opened again.
      try? take(entry.place, from: [.waiting], .pause) { $0.state = .paused }
    }
    waiting.removeAll { $0.place.project == project.folder }
    unwritten = unwritten.filter { $0.key.project != project.folder }
    if active?.place.project == project.folder { await endTurn(.paused) }
    locks[project.folder] = nil
  }

  /// Ends the work; runs under way continue when their projects are opened again.
  package func shutDown() async {
    isOver = true
    waiting = []
    active?.task.cancel()
    await active?.task.value
    locks = [:]
  }

  /// Waits until no run works or waits.
  package func finishAll() async {
    while let active { await active.task.value }
  }

  // MARK: - Turns

  /// Takes a run without a turn from the queue, and changes it.
  private func take(
    _ place: Place, from states: Set<RunRecord.State>, _ order: StudioMessage.Order,
    _ change: (inout RunRecord) throws -> Void
  ) throws {
    var record = try status(place).record
    guard states.contains(record.state), active?.place != place else {
      throw StudioError(
        .wrongState(number: place.number, state: record.state, order: order))
    }
    try change(&record)
    try write(record, place)
    waiting.removeAll { $0.place == place }
  }

  /// Lets a run without a turn wait for one, changed.
  private func queue(
    _ number: Int, of project: Project, from states: Set<RunRecord.State>,
    _ order: StudioMessage.Order,
    _ change: (inout RunRecord) throws -> Void
  ) throws -> Status {
    let place = Place(project: project.folder, number: number)
    try lock(project)
    try take(place, from: states, order) { record in
      try change(&record)
      record.state = .waiting
      record.isEnding = false
    }
    waiting.append((place, project))
    advance()
    return try status(place)
  }

  private func advance() {
    guard active == nil, !waiting.isEmpty, !isOver else { return }
    let (place, project) = waiting.removeFirst()
    // One without a readable record is left out, as in the list.
    guard let record = try? record(place) else { return advance() }
    let monitor = RunMonitor(record)
    let work = run(place, project, monitor)
    let task = Task(executorPreference: BlockingTasks.threads) { [weak self] in
      // It throws where the task was cancelled, and only then.
      let isInterrupted = await (try? work.work()) == nil
      await self?.finish(place, isInterrupted: isInterrupted)
    }
    active = ActiveRun(place: place, project: project, monitor: monitor, task: task)
  }

  private nonisolated func run(
    _ place: Place, _ project: Project, _ monitor: RunMonitor
  ) -> TrainingRun {
    TrainingRun(
      project: project, folder: place.folder, monitor: monitor, configuration: configuration,
      rates: rates)
  }

  /// Ends the turn under way and waits until it has ended.
  private func endTurn(_ next: RunRecord.State?) async {
    active?.next = next
    active?.task.cancel()
    await active?.task.value
  }

  private func finish(_ place: Place, isInterrupted: Bool) {
    guard let ended = active, ended.place == place else { return }
    active = nil
    if !isInterrupted {
      keep(ended.monitor.now.record, place)
    } else if !isOver {
      keep(ended.monitor.update { $0.record.state = ended.next ?? .waiting }, place)
      if ended.next == nil { waiting.insert((place, ended.project), at: 0) }
    }
    advance()
  }

  // MARK: - Records

  /// The record of a run without a turn, as it is: in memory where it could not be written.
  private func record(_ place: Place) throws -> RunRecord {
    guard let record = unwritten[place] else { return try place.folder.record() }
    keep(record, place)
    return record
  }

  private func write(_ record: RunRecord, _ place: Place) throws {
    try place.folder.write(record)
    unwritten[place] = nil
  }

  /// Writes a record; what cannot be written holds in memory.
  private func keep(_ record: RunRecord, _ place: Place) {
    do { try write(record, place) } catch { unwritten[place] = record }
  }

  private func lock(_ project: Project) throws {
    guard locks[project.folder] == nil else { return }
    try project.checkOwned()
    locks[project.folder] = try Project.storing(.run) {
      try FileManager.default.createDirectory(
        at: project.folder.runs, withIntermediateDirectories: true)
      guard let lock = try FileLock(project.folder.runs.appending(path: ".lock")) else {
        throw StudioError(.otherServer)
      }
      return lock
    }
  }
}
