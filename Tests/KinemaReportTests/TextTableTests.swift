import KinemaReport
import Testing

@Suite("Tables of text")
struct TextTableTests {
  @Test("columns are as wide as their longest cell, aligned to their side")
  func columns() {
    var table = TextTable([("Label", .left), ("Share", .right)])
    table.add(["squats", "9.5 %"])
    table.add(["up", "100.0 %"])
    #expect(
      table.text == """
          Label     Share
          squats    9.5 %
          up      100.0 %

        """)
  }

  @Test("no line ends in spaces, and a table without titles has no first line")
  func bare() {
    var table = TextTable([("", .left), ("", .left)])
    #expect(table.text.isEmpty)
    table.add(["a", ""])
    table.add(["bbb", "c"])
    #expect(table.text == "  a\n  bbb  c\n")
    for line in table.text.split(separator: "\n") { #expect(line.last != " ") }
  }

  @Test("a letter of several code points is one wide")
  func letters() {
    var table = TextTable([("", .left), ("", .left)])
    table.add(["e\u{301}🤸‍♀️", "x"])
    table.add(["ab", "y"])
    #expect(table.text == "  e\u{301}🤸‍♀️  x\n  ab  y\n")
  }

  @Test(
    "numbers have a fixed number of decimals, rounded half away from zero",
    arguments: [
      (0, 0, "0"), (1.005, 1, "1.0"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.045, 2, "0.05"),
      (-0.004, 2, "0.00"), (12.3456, 3, "12.346"), (99.96, 1, "100.0"), (-7.25, 1, "-7.3"),
      (3, 4, "3.0000"),
    ] as [(Double, Int, String)])
  func fixed(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(number.fixed(decimals) == text)
  }

  @Test("what is no number or too large for decimals is written as it is")
  func extremes() {
    #expect(Double.infinity.fixed(2) == "inf" && Double.nan.fixed(1) == "nan")
    #expect((-1e300).fixed(3) == "-1e+300")
  }

  @Test("a share is a percentage with one decimal")
  func percent() {
    #expect(0.0.percent == "0.0 %" && 1.0.percent == "100.0 %" && 0.12345.percent == "12.3 %")
  }

  @Test("a noun is in the singular for one alone")
  func counted() {
    #expect(
      [0, 1, 2, 21].map { $0.counted("frame") } == ["0 frames", "1 frame", "2 frames", "21 frames"])
  }
}
