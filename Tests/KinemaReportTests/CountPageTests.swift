import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaReport
import KinemaTraining
import Testing

@Suite("The page of counted repetitions")
struct CountPageTests {
  private func summary(
    _ count: Int, action: String? = nil, attempt: Int? = nil
  ) -> RepetitionSummary {
    var repetitions: [Repetition] = []
    for index in 0..<count {
      let quality = Repetition.Quality(
        movingJoints: [.leftKnee], rangeOfMotion: 1.25, bendingJoint: .leftKnee, bend: 95,
        symmetry: 0.9, isAttempt: index == attempt)
      let start = Double(index) * 2
      repetitions.append(
        Repetition(
          start: start, end: start + 2, action: action, confidence: action == nil ? nil : 0.875,
          quality: quality))
    }
    return RepetitionSummary(repetitions: repetitions, moments: moments(150, active: 100))
  }

  private func moments(_ count: Int, active: Int) -> [RepetitionSummary.Moment] {
    (0..<count).map { index in
      let isActive = index < active
      return RepetitionSummary.Moment(
        time: Double(index) / 7.5, period: isActive ? 2 : nil, periodicity: isActive ? 0.9 : 0.1)
    }
  }

  private func page(_ clips: [CountPage.Clip]) -> String {
    CountPage(clips, dataName: "counts.csv").html
  }

  @Test("each clip shows its bands with numbers, periodicity, tempo, attempts and figures")
  func clips() {
    let html = page([
      .init(
        name: "squats.mp4", timeRange: 0...20, summary: summary(8, action: "squats", attempt: 3))
    ])
    #expect(html.components(separatedBy: "<rect class=\"band").count == 9)
    #expect(html.components(separatedBy: "<rect class=\"band attempt\"").count == 2)
    for text in [
      "squats.mp4", "8 counted · 30 a minute · 1 attempt", "class=\"periodicity\"",
      "class=\"line tempo\"", ">8</text>", "likeness 87.5 %", "95° left knee",
    ] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(!html.contains("<h2>Errors</h2>"))
  }

  @Test("where true counts are known it shows how far counts are off")
  func errors() {
    let html = page([
      .init(
        name: "a.mp4", timeRange: 0...20, summary: summary(8), label: "squats", trueCount: 8),
      .init(name: "b.mp4", timeRange: 0...20, summary: summary(4), label: "jacks", trueCount: 8),
    ])
    for text in [
      "8 counted, 8 true", "4 counted, 8 true", "<h2>Errors</h2>", "<h2>Labels</h2>", "50.0 %",
      "0.250", "2.83", "8 true, 4 counted", "class=\"far\"", "class=\"misfit\"",
    ] {
      #expect(html.contains(text), "\(text)")
    }
  }

  @Test("it loads nothing, runs no script, and takes names for text")
  func safety() {
    let html = page([
      .init(
        name: "\"><script>alert(1)</script>", timeRange: nil,
        summary: summary(2, action: "<img src=x>"), label: "<b>")
    ])
    for text in ["http://", "https://", "<script", "<link", "<img", "url(", "nan"] {
      #expect(!html.contains(text), "\(text)")
    }
    #expect(html.contains("default-src 'none'"))
  }

  @Test("nothing at all, and clips of an hour, make a page")
  func extremes() {
    #expect(page([]).contains("0 files"))
    let long = RepetitionSummary(repetitions: [], moments: moments(27000, active: 27000))
    let html = page([.init(name: "long.mp4", timeRange: 0...3600, summary: long)])
    #expect(html.components(separatedBy: "<svg").count == 17)
    #expect(html.utf8.count < 600_000)
  }
}
