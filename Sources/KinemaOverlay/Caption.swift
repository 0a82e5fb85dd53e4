/// The text at the foot of a frame: an action, and below it its confidence.
package struct Caption: Hashable, Sendable {
  /// The large line, such as `Jumping Jacks`.
  package var text: String
  /// The small line below, such as `92.3%`.
  package var detail: String?

  package init(text: String, detail: String? = nil) {
    self.text = text
    self.detail = detail
  }

  /// Creates a caption from a label and its probability; `jumping_jacks` becomes `Jumping Jacks`.
  package init(label: String, confidence: Float?) {
    self.init(text: Self.displayName(of: label), detail: confidence.flatMap(Self.percentage(of:)))
  }

  /// Shown until the first window is complete.
  package static let startingUp = Caption(text: "Starting Up", detail: "Observing…")

  /// Shown while too few frames have a pose.
  package static let noPerson = Caption(text: "No Person", detail: "Observing…")

  /// Shown while no label is confident enough, with the highest probability if given.
  package static func lowConfidence(_ confidence: Float? = nil) -> Caption {
    Caption(
      text: "Low Confidence", detail: confidence.flatMap(percentage(of:)) ?? startingUp.detail)
  }

  /// A label for display.
  package static func displayName(of label: String) -> String {
    label.split { $0 == "_" || $0.isWhitespace }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined(separator: " ")
  }

  /// A probability with one decimal, or none from 99.5 % up; `nil` if it is not a number.
  static func percentage(of confidence: Float) -> String? {
    guard confidence.isFinite else { return nil }
    let tenths = Int((min(max(confidence, 0), 1) * 1000).rounded())
    return tenths >= 995 ? "\((tenths + 5) / 10)%" : "\(tenths / 10).\(tenths % 10)%"
  }
}
