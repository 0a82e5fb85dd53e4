import Foundation
import KinemaAction
import KinemaCounting
import KinemaModelFiles
import KinemaPose
import KinemaRandom
import KinemaTestSupport
import Testing

@Suite struct NetworkPeriodEstimatorTests {
  @Test("the built-in network is found and estimates the period of moving arms")
  func tempo() throws {
    let estimator = try NetworkPeriodEstimator.builtin()
    for period in [0.8, 1.5, 3] {
      let track = Self.armRaises(period: period, duration: 12)
      let periods = try estimator.periods(of: track)
      let middle = periods[20..<70]
      #expect(middle.allSatisfy { $0.periodicity > 0.5 }, "\(period) s")
      let mean = middle.reduce(0) { $0 + $1.period } / Double(middle.count)
      #expect(abs(mean / period - 1) < 0.1, "\(period) s")
    }
  }

  @Test("a person who stands still repeats nothing")
  func rest() throws {
    let estimator = try NetworkPeriodEstimator.builtin()
    let still = Self.armRaises(period: 2, duration: 12, size: 0)
    // Like every pose network, this one has noise.
    var generator = SeededGenerator(seed: 7)
    let positions = still.positions.map {
      $0 + SIMD2.random(in: -0.004...0.004, using: &generator)
    }
    let track = MotionTrack(positions: positions)
    let periods = try estimator.periods(of: track)
    // Without motion the network is not run.
    let motion = MotionFeatures(track).motion(
      at: Array(stride(from: 0, to: track.count, by: LagPlanes.step)))
    #expect(
      zip(periods, motion).allSatisfy { $0.periodicity < 0.5 || $1 <= estimator.leastMotion })
  }

  @Test("Longer and shorter tracks than the window are answered at every second frame")
  func lengths() throws {
    let estimator = try NetworkPeriodEstimator.builtin()
    for duration in [0.5, 1.6, 5, 30] {
      let track = Self.armRaises(period: 1, duration: duration)
      let periods = try estimator.periods(of: track)
      #expect(periods.count == (track.count + 1) / 2)
      #expect(periods.map(\.time) == periods.indices.map { track.time(of: 2 * $0) })
    }
  }

  @Test("A model's file is found beside the executable, in a home and in a checkout")
  func places() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    func file(_ path: String) throws -> URL {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
      return url.standardizedFileURL
    }
    let executable = root.appending(path: "tree/bin/kinema")
    func found(_ environment: [String: String] = [:]) -> URL? {
      BuiltInModel.repetitions.located(
        environment: environment, executable: executable, currentDirectory: executable
      )?.standardizedFileURL
    }
    #expect(found() == nil)
    let checkout = try file("Resources/Repetitions.mlmodel")
    #expect(found() == checkout)
    let installed = try file("tree/share/kinema/Repetitions.mlmodel")
    #expect(found() == installed)
    let home = try file("home/share/kinema/Repetitions.mlmodel")
    #expect(found(["KINEMA_HOME": root.appending(path: "home").path]) == home)
  }

  /// A stick figure whose arms go up and down at the sides.
  private static func armRaises(
    period: Double, duration: Double, size: Float = 1
  ) -> MotionTrack {
    let count = Int(duration * MotionTrack.frameRate) + 1
    var positions: [SIMD2<Float>] = []
    for frame in 0..<count {
      let time = Double(frame) / MotionTrack.frameRate
      let angle = 0.2 + size * Float(1.2 * (1 - cos(2 * .pi * time / period)))
      func arm(_ side: Float, _ share: Float) -> SIMD2<Float> {
        SIMD2(side * (0.1 + share * 0.3 * sin(angle)), 0.8 - share * 0.3 * cos(angle))
      }
      positions += [
        SIMD2(0, 0.93), SIMD2(0, 0.8), SIMD2(-0.1, 0.8), arm(-1, 0.5), arm(-1, 1),
        SIMD2(0.1, 0.8), arm(1, 0.5), arm(1, 1), SIMD2(-0.06, 0.5), SIMD2(-0.06, 0.27),
        SIMD2(-0.06, 0.04), SIMD2(0.06, 0.5), SIMD2(0.06, 0.27), SIMD2(0.06, 0.04),
        SIMD2(-0.02, 0.95), SIMD2(0.02, 0.95), SIMD2(-0.04, 0.94), SIMD2(0.04, 0.94),
      ]
    }
    return MotionTrack(positions: positions)
  }
}
