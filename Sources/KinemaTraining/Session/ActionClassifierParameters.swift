public import Foundation
import KinemaFiles
import KinemaNetwork

/// Parameters of a training, as `MLActionClassifier.ModelParameters`.
///
/// Equal parameters and data give the same model, bit for bit, for any number of threads. The
/// model's metadata contain them.
public struct ActionClassifierParameters: Codable, Hashable, Sendable {
  /// The networks.
  public enum Algorithm: String, Codable, Sendable, CaseIterable {
    /// Temporal convolutions on windows normalised in location and scale: small, better with few
    /// videos.
    case tcn
    /// The same, wider, with every frame's posture beside the motion: for many actions and many
    /// videos.
    case posture
    /// Create ML's graph network.
    case stgcn
  }

  /// Kinds of augmentation.
  public struct AugmentationOptions: OptionSet, Codable, Hashable, Sendable {
    /// The raw value.
    public let rawValue: Int

    /// Creates a set from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Mirrors half of the windows, as Create ML.
    public static let horizontalFlip = AugmentationOptions(rawValue: 1)
    /// Applies ``ActionClassifierParameters/poseAugmentation``.
    public static let poses = AugmentationOptions(rawValue: 2)
  }

  /// The precision of training.
  public enum Precision: String, Codable, Sendable, CaseIterable {
    /// Float32.
    case full
    /// bfloat16 products where the processor supports them.
    case fast
  }

  /// The validation split, if no validation data are given; `nil` for none: the last epoch's model
  /// is used.
  public var validation: SplitStrategy? = .automatic
  /// Largest number of windows in a batch; `nil` chooses by the number of windows.
  public var batchSize: Int?
  /// Number of epochs.
  public var maximumIterations = 80
  /// Frames of a window.
  public var predictionWindowSize = 60
  /// Frame rate of the model.
  public var targetFrameRate = 30.0
  /// The augmentation.
  public var augmentationOptions: AugmentationOptions = [.horizontalFlip, .poses]
  /// The network; with a ``TransferLearning``, that of its layers.
  public var algorithm = Algorithm.tcn
  /// The precision.
  public var precision = Precision.full
  /// Seed of initial weights, order and augmentation.
  public var seed: UInt64 = 1
  /// Epochs without a lower validation loss before training stops; `nil` for never.
  public var earlyStoppingPatience: Int?
  /// Frames from one window of a video to the next; `nil` for one second.
  public var windowStride: Int?
  /// Share of a window's frames that must have a pose, from 0 to 1.
  public var minimumPoseShare = 0.6
  /// Peak learning rate.
  public var learningRate = 0.003
  /// Share of the steps in which the learning rate rises.
  public var warmUpShare = 0.25
  /// The share of the peak learning rate that is held to the end, with the mean of the weights of all
  /// these steps as the result; `nil` for a rate that falls to the end, with the last weights.
  package var averagingRate: Double?
  /// Decoupled weight decay (Loshchilov and Hutter, ICLR 2019).
  public var weightDecay = 0.01
  /// Probability that is spread over all labels in the target.
  public var labelSmoothing = 0.05
  /// Dropout rate.
  public var dropout = 0.2
  /// The parameters of ``AugmentationOptions/poses``.
  package var poseAugmentation = PoseAugmentation()

  /// The defaults.
  public init() {}

  /// Window length in seconds; sets ``predictionWindowSize`` by ``targetFrameRate``.
  public var actionDuration: TimeInterval {
    get { Double(predictionWindowSize) / targetFrameRate }
    set {
      predictionWindowSize = Int(rounding: newValue * targetFrameRate) ?? 0
    }
  }

  var stride: Int { windowStride ?? max(1, Int(saturating: targetFrameRate)) }

  /// Those of single poses, from pictures: one frame, which the network that reads postures takes.
  public static var singlePoses: ActionClassifierParameters {
    var parameters = ActionClassifierParameters()
    parameters.predictionWindowSize = 1
    parameters.algorithm = .posture
    return parameters
  }

