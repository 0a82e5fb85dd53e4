package import Foundation
package import KinemaErrors
import KinemaVideo
package import KinemaVision
import Synchronization

/// A named source as it is now.
package struct WatchedSource: Sendable {
  package struct Details: Sendable {
    package var persons: [SceneEvents.State.Person] = []
    /// Why there are no pictures, as a sentence.
    package var message: String?
    /// The same by name.
    package var text: MessageText?
    package var lastEvent: Announcement?
    /// The newest frame, where frames are kept, and when it was processed.
    package var frame: PosedFrame?
    package var frameDate: Date?
  }

  /// What a source does: how much of it is processed, or why nothing is.
  package enum Activity: String, CaseIterable, Sendable {
    case asleep, looking, still, moving
    case connecting, stale, ended, paused
  }

  package let name: String
  /// The address without what may be secret; `nil` where it cannot be read.
  package let address: String?
  package let state: SourceState
  package let details: Details
  /// What it costs; `nil` for a file that is read once.
  package let ladder: SourceLadder.Status?

  /// What it does; `nil` for a file that is being read.
  package var activity: Activity? {
    switch state.source {
    case .live: ladder.flatMap { Activity(rawValue: $0.state.rawValue) }
    case .connecting: .connecting
    case .stale: .stale
    case .ended: .ended
    case .paused: .paused
    }
  }

  /// The frames that are processed a second; 0 while it sends none, `nil` for a file that is read once.
  package var rate: Double? { ladder.map { state.source == .live ? $0.rate : 0 } }
}

extension WatchConfiguration.Source {
  /// The address without the parts that passwords are in: of a stream without user, path and query,
  /// of a file its name.
  package var shownAddress: String? {
    guard let source = try? LiveSource(address) else { return nil }
    switch source {
    case .file(let url): return url.lastPathComponent
    case .stream(let url):
      guard url.host?.isEmpty == false,
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
      else { return url.scheme.map { "\($0):" } }
      (parts.user, parts.password, parts.path) = (nil, nil, "")
      (parts.query, parts.fragment) = (nil, nil)
      return parts.string
    case .camera, .pattern, .adjusted: return address
    }
  }
}

extension Watcher {
  /// How often a file is checked for changes, in seconds.
  static let reloadInterval = 0.5

  /// The sources in the order of the configuration.
  package var sources: [WatchedSource] {
    let (sources, states, details, ladders) = state.withLock {
      ($0.configuration.sources, $0.sources, $0.details, $0.ladders)
    }
    return sources.map { source in
      WatchedSource(
        name: source.name, address: source.shownAddress,
        state: states[source.name] ?? SourceState(),
        details: details[source.name] ?? WatchedSource.Details(),
        ladder: ladders[source.name]?.status)
    }
  }

  /// The areas of a source; `nil` where it is not watched.
  package func areas(of source: String) -> SourceAreas? {
    state.withLock { state in
      state.sources[source].map { _ in state.configuration.areas[source] ?? SourceAreas() }
    }
  }

  /// How many events wait for their receivers.
  package var waitingCount: Int { state.withLock { $0.receivers }?.waitingCount ?? 0 }

  func keep(_ frame: PosedFrame, _ scene: SceneEvents.State, of source: String) {
    let date = Date()
    state.withLock { state in
      state.details[source]?.persons = scene.persons
      state.details[source]?.frameDate = date
      if setup.isForDisplay { state.details[source]?.frame = frame }
    }
  }

  /// Applies each change of a file until the task is cancelled; a mistake in it is reported.
  ///
  /// - Parameter check: Ends it by an error.
  package func follow(
    _ file: WatchFile, check: @Sendable () throws -> Void = {}
  ) async throws {
    var file = file
    while true {
      try await Task.sleep(for: .seconds(Self.reloadInterval))
      try check()
      do {
        guard let configuration = try file.changed() else { continue }
        try await apply(configuration)
        setup.report("\(file.name) was read again.")
      } catch let error as WatchError {
        setup.report("\(error.message) The settings before remain.")
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Whatever it is: the next change of the file is read all the same.
        setup.report("\(file.name) cannot be followed: \(error)")
      }
    }
  }
}
