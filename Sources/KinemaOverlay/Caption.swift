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

  /// A caption with a probability, or ``observing`` where there is none.
  package init(text: String, confidence: Float?) {
    self.init(text: text, detail: confidence.flatMap(Self.percentage(of:)) ?? Self.observing)
  }

  /// The small line while nothing is recognised.
  package static let observing = "Observing…"

  /// A probability with one decimal, or none from 99.5 % up; `nil` if it is not a number.
  static func percentage(of confidence: Float) -> String? {
    guard confidence.isFinite else { return nil }
    let tenths = Int((min(max(confidence, 0), 1) * 1000).rounded())
    return tenths >= 995 ? "\((tenths + 5) / 10)%" : "\(tenths / 10).\(tenths % 10)%"
  }
}
