import Foundation
package import KinemaAction
import KinemaTraining
import Synchronization

/// The projects of a server and the work on their data.
package final class Studio: Sendable {
  /// What other parts of a server provide.
  package struct Hooks: Sendable {
    /// What a project's runs are doing: `extracting`, `training`, or `nil`.
    package var activity: @Sendable (Project) async -> String? = { _ in nil }
    /// How long extraction and training will take, in seconds; `nil` where it is not known.
    ///
    /// - Parameter unextracted: Seconds of video without known poses.
    package var estimate:
      @Sendable (
        _ unextracted: Double, _ training: ProjectSummary.WellSummary,
        _ parameters: ProjectParameters
      ) -> (extraction: Double, training: Double)? = { _, _, _ in nil }
    /// Ends the work on a project before its folder is moved.
    package var close: @Sendable (Project) async -> Void = { _ in }
    /// Loads a classifier by its id.
    package var model: @Sendable (_ id: String) async throws -> ActionClassifier = { id in
      throw StudioError(.notFound, "There is no model “\(id.prefix(100))”.")
    }
    /// How many videos are processed at the same time.
    package var jobCount: @Sendable () -> Int = { ProcessInfo.processInfo.activeProcessorCount }

    package init() {}
  }

  package let library: ProjectLibrary
  package let folders: ImportFolders
  package let hooks: Hooks
  private let desks = Mutex<[String: ProjectDesk]>([:])

  package init(library: ProjectLibrary, folders: ImportFolders, hooks: Hooks = Hooks()) {
    self.library = library
    self.folders = folders
    self.hooks = hooks
  }

  /// A project with the work on its data; throws ``StudioError``.
  package func desk(_ id: String) throws -> ProjectDesk {
    let project = try library.project(id)
    return desks.withLock { desks in
      if let desk = desks[id], desk.project === project { return desk }
      let desk = ProjectDesk(project, hooks)
      desks[id] = desk
      return desk
    }
  }

  /// Continues the work that was under way when the server ended.
  package func resume() {
    for project in library.projects {
      guard let desk = try? desk(project.id) else { continue }
      desk.extraction.resume()
      Task { await desk.takes.resume() }
    }
  }

  /// What is done for a project: `idle`, `extracting` or `training`.
  package func state(of project: Project) async -> String {
    let isExtracting = desks.withLock { $0[project.id]?.extraction.status.state } == .running
    return isExtracting ? "extracting" : await hooks.activity(project) ?? "idle"
  }

  /// Moves a project aside; gives the id by which it can be restored.
  package func delete(_ id: String) async throws -> String {
    let desk = try desk(id)
    await desk.cancel()
    await hooks.close(desk.project)
    let deleted = try library.delete(id)
    desks.withLock { $0[id] = nil }
    return deleted
  }

  /// Ends all work.
  package func shutDown() async {
    for desk in desks.withLock({ $0.values }) { await desk.cancel() }
  }
}

/// A project with its poses and the work on its data.
package final class ProjectDesk: Sendable {
  package let project: Project
  package let poses: PoseStore
  package let uploads: UploadStore
  package let extraction: ExtractionJob
  package let suggestions = Suggestions()
  package let takes: TakeStore

  init(_ project: Project, _ hooks: Studio.Hooks) {
    self.project = project
    poses = PoseStore(project)
    uploads = UploadStore(project)
    extraction = ExtractionJob(project, jobCount: hooks.jobCount)
    takes = TakeStore(project, poses: poses, jobCount: hooks.jobCount)
  }

  func cancel() async {
    await extraction.cancel()
    await takes.cancel()
  }
}
