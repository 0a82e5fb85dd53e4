/// Metrics in the text format of Prometheus, version 0.0.4.
struct PrometheusText {
  enum Kind: String {
    case counter, gauge, histogram
  }

  /// What the names of metrics start with.
  var prefix: String
  private(set) var text = ""

  init(prefix: String) { self.prefix = prefix }

  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(prefix)\(name) \(help)\n# TYPE \(prefix)\(name) \(kind.rawValue)\n"
  }

  mutating func add(_ name: String, _ value: Double, labels: [(name: String, value: String)] = []) {
    let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    text += "\(prefix)\(name)\(list.isEmpty ? "" : "{\(list)}") \(number)\n"
  }

  mutating func add(_ name: String, _ kind: Kind, _ value: Double, _ help: String) {
    begin(name, kind, help)
    add(name, value)
  }

  mutating func gauge(_ name: String, _ value: Int, _ help: String) {
    add(name, .gauge, Double(value), help)
  }

  mutating func counter(_ name: String, _ value: Int, _ help: String) {
    add(name, .counter, Double(value), help)
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
