import Foundation
import KinemaPose
import KinemaTestSupport
import KinemaVision
import Testing

@Suite("How many frames of a file are processed")
struct ProcessingRateTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A person whose box is 0.34 high, with the right wrist at a height above its place.
  private static func person(_ id: Int = 1, x: Float = 0.4, wrist: Float = 0) -> Pose {
    var joints: [JointKey: JointPoint] = [:]
    for (number, key) in JointKey.body.enumerated() {
      var place = SIMD2(x + Float(number % 3) * 0.02, 0.3 + Float(number) * 0.02)
      if key == .rightWrist { place.y = 0.45 + wrist }
      joints[key] = JointPoint(key, position: place, confidence: 0.9)
    }
    return Pose(from: joints, personID: id)
  }

  /// The frames of ten seconds at 30 frames a second that are processed, where `people` are found.
  private func processed(
    _ rate: ProcessingRate, _ people: @escaping @Sendable (Double) -> [Pose]
  ) async throws -> [PosedFrame] {
    let movie = try folder.makeMovie(
      "movie.mp4", size: "96x64", frameCount: 300, "-c:v libx264 -g 30 -preset ultrafast")
    let pool = PosePool(workerCount: 1) { { _, time in people(time) } }
    var options = FrameSource.Options()
    options.rate = rate
    var found: [PosedFrame] = []
    for try await frame in FrameSource(contentsOf: movie, options: options, pool: pool) {
      found.append(frame)
    }
    return found
  }

  @Test("of a person who stands still, and of nobody, every third frame is")
  func still() async throws {
    for people in [[Self.person()], []] {
      let times = try await processed(.auto) { _ in people }.map(\.time)
      #expect((99...101).contains(times.count))
      #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 0.002 })
    }
  }

  @Test("the quicker a joint moves, the more are, so that it moves less between two")
  func movement() async throws {
    // Still, then up and down once a second, then twice.
    @Sendable func wrist(_ time: Double) -> Float {
      0.12 * Float(sin(2 * .pi * time * (time < 3 ? 0 : time < 6 ? 1 : 2)))
    }
    let size: Float = 0.34
    /// How far the wrist moves from one frame to the next where it is quick, as a share of the person.
    func step(_ frames: [PosedFrame]) -> Float {
      let heights = frames.filter { $0.time >= 6 }.map {
        $0.poses[0].keypoints[.rightWrist]?.position.y ?? 0
      }
      let steps = zip(heights, heights.dropFirst()).map { abs($1 - $0) / size }
      return steps.reduce(0, +) / Float(steps.count)
    }
    let adapted = try await processed(.auto) { [Self.person(wrist: wrist($0))] }
    func count(_ range: Range<Double>) -> Int { adapted.count { range.contains($0.time) } }
    #expect((30...31).contains(count(0..<3)))
    #expect(count(3..<6) > 33)
    #expect(count(7..<10) > count(3..<6) + 10)
    let even = try await processed(.atMost(10)) { [Self.person(wrist: wrist($0))] }
    #expect(step(adapted) < 0.75 * step(even), "\(step(adapted)) \(step(even))")
  }

  @Test("joints that are guessed, and jump, cost nothing")
  func guessed() async throws {
    let found = try await processed(.auto) { time in
      var person = Self.person(wrist: Int(time * 30).isMultiple(of: 2) ? 0.1 : -0.1)
      person.keypoints[.rightWrist]?.confidence = 0.3
      return [person]
    }
    #expect((99...101).contains(found.count))
  }

  @Test("who comes is followed frame by frame at first")
  func arrival() async throws {
    let found = try await processed(.auto) { time in
      time < 5 ? [Self.person()] : [Self.person(), Self.person(2, x: 0.7)]
    }
    let seen = found.map(\.time).filter { $0 > 4.99 }
    #expect(seen[0] < 5.11)
    #expect(zip(seen, seen.dropFirst()).prefix(5).allSatisfy { $1 - $0 < 0.035 })
    #expect(abs(seen[7] - seen[6] - 0.1) < 0.002)
  }

  @Test("the frames of a pose file all are")
  func poseFile() async throws {
    let url = folder.url("poses.jsonl")
    try PoseSequence(
      frames: (0..<60).map { PoseSequence.Frame(time: Double($0) / 30, poses: [Self.person()]) }
    ).write(to: url)
    var options = FrameSource.Options()
    options.rate = .auto
    var count = 0
    let pool = PosePool(workerCount: 1) { { _, _ in [] } }
    for try await _ in FrameSource(contentsOf: url, options: options, pool: pool) { count += 1 }
    #expect(count == 60)
  }
}
