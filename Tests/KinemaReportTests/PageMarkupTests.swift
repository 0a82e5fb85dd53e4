import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaReport
import KinemaTestSupport
import KinemaTraining
import Testing

/// What holds for every page: it is whole, opens without a network and takes names for text.
@Suite("The markup of pages")
struct PageMarkupTests {
  /// A name that ends elements and attributes, and has characters that are not seen.
  private static let hostile = "\"><script>alert('x')</script>&amp;\n<img src=y>\u{202e}\u{7}é 🤸"
  /// As it is shown: what is not seen has a mark in its place.
  private static let shown = "\"><script>alert('x')</script>&amp;\n<img src=y>\u{fffd}\u{fffd}é 🤸"

  enum Kind: CaseIterable {
    case count, evaluation, form, track

    func html(_ name: String) throws -> String {
      switch self {
      case .count:
        let quality = Repetition.Quality(
          movingJoints: [.leftKnee], rangeOfMotion: 1, bendingJoint: .leftKnee, bend: 95,
          symmetry: 0.5, isAttempt: true)
        let repetition = Repetition(
          start: 1, end: 2, action: name, confidence: 0.5, quality: quality)
        let moment = RepetitionSummary.Moment(time: 1.5, period: 1, periodicity: 0.75)
        let summary = RepetitionSummary(repetitions: [repetition], moments: [moment])
        return CountPage(
          [
            .init(name: name, timeRange: 0...4, summary: summary, label: name, trueCount: 1),
            .init(name: name, timeRange: 0...4, summary: summary, label: "b", trueCount: 2),
          ], dataName: name
        ).html
      case .evaluation:
        let examples = [
          WristModel.example(name, [1, 1, 1, 1], file: name),
          WristModel.example("down", [1, 1, 1, 1], file: "b/\(name)"),
        ]
        let evaluation = try ActionClassifierEvaluation(
          classifier: WristModel.classifier(labels: [name, "down", "other"]), examples: examples)
        return EvaluationPage(evaluation, modelName: name, dataName: name).html
      case .form:
        let value = FormPage.Value(name: name, value: name, limit: name, verdict: .fault)
        let repetition = FormPage.Repetition(
          title: name, times: 1...2, cue: name, verdict: .fault, values: [value],
          picture: SkeletonPicture(aspectRatio: 1, pose: nil))
        return FormPage([.init(name: name, repetitions: [repetition])], sources: [name]).html
      case .track:
        let row = TrackPage.Row(
          name: name, spans: [.init(.found(id: 1), 0...1)], marks: [.init(time: 1, isSwap: true)])
        return TrackPage(
          [.init(name: name, note: name, times: 0...2, rows: [row])], tiles: [(name, name, name)]
        ).html
      }
    }
  }

  @Test("every element is closed, every attribute quoted", arguments: Kind.allCases)
  func wellFormed(_ kind: Kind) throws {
    let page = try PageDocument(kind.html("a.mp4"))
    #expect(page.root.children.map(\.name) == ["html"])
    #expect(page.root.children.first?.attributes["lang"] == "en")
    #expect(page.root.children.first?.children.map(\.name) == ["head", "body"])
    #expect(page.all("title").first?.text.isEmpty == false)
    #expect(page.all("h1").count == 1)
    #expect(page.all("main").count == 1)
  }

  @Test("a name is text wherever it stands", arguments: Kind.allCases)
  func names(_ kind: Kind) throws {
    let page = try PageDocument(kind.html(Self.hostile))
    #expect(page.all("script").isEmpty && page.all("img").isEmpty)
    // The same elements as with a harmless name.
    let harmless = try PageDocument(kind.html("a"))
    #expect(page.root.all.map(\.name) == harmless.root.all.map(\.name))
    #expect(page.all("main").first?.text.contains(Self.shown) == true)
  }

  @Test("nothing is loaded, run or linked", arguments: Kind.allCases)
  func selfContained(_ kind: Kind) throws {
    let page = try PageDocument(kind.html("a"))
    let policy = page.all("meta").first { $0.attributes["http-equiv"] != nil }
    #expect(
      policy?.attributes["content"]
        == "default-src 'none'; img-src data:; style-src 'unsafe-inline'")
    let loading: Set = ["script", "link", "iframe", "object", "embed", "base", "form"]
    #expect(page.root.all.allSatisfy { !loading.contains($0.name) })
    for element in page.root.all {
      #expect(element.attributes.keys.allSatisfy { !$0.hasPrefix("on") && $0 != "src" })
      if let target = element.attributes["href"] { #expect(target.hasPrefix("data:")) }
    }
    let style = page.all("style").map(\.ownText).joined()
    #expect(!style.contains("url(") && !style.contains("@import"))
  }

  @Test("every drawing says what it shows, within its own bounds", arguments: Kind.allCases)
  func drawings(_ kind: Kind) throws {
    let page = try PageDocument(kind.html("a"))
    for drawing in page.all("svg") {
      #expect(drawing.attributes["role"] == "img")
      #expect(drawing.attributes["aria-label"]?.isEmpty == false)
      let box = (drawing.attributes["viewBox"] ?? "").split(separator: " ").compactMap {
        Double($0)
      }
      try #require(box.count == 4)
      for part in drawing.all where part.name == "rect" {
        let (x, y) = (try #require(part.number("x")), try #require(part.number("y")))
        let width = try #require(part.number("width"))
        let height = try #require(part.number("height"))
        #expect(x >= 0 && width >= 0 && x + width <= box[2], "\(part.attributes)")
        #expect(y >= 0 && height >= 0 && y + height <= box[3], "\(part.attributes)")
      }
    }
  }

  @Test("light and dark are served, and small screens", arguments: Kind.allCases)
  func screens(_ kind: Kind) throws {
    let page = try PageDocument(kind.html("a"))
    let named = Dictionary(
      page.all("meta").map { ($0.attributes["name"] ?? "", $0.attributes["content"] ?? "") },
      uniquingKeysWith: { first, _ in first })
    #expect(named["color-scheme"] == "light dark")
    #expect(named["viewport"] == "width=device-width, initial-scale=1")
    let style = page.all("style").map(\.ownText).joined()
    #expect(style.contains("prefers-color-scheme"))
    #expect(style.count { $0 == "{" } == style.count { $0 == "}" })
  }

  @Test("a column of headings is named as such", arguments: Kind.allCases)
  func tables(_ kind: Kind) throws {
    let page = try PageDocument(kind.html("a"))
    for table in page.all("table") {
      for row in table.all("tbody").flatMap({ $0.all("tr") }) {
        let cells = row.children.filter { ["td", "th"].contains($0.name) }
        #expect(cells.count == row.children.count)
        #expect(cells.filter { $0.name == "th" }.allSatisfy { $0.attributes["scope"] == "row" })
      }
      let widths = Set(
        table.all("tr").map { row in
          row.children.reduce(0) { $0 + Int($1.number("colspan") ?? 1) }
        })
      #expect(widths.count == 1, "\(widths)")
    }
  }
}
