import Foundation
import KinemaVideo
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LiveSourceTests {
  @Test("a video file is shown over and over, in real time")
  func loopsFiles() async throws {
    let folder = try TestFolder()
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
    let folder = try TestFolder()
    let movie = try folder.makeMovie("movie.mp4", "-pix_fmt yuv420p")
    let turned = try folder.make(
      "turned.mp4", "-i", movie.path, "-c", "copy", "-metadata:s:v", "rotate=90")
    var events = LiveEvents(.file(turned))
    let frame = await events.frame()
    #expect((frame?.width, frame?.height) == (64, 96))
  }

  @Test("a file that cannot be read ends the source with one sentence")
  func refusesFiles() async throws {
    let folder = try TestFolder()
    let text = folder.file("notes.mp4")
    try Data("hello".utf8).write(to: text)
    for url in [folder.file("missing.mp4"), folder.url, text] {
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
    let error = await #expect(throws: VideoError.self) {
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

  @Test("a camera is chosen by the way it looks, and front ones are mirrored")
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

  @Test("a test picture is made in real time, and no filter that reads files is taken for one")
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

  @Test("what a person types is understood")
  func parses() throws {
    #expect(try LiveSource("/dev/video2") == .camera(CameraConfiguration(device: "/dev/video2")))
    #expect(try LiveSource("pattern:testsrc2=size=64x48") == .pattern("testsrc2=size=64x48"))
    let address = "rtsp://user:word@camera.example:554/main"
    let stream = try LiveSource(address)
    #expect(URL(string: address).map { .stream($0) } == stream)
    #expect(stream.name == "The stream from camera.example")
    #expect(try LiveSource("movie.mp4").name == "movie.mp4")
    for text in ["gopher://example.org/x", "concat://a|b", "lavfi://testsrc2"] {
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
