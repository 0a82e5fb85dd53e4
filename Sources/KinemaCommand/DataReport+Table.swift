import Kinema
import KinemaReport

extension DataReport {
  /// The number of findings of a kind that are printed in full.
  private static let printedCount = 5

  var table: String { (classes.isEmpty ? "" : classTable + "\n") + findingLines }

  private var classTable: String {
    let hasValidation = total.validation.segmentCount > 0
    let hasTest = total.test.segmentCount > 0
    var titles: [(String, TextTable.Alignment)] = [
      ("class", .left), ("videos", .right), ("segments", .right), ("seconds", .right),
    ]
    if hasValidation { titles.append(("validation videos", .right)) }
    if hasTest { titles.append(("test videos", .right)) }
    var table = TextTable(titles)
    var all = total
    all.label = "total"
    for row in classes + [all] {
      var cells = [
        row.label, "\(row.training.videoCount)", "\(row.training.segmentCount)",
        row.training.seconds.fixed(1),
      ]
      if hasValidation { cells.append("\(row.validation.videoCount)") }
      if hasTest { cells.append("\(row.test.videoCount)") }
      table.add(cells)
    }
    return table.text
  }

  private var findingLines: String {
    var counts: [DataFinding.Kind: Int] = [:]
    var lines = ""
    for severity in DataFinding.Severity.allCases {
      for finding in findings where finding.severity == severity {
        counts[finding.kind, default: 0] += 1
        guard counts[finding.kind, default: 0] <= Self.printedCount else { continue }
        lines += "\(severity.rawValue): \(finding.message)\n"
      }
      for kind in DataFinding.Kind.allCases {
        let others = (counts[kind] ?? 0) - Self.printedCount
        if others > 0 {
          lines += "\(severity.rawValue): … and \(others) more like this (\(kind.rawValue))\n"
        }
      }
      counts = [:]
    }
    return lines
  }
}
