package import Foundation
package import KinemaAction
import KinemaCounting
package import KinemaHTTP
import KinemaRendering
import KinemaStreams
import KinemaStudio
package import KinemaVideo
import KinemaVision
package import KinemaWatch

/// The live app: web server, sessions, models, history and pages.
package final class LiveServer: Sendable {
  package struct Options: Sendable {
    /// The web server's address and security; ``data`` has its certificate by default.
    package var web = WebServer.Configuration()
    /// Sources besides local cameras and the synthetic person.
    package var sources: [LiveSource] = []
    /// Models besides the built-in and uploaded ones; sessions start with the first.
    package var models: [URL] = []
    /// The folder of history, uploaded models and certificates.
    package var data = DataFolder.url()
    /// The limits and settings of sessions.
    package var live = LiveConfiguration()
    /// What is watched whether a page is open or not.
    package var watch: Watch?
    package var isRecordingAllowed = true
    /// The folders whose files projects may use.
    package var importFolders: [URL] = []
    /// A project outside of the data folder that is listed as well.
    package var project: URL?
    package var version = ""

    package init() {}
  }

  /// Named sources, with their rules and receivers.
  package struct Watch: Sendable {
    package var file: WatchFile
    /// The classifier of a model's name or file; `nil` for the usual one.
    package var classifier: @Sendable (_ model: String?) throws -> ActionClassifier
    /// Whether actions are named although no rule asks for them.
    package var namesActions = false
    /// Takes messages for people.
    package var report: @Sendable (_ message: String) -> Void
    /// Finds cameras in the network.
    package var search = CameraRoutes.network

    package init(
      file: WatchFile,
      classifier: @escaping @Sendable (_ model: String?) throws -> ActionClassifier,
      report: @escaping @Sendable (_ message: String) -> Void
    ) {
      self.file = file
      self.classifier = classifier
      self.report = report
    }
  }

  private let server: WebServer
  private let service: LiveService
  private let studio: Studio
  private let watching: (watcher: Watcher, file: WatchFile)?
  /// The id of the project of the options.
  package let projectID: String?
  /// Messages for the user: a damaged history that was moved aside, uploaded models that were
  /// skipped.
  package let notices: [String]

  /// Opens the history, binds the address and loads the networks; throws ``ServerError`` if that
  /// fails, ``KinemaVision/VisionError`` if a part of vision is missing.
  package init(_ options: Options) async throws {
    let history = try History(at: options.data)
    let models = try ModelLibrary(
      folder: options.data.appending(path: "models"), additional: options.models)
    guard let pages = WebResources.folder() else {
      throw ServerError(.notFound, MessageText("noPages"))
    }
    let files = try StaticFiles(folder: pages)
    var configuration = options.live
    configuration.recordingFolder = options.isRecordingAllowed ? history.recordingFolder : nil
    let model = await models.models().first
    configuration.defaultModel = model?.id
    let sources = Self.sources(
      options.sources, frameRate: model?.frameRate ?? ActionRecognizer.defaultFrameRate)
    let service = LiveService(
      configuration: configuration, models: models, history: history, sources: sources)
    let limits = ServerInformation.Limits(
      sessions: configuration.maximumSessionCount, frameBytes: configuration.maximumPictureBytes)
    let feed = EventFeed()
    let watching = try options.watch.map { watch in
      (
        watcher: try Self.watcher(watch, options, pool: service.context.pool, feed),
        file: watch.file
      )
    }
    self.watching = watching
    let routes = APIRoutes(
      history: history, models: models, routines: Routines(folder: options.data),
      information: {
        ServerInformation(
          version: options.version, sources: sources.map(\.description),
          models: await models.models(), limits: limits,
          isRecordingAllowed: options.isRecordingAllowed)
      }, isRecordingAllowed: options.isRecordingAllowed,
      watch: WatchRoutes(
        watcher: watching?.watcher, file: watching?.file, feed: feed, version: options.version,
        search: options.watch?.search ?? CameraRoutes.network,
        sessionCount: { [weak service] in service?.sessionCount ?? 0 }))
    // A processor is left for people who are live.
    let threadCount: @Sendable () -> Int = { [weak service] in
      let count = ProcessInfo.processInfo.activeProcessorCount
      return max(1, count - (service?.isServing == true ? 1 : 0))
    }
    let studio = Studio(
      library: ProjectLibrary(
        folder: options.data.appending(path: "projects"), device: options.live.settings.device),
      folders: ImportFolders(options.importFolders),
      runs: RunCenter(
        .init(
          folder: options.data, model: { try await models.classifier($0) },
          threadCount: threadCount)))
    self.studio = studio
    projectID = try options.project.map { try studio.library.open($0).id }
    await studio.resume()
    let application = LiveApplication(
      routes: routes.routes + StudioRoutes.routes(studio, models: models),
      page: { files.response(path: $0) },
      metrics: { [watcher = watching?.watcher] in
        service.metrics + (watcher.map(WatchMetrics.text(of:)) ?? "")
      },
      serve: { await service.serve($0, request: $1) })
    var web = options.web
    web.certificateFolder = web.certificateFolder ?? options.data.appending(path: "certificates")
    // The networks take seconds to load: an address that cannot be had is reported before.
    server = try WebServer(configuration: web, application: application)
    try await service.prepare()
    if let (watcher, file) = watching { try await watcher.apply(file.configuration) }
    self.service = service
    notices =
      [history.notice, CountingMethod.fallbackNotice].compactMap(\.self) + models.problems
      + studio.library.problems
  }

  /// The address for a browser, with the token if there is one.
  package var addressToOpen: URL { server.addressToOpen }

  /// The SHA-256 of the self-signed certificate, if any.
  package var selfSignedFingerprint: String? { server.selfSignedFingerprint }

  /// Serves until the task is cancelled; then sessions are ended and saved.
  package func run() async throws {
    let trimming = HeapTrimming.start()
    let following = watching.map { watcher, file in
      // Both end when they are cancelled, and only then.
      [Task { await watcher.publishStates() }, Task { _ = try? await watcher.follow(file) }]
    }
    defer {
      trimming.cancel()
      following?.forEach { $0.cancel() }
    }
    try await server.run()
    await watching?.watcher.stop()
    await service.shutDown()
    await studio.shutDown()
  }

  /// Watches with the threads that sessions have.
  private static func watcher(
    _ watch: Watch, _ options: Options, pool: PosePool, _ feed: EventFeed
  ) throws -> Watcher {
    var setup = Watcher.Setup(
      folder: options.data.appending(path: "watch"), pool: pool,
      settings: options.live.settings, classifier: watch.classifier, print: { _ in },
      report: watch.report)
    setup.namesActions = watch.namesActions
    setup.version = options.version
    setup.isForDisplay = true
    setup.announce = { feed.publish($0, json: $1) }
    return try Watcher(setup)
  }

  /// The sources that sessions may choose: those of the options, local cameras, the synthetic
  /// person.
  private static func sources(_ named: [LiveSource], frameRate: Double) -> [SessionSource] {
    let namedDevices = named.compactMap { source in
      if case .camera(let configuration) = source { configuration.device } else { nil }
    }
    let cameras = LiveSource.cameras().map(\.device).filter { !namedDevices.contains($0) }
      .map { LiveSource.camera(CameraConfiguration(device: $0)) }
    let all = (named + cameras).map { source in
      guard case .camera(var configuration) = source else { return source }
      configuration.frameRate = frameRate
      return .camera(configuration)
    }
    let names = distinct(all.map(\.name))
    let opened = all.enumerated().map { index, source in
      SessionSource(.init(id: "source\(index + 1)", kind: kind(of: source), name: names[index])) {
        LiveVideoReader(source).events()
      }
    }
    let synthetic = SessionSource(
      .init(id: "synthetic", kind: .synthetic, name: "A synthetic person")
    ) {
      SyntheticLiveStream.reader().events()
    }
    return opened + [synthetic]
  }

  /// The names, with a number where several are the same: an address may be secret but for its host.
  package static func distinct(_ names: [String]) -> [String] {
    var seen: [String: Int] = [:]
    return names.map { name in
      guard names.count(where: { $0 == name }) > 1 else { return name }
      seen[name, default: 0] += 1
      return "\(name) (\(seen[name, default: 1]))"
    }
  }

  private static func kind(of source: LiveSource) -> ServerInformation.Source.Kind {
    switch source {
    case .camera: .camera
    case .file: .file
    case .stream, .pattern: .stream
    case .adjusted(let source, _): kind(of: source)
    }
  }
}
