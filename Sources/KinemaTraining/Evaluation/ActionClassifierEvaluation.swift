public import Foundation
public import KinemaAction
internal import KinemaPose

/// How well a classifier does on labelled examples.
///
/// As Create ML does it: each example is cut into consecutive windows that do not overlap, the last
/// filled up with empty frames, and each frame of the example counts with its window's label
/// (``frames``). Beside it stand the windows, each counting once (``windows``), and whole examples,
/// judged by the mean of their windows' probabilities (``videos``).
public struct ActionClassifierEvaluation: Sendable {
  /// How the examples are judged.
  public struct Options: Hashable, Sendable {
    /// Frames, at the model's rate, from the start of one window to the next; `nil` for the length
    /// of a window.
    public var stride: Int?
    /// The model's label for examples whose own it does not know; without one they are refused.
    public var otherLabel: String?

    /// Creates options: Create ML's windows, no label for the unknown.
    public init(stride: Int? = nil, otherLabel: String? = nil) {
      self.stride = stride
      self.otherLabel = otherLabel
    }
  }

  /// A window and what the model says of it.
  public struct Window: Hashable, Sendable {
    /// The time that it covers, in the video's seconds, without the empty frames that fill it up.
    public let timeRange: Range<TimeInterval>
    /// The number of frames that count with it: up to the next window's start.
    public let frameCount: Int
    /// The share of its frames that show a person, 0…1.
    public let poseShare: Double
    /// The probability of each of the model's labels.
    public let probabilities: [Float]
    /// The scores behind the probabilities, where the model ends in a softmax.
    public let logits: [Float]?
    /// The index of the likeliest label.
    public let predicted: Int
  }

  /// An example and what the model says of it.
  public struct Example: Hashable, Sendable {
    /// The file as the user named it.
    public let file: String
    /// What identifies the video.
    public let videoID: String
    /// The stretch in the video's seconds.
    public let timeRange: Range<TimeInterval>
    /// The label in the data.
    public let label: String
    /// The index of the model's label that should have been told.
    public let truth: Int
    /// The windows, oldest first; at least one.
    public let windows: [Window]
    /// The mean of the windows' probabilities, each weighing as many frames as count with it.
    public let probabilities: [Float]
    /// The index of the likeliest label.
    public let predicted: Int
  }

  /// The model's labels.
  public let labels: [String]
  /// The number of frames in a window.
  public let windowSize: Int
  /// The frames per second at which the model looks.
  public let frameRate: Double
  /// The examples in their order.
  public let examples: [Example]
  /// The files of examples without a single frame, which cannot be judged.
  public let emptyFiles: [String]
  /// Every frame counts once, as Create ML reports it.
  public let frames: ConfusionMatrix
  /// Every window counts once.
  public let windows: ConfusionMatrix
  /// Every example counts once.
  public let videos: ConfusionMatrix
  /// How well the windows' probabilities tell how often they are right.
  public let calibration: Calibration
  /// The mean of −log p of the true label over the windows, in nats.
  public let logLoss: Double
  /// The temperature that would make the probabilities better, if one does on held-out videos.
  public let temperature: Temperature?

  /// Judges a classifier.
  ///
  /// - Parameters:
  ///   - classifier: The model.
  ///   - examples: What it is judged on.
  ///   - options: How.
  ///   - progress: Called with the number of examples that are done; may throw to end the work.
  /// - Throws: ``TrainingError`` for labels that the model does not know, for other joints than the
  ///   model takes and where there is nothing to judge; `ActionError` where the model cannot be run.
  public init(
    classifier: ActionClassifier, examples: [ActionExample], options: Options = Options(),
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let truths = try Self.truths(of: examples, labels: classifier.labels, options: options)
    guard options.stride ?? 1 >= 1 else {
      throw TrainingError(.badParameter, "The stride of an evaluation must be at least 1.")
    }
    let frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    var judged: [Example] = []
    var emptyFiles: [String] = []
    for (index, example) in examples.enumerated() {
      guard example.poses.joints == classifier.joints else {
        throw TrainingError(
          .badData,
          "\(example.file) has poses of \(example.poses.joints.count) joints where the model takes "
            + "\(classifier.joints.count); evaluate hands with hand poses and bodies with body poses."
        )
      }
      let frames = PoseFrames(example.poses, frameRate: frameRate, joints: classifier.joints)
      let windows = try Self.windows(
        of: frames, classifier: classifier, frameRate: frameRate, stride: options.stride)
      if windows.isEmpty {
        emptyFiles.append(example.file)
      } else {
        judged.append(Example(example, truth: truths[index], windows: windows))
      }
      try progress(index + 1)
    }
    guard !judged.isEmpty else {
      throw TrainingError(.badData, "There is no example with a frame to judge the model on.")
    }
    self.init(
      labels: classifier.labels, windowSize: classifier.windowSize, frameRate: frameRate,
      examples: judged, emptyFiles: emptyFiles)
  }

