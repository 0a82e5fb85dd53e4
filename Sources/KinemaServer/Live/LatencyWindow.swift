/// The newest of many durations, for percentiles of the present.
package struct LatencyWindow: Sendable {
  private var values: [Double] = []
  private var next = 0
  private let capacity: Int

  package init(capacity: Int = 120) { self.capacity = capacity }

  package mutating func add(_ value: Double) {
    guard value.isFinite, value >= 0 else { return }
    if values.count < capacity {
      values.append(value)
    } else {
      values[next] = value
    }
    next = (next + 1) % capacity
  }

  /// The percentile of a share from 0 to 1; `nil` without values.
  package func percentile(_ share: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    let rank = Int((share * Double(values.count)).rounded(.up)) - 1
    return values.sorted()[min(max(rank, 0), values.count - 1)]
  }

  mutating func removeAll() { (values, next) = ([], 0) }
}