  /// The augmentation with mirroring; `nil` for none.
  var augmentation: PoseAugmentation? {
    var augmentation = augmentationOptions.contains(.poses) ? poseAugmentation : .none
    // Without its only frame a window shows nothing of its label.
    if predictionWindowSize == 1 { augmentation.lostFramesProbability = 0 }
    if augmentationOptions.contains(.horizontalFlip) {
      augmentation.mirrorProbability = poseAugmentation.mirrorProbability
    } else {
      augmentation.mirrorProbability = 0
    }
    return augmentationOptions.isEmpty ? nil : augmentation
  }

  func batchSize(forWindowCount count: Int) -> Int {
    let most = batchSize ?? (algorithm == .stgcn ? 32 : 64)
    return max(1, min(most, count))
  }
}

extension ActionClassifierParameters.Algorithm {
  var architecture: TrainingArchitecture {
    switch self {
    case .tcn: .tcn
    case .posture: .posture
    case .stgcn: .stgcn
    }
  }
}

// MARK: - Checking

extension ActionClassifierParameters {
  /// Throws ``TrainingError`` for a parameter out of range.
  public func check() throws {
    func require(
      _ isFine: Bool, _ name: String, _ rule: String, _ value: any CustomStringConvertible,
      _ text: MessageText? = nil
    ) throws {
      guard isFine else {
        throw TrainingError(
          .badParameter, "\(name) must be \(rule), not \(value).",
          text: text?.adding(["value": value]))
      }
    }
    try require(
      (1...2000).contains(predictionWindowSize), "The prediction window",
      "from 1 to 2000 frames long", predictionWindowSize, MessageText("badWindow"))
    guard predictionWindowSize > 1 || algorithm == .posture else {
      throw TrainingError(
        .badParameter, MessageText("badSingleFrame", ["algorithm": algorithm.rawValue]))
    }
    try require(
      targetFrameRate >= 1 && targetFrameRate <= 240, "The target frame rate",
      "from 1 to 240 frames per second", targetFrameRate, MessageText("badFrameRate"))
    try require(
      (1...100_000).contains(maximumIterations), "The number of iterations", "from 1 to 100000",
      maximumIterations, MessageText("badIterations"))
    if let batchSize {
      try require(
        (1...4096).contains(batchSize), "The batch size", "from 1 to 4096", batchSize,
        MessageText("badBatchSize"))
    }
    if let windowStride {
      try require(
        (1...100_000).contains(windowStride), "The stride of windows", "from 1 to 100000 frames",
        windowStride)
    }
    if let earlyStoppingPatience {
      try require(
        earlyStoppingPatience >= 1, "The patience of early stopping", "at least 1 iteration",
        earlyStoppingPatience)
    }
    if case .fixed(let ratio, _) = validation {
      try require(
        ratio > 0 && ratio < 1, "The share for validation", "above 0 and below 1", ratio,
        MessageText("badValidation"))
    }
    try require(
      minimumPoseShare >= 0 && minimumPoseShare <= 1, "The share of frames with a person",
      "from 0 to 1", minimumPoseShare)
    try require(
      learningRate > 0 && learningRate <= 1, "The learning rate", "above 0 and at most 1",
      learningRate)
    try require(
      warmUpShare >= 0 && warmUpShare < 1, "The share of warm-up", "from 0 to below 1", warmUpShare)
    if let averagingRate {
      try require(
        averagingRate > 0 && averagingRate < 1, "The rate of averaging", "above 0 and below 1",
        averagingRate)
    }
    try require(weightDecay >= 0 && weightDecay < 1, "The weight decay", "from 0 to 1", weightDecay)
    try require(
      labelSmoothing >= 0 && labelSmoothing < 1, "The label smoothing", "from 0 to below 1",
      labelSmoothing)
    try require(dropout >= 0 && dropout < 1, "The dropout", "from 0 to below 1", dropout)
  }
}
