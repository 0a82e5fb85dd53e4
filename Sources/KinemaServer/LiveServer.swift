package import Foundation
import KinemaAction
import KinemaPose
import KinemaSynth
package import KinemaVideo
package import KinemaVision

/// The live app in one: the web server, the sessions, the models, the history and the pages.
package final class LiveServer: Sendable {
  /// What a server is started with.
  package struct Options: Sendable {
    /// Where and how it is reached.
    ///
    /// Its certificate's folder is chosen by ``data`` where it is `nil`.
    package var web = WebServer.Configuration()
    /// What it looks at itself, besides the cameras of this computer and the synthetic person.
    package var sources: [LiveSource] = []
    /// Models besides the built-in one and those uploaded; sessions begin with the first of them.
    package var models: [URL] = []
    /// Where history, uploaded models and certificates are kept.
    package var data = DataFolder.url()
    /// How many sessions there may be; `nil` leaves it to the number of processors.
    package var maximumSessionCount: Int?
    /// How many people a session may follow.
    package var maximumPersonCount: Int?
    /// The arithmetic of the networks.
    package var precision = HumanBodyPoseExtractor.Precision.full
    /// Whether the trembling of joints is calmed.
    package var isSmoothed = false
    /// Whether sessions may record video.
    package var isRecordingAllowed = true
    /// Kinema's version.
    package var version = ""

    package init() {}
  }

  private let server: WebServer
  private let service: LiveService
  /// What whoever starts the server should know of its files, a sentence each: a damaged history that
  /// was set aside, uploaded models that were left out.
  package let notices: [String]

  /// Opens the history, binds to the address and loads the networks.
  ///
  /// - Throws: ``ServerError`` where that fails, ``KinemaVision/VisionError`` where a part that finds
  ///   people is missing.
  package init(_ options: Options) async throws {
    let history = try History(at: options.data)
    let models = try ModelLibrary(
      folder: options.data.appending(path: "models"), additional: options.models)
    guard let pages = WebResources.folder() else {
      throw ServerError(
        .notFound, "The pages of the live app are missing; install Kinema again.")
    }
    let files = try StaticFiles(folder: pages)
    var configuration = LiveConfiguration()
    configuration.precision = options.precision
    configuration.isSmoothed = options.isSmoothed
    configuration.maximumSessionCount =
      options.maximumSessionCount ?? configuration.maximumSessionCount
    configuration.maximumPersonCount =
      options.maximumPersonCount ?? configuration.maximumPersonCount
    configuration.recordingFolder =
      options.isRecordingAllowed ? history.recordingFolder : nil
    let model = await models.models().first
    configuration.defaultModel = model?.id
    let sources = Self.sources(
      options.sources, frameRate: model?.frameRate ?? ActionRecognizer.defaultFrameRate)
    let service = LiveService(
      configuration: configuration, models: models, history: history, sources: sources)
    try await service.prepare()
    let limits = ServerInformation.Limits(
      sessions: configuration.maximumSessionCount, frameBytes: configuration.maximumPictureBytes)
    let routes = APIRoutes(
      history: history, models: models,
      information: {
        ServerInformation(
          version: options.version, sources: sources.map(\.description),
          models: await models.models(), limits: limits,
          isRecordingAllowed: options.isRecordingAllowed)
      }, isRecordingAllowed: options.isRecordingAllowed)
    let application = LiveApplication(
      routes: routes, page: { files.response(path: $0) }, metrics: { service.metrics },
      serve: { await service.serve($0, request: $1) })
    var web = options.web
    web.certificateFolder = web.certificateFolder ?? options.data.appending(path: "certificates")
    server = try WebServer(configuration: web, application: application)
    self.service = service
    notices = [history.notice].compactMap { $0 } + models.problems
  }

  /// The address for a browser: with the token, where there is one.
  package var addressToOpen: URL { server.addressToOpen }

  /// The SHA-256 of the server's own certificate, of which a browser warns; `nil` without one.
  package var selfSignedFingerprint: String? { server.selfSignedFingerprint }

  /// Serves until the task is cancelled; then sessions are ended and saved.
  package func run() async throws {
    try await server.run()
    await service.shutDown()
  }

  /// What sessions may ask the server to look at: what was named, the cameras, the synthetic person.
  ///
  /// Cameras are asked for the frame rate of the model that sessions begin with.
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
    let opened = all.enumerated().map { index, source in
      SessionSource(.init(id: "source\(index + 1)", kind: kind(of: source), name: source.name)) {
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

  private static func kind(of source: LiveSource) -> ServerInformation.Source.Kind {
    switch source {
    case .camera: .camera
    case .file: .file
    case .stream, .pattern: .stream
    case .adjusted(let source, _): kind(of: source)
    }
  }
}
