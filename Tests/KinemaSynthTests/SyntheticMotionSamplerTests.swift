import KinemaPose
import KinemaSynth
import Testing

@Suite struct SyntheticMotionSamplerTests {
  @Test("a sequence follows from seed and index alone, on any number of threads")
  func determinism() async {
    let sampler = SyntheticMotionSampler(seed: 5)
    let alone = (0..<48).map { sampler.sample($0) }
    let together = await withTaskGroup(of: (Int, SyntheticMotionSample).self) { group in
      for index in (0..<48).reversed() {
        group.addTask { (index, SyntheticMotionSampler(seed: 5).sample(index)) }
      }
      var samples: [Int: SyntheticMotionSample] = [:]
      for await (index, sample) in group { samples[index] = sample }
      return samples
    }
    for (index, sample) in alone.enumerated() {
      #expect(together[index] == sample)
      #expect(sampler.summary(index).motion == sample.motion)
      #expect(sampler.summary(index).label == sample.label)
    }
    #expect(SyntheticMotionSampler(seed: 6).sample(0) != alone[0])
    #expect(Set(alone.map(\.values)).count == alone.count)
  }

  @Test("classes get their shares of any range of indices")
  func shares() {
    let sampler = SyntheticMotionSampler(seed: 11)
    for start in [0, 137] {
      var counts: [String: Int] = [:]
      for index in start..<(start + 400) { counts[sampler.summary(index).label, default: 0] += 1 }
      for kind in SyntheticMotionClass.standard {
        let expected = kind.share * 400
        #expect(abs(Double(counts[kind.label] ?? 0) - expected) <= 4, "\(kind.label)")
      }
    }
  }

  @Test("near variants are only drawn by name")
  func nearVariants() {
    let sampler = SyntheticMotionSampler(seed: 3)
    let drawn = Set((0..<3000).map { sampler.summary($0).motion })
    #expect(drawn.allSatisfy { $0.weight > 0 })
    #expect(drawn.count > 100)
    let classes = SyntheticMotionClass.named(["jump_squats", "other_action"])
    #expect(classes?.map(\.label) == ["jump_squats", "other_action"])
    #expect(classes?[0].motions.map(\.name) == ["jump_squats"])
    #expect(classes?[1].motions.contains(.squats) == true)
    #expect(classes?[1].motions.contains { $0.name == "jump_squats" } == false)
    #expect(SyntheticMotionClass.named(["squats", "squatting"]) == nil)
  }

  @Test("values are poses: finite, where a picture is, with confidences", arguments: 0..<6)
  func values(seed: Int) {
    let sampler = SyntheticMotionSampler(duration: 2, frameRate: 25, seed: UInt64(seed))
    for index in 0..<100 {
      let sample = sampler.sample(index)
      #expect(sample.frameCount == 50)
      #expect(sample.values.allSatisfy { $0.isFinite && abs($0) < 30 }, "\(sample.motion.name)")
      let poses = sample.poses
      #expect(poses.frames.count == 50)
      #expect(poses.frames.allSatisfy { $0.poses.count <= 1 })
      let points = poses.frames.flatMap(\.poses).flatMap(\.keypoints.values)
      #expect(points.allSatisfy { $0.confidence > 0 && $0.confidence <= 1 })
      if sample.motion.showsPerson {
        let found = poses.frames.count { !$0.poses.isEmpty }
        #expect(found > (sample.motion.name == "leaving" ? 0 : 25), "\(sample.motion.name)")
      }
    }
  }

  @Test("repetitions are those that end in the sequence, at the motion's pace")
  func repetitions() {
    let classes = [SyntheticMotionClass("squats", motions: [.squats])]
    let sampler = SyntheticMotionSampler(classes: classes, duration: 20, seed: 4)
    for index in 0..<50 {
      let sample = sampler.sample(index)
      #expect(sample.repetitions.count == sampler.summary(index).repetitionCount)
      #expect((3...21).contains(sample.repetitions.count))
      for (before, after) in zip(sample.repetitions, sample.repetitions.dropFirst()) {
        #expect(abs(before.end - after.start) < 1e-9)
      }
      #expect(sample.repetitions.allSatisfy { $0.end > 0 && $0.end <= 20 })
    }
  }

  @Test("each repetition of squats is one descent of the hips in the poses")
  func countedByTheHips() throws {
    let classes = [SyntheticMotionClass("squats", motions: [.squats])]
    let sampler = SyntheticMotionSampler(classes: classes, duration: 12, seed: 8)
    var right = 0
    for index in 0..<20 {
      let take = sampler.take(index)
      let heights = stride(from: 0, to: 12, by: 1.0 / 30).map { take.skeleton(at: $0).root.y }
      let low = try #require(heights.min())
      let high = try #require(heights.max())
      var (count, isDown) = (0, heights[0] < (low + high) / 2)
      for height in heights {
        if height < low + (high - low) * 0.3 { isDown = true }
        if isDown, height > low + (high - low) * 0.7 { (count, isDown) = (count + 1, false) }
      }
      if abs(count - sampler.sample(index).repetitions.count) <= 1 { right += 1 }
    }
    #expect(right == 20)
  }

  @Test("a class is filmed from behind as often as it asks for", arguments: [0, 1] as [Float])
  func backShare(share: Float) {
    let standing = SyntheticMotionClass("standing", motions: [.standing], backShare: share)
    let sampler = SyntheticMotionSampler(classes: [standing], seed: 3)
    let behind = (0..<40).count { index in
      let values = sampler.sample(index).values
      // From behind the right shoulder is on the right.
      return values[2] > values[5]
    }
    #expect(share == 1 ? behind >= 38 : behind <= 20)
  }
}
