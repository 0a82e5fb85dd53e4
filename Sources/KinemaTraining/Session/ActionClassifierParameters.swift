public import Foundation

/// How an action classifier is trained; the defaults are meant to be used as they are.
///
/// The names follow Create ML's `MLActionClassifier.ModelParameters`. The same parameters and data
/// give the same model, bit for bit, whatever the number of threads. A model carries the parameters
/// it was trained with in its metadata.
public struct ActionClassifierParameters: Codable, Hashable, Sendable {
  /// The networks that can be trained.
  public enum Algorithm: String, Codable, Sendable, CaseIterable {
    /// Convolutions over time on windows that are freed of place and size: small, and the better
    /// one where there are few videos.
    case tcn
    /// The graph network that Create ML trains, layer for layer.
    case stgcn
  }

  /// How windows are varied each time they are shown.
  public struct AugmentationOptions: OptionSet, Codable, Hashable, Sendable {
    /// The number that stands for the set.
    public let rawValue: Int

    /// Creates a set from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Half of the windows are mirrored, left becoming right, as Create ML offers it.
    public static let horizontalFlip = AugmentationOptions(rawValue: 1)
    /// What ``ActionClassifierParameters/poseAugmentation`` says: views, tempo, gaps and noise.
    public static let poses = AugmentationOptions(rawValue: 2)
  }

  /// The numbers that the network calculates with.
  public enum Precision: String, Codable, Sendable, CaseIterable {
    /// 32 bits.
    case full
    /// Products of 16 bits (bfloat16) where the processor has them: faster, a little less exact.
    case fast
  }

  /// How many of the training videos judge, where no videos are given for that; `nil` for none: then
  /// the model of the last iteration is kept.
  public var validation: SplitStrategy? = .automatic
  /// How many windows a step takes at most; `nil` lets their number decide.
  public var batchSize: Int?
  /// How many times all windows are shown.
  public var maximumIterations = 80
  /// The frames of a window.
  public var predictionWindowSize = 60
  /// The frames per second that videos are brought to.
  public var targetFrameRate = 30.0
  /// How windows are varied.
  public var augmentationOptions: AugmentationOptions = [.horizontalFlip, .poses]
  /// The network.
  public var algorithm = Algorithm.tcn
  /// The numbers that the network calculates with.
  public var precision = Precision.full
  /// Decides the first weights, the order of windows and how they are varied.
  public var seed: UInt64 = 1
  /// After how many iterations without a lower validation loss the training ends; `nil` for never.
  public var earlyStoppingPatience: Int?
  /// How many frames lie between the starts of two windows of a video; `nil` for a second.
  public var windowStride: Int?
  /// The share of a window's frames, from 0 to 1, that must show the person.
  public var minimumPoseShare = 0.6
  /// The highest learning rate.
  public var learningRate = 0.003
  /// The share of the steps in which the learning rate rises.
  public var warmUpShare = 0.25
  /// How strongly weights are drawn to 0 (Loshchilov and Hutter, *Decoupled Weight Decay
  /// Regularization*, ICLR 2019).
  public var weightDecay = 0.01
  /// The probability that is spread over all labels in what the network is to tell.
  public var labelSmoothing = 0.05
  /// The share of features that is left out in each step.
  public var dropout = 0.2
  /// What ``AugmentationOptions/poses`` does.
  public var poseAugmentation = PoseAugmentation()

  /// The defaults.
  public init() {}

  /// The length of a window in seconds; setting it sets ``predictionWindowSize`` by
  /// ``targetFrameRate``.
  public var actionDuration: TimeInterval {
    get { Double(predictionWindowSize) / targetFrameRate }
    set {
      let frames = (newValue * targetFrameRate).rounded()
      predictionWindowSize = frames.isFinite && abs(frames) < 1e9 ? Int(frames) : 0
    }
  }

  /// How many frames lie between the starts of two windows of a video.
  var stride: Int { windowStride ?? max(1, Int(targetFrameRate.rounded())) }

  /// How windows are varied, mirroring included; `nil` where they are shown as they are.
  var augmentation: PoseAugmentation? {
    var augmentation = augmentationOptions.contains(.poses) ? poseAugmentation : .none
    if augmentationOptions.contains(.horizontalFlip) {
      augmentation.mirrorProbability = poseAugmentation.mirrorProbability
    } else {
      augmentation.mirrorProbability = 0
    }
    return augmentationOptions.isEmpty ? nil : augmentation
  }

  /// How many windows a step takes at most when there are so many windows.
  func batchSize(forWindowCount count: Int) -> Int {
    let most = batchSize ?? (algorithm == .tcn ? 64 : 32)
    return max(1, min(most, count))
  }
}

// MARK: - Checking

extension ActionClassifierParameters {
  /// Throws ``TrainingError`` for a parameter that is out of its range.
  public func check() throws {
    func require(_ isFine: Bool, _ name: String, _ rule: String, _ value: Any) throws {
      guard isFine else {
        throw TrainingError(.badParameter, "\(name) must be \(rule), not \(value).")
      }
    }
    try require(
      (2...2000).contains(predictionWindowSize), "The prediction window",
      "from 2 to 2000 frames long", predictionWindowSize)
    try require(
      targetFrameRate >= 1 && targetFrameRate <= 240, "The target frame rate",
      "from 1 to 240 frames per second", targetFrameRate)
    try require(
      (1...100_000).contains(maximumIterations), "The number of iterations", "from 1 to 100000",
      maximumIterations)
    if let batchSize {
      try require((1...4096).contains(batchSize), "The batch size", "from 1 to 4096", batchSize)
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
      try require(ratio > 0 && ratio < 1, "The share for validation", "above 0 and below 1", ratio)
    }
    try require(
      minimumPoseShare >= 0 && minimumPoseShare <= 1, "The share of frames with a person",
      "from 0 to 1", minimumPoseShare)
    try require(
      learningRate > 0 && learningRate <= 1, "The learning rate", "above 0 and at most 1",
      learningRate)
    try require(
      warmUpShare >= 0 && warmUpShare < 1, "The share of warm-up", "from 0 to below 1", warmUpShare)
    try require(weightDecay >= 0 && weightDecay < 1, "The weight decay", "from 0 to 1", weightDecay)
    try require(
      labelSmoothing >= 0 && labelSmoothing < 1, "The label smoothing", "from 0 to below 1",
      labelSmoothing)
    if let problem = poseAugmentation.problem {
      try require(false, "The augmentation’s \(problem.name)", problem.rule, problem.value)
    }
    try require(dropout >= 0 && dropout < 1, "The dropout", "from 0 to below 1", dropout)
  }
}
