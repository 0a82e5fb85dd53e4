import Foundation
import KinemaCounting
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import Testing

/// A sequence of all people's poses as from an extractor.
private func stream(_ sequence: PoseSequence) -> AnyTemporalSequence<[Pose]> {
  let stream = AsyncStream { continuation in
    for frame in sequence.frames {
      let tick = Int((frame.time * 1e6).rounded())
      continuation.yield(
        TemporalFeature(
          id: TemporalSegmentIdentifier(
            source: "camera", range: tick..<(tick + 33_333), timescale: 1_000_000),
          feature: frame.poses))
    }
    continuation.finish()
  }
  return AnyTemporalSequence(stream, count: nil)
}

@Suite("Counting as a stage")
struct HumanBodyActionCounterTests {
  /// The sample's chain.
  private func counts(
    _ sequence: PoseSequence, stride: Int = 5, length: Int = 90, factor: Int = 1
  ) async throws -> [TemporalFeature<Float>] {
    let pipeline = Downsampler<[Pose]>(factor: factor)
      .appending(PoseSelector(strategy: .maximumBoundingBoxArea))
      .appending(
        JointsSelector(ignoredJoints: [.nose, .leftEye, .leftEar, .rightEye, .rightEar])
      )
      .appending(SlidingWindowTransformer<Pose>(stride: stride, length: length))
      .appending(HumanBodyActionCounter())
    var counts: [TemporalFeature<Float>] = []
    for try await count in try await pipeline(stream(sequence)) { counts.append(count) }
    return counts
  }

  @Test("the sample's chain counts")
  func sample() async throws {
    var mover = Mover()
    let counts = try await counts(mover.sequence([(.jacks, 1.1, 15)]))
    let last = counts.last?.feature ?? 0
    #expect(abs(last - 15) <= 1)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0.feature <= $1.feature })
    #expect(counts.first?.id.range == 0..<90)
    #expect(counts.dropFirst().first?.id.range == 5..<95)
  }

  @Test("the total grows with every window while a person moves, so that the sample's rule holds")
  func growth() async throws {
    var mover = Mover()
    let counts = try await counts(mover.sequence([(.squats, 1.5, 15)])).map(\.feature)
    let started = counts.drop { $0 == 0 }
    #expect(started.count > 30)
    // The sample sets its count to 0 where a window adds 0.001 or less.
    #expect(zip(started, started.dropFirst()).allSatisfy { $1 - $0 > 0.001 })
  }

  @Test(
    "windows of any length and stride are put together",
    arguments: [(1, 30), (15, 90), (30, 30), (90, 90), (45, 150)])
  func windows(stride: Int, length: Int) async throws {
    var mover = Mover()
    let counts = try await counts(
      mover.sequence([(.jacks, 1.1, 20)]), stride: stride, length: length)
    // The last values fill no window.
    let lost = Float(stride) / 33
    #expect(abs((counts.last?.feature ?? 0) - 20) <= max(lost, 1.2))
  }

  @Test("slow movements are counted without downsampling, and with it")
  func downsampling() async throws {
    var mover = Mover()
    let sequence = mover.sequence([(.squats, 5, 8)])
    for factor in [1, 3] {
      let last = try await counts(sequence, factor: factor).last?.feature ?? 0
      #expect(abs(last - 8) <= 1.1)
    }
  }

  @Test("a stream without anybody counts nothing")
  func withoutPerson() async throws {
    let empty = PoseSequence(frames: (0..<200).map { .init(time: Double($0) / 30, poses: []) })
    let counts = try await counts(empty)
    #expect(counts.count == 23)
    #expect(counts.allSatisfy { $0.feature == 0 })
  }

  @Test("the period of every frame is reported in frames")
  func periods() async throws {
    var mover = Mover()
    let poses = mover.sequence([(.jacks, 1, 6)]).frames.compactMap(\.poses.first)
    let predictor = HumanBodyActionPeriodPredictor()
    let predictions = try await predictor(Array(poses.prefix(120)))
    #expect(predictions.count == 120)
    for prediction in predictions[40..<80] {
      #expect(prediction.periodicity > 0.5)
      #expect(abs(prediction.period - 30) < 4)
    }
    let still = try await predictor(Array(repeating: poses[0], count: 90))
    #expect(still.allSatisfy { $0.periodicity == 0 })
    #expect(try await predictor([Pose]()).isEmpty)
  }

  @Test(
    "real clips' poses are counted through the chain",
    .enabled(if: SharedData.isPresent, SharedData.reason),
    arguments: [("sit_up018", 5), ("sit_up019", 3), ("sit_up020", 3), ("sit_up021", 10)])
  func realClip(name: String, truth: Float) async throws {
    let sequence = try PoseSequence(contentsOf: SharedData.url("counting/poses/\(name).npz"))
    let last = try await counts(sequence).last?.feature ?? 0
    #expect(abs(last - truth) <= 1.5)
  }
}
