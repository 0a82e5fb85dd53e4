package import KinemaAction
import Synchronization

/// The projects of a server, the work on their data and their training runs.
package final class Studio: Sendable {
  package let library: ProjectLibrary
  package let folders: ImportFolders
  package let runs: RunCenter
  package let timelines: RunTimelines
  package let evaluations: SnapshotEvaluations
  package let suggestions = Suggestions()
  private let workspaces = Mutex<[String: ProjectWorkspace]>([:])

  package init(library: ProjectLibrary, folders: ImportFolders, runs: RunCenter) {
    self.library = library
    self.folders = folders
    self.runs = runs
    timelines = RunTimelines(threadCount: runs.configuration.threadCount)
    evaluations = SnapshotEvaluations(runs)
  }

  /// A classifier by its id; throws ``StudioError`` where there is none.
  package func model(_ id: String) async throws -> ActionClassifier {
    try await runs.configuration.model(id)
  }

  /// A project with the work on its data; throws ``StudioError``.
  package func workspace(_ id: String) throws -> ProjectWorkspace {
    let project = try library.project(id)
    return workspaces.withLock { workspaces in
      if let workspace = workspaces[id], workspace.project === project { return workspace }
      let workspace = ProjectWorkspace(project, jobCount: runs.configuration.threadCount)
      workspaces[id] = workspace
      return workspace
    }
  }

  /// Continues the work that was under way when the server ended.
  package func resume() async {
    for project in library.projects {
      // A project that has gone meanwhile has nothing to continue.
      guard let workspace = try? workspace(project.id) else { continue }
      workspace.extraction.resume()
      await workspace.takes.resume()
    }
    await runs.open(library.projects)
  }

  /// What is done for a project: `idle`, `extracting` or `training`.
  package func state(of project: Project) async -> String {
    let isExtracting = workspaces.withLock { $0[project.id]?.extraction.status.state } == .running
    return isExtracting ? "extracting" : await runs.activity(of: project)?.rawValue ?? "idle"
  }

  /// Moves a project aside; gives the id by which it can be restored.
  package func delete(_ id: String) async throws -> String {
    let workspace = try workspace(id)
    await workspace.cancel()
    await runs.close(workspace.project)
    let deleted = try library.delete(id)
    workspaces.withLock { $0[id] = nil }
    return deleted
  }

  /// Ends all work.
  package func shutDown() async {
    for workspace in workspaces.withLock({ $0.values }) { await workspace.cancel() }
    await runs.shutDown()
  }
}

/// A project with its poses and the work on its data.
package final class ProjectWorkspace: Sendable {
  package let project: Project
  package let poses: PoseStore
  package let uploads: UploadStore
  package let extraction: ExtractionJob
  package let takes: TakeStore

  init(_ project: Project, jobCount: @escaping @Sendable () -> Int) {
    self.project = project
    poses = PoseStore(project)
    extraction = ExtractionJob(project, jobCount: jobCount)
    takes = TakeStore(project, poses: poses, jobCount: jobCount)
    uploads = UploadStore(project, takes: takes)
  }

  func cancel() async {
    await extraction.cancel()
    await takes.cancel()
  }
}
