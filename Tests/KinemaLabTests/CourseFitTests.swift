import Foundation
import KinemaAction
import KinemaLab
import KinemaModelFiles
import KinemaTestSupport
import Testing

@Suite("The choice of how windows are read in their course")
struct CourseFitTests {
  /// Six sources of one clip each: squats from 4 to 12 s of 24, and eight windows later that hold lunges
  /// likely, though nobody lunges.
  private static func fit() throws -> CourseFit {
    let folder = try TemporaryFolder()
    var table = "file,label,start_time,end_time,source\n"
    for number in 0..<6 {
      try Data([0]).write(to: folder.url("\(number).mp4"))
      table += """
        \(number).mp4,standing,0,4,\(number)
        \(number).mp4,squats,4,12,\(number)
        \(number).mp4,standing,12,24,\(number)

        """
    }
    try table.write(to: folder.url("index.csv"), atomically: true, encoding: .utf8)
    let clips = try LabelledClips(contentsOf: [folder.url("index.csv")]).clips
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    let takes = clips.enumerated().map { number, clip in
      let windows = (0..<66).map { index -> ActionPrediction in
        let start = Double(index) / 3
        let isFalse = (45 + number..<53 + number).contains(index)
        let isSquats = (4.0..<12).contains(start + 1)
        let likely = isFalse ? "lunges" : isSquats ? "squats" : "other_action"
        let share = isFalse ? 0.75 : 0.9
        let rest = (1 - share) / Double(classifier.labels.count - 1)
        return ActionPrediction(
          timeRange: start..<start + 2, status: .action, topLabel: likely, confidence: share,
          probabilities: Dictionary(
            uniqueKeysWithValues: classifier.labels.map { ($0, $0 == likely ? share : rest) }))
      }
      return CourseFit.Take(clip: clip, timeRange: 0...24, windows: windows)
    }
    return CourseFit(classifier, takes)
  }

  @Test("names no more that is false on sources that had no part in it, with any number of threads")
  func choice() async throws {
    let fit = try Self.fit()
    let first = try await fit.run(threadCount: 1) { _, _ in }
    #expect(first.course.isUsable)
    let models = fit.report(of: first).models
    func figure(_ figure: RealPeopleFigure) throws -> (before: Double, after: Double) {
      let values = models.compactMap { $0.figures[figure.rawValue]?.value }
      try #require(values.count == 2)
      return (values[0], values[1])
    }
    for kinds in [
      (RealPeopleFigure.f1Live, RealPeopleFigure.falseLive), (.f1InFiles, .falseInFiles),
    ] {
      let (f1, wrong) = (try figure(kinds.0), try figure(kinds.1))
      #expect(f1.after >= f1.before && wrong.after <= wrong.before, "\(f1), \(wrong)")
    }
    let second = try await fit.run(threadCount: 3) { _, _ in }
    #expect(second.course == first.course)
  }
}
