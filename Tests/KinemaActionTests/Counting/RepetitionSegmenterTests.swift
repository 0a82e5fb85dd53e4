import KinemaAction
import KinemaCounting
import Testing

@Suite("Sets of repetitions")
struct RepetitionSegmenterTests {
  /// Without a classifier.
  private let anything: ActionTimeline = {
    var timeline = ActionTimeline()
    timeline.add(.anything, at: 0)
    return timeline
  }()

  /// Steps of a period in each of the ranges, in seconds, and inactive ones between them.
  private func steps(_ ranges: [Range<Double>], period: Double) -> [CountingStep] {
    let end = ranges.last?.upperBound ?? 0
    return (0...Int((end / CountingStep.duration).rounded())).map { index in
      let time = Double(index) * CountingStep.duration
      let isActive = ranges.contains {
        ($0.lowerBound - 0.01..<$0.upperBound - 0.01).contains(time)
      }
      return CountingStep(time: time, period: period, isActive: isActive)
    }
  }

  /// Labels that each hold from a time on, to the end of 20 seconds.
  private func timeline(_ labels: [(from: Double, label: ActionTimeline.Label)]) -> ActionTimeline {
    var timeline = ActionTimeline()
    for frame in 0..<200 {
      let time = Double(frame) / 10
      if let label = labels.last(where: { $0.from <= time })?.label {
        timeline.add(label, at: time)
      }
    }
    return timeline
  }

  private func segmenter(
    _ steps: [CountingStep], _ timeline: ActionTimeline,
    rounding: Double = RepetitionSegmenter.finalRounding
  ) -> RepetitionSegmenter {
    var segmenter = RepetitionSegmenter()
    segmenter.rounding = rounding
    segmenter.add(steps, timeline)
    segmenter.finish(timeline)
    return segmenter
  }

  @Test("a run of steps is a set of as many repetitions as their periods add up to")
  func sum() throws {
    let sets = segmenter(steps([2..<12], period: 2), anything).sets
    #expect(sets.map(\.count) == [5])
    let set = try #require(sets.first)
    #expect(set.steps == 15..<90)
    #expect(abs(set.range.lowerBound - 2) < 1e-9 && abs(set.range.upperBound - 12) < 1e-9)
  }

  @Test("what rounding leaves over is carried to the next set")
  func carry() {
    // 2.4 repetitions each: 2.4 are 2, and 4.8 are 5.
    let sets = segmenter(steps([0..<4.8, 10..<14.8], period: 2), anything).sets
    #expect(sets.map(\.count) == [2, 3])
  }

  @Test("half a repetition counts where the movement is over, three quarters where it is not")
  func rounding() {
    let steps = steps([0..<5.2], period: 2)
    #expect(segmenter(steps, anything).count(of: nil, anything) == 3)
    let live = segmenter(steps, anything, rounding: RepetitionSegmenter.liveRounding)
    #expect(live.count(of: nil, anything) == 2)
  }

  @Test("steps give the same sets at once and one after the other")
  func increments() {
    let steps = steps([1..<6, 8..<13], period: 1.3)
    var one = RepetitionSegmenter()
    for step in steps { one.add([step], anything) }
    one.finish(anything)
    let all = segmenter(steps, anything)
    #expect(one.stepCount == all.stepCount && one.stepCount == steps.count)
    #expect(one.sets.map(\.steps) == all.sets.map(\.steps))
    #expect(one.sets.map(\.count) == all.sets.map(\.count))
  }

  @Test("each action has its own set; steps between two labels are divided")
  func actions() {
    let timeline = timeline([(0, .action("jacks")), (8.8, .unknown), (9.2, .action("squats"))])
    let segmenter = segmenter(steps([0..<18], period: 1), timeline)
    #expect(segmenter.sets.map(\.action) == ["jacks", "squats"])
    #expect(segmenter.sets.map(\.count) == [9, 9])
    #expect(segmenter.count(of: "jacks", timeline) == 9)
  }

  @Test("a repetition counts only if most of its labels are its action's")
  func labels() {
    // Two of ten repetitions are labelled otherwise.
    let other = timeline([(0, .action("jacks")), (4, .nothing), (6, .action("jacks"))])
    let sets = segmenter(steps([0..<10], period: 1), other).sets
    #expect(sets.map(\.count) == [8])
    #expect(sets.first?.agrees.count == 10)
    // What the classifier cannot label at all does not count either.
    let unknown = timeline([(0, .unknown)])
    #expect(segmenter(steps([0..<10], period: 1), unknown).sets.isEmpty)
  }

  @Test("a single repetition counts unless a set covers it")
  func singles() {
    let timeline = timeline([(0, .action("squats"))])
    var segmenter = segmenter(steps([5..<11], period: 2), timeline)
    segmenter.singles[0] = 1..<4
    #expect(segmenter.count(of: "squats", timeline) == 4)
    segmenter.singles[0] = 3..<6
    #expect(segmenter.count(of: "squats", timeline) == 3)
  }
}
