import KinemaFiles

package struct TextTable {
  package enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  package init(_ titles: [(String, Alignment)]) {
    alignments = titles.map(\.1)
    if titles.contains(where: { !$0.0.isEmpty }) { rows.append(titles.map(\.0)) }
  }

  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The table, one line per row, indented by two spaces.
  package var text: String {
    let widths = alignments.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = " "
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += " " + (alignments[column] == .right ? padding + cell : cell + padding) + " "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

extension Double {
  package func fixed(_ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    guard let scaled = Int(rounding: abs(self) * Double(scale)) else { return "\(self)" }
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = "\(scaled % scale)"
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
  }

  package var percent: String { "\((self * 100).fixed(1)) %" }
}

extension Int {
  /// "1 frame", "12 frames".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
