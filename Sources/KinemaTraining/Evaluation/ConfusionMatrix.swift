/// The number of cases for each pair of true and predicted label.
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

  /// Adds cases; `truth` and `predicted` are indices of ``labels``.
  public mutating func add(truth: Int, predicted: Int, count: Int = 1) {
    counts[truth][predicted] += count
  }

  /// The number of all cases.
  public var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// The number of right predictions.
  public var correctCount: Int { labels.indices.reduce(0) { $0 + counts[$1][$1] } }

  /// The share of right predictions, 0…1; 0 without cases.
  public var accuracy: Double { ratio(correctCount, total) ?? 0 }

  /// The most frequent label and its share; `nil` without cases.
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

  /// The mean F1 of the labels that occur; `nil` without any.
  public var macroF1: Double? {
    let values = perClass.filter { $0.support > 0 }.map { $0.f1 ?? 0 }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}

/// The metrics of one label.
public struct ClassMetrics: Hashable, Codable, Sendable {
  /// The label.
  public let label: String
  /// Right predictions / predictions of the label; `nil` without any.
  public let precision: Double?
  /// Right predictions / cases of the label; `nil` without any.
  public let recall: Double?
  /// The harmonic mean of both; `nil` if the label neither occurs nor is predicted.
  public let f1: Double?
  /// The number of the label's cases.
  public let support: Int
}
