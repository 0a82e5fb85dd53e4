import KinemaAction
import KinemaTraining
import Testing

@Suite("Evaluation of time lines")
struct TimelineEvaluationTests {
  typealias Stretch = TimelineEvaluation.Stretch

  private func evaluation(_ segments: [Stretch], _ named: [Stretch]) -> TimelineEvaluation {
    TimelineEvaluation([.init(file: "a.mp4", segments: segments, named: named)])
  }

  @Test("a time line that names everything right has full scores")
  func everythingIsRight() {
    let segments = [
      Stretch("squats", 0..<10), Stretch("other", 10..<20), Stretch("lunges", 20..<30),
    ]
    let evaluation = evaluation(segments, [segments[0], segments[2]])
    #expect(evaluation.frameAccuracy == 1)
    #expect(evaluation.editScore == 1)
    #expect(evaluation.f1(overlap: 0.5) == 1)
    #expect(evaluation.falseStretches.isEmpty)
    #expect(evaluation.unnamed.isEmpty)
    #expect(evaluation.medianDelay == 0)
  }

  @Test("an action that is named where another is done is a false stretch and two edits")
  func falseStretch() {
    let evaluation = evaluation(
      [Stretch("push_ups", 0..<20)],
      [Stretch("burpees", 0..<4), Stretch("push_ups", 4..<16), Stretch("burpees", 16..<20)])
    #expect(evaluation.frameAccuracy == 12.0 / 20)
    #expect(evaluation.falseStretches.map(\.stretch.timeRange.lowerBound) == [0, 16])
    #expect(evaluation.falseStretchesPerMinute == 6)
    #expect(evaluation.editScore == 1 - 2.0 / 3)
    // One of three stretches and of one segment is right.
    #expect(evaluation.f1(overlap: 0.5) == 2.0 / 4)
    #expect(evaluation.f1(overlap: 0.61) == 0)
    #expect(evaluation.medianDelay == 4)
  }

  @Test("a group of labels is a false stretch only where none of them is done")
  func groups() {
    let video = TimelineEvaluation.Video(
      file: "a.mp4", segments: [Stretch("front_raises", 0..<10), Stretch("other", 20..<25)],
      named: [Stretch("raises", 0..<4), Stretch("raises", 20..<24), Stretch("bending", 5..<9)],
      groups: ["raises": ["front_raises", "lateral_raises"], "bending": ["deadlifts"]])
    #expect(video.falseStretches.map(\.label) == ["bending", "raises"])
  }

  @Test("an action that is named during background is wrong there and a false stretch")
  func actionInBackground() {
    let evaluation = evaluation([Stretch("standing", 0..<10)], [Stretch("squats", 2..<5)])
    #expect(evaluation.frameAccuracy == 0.7)
    #expect(evaluation.falseStretches.count == 1)
    #expect(evaluation.medianDelay == nil)
  }

  @Test("what is named where nothing is labelled does not count; stretches are cut to labels")
  func unlabelledTime() {
    let evaluation = evaluation(
      [Stretch("squats", 0..<10), Stretch("squats", 11..<20), Stretch("other", 20..<24)],
      [Stretch("squats", 1..<21), Stretch("squats", 30..<50), Stretch("lunges", 23..<40)])
    #expect(evaluation.seconds == 23)
    // Both sets have their part of the stretch that spans them.
    #expect(evaluation.videos[0].named.map(\.timeRange) == [1..<10, 11..<21, 23..<24])
    #expect(evaluation.f1(overlap: 0.5) == 4.0 / 5)
    #expect(evaluation.falseStretches.map(\.stretch) == [Stretch("lunges", 23..<40)])
    #expect(evaluation.unlabelled.map(\.stretch) == [Stretch("squats", 30..<50)])
    #expect(evaluation.frameAccuracy == 20.0 / 23)
  }

  @Test("a segment that is cut in two counts one stretch as right")
  func cutSegment() {
    let evaluation = evaluation(
      [Stretch("squats", 0..<10)], [Stretch("squats", 0..<6), Stretch("squats", 7..<10)])
    #expect(evaluation.f1(overlap: 0.5) == 2.0 / 3)
    #expect(evaluation.editScore == 0.5)
    #expect(evaluation.falseStretches.isEmpty)
  }

  @Test("stretches that touch are one, and a segment whose action is never named is listed")
  func joinedAndUnnamed() {
    let evaluation = evaluation(
      [Stretch("squats", 0..<5), Stretch("squats", 5.03..<10), Stretch("lunges", 20..<25)],
      [Stretch("squats", 0..<3), Stretch("squats", 3..<10)])
    #expect(evaluation.videos[0].truth.count == 2)
    #expect(evaluation.f1(overlap: 0.5) == 2.0 / 3)
    #expect(evaluation.unnamed.map(\.stretch.label) == ["lunges"])
    #expect(evaluation.editScore == 0.5)
  }

  @Test("nothing has no scores")
  func nothing() {
    let empty = TimelineEvaluation([])
    #expect(empty.frameAccuracy == nil)
    #expect(empty.editScore == nil)
    #expect(empty.f1(overlap: 0.1) == nil)
    #expect(empty.falseStretchesPerMinute == 0)
  }

  @Test("a file shows a window around its middle, a stream from its end on")
  func whatIsShown() {
    let predictions = [0.0, 1, 2].map { start in
      ActionPrediction(
        timeRange: start..<start + 2, status: start == 1 ? .lowConfidence : .action,
        topLabel: "squats", confidence: 0.9, probabilities: [:])
    }
    #expect(Stretch.ofFile(predictions).map(\.timeRange) == [0..<1.5, 2.5..<4])
    #expect(Stretch.ofStream(predictions, until: 4.5).map(\.timeRange) == [2..<3, 4..<4.5])
  }
}
