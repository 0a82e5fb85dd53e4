import Foundation
import KinemaTestSupport
import KinemaVideo

/// A server of live streams that misbehaves on command; see `Fixtures/stream_server.py`.
final class StreamServer {
  let folder: TemporaryFolder
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let httpPort: Int
  private let rtspPort: Int
  private let silentPort: Int

  init() throws {
    folder = try TemporaryFolder()
    let coding = "-c:v libx264 -preset ultrafast -g 10 -bf 0 -pix_fmt yuv420p"
    let main = try folder.makeMovie("main.ts", frameCount: 60, coding)
    let other = try folder.makeMovie("other.ts", size: "160x120", frameCount: 60, coding)
    let bare = try folder.make(
      "main.h264", "-i", main.path, "-c:v", "copy", "-bsf:v", "dump_extra")
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/stream_server.py")
    process.arguments = ["python3", script.path, main.path, other.path, bare.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let ports = Self.line(from: output).split(separator: " ").compactMap { Int($0) }
    guard ports.count == 3 else { throw Command.Failure(description: "no stream server") }
    (httpPort, rtspPort, silentPort) = (ports[0], ports[1], ports[2])
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitForEnd()
  }

  /// Changes the server's behaviour.
  ///
  /// - Returns: How many connections it has.
  @discardableResult
  func obey(_ mode: String) -> Int {
    input.fileHandleForWriting.write(Data((mode + "\n").utf8))
    return Int(Self.line(from: output)) ?? -1
  }

  private static func line(from pipe: Pipe) -> String {
    var line = Data()
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
      byte[0] != 10
    {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  func http(_ path: String = "live.ts") -> LiveSource { source("http", httpPort, path) }
  var rtsp: LiveSource { source("rtsp", rtspPort, "camera") }
  func silent(_ scheme: String) -> LiveSource { source(scheme, silentPort, "x") }

  private func source(_ scheme: String, _ port: Int, _ path: String) -> LiveSource {
    var address = URLComponents()
    address.scheme = scheme
    address.user = "somebody"
    address.password = "secret"
    address.host = "127.0.0.1"
    address.port = port
    address.path = "/" + path
    return .stream(address.url ?? folder.url)
  }
}
