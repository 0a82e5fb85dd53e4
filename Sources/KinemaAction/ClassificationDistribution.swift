/// How likely a classifier holds each of its labels to be.
public struct ClassificationDistribution: Sendable, Equatable {
  /// The labels, in the model's order.
  public let labels: [String]
  /// The probability of each label, 0…1, in the same order.
  public let probabilities: [Float]
  /// The scores from which the probabilities were made, in the same order; `nil` where the model
  /// does not end in a softmax.
  public let logits: [Float]?

  /// Creates a distribution of as many probabilities as labels.
  public init(labels: [String], probabilities: [Float], logits: [Float]? = nil) {
    precondition(labels.count == probabilities.count, "each label has one probability")
    self.labels = labels
    self.probabilities = probabilities
    self.logits = logits
  }

  /// The most likely label and its probability; the first of several alike, `nil` without labels.
  package var mostLikely: (label: String, probability: Float)? {
    guard var best = probabilities.indices.first else { return nil }
    for index in probabilities.indices where probabilities[index] > probabilities[best] {
      best = index
    }
    return (labels[best], probabilities[best])
  }

  /// The probability of a label; `nil` if the model does not have it.
  public subscript(label: String) -> Float? {
    labels.firstIndex(of: label).map { probabilities[$0] }
  }
}
