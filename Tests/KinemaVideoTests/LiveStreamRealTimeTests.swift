import Foundation
import KinemaRandom
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Synchronization
import Testing

/// Streams from a server that misbehaves.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct LiveStreamRealTimeTests {
  private func isClean(_ events: LiveEvents) -> Bool {
    events.statuses.allSatisfy { status in
      status.message.hasSuffix(".") && !status.message.contains("secret")
        && !status.message.contains("somebody") && !status.message.contains("\n")
    }
  }

  /// A server, and the events of its HTTP stream after a few pictures.
  private func opened() async throws -> (server: StreamServer, events: LiveEvents) {
    let server = try StreamServer()
    var events = LiveEvents(server.http())
    _ = await events.frames(5)
    return (server, events)
  }

  @Test("an HTTP stream that stalls is stale, then reopened, and live when it continues")
  func survivesStalls() async throws {
    let server = try StreamServer()
    var events = LiveEvents(server.http())
    #expect(await events.frames(10).allSatisfy { $0.width == 96 && $0.height == 64 })
    server.obey("stall")
    #expect(await events.status(.stale) != nil)
    let lost = await events.status(.reconnecting)
    #expect(lost?.message.contains("127.0.0.1") == true)
    server.obey("serve")
    #expect(await events.status(.live) != nil)
    // The file is sent over and over: its time stamps jump back every two seconds.
    _ = await events.frames(90)
    #expect(events.timesRise)
    #expect(isClean(events))
  }

  @Test("an HTTP stream that dies, refuses and sends garbage comes back")
  func survivesGarbage() async throws {
    var (server, events) = try await opened()
    server.obey("garbage")
    await events.status(.stale)
    server.obey("serve")
    await events.status(.live)
    server.obey("die")
    await events.status(.reconnecting)
    server.obey("deny")
    while let status = await events.status(.reconnecting), !status.message.contains("401") {}
    server.obey("serve")
    await events.status(.live)
    _ = await events.frames(5)
    #expect(events.timesRise)
    #expect(isClean(events))
  }

  @Test(
    "a video file on a web server is a recording, read to its end without loss; a stream is not")
  func recordings() async throws {
    let server = try StreamServer()
    func reading(_ source: LiveSource) -> StreamReading {
      StreamReading(source, patience: .init())
    }
    let recording = reading(server.http("recording.ts"))
    #expect(try await recording.open(report: nil))
    var frames = recording.frames()
    var count = 0
    while let frame = try await frames.next() { count += frame.feature.width == 96 ? 1 : 0 }
    #expect(count == 60)
    #expect(try await !reading(server.http()).open(report: nil))
    #expect(try await !reading(server.rtsp).open(report: nil))
    server.obey("deny")
    let error = await expectAsyncError(VideoError.self) {
      try await reading(server.http()).open(report: nil)
    }
    #expect(error?.code == .sourceUnavailable)
  }

  @Test("pictures of another size are followed in the middle of a stream")
  func followsSizes() async throws {
    var (server, events) = try await opened()
    server.obey("other")
    #expect(await events.frame { $0.width == 160 }?.height == 120)
    server.obey("serve")
    #expect(await events.frame { $0.width == 96 }?.height == 64)
    #expect(events.timesRise)
  }

  @Test("an RTSP stream is pulled, and opened again after its server has died")
  func pullsRTSP() async throws {
    let server = try StreamServer()
    var events = LiveEvents(server.rtsp)
    #expect(await events.frames(20).allSatisfy { $0.width == 96 })
    server.obey("die")
    await events.status(.reconnecting)
    server.obey("serve")
    await events.status(.live)
    _ = await events.frames(5)
    server.obey("stall")
    await events.status(.stale)
    await events.status(.reconnecting)
    server.obey("serve")
    await events.status(.live)
    #expect(events.timesRise)
    #expect(isClean(events))
  }

  @Test(
    "a server that accepts and says nothing does not hold the reader up",
    arguments: ["rtsp", "http", "rtmp", "tcp"])
  func survivesSilence(scheme: String) async throws {
    let server = try StreamServer()
    var policy = ReconnectPolicy.quick
    policy.openTimeout = .milliseconds(300)
    var events = LiveEvents(LiveVideoReader(server.silent(scheme), policy: policy))
    #expect(await events.status(.reconnecting)?.message.contains("not answered") == true)
    // Attempts follow each other.
    while let status = await events.status(.reconnecting), status.attempt < 2 {}
    #expect(isClean(events))
  }

  @Test("a stream may not make the reader open files", arguments: ["files.m3u8", "concat"])
  func opensNoFiles(path: String) async throws {
    let server = try StreamServer()
    var events = LiveEvents(server.http(path))
    while let event = await events.next() {
      if case .frame = event { Issue.record("a file was read") }
      if events.statuses.last?.attempt == 2 { break }
    }
    #expect(isClean(events))
  }

  @Test("connections are closed with the reader")
  func closesConnections() async throws {
    let server = try StreamServer()
    do {
      var events = LiveEvents(server.http())
      _ = await events.frames(2)
      #expect(server.obey("serve") == 1)
    }
    #expect(eventually(every: 0.002) { server.obey("serve") == 0 })
  }

  /// A movie of one second with a key frame every ten frames.
  private static func movie(in folder: TemporaryFolder) throws -> Data {
    try Data(
      contentsOf: folder.makeMovie(
        "movie.ts", frameCount: 30, "-c:v libx264 -preset ultrafast -g 10 -bf 0 -pix_fmt yuv420p"))
  }

  /// Writes to a named pipe, and closes it when the flag is raised.
  private static func write(_ data: Data, to pipe: URL) -> Flag {
    // Opened for reading too, so that opening does not wait and writing finds a reader.
    let file = FileHandle(fileDescriptor: open(pipe.path, O_RDWR | O_CLOEXEC))
    let mayClose = Flag()
    Thread.detachNewThread {
      try? file.write(contentsOf: data)
      _ = mayClose.wait()
      try? file.close()
    }
    return mayClose
  }

  @Test("a named pipe without a writer, that stalls, ends and returns is followed")
  func followsPipes() async throws {
    let folder = try TemporaryFolder()
    let data = try Self.movie(in: folder)
    let pipe = folder.url("a pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let source = try LiveSource(pipe.path)
    #expect(source.name == "The pipe \(pipe.path)")
    var policy = ReconnectPolicy.quick
    policy.openTimeout = .milliseconds(700)
    var events = LiveEvents(LiveVideoReader(source, policy: policy))
    #expect(await events.status(.reconnecting) != nil)
    for _ in 0..<2 {
      let mayClose = Self.write(data, to: pipe)
      await events.status(.live)
      _ = await events.frames(1)
      await events.status(.stale)
      mayClose.raise()
      #expect(await events.status(.reconnecting) != nil)
    }
    #expect(events.timesRise)
  }

  @Test("a pipe that carries garbage is followed when it carries pictures again")
  func survivesGarbageInPipes() async throws {
    let folder = try TemporaryFolder()
    let data = try Self.movie(in: folder)
    var generator = SeededGenerator(seed: 9)
    let garbage = Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let pipe = folder.url("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    var policy = ReconnectPolicy.quick
    policy.openTimeout = .milliseconds(900)
    var events = LiveEvents(LiveVideoReader(try LiveSource(pipe.path), policy: policy))
    // Garbage before the first frame, and in the middle of a stream.
    for content in [garbage, data + garbage + data] {
      let mayClose = Self.write(content, to: pipe)
      if content.count > garbage.count {
        await events.status(.live)
        _ = await events.frames(1)
      }
      await events.status(.reconnecting)
      mayClose.raise()
    }
    let mayClose = Self.write(data, to: pipe)
    await events.status(.live)
    #expect(await events.frames(1).first?.width == 96)
    mayClose.raise()
    #expect(events.timesRise)
    #expect(isClean(events))
  }

  @Test("a pipe whose writer comes when the time to open it is almost over is read on")
  func awaitsLateWriters() async throws {
    let folder = try TemporaryFolder()
    let data = try Self.movie(in: folder)
    let pipe = folder.url("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    var policy = ReconnectPolicy.quick
    policy.openTimeout = .seconds(2)
    var events = LiveEvents(LiveVideoReader(try LiveSource(pipe.path), policy: policy))
    let file = FileHandle(fileDescriptor: open(pipe.path, O_RDWR | O_CLOEXEC))
    try await Task.sleep(for: .milliseconds(1200))
    try file.write(contentsOf: data.prefix(188 * 12))
    try await Task.sleep(for: .milliseconds(1600))
    try file.write(contentsOf: data.dropFirst(188 * 12))
    await events.status(.live)
    _ = await events.frames(1)
    try file.close()
    #expect(await events.status(.reconnecting) != nil)
    #expect(events.statuses.map(\.state) == [.connecting, .live, .reconnecting])
  }

  @Test("pictures that nobody wants are signs that a source is alive")
  func unwantedPicturesAreSigns() async throws {
    let folder = try TemporaryFolder()
    let movie = try folder.makeMovie(
      "movie.ts", frameCount: 180, "-c:v libx264 -preset ultrafast -g 30 -bf 0 -pix_fmt yuv420p")
    let pipe = folder.url("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let feeder = try Self.feed(movie, to: pipe)
    let reading = StreamReading(
      try LiveSource(pipe.path), patience: .init(), gate: IdleGate(isIdle: true))
    var states: [LiveSourceStatus.State] = []
    for await case .status(let status) in reading.events() {
      states.append(status.state)
      if status.state == .stale || status.state == .reconnecting { break }
    }
    #expect(states == [.connecting, .live, .reconnecting])
    reading.stop()
    feeder.terminate()
    feeder.waitUntilExit()
  }

  /// Sends a movie in real time.
  private static func feed(_ movie: URL, to pipe: URL) throws -> Process {
    let feeder = Process()
    feeder.executableURL = URL(filePath: "/bin/sh")
    feeder.arguments = [
      "-c", "exec ffmpeg -v error -nostdin -re -i \"$0\" -c copy -f mpegts - > \"$1\"",
      movie.path, pipe.path,
    ]
    try feeder.run()
    return feeder
  }

  /// Notes when each picture is asked for, and wants none after the first; while it is idle, none can be
  /// wanted before the next fifth of a second.
  private final class IdleGate: PictureGate {
    private let isIdle: Bool
    private let asked = Mutex<[(stamp: Double, time: ContinuousClock.Instant)]>([])
    let wantsFewPictures = true
    let mayBeRough = false

    init(isIdle: Bool) { self.isIdle = isIdle }

    var pictures: [(stamp: Double, time: ContinuousClock.Instant)] { asked.withLock { $0 } }

    private func glimpse(after stamp: Double) -> Double { (stamp * 5 + 0.001).rounded(.down) / 5 }

    var nextTime: Double {
      guard let last = pictures.last?.stamp else { return 0 }
      return isIdle ? glimpse(after: last) + 0.2 : last
    }

    func mayWant(at time: Double) -> Bool { true }

    func wants(at time: Double, grid: () -> LumaGrid?) -> Bool {
      asked.withLock { asked in
        asked.append((time, .now))
        // Opening waits for a first one.
        return asked.count == 1
      }
    }

    func addReading(seconds: Double) {}
  }

  @Test("pictures that nobody wants are read together, and those that may be wanted when they come")
  func rests() async throws {
    let folder = try TemporaryFolder()
    let movie = try folder.makeMovie(
      "movie.ts", frameCount: 120, "-c:v libx264 -preset ultrafast -g 30 -bf 0 -pix_fmt yuv420p")
    for isIdle in [true, false] {
      let pipe = folder.url("pipe \(isIdle)")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      let feeder = try Self.feed(movie, to: pipe)
      let gate = IdleGate(isIdle: isIdle)
      let reading = StreamReading(try LiveSource(pipe.path), patience: .init(), gate: gate)
      #expect(try await reading.open(report: nil))
      var frames = reading.frames()
      while try await frames.next() != nil {}
      feeder.waitUntilExit()
      // What is read to find the streams comes at once.
      let pictures = gate.pictures.dropFirst(40)
      let waits = zip(pictures, pictures.dropFirst()).count {
        $1.time - $0.time > .milliseconds(100)
      }
      #expect(pictures.count > 60 && (isIdle ? waits > 8 : waits < 6), "\(waits)")
      let start = try #require(pictures.first)
      let late = pictures.filter { abs($0.stamp - ($0.stamp * 5).rounded() / 5) < 0.01 }.map {
        ($0.time - start.time) / .seconds(1) - ($0.stamp - start.stamp)
      }
      #expect((late.max() ?? .infinity) - (late.min() ?? 0) < 0.3, "\(late)")
    }
  }

  #if compiler(>=6.2)
    @Test("two hundred reconnections leave no threads, no open files and no memory")
    func leaksNothing() async throws {
      await #expect(processExitsWith: .success) {
        let server = try StreamServer()
        func count(_ folder: String) -> Int {
          (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
        }
        var policy = ReconnectPolicy.quick
        policy.firstPause = .milliseconds(5)
        policy.longestPause = .milliseconds(5)
        policy.readTimeout = .milliseconds(300)
        policy.staleAfter = .milliseconds(100)
        var events = LiveEvents(LiveVideoReader(server.http("whole.ts"), policy: policy))
        func residentMegabytes() -> Double {
          let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
          let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
          return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_000_000
        }
        // The first ones fill the pools of memory and threads.
        for _ in 0..<40 { await events.status(.reconnecting) }
        let before = (count("/proc/self/fd"), count("/proc/self/task"), residentMegabytes())
        for _ in 0..<200 {
          await events.frame()
          await events.status(.reconnecting)
        }
        let after = (count("/proc/self/fd"), count("/proc/self/task"), residentMegabytes())
        // A connection may be open at either moment, and the pool of threads may have grown.
        if after.0 > before.0 + 2 { exit(2) }
        if after.1 > before.1 + 3 { exit(3) }
        if !(after.2 < before.2 + 6) { exit(4) }
        exit(0)
      }
    }
  #endif
}
