import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaReport
import Testing

/// What the charts of counted repetitions show, measured in the page.
@Suite("The charts of counted repetitions")
struct CountPlotTests {
  /// The left and right edge of a plot; see `CountPlot`.
  private let left = 56.0
  private let right = 986.0

  private func repetition(
    _ start: Double, _ end: Double, action: String? = nil, isAttempt: Bool = false
  ) -> Repetition {
    Repetition(
      start: start, end: end, action: action, confidence: action == nil ? nil : 0.75,
      quality: Repetition.Quality(
        movingJoints: [.leftKnee], rangeOfMotion: 1, bendingJoint: .rightElbow, bend: 80,
        symmetry: 0.95, isAttempt: isAttempt))
  }

  private func page(
    _ repetitions: [Repetition], moments: [RepetitionSummary.Moment] = [],
    times: ClosedRange<Double>? = 0...10
  ) throws -> PageDocument {
    let summary = RepetitionSummary(repetitions: repetitions, moments: moments)
    return try PageDocument(
      CountPage([.init(name: "a.mp4", timeRange: times, summary: summary)], dataName: "data").html)
  }

  private func page(counts: [(counted: Int, truth: Int, label: String)]) throws -> PageDocument {
    let clips = counts.enumerated().map { index, count in
      CountPage.Clip(
        name: "\(index).mp4", timeRange: 0...60,
        summary: RepetitionSummary(
          repetitions: (0..<count.counted).map { repetition(Double($0), Double($0) + 1) }),
        label: count.label, trueCount: count.truth)
    }
    return try PageDocument(CountPage(clips, dataName: "counts.csv").html)
  }

  @Test("a band lies where its repetition is, and is numbered in order")
  func bands() throws {
    let page = try page([repetition(5, 7.5), repetition(0, 2.5)])
    let bands = page.all("rect", "band")
    let width = (right - left) / 4
    for (band, share) in zip(bands, [0, 0.5]) {
      let x = try #require(band.number("x")) - 0.75
      #expect(abs(x - (left + share * (right - left))) < 1e-3)
      #expect(abs(try #require(band.number("width")) + 1.5 - width) < 1e-3)
    }
    #expect(page.all("text", "number").map(\.text) == ["1", "2"])
  }

