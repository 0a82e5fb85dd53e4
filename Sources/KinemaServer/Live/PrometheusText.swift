import Foundation

/// Metrics in the text format of Prometheus, version 0.0.4.
struct PrometheusText {
  enum Kind: String {
    case counter, gauge, histogram, summary
  }

  private(set) var text = ""

  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func add(_ name: String, _ value: Double, labels: [(name: String, value: String)] = []) {
    let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(number)\n"
  }

  mutating func add(_ name: String, _ kind: Kind, _ value: Double, help: String) {
    begin(name, kind, help)
    add(name, value)
  }

  mutating func add(
    _ name: String, _ histogram: LiveMetrics.Histogram, label: (name: String, value: String)
  ) {
    for (bound, count) in zip(LiveMetrics.Histogram.bounds, histogram.counts) {
      add(name + "_bucket", Double(count), labels: [label, ("le", "\(bound)")])
    }
    add(name + "_bucket", Double(histogram.count), labels: [label, ("le", "+Inf")])
    add(name + "_sum", histogram.sum, labels: [label])
    add(name + "_count", Double(histogram.count), labels: [label])
  }
}