  /// Counts what was predicted.
  init(
    labels: [String], windowSize: Int, frameRate: Double, examples: [Example],
    emptyFiles: [String] = []
  ) {
    self.labels = labels
    self.windowSize = windowSize
    self.frameRate = frameRate
    self.examples = examples
    self.emptyFiles = emptyFiles
    var (frames, windows, videos) = (
      ConfusionMatrix(labels: labels), ConfusionMatrix(labels: labels),
      ConfusionMatrix(labels: labels)
    )
    var confidences: [Double] = []
    var isCorrect: [Bool] = []
    var loss = 0.0
    for example in examples {
      videos.add(truth: example.truth, predicted: example.predicted)
      for window in example.windows {
        frames.add(truth: example.truth, predicted: window.predicted, count: window.frameCount)
        windows.add(truth: example.truth, predicted: window.predicted)
        confidences.append(Double(window.probabilities[window.predicted]))
        isCorrect.append(window.predicted == example.truth)
        loss -= Double(log(max(window.probabilities[example.truth], .leastNormalMagnitude)))
      }
    }
    self.frames = frames
    self.windows = windows
    self.videos = videos
    calibration = Calibration(confidences: confidences, isCorrect: isCorrect)
    logLoss = loss / Double(max(1, confidences.count))
    temperature = Self.temperature(of: examples)
  }

  // MARK: - Steps

  /// The index of each example's label among the model's.
  private static func truths(
    of examples: [ActionExample], labels: [String], options: Options
  ) throws -> [Int] {
    let indices = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    if let other = options.otherLabel, indices[other] == nil {
      throw TrainingError(
        .badParameter,
        "The model has no label “\(other)” for what it does not know; it has "
          + labels.map { "“\($0)”" }.joined(separator: ", ") + ".")
    }
    let other = options.otherLabel.flatMap { indices[$0] }
    let unknown = Set(examples.map(\.label)).filter { indices[$0] == nil }.sorted()
    guard unknown.isEmpty || other != nil else {
      let names = unknown.map { "“\($0)”" }.joined(separator: ", ")
      throw TrainingError(
        .badData,
        "The data has labels that the model does not know: \(names); name the model's label for "
          + "everything else with --other, or leave them out.")
    }
    return examples.compactMap { indices[$0.label] ?? other }
  }

  private static func windows(
    of frames: PoseFrames, classifier: ActionClassifier, frameRate: Double, stride: Int?
  ) throws -> [Window] {
    let size = classifier.windowSize
    let stride = min(stride ?? size, size)
    var windows: [Window] = []
    var start = 0
    while start < frames.count {
      let end = min(start + size, frames.count)
      let isLast = end == frames.count
      let result = try classifier.predict(frames.window(from: start, size: size))
      windows.append(
        Window(
          timeRange: frames.times[start]..<(frames.times[end - 1] + 1 / frameRate),
          frameCount: isLast ? end - start : stride,
          poseShare: Double(frames.showsPerson[start..<end].count { $0 }) / Double(end - start),
          probabilities: result.probabilities, logits: result.logits,
          predicted: likeliest(result.probabilities)))
      if isLast { break }
      start += stride
    }
    return windows
  }

  private static func temperature(of examples: [Example]) -> Temperature? {
    var numbers: [String: Int] = [:]
    for example in examples where numbers[example.videoID] == nil {
      numbers[example.videoID] = numbers.count
    }
    let cases = examples.flatMap { example in example.windows.map { (example, $0) } }
    let labels = cases.map(\.0.truth)
    let groups = cases.compactMap { numbers[$0.0.videoID] }
    let logits = cases.compactMap(\.1.logits)
    return logits.count == cases.count
      ? Temperature.fitted(to: logits, labels: labels, groups: groups)
      : Temperature.fitted(
        toProbabilities: cases.map(\.1.probabilities), labels: labels, groups: groups)
  }

  /// The index of the greatest probability, the first of several alike.
  static func likeliest(_ probabilities: [Float]) -> Int {
    probabilities.indices.reduce(0) { probabilities[$1] > probabilities[$0] ? $1 : $0 }
  }
}

extension ActionClassifierEvaluation.Example {
  init(_ example: ActionExample, truth: Int, windows: [ActionClassifierEvaluation.Window]) {
    self.init(
      file: example.file, videoID: example.videoID, timeRange: example.timeRange,
      label: example.label, truth: truth, windows: windows)
  }

  init(
    file: String, videoID: String, timeRange: Range<TimeInterval>, label: String, truth: Int,
    windows: [ActionClassifierEvaluation.Window]
  ) {
    self.file = file
    self.videoID = videoID
    self.timeRange = timeRange
    self.label = label
    self.truth = truth
    self.windows = windows
    let total = Float(windows.reduce(0) { $0 + $1.frameCount })
    var mean = [Float](repeating: 0, count: windows.first?.probabilities.count ?? 0)
    for window in windows {
      for (index, value) in window.probabilities.enumerated() {
        mean[index] += value * Float(window.frameCount) / total
      }
    }
    probabilities = mean
    predicted = ActionClassifierEvaluation.likeliest(mean)
  }
}
