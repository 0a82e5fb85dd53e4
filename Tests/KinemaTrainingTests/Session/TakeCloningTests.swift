import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaPose
import KinemaSynth
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Takes that are filmed again")
struct TakeCloningTests {
  private static let frameRate = 30.0

  /// Eight seconds of a synthetic person, as a pose network sees them.
  private static func take(_ name: String, seed: UInt64) throws -> TrainingWindows.Clip {
    let motion = try #require(Motion.named(name))
    let sampler = SyntheticMotionSampler(
      classes: [SyntheticMotionClass(name, motions: [motion])], duration: 8, seed: seed)
    let sample = sampler.sample(0)
    return TrainingWindows.Clip(label: 0, values: sample.values, frameCount: sample.frameCount)
  }

  private static func example(_ clip: TrainingWindows.Clip, _ label: String, _ number: Int)
    -> ActionExample
  {
    let size = clip.values.count / clip.frameCount
    let frames = (0..<clip.frameCount).map { index in
      PoseSequence.Frame(
        time: Double(index) / frameRate,
        poses: [Pose(multiArray: clip.values[(index * size)..<((index + 1) * size)], personID: 1)])
    }
    return ActionExample(
      label: label, file: "\(label) \(number)", videoID: "\(label) \(number)",
      timeRange: 0..<Double(clip.frameCount) / frameRate, poses: PoseSequence(frames: frames))
  }

  @Test(
    "other people do what one take shows, before other cameras",
    arguments: ["squats", "jumping_jacks"])
  func others(label: String) throws {
    let cloning = try #require(
      TakeCloning(of: [try Self.take(label, seed: 11)], frameRate: Self.frameRate))
    let clips = (0..<24).map { cloning.clip($0, label: 3, duration: 10.0 / 3, seed: 5) }
    #expect(clips.allSatisfy { $0.frameCount > 60 && $0.values.allSatisfy(\.isFinite) })
    #expect(Set(clips.map { $0.values[0..<54].map { $0 } }).count == clips.count)
    #expect(cloning.clip(7, label: 3, duration: 10.0 / 3, seed: 5).values == clips[7].values)
    let workout = try ActionClassifier(contentsOf: BuiltInModel.workout.url)
    let result = try ActionClassifierEvaluation(
      classifier: workout, examples: clips.enumerated().map { Self.example($1, label, $0) },
      options: .init(stride: 10))
    #expect(result.videos.accuracy > 0.5, "\(result.videos.accuracy)")
  }

  @Test("a take that shows too little of a body, or lasts too short, gives none")
  func nothing() throws {
    let empty = TrainingWindows.Clip(
      label: 0, values: [Float](repeating: 0, count: 90 * 54), frameCount: 90)
    #expect(TakeCloning(of: [empty], frameRate: Self.frameRate) == nil)
    let take = try Self.take("squats", seed: 2)
    let short = TrainingWindows.Clip(
      label: 0, values: Array(take.values.prefix(20 * 54)), frameCount: 20)
    #expect(TakeCloning(of: [short], frameRate: Self.frameRate) == nil)
  }
}
