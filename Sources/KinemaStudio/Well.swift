/// What the items of a project are for; each well is one annotation file.
package enum Well: String, Codable, CaseIterable, Sendable {
  case training
  case validation
  case testing
  /// Items that are kept and not used.
  case leftOut

  /// The annotation file's name in the project's folder.
  package var fileName: String { self == .leftOut ? "left-out.csv" : "\(rawValue).csv" }
}
