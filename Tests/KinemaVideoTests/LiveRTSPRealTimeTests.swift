import Foundation
import KinemaTestSupport
import KinemaVideo
import Testing

/// Streams from the RTSP server of GStreamer, with a password as cameras have.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct LiveRTSPRealTimeTests {
  @Test("a stream is pulled over TCP and over UDP", arguments: ["tcp", "udp"])
  func pullsStreams(transport: String) async throws {
    let camera = try RTSPCamera(transport: transport)
    var events = LiveEvents(try camera.source())
    #expect(await events.frames(30).allSatisfy { $0.width == 160 && $0.height == 120 })
    #expect(events.timesRise)
    let rate = 29 / ((events.times.last ?? 0) - (events.times.first ?? 0))
    #expect(rate < 40, "frames keep their pace")
  }

  @Test("a stream is live again after its server was killed and restarted")
  func survivesRestarts() async throws {
    let camera = try RTSPCamera(transport: "tcp")
    var events = LiveEvents(try camera.source())
    _ = await events.frames(10)
    camera.kill()
    await events.status(.reconnecting)
    try camera.start()
    let isBack = ContinuousClock.now
    #expect(await events.status(.live) != nil)
    #expect(ContinuousClock.now - isBack < .seconds(30))
    _ = await events.frames(10)
    #expect(events.timesRise)
  }

  @Test("a wrong password and a wrong path are reported, without the password")
  func tellsRefusals() async throws {
    let camera = try RTSPCamera(transport: "tcp")
    for (source, code) in [
      (try camera.source(password: "guess"), "401"), (try camera.source(path: "other"), "404"),
    ] {
      var events = LiveEvents(source)
      let status = await events.status(.reconnecting)
      #expect(status?.message.contains(code) == true, "\(status?.message ?? "nothing was said")")
      #expect(status?.message.contains("guess") == false)
    }
  }
}

/// A camera in the network: the process of `Fixtures/rtsp_server.py`.
private final class RTSPCamera {
  private let folder: TemporaryFolder
  private let movie: URL
  private let transport: String
  private var process = Process()
  private var port = 0

  init(transport: String) throws {
    self.transport = transport
    folder = try TemporaryFolder()
    movie = try folder.makeMovie(
      "camera.mp4", size: "160x120", frameCount: 600,
      "-c:v libx264 -preset ultrafast -g 15 -bf 0 -pix_fmt yuv420p")
    try start()
  }

  deinit { kill() }

  /// Starts or restarts the server on its port.
  func start() throws {
    process = Process()
    // The system's Python is the one with the bindings.
    process.executableURL = URL(filePath: "/usr/bin/python3")
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/rtsp_server.py")
    process.arguments = [script.path, movie.path, String(port), transport]
    let output = Pipe()
    process.standardInput = Pipe()
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  func kill() { process.endAtOnce() }

  func source(password: String = "secret", path: String = "camera") throws -> LiveSource {
    try LiveSource("rtsp://somebody:\(password)@127.0.0.1:\(port)/\(path)")
  }
}
