/// How often each label was taken for which.
public struct ConfusionMatrix: Hashable, Codable, Sendable {
  /// The labels of rows and columns.
  public let labels: [String]
  /// `counts[truth][predicted]`.
  public private(set) var counts: [[Int]]

  /// Creates a matrix of zeros.
  public init(labels: [String]) {
    self.labels = labels
    counts = Array(repeating: Array(repeating: 0, count: labels.count), count: labels.count)
  }

  /// Counts cases of the label `truth` that were taken for `predicted`, both as indices of
  /// ``labels``.
  public mutating func add(truth: Int, predicted: Int, count: Int = 1) {
    counts[truth][predicted] += count
  }

  /// The number of all cases.
  public var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// The number of cases that were taken for what they are.
  public var correctCount: Int { labels.indices.reduce(0) { $0 + counts[$1][$1] } }

  /// The share of cases that were taken for what they are, 0…1; 0 where there are none.
  public var accuracy: Double { ratio(correctCount, total) ?? 0 }

  /// The share of the most frequent label: the accuracy of always saying it.
  ///
  /// The first of several labels alike; `nil` where there are no cases.
  public var majorityBaseline: (label: String, accuracy: Double)? {
    guard total > 0 else { return nil }
    let supports = counts.map { $0.reduce(0, +) }
    guard let most = supports.max(), let index = supports.firstIndex(of: most) else { return nil }
    return (labels[index], Double(most) / Double(total))
  }

  /// Precision, recall and F1 of each label, in the order of ``labels``.
  public var perClass: [ClassMetrics] {
    labels.indices.map { index in
      let right = counts[index][index]
      let support = counts[index].reduce(0, +)
      let predicted = counts.reduce(0) { $0 + $1[index] }
      return ClassMetrics(
        label: labels[index], precision: ratio(right, predicted), recall: ratio(right, support),
        f1: ratio(2 * right, predicted + support), support: support)
    }
  }

  /// The mean F1 of the labels that occur; `nil` where none does.
  public var macroF1: Double? {
    let values = perClass.filter { $0.support > 0 }.map { $0.f1 ?? 0 }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}

/// How well one label is recognised.
public struct ClassMetrics: Hashable, Codable, Sendable {
  /// The label.
  public let label: String
  /// The share of cases taken for the label that are it, 0…1; `nil` where none was taken for it.
  public let precision: Double?
  /// The share of the label's cases that were taken for it, 0…1; `nil` where there are none.
  public let recall: Double?
  /// The harmonic mean of both, 2·right / (taken for it + its cases); `nil` where the label neither
  /// occurs nor was predicted.
  public let f1: Double?
  /// The number of the label's cases.
  public let support: Int
}
