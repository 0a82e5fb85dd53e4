import Foundation
import KinemaFiles
import KinemaTestSupport
import Testing

@Suite("A table of comma-separated values")
struct CSVTests {
  @Test("quotes the cells that need it, and reads back what it wrote")
  func roundTrip() throws {
    let cells = ["plain", "a,b", "said \"so\"", "two\r\nlines", ""]
    let line = CSV.line(cells)
    #expect(line == "plain,\"a,b\",\"said \"\"so\"\"\",\"two\r\nlines\",\n")
    #expect(try CSV(Data(line.utf8), name: "a.csv").rows.map(\.cells) == [cells])
  }

  @Test(
    "is read with commas, semicolons and tabs, with any line end and a byte order mark",
    arguments: ["a,b\n1,2\n", "a;b\r\n1;2", "\u{feff}a\tb\r1\t2\r"])
  func separators(text: String) throws {
    let table = try CSV(Data(text.utf8), name: "a.csv")
    #expect(table.rows.map(\.cells) == [["a", "b"], ["1", "2"]])
    #expect(table.rows.map(\.number) == [1, 2])
  }

  @Test("that is not text or lacks a quotation mark is an error with its name")
  func malformed() {
    for data in [Data([0xC0, 0x80]), Data("a,\"b\n".utf8)] {
      let error = expectError(CSV.Malformed.self) { try CSV(data, name: "a.csv") }
      #expect(error?.description.contains("a.csv") == true)
    }
  }

  @Test("with more rows than are taken is refused; empty ones do not count")
  func rowLimit() throws {
    let text = Data("a,b\n1,2\n\n,\n3,4\n".utf8)
    #expect(try CSV(text, name: "a.csv", largestRowCount: 3).rows.count == 3)
    let error = expectError(CSV.Malformed.self) {
      try CSV(text, name: "a.csv", largestRowCount: 2)
    }
    #expect(error?.message == "a.csv has more than 2 rows: split it.")
  }

  @Test("has rows of their size, however scattered the memory is")
  func sizes() throws {
    // Holes of all sizes, which new blocks are given whole.
    var blocks = (0..<40_000).map { [UInt8](repeating: 0, count: 40 + $0 * 37 % 2000) }
    for index in stride(from: 0, to: blocks.count, by: 2) { blocks[index] = [] }
    let text = String(repeating: "a,b,c\n", count: 20_000)
    let rows = try CSV(Data(text.utf8), name: "a.csv").rows
    #expect(rows.count == 20_000 && blocks.count == 40_000)
    #expect(rows.map(\.cells.capacity).max() ?? 0 < 10)
  }

  @Test("loses the spaces around its values, of any kind, and none inside")
  func spaces() throws {
    let table = try CSV(Data(" a b ,\u{A0}c\t,\u{2003}é \n".utf8), name: "a.csv")
    #expect(table.rows.first?.cells == ["a b", "c", "é"])
  }

  @Test("with a value or a row that no table has is refused, without repeating it")
  func limits() {
    for text in [
      "a,b\n" + String(repeating: "x", count: CSV.largestCell + 1),
      "a,b\n" + String(repeating: ",", count: CSV.largestCellCount),
    ] {
      let error = expectError(CSV.Malformed.self) { try CSV(Data(text.utf8), name: "a.csv") }
      #expect(error?.description.contains("a.csv, row 2 is too long") == true)
      #expect(error?.description.count ?? 0 < 200)
    }
  }
}
