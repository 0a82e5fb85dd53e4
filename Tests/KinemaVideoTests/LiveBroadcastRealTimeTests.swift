import Foundation
import KinemaTestSupport
import KinemaVideo
import Testing

/// Streams that the `ffmpeg` command sends, as an encoder or a server of broadcasts does.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct LiveBroadcastRealTimeTests {
  @Test("a stream is played over RTMP, and again when its server has been killed and is back")
  func playsRTMP() async throws {
    try await playsTwice(try Broadcast(over: .rtmp))
  }

  @Test("a live playlist (HLS) is played at its pace, and again when its encoder is back")
  func playsPlaylists() async throws {
    try await playsTwice(try Broadcast(over: .hls))
  }

  private func playsTwice(_ broadcast: Broadcast) async throws {
    try broadcast.start(size: "160x120")
    var policy = ReconnectPolicy.quick
    // A playlist is read in segments, and requested once a second.
    (policy.staleAfter, policy.readTimeout) = (.seconds(2), .seconds(3))
    var events = LiveEvents(LiveVideoReader(try LiveSource(broadcast.address), policy: policy))
    #expect(await events.frames(60).allSatisfy { $0.width == 160 && $0.height == 120 })
    let rate = 59 / ((events.times.last ?? 0) - (events.times.first ?? 0))
    #expect(rate < 40, "pictures keep their pace")

    broadcast.kill()
    #expect(await events.status(.reconnecting)?.message.contains("127.0.0.1") == true)
    try broadcast.start(size: "96x64")
    let isBack = ContinuousClock.now
    #expect(await events.frame { $0.width == 96 } != nil)
    #expect(ContinuousClock.now - isBack < .seconds(30))
    _ = await events.frames(10)
    #expect(events.timesRise)
  }
}

/// A moving picture that is sent without end until its sender is killed.
private final class Broadcast {
  enum Way {
    case rtmp
    /// Segments and a playlist in a folder that Python's web server serves.
    case hls
  }

  let address: String
  private let way: Way
  private let folder: TemporaryFolder
  private let target: String
  private var sender = Process()
  private let server = Process()

  init(over way: Way) throws {
    self.way = way
    folder = try TemporaryFolder()
    let port = try Self.freePort()
    switch way {
    case .rtmp:
      address = "rtmp://127.0.0.1:\(port)/live/camera"
      target = address
    case .hls:
      address = "http://127.0.0.1:\(port)/camera.m3u8"
      target = folder.url("camera.m3u8").path
      server.executableURL = URL(filePath: "/usr/bin/env")
      server.arguments = ["python3", "-m", "http.server", port, "--bind", "127.0.0.1"]
      server.currentDirectoryURL = folder.url
      server.standardOutput = FileHandle.nullDevice
      server.standardError = FileHandle.nullDevice
      try server.run()
    }
  }

  deinit {
    sender.endAtOnce()
    server.endAtOnce()
  }

  /// Sends pictures of a size, as fast as they are to be seen.
  func start(size: String) throws {
    sender = Process()
    sender.executableURL = URL(filePath: "/usr/bin/env")
    let picture = "-re -f lavfi -i testsrc2=size=\(size):rate=30"
    let coding = "-c:v libx264 -preset ultrafast -tune zerolatency -g 15 -pix_fmt yuv420p"
    let way =
      switch self.way {
      case .rtmp: "-f flv -listen 1"
      case .hls: "-f hls -hls_time 1 -hls_list_size 4 -hls_flags delete_segments+temp_file"
      }
    let options = [picture, coding, way].joined(separator: " ").split(separator: " ")
    sender.arguments =
      ["ffmpeg", "-v", "error", "-nostdin", "-y"] + options.map(String.init) + [target]
    sender.standardError = FileHandle.nullDevice
    try sender.run()
  }

  /// Ends the sender in the middle of a picture.
  func kill() { sender.endAtOnce() }

  private static func freePort() throws -> String {
    let question = "import socket; print(socket.create_server(('127.0.0.1', 0)).getsockname()[1])"
    let answer = try Command.run("python3", ["-c", question])
    return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
