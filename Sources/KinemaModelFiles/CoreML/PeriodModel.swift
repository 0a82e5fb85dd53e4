package import KinemaNetwork

/// The file of the counter's network: from planes of self-similarity, `[1, channels, times, lags]`, to
/// probabilities, `[1, 1 + lags, times, 1]`, of rest and of each lag.
///
/// The file names one number of times; the layers take any.
package struct PeriodModel: PlainNetworkModel {
  package static let rank = 4
  package static let refusal =
    "is not a model that counts repetitions; use the one that came with Kinema"
  package static let title = "repetition model"

  package let graph: Graph
  package let metadata: ModelMetadata

  package init(graph: Graph, metadata: ModelMetadata = ModelMetadata()) {
    self.graph = graph
    self.metadata = metadata
  }

  /// The network for a number of times; throws ``ModelFileError`` where the layers do not fit.
  ///
  /// - Parameters:
  ///   - channelCount: The planes of the input.
  ///   - lagCount: The lags of each plane; the output is rest and the lags.
  package func network(channelCount: Int, times: Int, lagCount: Int) throws -> Network {
    try network(
      inputShape: [1, channelCount, times, lagCount], outputCount: (1 + lagCount) * times,
      mismatch: "its lags are not those of the counter")
  }

  /// The file's bytes; throws ``ModelFileError`` for a model that could not be read back.
  package func bytes() throws -> [UInt8] {
    let (channelCount, times, lagCount) = (
      graph.inputShape[1], graph.inputShape[2], graph.inputShape[3]
    )
    let bytes = try bytes(
      input: "How alike the body is to itself one lag earlier and later: plane, time, lag",
      output: (
        "periods", "The probability of rest, then of each lag being the period, at each time",
        [1, 1 + lagCount, times, 1]
      ))
    _ = try PeriodModel(bytes, name: "the model to be written").network(
      channelCount: channelCount, times: times, lagCount: lagCount)
    return bytes
  }
}