  @Test("a band too narrow for its number has none, but its title")
  func narrow() throws {
    let page = try page([repetition(1, 1.02), repetition(3, 4)])
    #expect(page.all("rect", "band").count == 2)
    #expect(page.all("text", "number").map(\.text) == ["2"])
    let titles = page.all("title").map(\.text).filter {
      $0.contains("likeness") || $0.contains("travel")
    }
    #expect(titles.count == 2)
    #expect(titles[0].hasPrefix("1\n0:01.0–0:01.0, 0.02 s\n"))
    #expect(
      titles[1].contains("travel 1.00 body sizes, 80° right elbow in the picture, symmetry 95.0 %"))
  }

  @Test("an attempt is an outline, and counted apart")
  func attempts() throws {
    let page = try page([repetition(0, 2), repetition(2, 4, isAttempt: true)])
    let bands = page.all("rect", "band")
    #expect(bands.map { $0.classes.contains("attempt") } == [false, true])
    #expect(bands[0].attributes["style"]?.hasPrefix("fill:") == true)
    #expect(bands[1].attributes["style"]?.hasPrefix("stroke:") == true)
    #expect(page.tiles["Attempts"] == "1" && page.tiles["Repetitions"] == "2")
    #expect(page.all("i", "attempt").count == 1)
  }

  @Test("each action has one colour, in the legend as in the bands, and a figure")
  func actions() throws {
    let page = try page([
      repetition(0, 1, action: "squats"), repetition(1, 2, action: "lunges"),
      repetition(2, 3, action: "squats"),
    ])
    let legend = page.all("p", "legend").flatMap { $0.all("span") }
    #expect(legend.map(\.text) == ["lunges", "squats"])
    let colors = legend.map {
      $0.all("i").first?.attributes["style"]?.replacing("background:", with: "fill:")
    }
    #expect(Set(colors).count == 2)
    #expect(
      page.all("rect", "band").map { $0.attributes["style"] } == [colors[1], colors[0], colors[1]])
    #expect(page.tiles["squats"] == "2" && page.tiles["lunges"] == "1")
  }

  @Test("the periodicity is an area over the middle lane, the tempo a line where there is one")
  func curves() throws {
    let moments = [(0.0, 2.0 as Double?, 1.0), (2.5, 1, 0.5), (5, nil, 0), (10, 2, 0.25)].map {
      RepetitionSummary.Moment(time: $0.0, period: $0.1, periodicity: $0.2)
    }
    let page = try page([], moments: moments)
    let area = try #require(PageDocument.points(page.all("path", "periodicity").first))
    // From the ground, over the four moments, to the ground; the lane is from 40 to 104.
    #expect(area.map(\.y) == [104, 40, 72, 104, 88, 104])
    #expect(area.map(\.x) == [left, left, 288.5, 521, right, right])
    let path = try #require(page.all("path", "tempo").first?.attributes["d"])
    #expect(path.count { $0 == "M" } == 2 && path.count { $0 == "L" } == 1)
    let tempo = try #require(PageDocument.points(page.all("path", "tempo").first))
    // The lane is from 116 to 172 and 66 a minute high.
    let heights = tempo.map { (172 - $0.y) / 56 * 66 }
    #expect(zip(heights, [30, 60, 30]).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test("a long clip has several rows of the same length, the last one to its end")
  func rows() throws {
    let page = try page([repetition(95, 100), repetition(100, 130)], times: 0...200)
    let plots = page.all("svg", "plot")
    #expect(plots.count == 3)
    #expect(plots.map { $0.all("rect", "band").count } == [0, 2, 0])
    let edge = try self.page([repetition(60, 70)], times: 0...130)
    // What goes over the end of a row is in both.
    #expect(edge.all("svg", "plot").map { $0.all("rect", "band").count } == [1, 1])
  }

  @Test("a clip without frames has a verdict and no plot")
  func empty() throws {
    for times in [nil, 3...3] as [ClosedRange<Double>?] {
      let page = try page([], times: times)
      #expect(page.all("svg").isEmpty)
      #expect(page.all("figure", "clip").first?.text.contains("0 counted") == true)
      #expect(page.all("details").isEmpty)
    }
  }

  @Test("the folded table has a row for each repetition")
  func table() throws {
    let page = try page([repetition(0, 1.25, action: "squats"), repetition(61, 62)])
    let rows = try #require(page.all("details").first).all("tr").map { $0.children.map(\.text) }
    #expect(
      rows[0] == [
        "No.", "From", "To", "Seconds", "Action", "Likeness", "Travel, body sizes",
        "Bend in the picture", "Symmetry", "",
      ])
    #expect(
      rows[1] == [
        "1", "0:00.0", "0:01.3", "1.25", "squats", "75.0 %", "1.00", "80° right elbow", "95.0 %",
        "",
      ])
    #expect(rows[2].prefix(6) == ["2", "1:01.0", "1:02.0", "1.00", "–", "–"])
  }

  @Test("each pair of true and counted is a point, as large as it has files")
  func scatter() throws {
    let page = try page(counts: [(4, 4, "a"), (4, 4, "a"), (9, 4, "b"), (4, 5, "b")])
    let points = page.all("g", "points").flatMap { $0.all("circle") }
    #expect(points.count == 3)
    #expect(points.map { $0.classes.contains("far") } == [false, true, false])
    #expect(points.map { $0.number("r") } == [5, 3.5, 3.5])
    let title = points[0].all("title").first?.text
    #expect(title == "4 true, 4 counted\n0.mp4\n1.mp4")
    // More counted is further up; more in truth further right.
    let places = try points.map { (try #require($0.number("cx")), try #require($0.number("cy"))) }
    #expect(places[0].0 == places[1].0 && places[1].1 < places[0].1)
    #expect(places[2].0 > places[0].0 && places[2].1 == places[0].1)
  }

  @Test("the bars say how many files are off by how much, the farthest together")
  func histogram() throws {
    let page = try page(counts: [(4, 4, ""), (5, 4, ""), (30, 4, ""), (20, 4, ""), (1, 3, "")])
    let bars = page.all("svg").flatMap { $0.all("g") }.filter { group in
      group.children.contains { $0.classes.contains("fit") || $0.classes.contains("misfit") }
    }
    #expect(
      bars.map { $0.all("title").first?.text } == [
        "−2: 1 file", "0: 1 file", "+1: 1 file", "≥ +8: 2 files",
      ])
    #expect(bars.map { $0.all("rect", "fit").count } == [0, 1, 1, 0])
    let heights = bars.compactMap { $0.all("rect").first?.number("height") }
    #expect(abs(heights[3] - 2 * heights[0]) < 1e-2 && heights[0] == heights[1])
  }

  @Test("figures by label are those of the label's files")
  func labels() throws {
    let page = try page(counts: [(4, 4, "a"), (6, 4, "a"), (3, 2, "b")])
    let rows = page.table("classes")
    #expect(rows.map { $0[0] } == ["Label", "a", "b"])
    // Files, true, counted, off by one at most, exact, mean error, root of the mean square.
    #expect(rows[1].dropFirst() == ["2", "8", "10", "50.0 %", "50.0 %", "0.250", "1.41"])
    #expect(rows[2].dropFirst() == ["1", "2", "3", "100.0 %", "0.0 %", "0.500", "1.00"])
    #expect(page.tiles["Off by one at most"] == "66.7 %" && page.tiles["Exact"] == "33.3 %")
    #expect(page.tiles["MAE"] == "0.333")
    // Whoever has one label needs no table of labels, and one file no errors.
    let one = try self.page(counts: [(4, 4, "a")])
    #expect(one.sections == ["Over time"])
  }

  @Test("of many files those are drawn that are off most")
  func many() throws {
    let page = try page(
      counts: (0..<130).map { (counted: $0 == 129 ? 9 : 1, truth: 1, label: "") })
    let figures = page.all("figure", "clip")
    #expect(figures.count == 120)
    #expect(figures.first?.all("figcaption").first?.text.contains("129.mp4") == true)
    #expect(
      page.all("main").first?.text.contains("The 120 of 130 files that are off most.") == true)
  }
}
