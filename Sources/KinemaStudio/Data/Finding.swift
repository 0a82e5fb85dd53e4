package import KinemaTraining

/// A finding about data, for pages.
package struct Finding: Codable, Hashable, Sendable {
  package var severity: DataFinding.Severity
  /// What was found, if the data check found it.
  package var kind: DataFinding.Kind?
  package var message: String
  /// The same by name.
  package var text: StudioMessage?
  package var file: String?
  /// How many it stands for; `nil` for one.
  package var count: Int?

  /// What was found in an import, or in a project's folder.
  init(_ text: StudioMessage, file: String, severity: DataFinding.Severity = .error) {
    self.severity = severity
    message = text.sentence
    self.text = text
    self.file = file
  }

  private init(_ finding: DataFinding) {
    severity = finding.severity
    kind = finding.kind
    message = finding.message
    text = .badData(finding)
    file = finding.file
  }

  /// - Parameter more: How many there are beside those that are listed.
  private init(_ group: Group, more: Int) {
    (severity, kind) = (group.severity, group.kind)
    let text = StudioMessage.moreFindings(count: more)
    (message, self.text, count) = (text.sentence, text, more)
  }

  private struct Group: Hashable {
    let severity: DataFinding.Severity
    let kind: DataFinding.Kind
  }

  /// How many of a kind are listed.
  package static let listedCount = 100

  /// What a data check found, in its order: of each severity and kind the first 100, followed by how
  /// many more there are.
  package static func list(_ all: [DataFinding]) -> [Finding] {
    var counts: [Group: Int] = [:]
    var order: [Group] = []
    var listed: [Finding] = []
    for finding in all {
      let group = Group(severity: finding.severity, kind: finding.kind)
      let count = counts[group, default: 0] + 1
      counts[group] = count
      if count == 1 { order.append(group) }
      if count <= listedCount { listed.append(Finding(finding)) }
    }
    let rests = order.compactMap { group -> Finding? in
      let more = (counts[group] ?? 0) - listedCount
      return more > 0 ? Finding(group, more: more) : nil
    }
    return listed + rests
  }
}
