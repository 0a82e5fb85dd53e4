import KinemaAction
import KinemaCounting
import Testing

@Suite("Scene timeline")
struct SceneTimelineTests {
  private func prediction(
    _ label: String?, _ start: Double, _ end: Double, person: Int? = 1
  ) -> ActionPrediction {
    ActionPrediction(
      timeRange: start..<end, status: label == nil ? .lowConfidence : .action, topLabel: label,
      confidence: 0.9, probabilities: [:], personID: person)
  }

  private func repetitions(
    _ ends: [Double], action: String? = nil, person: Int? = nil
  ) -> SceneAnalysis.Ending.Repetitions {
    SceneAnalysis.Ending.Repetitions(
      personID: person,
      summary: RepetitionSummary(
        repetitions: ends.map {
          Repetition(start: $0 - 1, end: $0, action: action, confidence: 0.8)
        },
        moments: [
          .init(time: 0, period: nil, periodicity: 0), .init(time: 1, period: 2, periodicity: 1),
        ]))
  }

  @Test("a moment has the prediction whose window has its middle nearest")
  func nearestWindow() {
    let timeline = SceneTimeline(
      predictions: [
        prediction("squats", 0, 2), prediction("lunges", 1, 3), prediction("squats", 2, 4),
      ], repetitions: [], isOfEverybody: false)
    let labels = [0, 1.4, 1.6, 2.4, 2.6, 9].map {
      timeline.moment(of: nil, at: $0)?.prediction?.label
    }
    #expect(labels == ["squats", "squats", "lunges", "lunges", "squats", "squats"])
    #expect(timeline.moment(of: nil, at: 1)?.count == nil)
  }

  @Test("a moment has the number of repetitions that are complete, and their tempo")
  func count() {
    let timeline = SceneTimeline(
      predictions: [], repetitions: [repetitions([2, 3, 5])], isOfEverybody: false)
    #expect([0, 2, 4.9, 5].map { timeline.moment(of: nil, at: $0)?.count } == [0, 1, 2, 3])
    #expect(timeline.moment(of: nil, at: 0.5)?.tempo == nil)
    #expect(timeline.moment(of: nil, at: 1.5)?.tempo == 30)
  }

  @Test("beside a classifier the repetitions of the present action count")
  func countOfAction() {
    let timeline = SceneTimeline(
      predictions: [prediction("squats", 0, 4), prediction(nil, 4, 8)],
      repetitions: [repetitions([2, 3], action: "squats")], isOfEverybody: false)
    let moment = timeline.moment(of: nil, at: 3.5)
    #expect(moment?.count == 2)
    #expect(moment?.likeness == 0.8)
    #expect(timeline.moment(of: nil, at: 7)?.count == nil)
  }

  @Test("each person has moments of their own, while they are visible")
  func everybody() {
    let timeline = SceneTimeline(
      predictions: [prediction("squats", 0, 2), prediction("lunges", 5, 7, person: 2)],
      repetitions: [repetitions([1], action: "lunges", person: 2)], isOfEverybody: true)
    #expect(timeline.moment(of: 1, at: 1)?.prediction?.label == "squats")
    #expect(timeline.moment(of: 2, at: 6)?.count == 1)
    #expect(timeline.moment(of: 2, at: 1)?.prediction == nil)
    #expect(timeline.moment(of: 3, at: 1) == nil)
  }
}
