package import Foundation
import KinemaFiles
import KinemaPose
import KinemaStreams
import KinemaTraining

/// Takes of a project: recordings whose repetitions are found and become items.
///
/// A take is kept in a file until it is thrown away, so that the work continues after the process was
/// killed.
package actor TakeStore {
  /// How an upload becomes a take.
  package struct Order: Codable, Hashable, Sendable {
    /// Whether the video stays when its poses are there; `nil` for no.
    package var keepVideo: Bool?

    package init(keepVideo: Bool? = nil) { self.keepVideo = keepVideo }
  }

  package struct Take: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
      case working, done, failed
    }

    package struct Stretch: Codable, Hashable, Sendable {
      package var start: Double
      package var end: Double
    }

    package let id: String
    package var label: String
    package var person: String?
    /// Where its items go; `nil` in files of earlier versions, for training.
    package var well: Well?
    package var keepsVideo: Bool
    package var state = State.working
    package var fraction = 0.0
    /// The recording, then its poses where the video is not kept.
    package var file: String
    /// The recording that goes when its poses are there.
    fileprivate var video: String
    /// The upload that it comes from; `nil` in files of earlier versions, and where it was asked for later.
    fileprivate var upload: String?
    /// The ids of its items.
    package var items: [String] = []
    package var repetitions: [Stretch] = []
    package private(set) var message: String?
    /// The same by name; `nil` in files of earlier versions.
    package private(set) var text: StudioMessage?
    package let created: Date

    fileprivate mutating func fail(_ text: StudioMessage) {
      state = .failed
      self.text = text
      message = text.sentence
    }
  }

  /// The most takes of a project that are listed; the oldest go first.
  private static let maximumCount = 1000

  private let project: Project
  private let poses: PoseStore
  private let jobCount: @Sendable () -> Int
  private var takes: [String: Take]
  private var tasks: [String: Task<Void, Never>] = [:]

  init(_ project: Project, poses: PoseStore, jobCount: @escaping @Sendable () -> Int) {
    self.project = project
    self.poses = poses
    self.jobCount = jobCount
    // There is no folder before the first upload.
    let names = try? FileManager.default.contentsOfDirectory(atPath: project.folder.uploads.path)
    var takes: [String: Take] = [:]
    for name in names ?? [] where name.hasPrefix("take-") && name.hasSuffix(".json") {
      let file = project.folder.uploads.appending(path: name)
      // One that is damaged is no take any more.
      if let data = try? Data(contentsOf: file),
        let take = try? JSONDecoder().decodeForeign(Take.self, from: data)
      {
        takes[take.id] = take
      }
    }
    self.takes = takes
  }

  deinit { for task in tasks.values { task.cancel() } }

  /// The takes, the latest first.
  package var all: [Take] {
    takes.values.sorted { ($0.created, $0.id) > ($1.created, $1.id) }
  }

  /// Continues the takes that were under way when the process ended.
  package func resume() {
    for take in takes.values where take.state == .working { start(take) }
  }

  /// Begins to find the repetitions of a recording, once for each upload; throws ``StudioError``.
  package func begin(
    file: String, label: String, person: String?, well: Well, keepsVideo: Bool,
    upload: String? = nil
  ) throws -> Take {
    if let upload, let begun = take(of: upload) { return begun }
    let label = label.trimmingCharacters(in: .whitespacesAndNewlines)
    try ProjectItem(id: "", well: well, file: file, label: label, person: person).check()
    _ = try project.url(of: file)
    try project.checkOwned()
    let take = Take(
      id: ProjectItem.newID(), label: label, person: person, well: well,
      keepsVideo: keepsVideo, file: file, video: file, upload: upload, created: Date())
    try save(take)
    for old in all.dropFirst(Self.maximumCount) where old.state != .working {
      takes[old.id] = nil
      // What stays is listed again after a restart, and goes with the next take.
      try? FileManager.default.removeItem(at: record(old.id))
    }
    start(take)
    return take
  }

  /// The take that an upload has become.
  package func take(of upload: String) -> Take? {
    takes.values.first { $0.upload == upload }
  }

  /// Waits until all takes are done.
  package func finish() async {
    for task in tasks.values { await task.value }
  }

  /// Ends the work; it continues when the project is opened again.
  package func cancel() async {
    for task in tasks.values { task.cancel() }
    await finish()
  }

  private func record(_ id: String) -> URL {
    project.folder.uploads.appending(path: "take-\(id).json")
  }

  private func save(_ take: Take) throws {
    try Project.storing(.take) {
      try FileManager.default.createDirectory(
        at: project.folder.uploads, withIntermediateDirectories: true)
      try WholeFile.write(try take.jsonText(), to: record(take.id))
    }
    takes[take.id] = take
  }

  private func start(_ take: Take) {
    tasks[take.id] = Task(executorPreference: BlockingTasks.threads) { [weak self] in
      await self?.work(take)
    }
  }

  private func work(_ take: Take) async {
    do {
      try await cut(take)
    } catch is CancellationError {
    } catch {
      var failed = takes[take.id] ?? take
      failed.fail(StudioError.text(of: error))
      takes[take.id] = failed
      do {
        try save(failed)
      } catch {
        // The next start tries the take again.
        failed.fail(StudioError.text(of: error))
        takes[take.id] = failed
      }
    }
    tasks[take.id] = nil
  }

  private func note(_ fraction: Double, _ id: String) {
    guard var take = takes[id], take.state == .working else { return }
    take.fraction = max(take.fraction, fraction)
    takes[id] = take
  }

  /// Extracts the poses, finds the repetitions and adds the items; each step that is done is found
  /// by the next attempt.
  private func cut(_ begun: Take) async throws {
    var take = begun
    if take.items.isEmpty {
      let video = try project.url(of: take.video)
      var configuration = project.extraction
      configuration.jobCount = max(1, jobCount())
      configuration.isInBackground = true
      let findings = try await FeatureExtractor(configuration: configuration)
        .extractPoses(of: [video]) { [weak self] progress in
          guard progress.phase == .extracting else { return }
          Task { await self?.note(progress.fractionCompleted, begun.id) }
        }
      if let finding = findings.first { throw StudioError(.badData(finding)) }
      let sequence = try await poses.poses(of: video)
      let header = try await project.headers.headers(of: [video])[video]
      let sets = try await Background.run { _ in
        try Suggestions.repetitions(in: sequence, aspectRatio: header?.aspectRatio ?? 1)
      }
      guard sequence.frames.contains(where: { !$0.poses.isEmpty }) else {
        throw StudioError(.nobodyVisible)
      }
      let isVideo = !MediaFolder.isPoseFile(video)
      if isVideo, !take.keepsVideo, take.file == take.video {
        let base = URL(filePath: take.video).deletingPathExtension().lastPathComponent
        take.file = project.unusedName("\(base).npz")
        try save(take)
      }
      if take.file != take.video {
        let target = project.folder.sources.appending(path: take.file)
        try await Background.run { _ in try sequence.write(to: target) }
      }
      take.repetitions = sets.map { Take.Stretch(start: $0.start, end: $0.end) }
      // Where nothing repeats, the whole take is the item.
      let stretches: [Take.Stretch?] = take.repetitions.isEmpty ? [nil] : take.repetitions
      let present = try project.items(of: take.file)
      let items =
        try !present.isEmpty
        ? present
        : project.add(
          stretches.map {
            NewItem(
              file: take.file, label: take.label, start: $0?.start, end: $0?.end,
              person: take.person)
          }, to: take.well ?? .training)
      take.items = items.map(\.id)
      try save(take)
    }
    if take.file != take.video, try project.items(of: take.video).isEmpty {
      try Project.storing(.take) {
        try Project.remove(project.folder.sources.appending(path: take.video))
      }
    }
    take.state = .done
    take.fraction = 1
    try save(take)
  }
}
