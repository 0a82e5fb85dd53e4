/// The blocks of a network to be trained.
package struct TrainingPlan: Sendable {
  /// A block: in the graph network a spatial and a temporal half, else the temporal half alone.
  package struct Block: Sendable, CustomStringConvertible {
    var channels: Int
    var stride = 1
    /// Whether the block's input is added to its result.
    var hasResidual = true
    /// Whether the convolution over time is done in its transform's domain, which pays for wide
    /// ones.
    package var transforms = false

    /// The block as text, such as `64/2 transformed`.
    package var description: String { "\(channels)/\(stride)" + (transforms ? " transformed" : "") }

    package init(
      channels: Int, stride: Int = 1, hasResidual: Bool = true, transforms: Bool = false
    ) {
      (self.channels, self.stride) = (channels, stride)
      (self.hasResidual, self.transforms) = (hasResidual, transforms)
    }
  }

  /// The frames of a convolution's kernel over time.
  var taps: Int
  package var blocks: [Block]
  var leastChunk: Int

  package init(taps: Int, blocks: [Block], leastChunk: Int) {
    self.taps = taps
    self.blocks = blocks
    self.leastChunk = leastChunk
  }

  package static func standard(_ architecture: TrainingArchitecture) -> TrainingPlan {
    switch architecture {
    case .stgcn:
      TrainingPlan(
        taps: 9,
        blocks: [
          Block(channels: 8, hasResidual: false), Block(channels: 16), Block(channels: 32),
          Block(channels: 64, stride: 2, transforms: true), Block(channels: 64, transforms: true),
          Block(channels: 128, stride: 2, transforms: true),
          Block(channels: 256, transforms: true),
        ],
        leastChunk: 4)
    case .tcn:
      TrainingPlan(
        taps: 5,
        blocks: [
          Block(channels: 64, stride: 2, hasResidual: false), Block(channels: 64),
          Block(channels: 64, stride: 2, hasResidual: false), Block(channels: 64),
        ],
        leastChunk: 8)
    case .posture:
      TrainingPlan(
        taps: 5,
        blocks: [
          Block(channels: 96, stride: 2, hasResidual: false), Block(channels: 96),
          Block(channels: 128, stride: 2, hasResidual: false), Block(channels: 128),
        ],
        leastChunk: 8)
    }
  }
}
