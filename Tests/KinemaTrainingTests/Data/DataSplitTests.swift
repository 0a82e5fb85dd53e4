import KinemaPose
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("The split of data")
struct DataSplitTests {
  private func example(_ label: String, _ video: String) -> ActionExample {
    ActionExample(
      label: label, file: "\(video).mp4", videoID: video, timeRange: 0..<1, poses: PoseSequence())
  }

  /// Videos with two segments each: 10 of squats, 15 of burpees, 5 of neither.
  private var examples: [ActionExample] {
    let counts = [("squats", 10), ("burpees", 15), ("none", 5)]
    return counts.flatMap { label, count in
      (0..<(2 * count)).map { example(label, "\(label)\($0 / 2)") }
    }
  }

  private func videos(_ examples: [ActionExample]) -> Set<String> {
    Set(examples.map(\.videoID))
  }

  @Test("a fifth of the videos of each class is chosen, whole videos only")
  func stratified() throws {
    let split = try DataSplit(examples, strategy: .automatic, seed: 7)
    #expect(videos(split.training).isDisjoint(with: videos(split.validation)))
    #expect(split.training.count + split.validation.count == examples.count)
    for (label, count) in [("squats", 2), ("burpees", 3), ("none", 1)] {
      #expect(videos(split.validation.filter { $0.label == label }).count == count)
    }
    #expect(split.test.isEmpty)
  }

  @Test("all videos of a person are on one side")
  func people() throws {
    let examples = (0..<40).map { index in
      var example = example(index % 2 == 0 ? "squats" : "other", "video \(index)")
      example.person = "person \(index / 8)"
      return example
    }
    let split = try DataSplit(examples, strategy: .fixed(ratio: 0.2), seed: 3)
    #expect(split.validation.count == 8)
    #expect(Set(split.validation.map(\.person)).count == 1)
  }

  @Test("the choice depends on the seed, and not on the order of the files")
  func seeded() throws {
    let one = try DataSplit(examples, strategy: .automatic, seed: 1)
    let again = try DataSplit(examples.reversed(), strategy: .automatic, seed: 1)
    #expect(videos(one.validation) == videos(again.validation))
    let others = try (2...6).map { try DataSplit(examples, strategy: .automatic, seed: $0) }
    #expect(others.contains { videos($0.validation) != videos(one.validation) })
    let fixed = try DataSplit(examples, strategy: .fixed(ratio: 0.2, seed: 1), seed: 99)
    #expect(videos(fixed.validation) == videos(one.validation))
  }

  @Test("few videos are all for training, and no class loses its last one")
  func few() throws {
    let nine = (0..<9).map { example($0 % 2 == 0 ? "a" : "b", "\($0)") }
    #expect(try DataSplit(nine, strategy: .automatic, seed: 1).validation.isEmpty)
    // Every video has “a”, one has “b” as well.
    let montage = (0..<10).map { example("a", "\($0)") } + [example("b", "3")]
    for seed in 0..<20 {
      let split = try DataSplit(
        montage, strategy: .fixed(ratio: 0.9), seed: UInt64(seed))
      #expect(Set(split.training.map(\.label)) == ["a", "b"])
      #expect(split.validation.count >= 8)
    }
  }

  @Test("a share that is none is refused", arguments: [0, 1, -0.1, .nan])
  func badRatio(ratio: Double) {
    #expect(throws: TrainingError.self) {
      try DataSplit(examples, strategy: .fixed(ratio: ratio), seed: 1)
    }
  }

  @Test("the same video on two sides is an error that names both files")
  func leak() throws {
    var copy = example("squats", "squats1")
    copy.file = "copy.mp4"
    let error = expectError(TrainingError.self) {
      try DataSplit(training: examples, validation: [], test: [copy])
    }
    #expect(
      error?.message.hasPrefix(
        "copy.mp4 (testing clips) is the same video as squats1.mp4 (training clips)") == true)
    #expect(throws: TrainingError.self) {
      try DataSplit(training: [], validation: [copy], test: [copy])
    }
    _ = try DataSplit(training: examples, validation: [example("a", "new")])
  }
}
