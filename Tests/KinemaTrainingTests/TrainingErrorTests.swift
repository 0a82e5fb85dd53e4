import KinemaTraining
import Testing

@Suite("TrainingError")
struct TrainingErrorTests {
  @Test("is its message in words")
  func description() {
    #expect(
      "\(TrainingError(.badData, "a.csv has no column “label”."))" == "a.csv has no column “label”."
    )
  }
}
