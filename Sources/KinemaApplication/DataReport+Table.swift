import Kinema
import KinemaReport

extension DataReport {
  /// The number of errors of a kind that are printed in full.
  private static let printedErrorCount = 5

  var table: String { table(ofPictures: false) }

  /// - Parameter ofPictures: Whether the data are pictures, which have no segments and last no time.
  func table(ofPictures: Bool) -> String {
    (classes.isEmpty ? "" : classTable(ofPictures: ofPictures) + "\n") + findingLines
  }

  private func classTable(ofPictures: Bool) -> String {
    let hasValidation = total.validation.segmentCount > 0
    let hasTest = total.test.segmentCount > 0
    let media = ofPictures ? "pictures" : "videos"
    var titles: [(String, TextTable.Alignment)] = [("class", .left), (media, .right)]
    if !ofPictures { titles += [("segments", .right), ("seconds", .right)] }
    if hasValidation { titles.append(("validation \(media)", .right)) }
    if hasTest { titles.append(("test \(media)", .right)) }
    var table = TextTable(titles)
    var all = total
    all.label = "total"
    for row in classes + [all] {
      var cells = [row.label, "\(row.training.videoCount)"]
      if !ofPictures {
        cells += ["\(row.training.segmentCount)", row.training.seconds.fixed(1)]
      }
      if hasValidation { cells.append("\(row.validation.videoCount)") }
      if hasTest { cells.append("\(row.test.videoCount)") }
      table.add(cells)
    }
    return table.text
  }

  /// Errors in full but for a single one, which the failure repeats; warnings with one line a kind.
  private var findingLines: String {
    var lines = ""
    for severity in DataFinding.Severity.allCases {
      let found = findings.filter { $0.severity == severity }
      if severity == .error, found.count == 1 { continue }
      let printedCount = severity == .error ? Self.printedErrorCount : 1
      var kinds: [DataFinding.Kind] = []
      for finding in found where !kinds.contains(finding.kind) { kinds.append(finding.kind) }
      for kind in kinds {
        let like = found.filter { $0.kind == kind }
        let others = like.count - printedCount
        lines += like.prefix(printedCount).map { "\(severity.rawValue): \($0.message)" }
          .joined(separator: "\n")
        lines += others > 0 ? " (And \(others) more like this: \(kind.rawValue).)\n" : "\n"
      }
    }
    return lines
  }
}
