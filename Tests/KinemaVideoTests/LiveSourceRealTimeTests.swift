import Foundation
import KinemaTestSupport
import KinemaVideo
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LiveSourceRealTimeTests {
  @Test("a video file is shown over and over, in real time")
  func loopsFiles() async throws {
    let folder = try TemporaryFolder()
    let movie = try folder.makeMovie("movie.mp4", frameCount: 12, "-pix_fmt yuv420p")
    var events = LiveEvents(.file(movie))
    let start = ContinuousClock.now
    while events.times.last ?? 0 < 1.1 { #expect(await events.frame()?.width == 96) }
    #expect(ContinuousClock.now - start > .seconds(1))
    #expect(events.timesRise)
    #expect(events.statuses.map(\.state) == [.connecting, .live])
  }

  @Test("a file that turns upright by its display matrix is upright")
  func turnsFiles() async throws {
    let folder = try TemporaryFolder()
    let movie = try folder.makeMovie("movie.mp4", "-pix_fmt yuv420p")
    let turned = try folder.turned(movie, by: 90)
    var events = LiveEvents(.file(turned))
    let frame = await events.frame()
    #expect((frame?.width, frame?.height) == (64, 96))
  }

  @Test("a file that cannot be read ends the source with one sentence")
  func refusesFiles() async throws {
    let folder = try TemporaryFolder()
    let text = folder.url("notes.mp4")
    try Data("hello".utf8).write(to: text)
    for url in [folder.url("missing.mp4"), folder.url, text] {
      var events = LiveEvents(.file(url))
      let status = await events.status(.ended)
      #expect(status?.message.contains(url.path) == true)
      #expect(await events.next() == nil)
    }
  }

  @Test("a missing camera is waited for, and said to be missing")
  func waitsForCameras() async throws {
    let camera = CameraConfiguration(device: "/dev/video-missing")
    var events = LiveEvents(.camera(camera))
    let status = await events.status(.reconnecting)
    #expect(
      status?.message
        == "The camera /dev/video-missing is not there: plug it in or choose another; it is tried "
        + "again.")
    while let status = await events.status(.reconnecting), status.attempt < 3 {}
    let error = await expectAsyncError(VideoError.self) {
      try await VideoReader.readCamera(configuration: camera)
    }
    #expect(error?.code == .sourceUnavailable)
  }

  @Test("the cameras of this computer are listed in order")
  func listsCameras() {
    let cameras = LiveSource.cameras()
    #expect(cameras.allSatisfy { $0.device.hasPrefix("/dev/video") && !$0.name.isEmpty })
    #expect(Set(cameras.map(\.device)).count == cameras.count)
  }

  @Test("a camera is chosen by its direction, and front ones are mirrored")
  func choosesCameras() {
    let cameras = [
      LiveCamera(device: "/dev/video0", name: "Integrated Webcam"),
      LiveCamera(device: "/dev/video2", name: "Rear Camera: OV13858"),
    ]
    let front = CameraConfiguration(position: .front, among: cameras)
    #expect(front.device == "/dev/video0" && front.isMirrored)
    #expect((front.width, front.height) == (1280, 720) && front.frameRate == 30)
    let back = CameraConfiguration(
      position: .back, resolution: .medium, frameRate: 24, pixelFormat: "mjpeg", among: cameras)
    #expect(back.device == "/dev/video2" && !back.isMirrored)
    #expect((back.width, back.height) == (640, 480))
    #expect(back.frameRate == 24 && back.pixelFormat == "mjpeg")
    #expect(CameraConfiguration(position: .back, among: [cameras[0]]).device == "/dev/video0")
    #expect(CameraConfiguration(position: .back, among: []).device == "/dev/video0")
  }

  @Test("a test pattern runs in real time, and filters that read files are refused")
  func makesPatterns() async {
    var events = LiveEvents(.pattern("testsrc2=size=64x48:rate=50"))
    let frames = await events.frames(10)
    #expect(frames.allSatisfy { $0.width == 64 && $0.height == 48 })
    #expect(events.timesRise)
    for text in ["movie=/etc/hostname", "testsrc2,movie=a.mp4", "life=filename=/etc/hostname", ""] {
      var events = LiveEvents(.pattern(text))
      #expect(await events.status(.ended) != nil)
    }
  }

  @Test("frames of any source are rotated and mirrored")
  func adjusts() async throws {
    let plain = await pixels(of: .pattern("smptebars=size=64x48:rate=50"))
    let turned = await pixels(
      of: .pattern("smptebars=size=64x48:rate=50").adjusted(by: .init(clockwiseDegrees: 90)))
    #expect((turned.width, turned.height) == (48, 64))
    // The upper left corner goes to the upper right one.
    #expect(turned[47, 0] == plain[0, 0] && turned[0, 0] == plain[0, 47])
    let mirrored = await pixels(
      of: .pattern("smptebars=size=64x48:rate=50")
        .adjusted(by: .init(clockwiseDegrees: 90, isMirrored: true)))
    #expect(
      (0..<64).allSatisfy { y in (0..<48).allSatisfy { mirrored[$0, y] == turned[47 - $0, y] } })
    #expect(LiveSource.pattern("testsrc2").adjusted(by: .init()) == .pattern("testsrc2"))
  }

  @Test("the shake of a hand-held camera is compensated")
  func stabilizes() async throws {
    let folder = try TemporaryFolder()
    // A still picture, seen by a camera that shakes by up to 12 pixels.
    let clip = try folder.make(
      "shaking.mkv", "-f", "lavfi", "-i",
      "color=gray:size=384x304:rate=30,noise=alls=100:allf=u,gblur=3,eq=contrast=6",
      "-vf", "loop=60:1,crop=320:240:32+12*sin(n*0.9):32+10*cos(n*1.3)",
      "-frames:v", "60", "-c:v", "ffv1")
    let shaking = try await steps(of: .file(clip))
    let steady = try await steps(of: .file(clip).adjusted(by: .init(isStabilized: true)))
    #expect(shaking > 8)
    #expect(steady < shaking / 3)
  }

  /// The mean difference between the middles of a picture and the next one, of 50.
  private func steps(of source: LiveSource) async throws -> Double {
    var events = LiveEvents(source)
    let pictures = await events.frames(50).map(Pixels.init)
    #expect(pictures.count == 50 && pictures.allSatisfy { $0.width == 320 && $0.height == 240 })
    var sum = 0
    for (last, next) in zip(pictures, pictures.dropFirst()).dropFirst(10) {
      for y in 40..<200 {
        for x in 40..<280 { sum += abs(Int(last[x, y] & 255) - Int(next[x, y] & 255)) }
      }
    }
    return Double(sum) / Double(39 * 160 * 240)
  }

  private func pixels(of source: LiveSource) async -> Pixels {
    var events = LiveEvents(source)
    return Pixels(await events.frame() ?? Frame(width: 1, height: 1))
  }

  /// A picture's pixels without their fourth byte.
  private struct Pixels {
    let width: Int
    let height: Int
    private let values: [UInt32]

    init(_ frame: Frame) {
      (width, height) = (frame.width, frame.height)
      values = frame.withUnsafeBytes { $0.bindMemory(to: UInt32.self).map { $0 & 0xFF_FFFF } }
    }

    subscript(x: Int, y: Int) -> UInt32 { values[y * width + x] }
  }

  @Test("what a person types is understood")
  func parses() throws {
    #expect(try LiveSource("/dev/video2") == .camera(CameraConfiguration(device: "/dev/video2")))
    #expect(try LiveSource("pattern:testsrc2=size=64x48") == .pattern("testsrc2=size=64x48"))
    let address = "rtsp://user:word@camera.example:554/main"
    let stream = try LiveSource(address)
    #expect(URL(string: address).map { .stream($0) } == stream)
    #expect(stream.name == "The stream from camera.example")
    #expect(try LiveSource("movie.mp4").name == "movie.mp4")
    #expect(try LiveSource("pipe:/proc/self/fd/0").name == "Standard input")
    #expect(throws: Never.self) { try LiveSource("udp://:5000") }
    for text in [
      "gopher://example.org/x", "concat://a|b", "lavfi://testsrc2", "rtsp://", "http:///x",
      "pattern:nonsense",
    ] {
      #expect(throws: VideoError.self) { try LiveSource(text) }
    }
  }

  @Test("a stream of an unknown kind ends at once")
  func refusesSchemes() async throws {
    let url = try #require(URL(string: "ftp://somebody:secret@example.org/movie.ts"))
    var events = LiveEvents(.stream(url))
    let status = await events.status(.ended)
    #expect(status?.message.contains("ftp") == true)
    #expect(status?.message.contains("secret") == false)
  }
}
