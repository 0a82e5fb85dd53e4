/// Parameters of a training; the same parameters, data and order give the same network, bit by bit,
/// with any number of threads.
package struct NetworkTrainingOptions: Codable, Hashable, Sendable {
  /// The numbers in which the large matrix products are done.
  package enum Precision: String, Codable, Sendable, CaseIterable {
    case float32
    /// Factors of 8 bits of precision, sums in Float32; weights, normalisations and loss stay in
    /// Float32. Takes a processor with AVX-512 BF16.
    case bfloat16
  }

  /// The greatest number of windows of a step.
  package var batchSize: Int
  /// Decides the first weights and which features are dropped.
  package var seed: UInt64
  package var precision: Precision
  package var threadCount: Int
  package var optimizer: AdamW
  /// The share of a target's probability that is spread over all classes.
  package var labelSmoothing: Float
  /// The share of features that is dropped before the last layer.
  package var dropout: Float
  /// The factor of the learning rate of all layers but the last.
  package var bodyFactor: Float = 1

  /// Creates options; ``NetworkTrainer`` checks them.
  package init(
    batchSize: Int, seed: UInt64 = 0, precision: Precision = .float32, threadCount: Int = 1,
    optimizer: AdamW = AdamW(), labelSmoothing: Float = 0.05, dropout: Float = 0.2
  ) {
    self.batchSize = batchSize
    self.seed = seed
    self.precision = precision
    self.threadCount = threadCount
    self.optimizer = optimizer
    self.labelSmoothing = labelSmoothing
    self.dropout = dropout
  }

  /// Whether this processor and its libraries can multiply in bfloat16.
  package static var isBFloat16Available: Bool { TrainingProducts.hasBFloat16 }

  /// Throws ``NetworkError`` for what cannot be.
  func check() throws {
    func fail(_ message: String) -> NetworkError { NetworkError(.parameters, message) }
    guard (1...4096).contains(batchSize) else {
      throw fail("a batch of \(batchSize) windows is not within 1 to 4096")
    }
    guard (1...1024).contains(threadCount) else {
      throw fail("\(threadCount) threads are not within 1 to 1024")
    }
    try optimizer.check()
    guard (0..<1).contains(labelSmoothing), (0..<1).contains(dropout) else {
      throw fail("label smoothing and dropout have to be at least 0 and below 1")
    }
    guard precision == .float32 || Self.isBFloat16Available else {
      throw NetworkError(
        .unsupported,
        "bfloat16 needs a processor with AVX-512 BF16, which this one lacks; train in float32")
    }
  }
}
