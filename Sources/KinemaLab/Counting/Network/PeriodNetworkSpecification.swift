/// The shape of the network that estimates the period of a movement from planes of self-similarity,
/// [channels, times, lags].
///
/// A convolution of 5×3 with ReLU, then residual convolutions of 5×5, h ← h + ReLU(conv(h)), with
/// growing dilation. Before the last of them, each lag gets an overview of itself at all times:
/// h ← h + ReLU(conv(mean over the times of ReLU(conv(h)))). A 1×1 convolution gives each lag's score;
/// the mean and the maximum over the lags give, through a hidden layer, the score of rest. A softmax
/// over rest and lags ends it.
package struct PeriodNetworkSpecification: Codable, Hashable, Sendable {
  /// The distances between a kernel's taps.
  package struct Dilation: Codable, Hashable, Sendable {
    /// Along time.
    package var times: Int
    /// Along the lags.
    package var lags: Int

    package init(times: Int, lags: Int) {
      self.times = times
      self.lags = lags
    }
  }

  package var inputChannels: Int
  package var channels: Int
  package var lagCount: Int
  /// The hidden units of the score of rest.
  package var restUnits: Int
  package var dilations: [Dilation]

  package init(
    inputChannels: Int = 20, channels: Int = 20, lagCount: Int = 39, restUnits: Int = 16,
    dilations: [Dilation] = [
      Dilation(times: 1, lags: 1), Dilation(times: 2, lags: 2), Dilation(times: 4, lags: 4),
      Dilation(times: 8, lags: 2),
    ]
  ) {
    self.inputChannels = inputChannels
    self.channels = channels
    self.lagCount = lagCount
    self.restUnits = restUnits
    self.dilations = dilations
  }

  /// The classes of the softmax: rest, then the lags.
  package var stateCount: Int { lagCount + 1 }
}
