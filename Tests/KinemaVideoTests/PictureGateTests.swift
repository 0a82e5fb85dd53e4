import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Synchronization
import Testing

@Suite("Pictures that a gate is shown")
struct PictureGateTests {
  /// Keeps the first grid, and wants all pictures.
  private final class Witness: PictureGate {
    private let shown = Mutex<LumaGrid?>(nil)
    let wantsFewPictures = false
    let mayBeRough = false
    let nextTime = 0.0

    var grid: LumaGrid? { shown.withLock(\.self) }

    func mayWant(at time: Double) -> Bool { true }

    func wants(at time: Double, grid: () -> LumaGrid?) -> Bool {
      shown.withLock { $0 = $0 ?? grid() }
      return true
    }

    func addReading(seconds: Double) {}
  }

  /// White on the left, black on the right: what the gate is shown, and the frame.
  private static func shown(
    of source: LiveSource, by adjustment: PictureAdjustment
  ) async throws -> (gate: LumaGrid, frame: LumaGrid) {
    let gate = Witness()
    let reading = StreamReading(
      source.adjusted(by: adjustment), patience: .init(), gate: gate)
    _ = try await reading.open(report: nil)
    var frames = reading.frames()
    let frame = try #require(try await frames.next()).feature
    reading.stop()
    return (try #require(gate.grid), LumaGrid(of: frame))
  }

  private static let leftHalf = PicturePolygon([
    SIMD2(0, 0), SIMD2(0.5, 0), SIMD2(0.5, 1), SIMD2(0, 1),
  ])

  private static func movie(_ name: String, in folder: TemporaryFolder) throws -> URL {
    try folder.make(
      name, "-f", "lavfi", "-i", "color=black:size=128x64:rate=10:duration=1", "-vf",
      "drawbox=0:0:64:64:white:fill,format=yuv420p", "-c:v", "libx264")
  }

  /// The brightness of the corners: upper left and right, lower left and right.
  private static func corners(_ grid: LumaGrid) -> [Bool] {
    let (last, count) = (grid.width - 1, grid.values.count)
    return [0, last, count - 1 - last, count - 1].map { grid.values[$0] > 128 }
  }

  @Test(
    "are turned, mirrored and masked as the frames are",
    arguments: [
      (0, false, false, [true, false, true, false]), (0, true, false, [false, true, false, true]),
      (90, false, false, [true, true, false, false]),
      (180, false, false, [false, true, false, true]),
      (270, false, true, [false, false, false, true]),
      (0, false, true, [false, false, false, false]),
    ])
  func adjusted(degrees: Int, isMirrored: Bool, isMasked: Bool, corners: [Bool]) async throws {
    let folder = try TemporaryFolder()
    let movie = try Self.movie("movie.mp4", in: folder)
    var adjustment = PictureAdjustment(clockwiseDegrees: degrees, isMirrored: isMirrored)
    if isMasked { adjustment.masks = [Self.leftHalf] }
    let shown = try await Self.shown(of: .file(movie), by: adjustment)
    #expect(Self.corners(shown.gate) == corners && Self.corners(shown.frame) == corners)
    #expect((shown.gate.width, shown.gate.height) == (shown.frame.width, shown.frame.height))
  }

  @Test("are upright where the stream says that they are turned")
  func stream() async throws {
    let folder = try TemporaryFolder()
    let movie = try Self.movie("movie.mp4", in: folder)
    let turned = try folder.turned(movie, by: 90, "turned.mp4", "-movflags", "+faststart")
    let pipe = folder.url("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let feeder = Process()
    feeder.executableURL = URL(filePath: "/bin/sh")
    feeder.arguments = ["-c", "exec cat \"$0\" > \"$1\"", turned.path, pipe.path]
    try feeder.run()
    let shown = try await Self.shown(of: LiveSource(pipe.path), by: PictureAdjustment())
    #expect(shown.frame.height > shown.frame.width)
    #expect(Self.corners(shown.gate) == Self.corners(shown.frame))
    #expect((shown.gate.width, shown.gate.height) == (shown.frame.width, shown.frame.height))
    feeder.terminate()
    feeder.waitUntilExit()
  }
}
