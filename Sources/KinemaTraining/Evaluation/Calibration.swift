/// The agreement of a classifier's confidence with its accuracy.
///
/// Over bins of equal width, ECE = Σ |Bₘ|/n · |acc(Bₘ) − conf(Bₘ)| (Guo et al., *On Calibration of
/// Modern Neural Networks*, ICML 2017, §2).
public struct Calibration: Hashable, Codable, Sendable {
  /// The predictions with a confidence in a range.
  public struct Bin: Hashable, Codable, Sendable {
    /// The lower bound, exclusive.
    public let lowerBound: Double
    /// The upper bound, inclusive.
    public let upperBound: Double
    /// The number of predictions.
    public let count: Int
    /// Their mean confidence; `nil` without predictions.
    public let confidence: Double?
    /// Their accuracy; `nil` without predictions.
    public let accuracy: Double?
  }

  /// The number of bins in the paper.
  public static let standardBinCount = 15

  /// The bins, from 0 to 1.
  public let bins: [Bin]
  /// The expected calibration error, 0…1.
  public let expectedError: Double

  /// Sorts predictions into at least one bin by confidence, 0…1.
  public init(
    confidences: [Double], isCorrect: [Bool], binCount: Int = Calibration.standardBinCount
  ) {
    precondition(confidences.count == isCorrect.count && binCount > 0)
    var counts = [Int](repeating: 0, count: binCount)
    var sums = [Double](repeating: 0, count: binCount)
    var rights = [Int](repeating: 0, count: binCount)
    for (confidence, isRight) in zip(confidences, isCorrect) {
      let place = (min(1, max(0, confidence)) * Double(binCount)).rounded(.up)
      let index = max(0, min(binCount - 1, Int(place) - 1))
      counts[index] += 1
      sums[index] += confidence
      if isRight { rights[index] += 1 }
    }
    bins = (0..<binCount).map { index in
      let count = Double(counts[index])
      return Bin(
        lowerBound: Double(index) / Double(binCount),
        upperBound: Double(index + 1) / Double(binCount), count: counts[index],
        confidence: count > 0 ? sums[index] / count : nil,
        accuracy: count > 0 ? Double(rights[index]) / count : nil)
    }
    let total = Double(confidences.count)
    expectedError = bins.reduce(0) { sum, bin in
      guard let confidence = bin.confidence, let accuracy = bin.accuracy else { return sum }
      return sum + Double(bin.count) / total * abs(accuracy - confidence)
    }
  }
}
