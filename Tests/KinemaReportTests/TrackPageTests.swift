import KinemaReport
import Testing

@Suite struct TrackPageTests {
  private let page = TrackPage(
    [
      .init(
        name: "Scene 1: <groups>, 2 people", note: "HOTA 90 %", times: 0...10,
        rows: [
          .init(
            name: "1", spans: [.init(.found(id: 7), 0...4), .init(.occluded, 4...5)],
            marks: [.init(time: 2, isSwap: true)]),
          .init(
            name: "2", spans: [.init(.missed, 0...1), .init(.found(id: 12), 1...10)],
            marks: [.init(time: 5, isSwap: false)]),
        ])
    ], tiles: [("HOTA", "90 %", "")])

  @Test("each person has a row with ids, gaps and marks")
  func rows() {
    let html = page.html
    #expect(html.contains("Scene 1: &lt;groups&gt;, 2 people") && !html.contains("<groups>"))
    for text in [">7</text>", ">12</text>", "▼</text>", "▽</text>"] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(html.contains("<rect class=\"occluded\"") && html.contains("<rect class=\"missed\""))
    #expect(!html.contains("<script") && !html.contains("http:") && !html.contains("https:"))
  }

  @Test("a noun is in the plural unless there is one")
  func plurals() {
    #expect(1.counted("file") == "1 file" && 0.counted("file") == "0 files")
    #expect(page.html.contains("<p class=\"sub\">1 scene</p>"))
  }

  @Test("time runs from the left edge to the right one")
  func places() {
    // 912 units for ten seconds from 74 on.
    #expect(page.html.contains("x=\"74.000\" y=\"26.000\" width=\"364.800\""))
  }
}
