public import Foundation
public import KinemaAction
internal import KinemaPose

/// The metrics of a classifier on labelled examples, as in Create ML.
///
/// Examples are cut into consecutive windows, the last padded with empty frames. ``frames`` counts
/// each frame with its window's label, ``windows`` each window, ``videos`` each example with the
/// mean probabilities of its windows.
public struct ActionClassifierEvaluation: Sendable {
  /// Options of an evaluation.
  public struct Options: Hashable, Sendable {
    /// Frames from one window to the next; `nil` for the length of a window.
    public var stride: Int?
    /// The model's label for examples with a label that the model lacks; `nil` refuses them.
    public var otherLabel: String?

    /// Creates options; the defaults are Create ML's.
    public init(stride: Int? = nil, otherLabel: String? = nil) {
      self.stride = stride
      self.otherLabel = otherLabel
    }
  }

  /// A window and its prediction.
  public struct Window: Hashable, Sendable {
    /// Its time in the video in seconds, without padding.
    public let timeRange: Range<TimeInterval>
    /// The number of frames up to the next window.
    public let frameCount: Int
    /// The share of its frames with a pose, 0…1.
    public let poseShare: Double
    /// The probability of each of the model's labels.
    public let probabilities: [Float]
    /// The scores before a final softmax, if any.
    public let logits: [Float]?
    /// The index of the most probable label.
    public let predicted: Int
  }

  /// An example and its prediction.
  public struct Example: Hashable, Sendable {
    /// The file as the user named it.
    public let file: String
    /// The video's identity.
    public let videoID: String
    /// What independent examples differ in: the person where known, else the video.
    package let group: String
    /// The segment's time in the video, in seconds.
    public let timeRange: Range<TimeInterval>
    /// The label in the data.
    public let label: String
    /// The index of the true label in the model.
    public let truth: Int
    /// The windows, oldest first; at least one.
    public let windows: [Window]
    /// The mean of the windows' probabilities, weighted by ``Window/frameCount``.
    public let probabilities: [Float]
    /// The index of the most probable label.
    public let predicted: Int
  }

  /// The model's labels.
  public let labels: [String]
  /// The number of frames in a window.
  public let windowSize: Int
  /// The model's frame rate.
  public let frameRate: Double
  /// The examples in their order.
  public let examples: [Example]
  /// The files of examples without frames, which are not evaluated.
  public let emptyFiles: [String]
  /// Results by frames, as Create ML reports them.
  public let frames: ConfusionMatrix
  /// Results by windows.
  public let windows: ConfusionMatrix
  /// Results by examples.
  public let videos: ConfusionMatrix
  /// The calibration of the windows' probabilities.
  public let calibration: Calibration
  /// The mean −log p of the true label over the windows, in nats.
  public let logLoss: Double
  /// The temperature that improves the calibration on held-out videos, if any.
  public let temperature: Temperature?

  /// Evaluates a classifier.
  ///
  /// - Parameters:
  ///   - classifier: The model.
  ///   - examples: The labelled examples.
  ///   - options: The options.
  ///   - progress: Receives the number of processed examples; may throw to stop.
  /// - Throws: ``TrainingError`` for unknown labels, other joints than the model's, and data
  ///   without frames; `ActionError` if the model cannot run.
  public init(
    classifier: ActionClassifier, examples: [ActionExample], options: Options = Options(),
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let truths = try Self.truths(of: examples, labels: classifier.labels, options: options)
    guard options.stride ?? 1 >= 1 else {
      throw TrainingError(.badParameter, "The stride of an evaluation must be at least 1.")
    }
    let frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    var evaluated: [Example] = []
    var emptyFiles: [String] = []
    for (index, example) in examples.enumerated() {
      guard example.poses.joints == classifier.joints else {
        throw TrainingError(
          .badData,
          "\(example.file) has poses of \(example.poses.joints.count) joints where the model takes "
            + "\(classifier.joints.count); evaluate hands with hand poses and bodies with body poses.",
          text: MessageText("otherJoints", ["file": example.file]))
      }
      let frames = PoseFrames(example.poses, frameRate: frameRate, joints: classifier.joints)
      let windows = try Self.windows(
        of: frames, classifier: classifier, frameRate: frameRate, stride: options.stride)
      if windows.isEmpty {
        emptyFiles.append(example.file)
      } else {
        evaluated.append(Example(example, truth: truths[index], windows: windows))
      }
      try progress(index + 1)
    }
    guard !evaluated.isEmpty else {
      throw TrainingError(.badData, MessageText("nothingToEvaluate"))
    }
    self.init(
      labels: classifier.labels, windowSize: classifier.windowSize, frameRate: frameRate,
      examples: evaluated, emptyFiles: emptyFiles)
  }

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

  private static func truths(
    of examples: [ActionExample], labels: [String], options: Options
  ) throws -> [Int] {
    let indices = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    if let other = options.otherLabel, indices[other] == nil {
      throw TrainingError(
        .badParameter,
        "The model has no label “\(other)” for unknown labels; it has "
          + labels.map { "“\($0)”" }.joined(separator: ", ") + ".")
    }
    let other = options.otherLabel.flatMap { indices[$0] }
    let unknown = Set(examples.map(\.label)).filter { indices[$0] == nil }.sorted()
    guard unknown.isEmpty || other != nil else {
      let names = unknown.map { "“\($0)”" }.joined(separator: ", ")
      throw TrainingError(
        .badData,
        "The data has labels that the model lacks: \(names); set the model's label for "
          + "everything else with --other, or remove them.",
        text: MessageText("unknownLabels", ["labels": names]))
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
    for example in examples where numbers[example.group] == nil {
      numbers[example.group] = numbers.count
    }
    let cases = examples.flatMap { example in example.windows.map { (example, $0) } }
    let labels = cases.map(\.0.truth)
    let groups = cases.compactMap { numbers[$0.0.group] }
    let logits = cases.compactMap(\.1.logits)
    return logits.count == cases.count
      ? Temperature.fitted(to: logits, labels: labels, groups: groups)
      : Temperature.fitted(
        toProbabilities: cases.map(\.1.probabilities), labels: labels, groups: groups)
  }

  /// The index of the largest probability, the first of equals.
  static func likeliest(_ probabilities: [Float]) -> Int {
    probabilities.indices.reduce(0) { probabilities[$1] > probabilities[$0] ? $1 : $0 }
  }
}

extension ActionClassifierEvaluation.Example {
  init(_ example: ActionExample, truth: Int, windows: [ActionClassifierEvaluation.Window]) {
    self.init(
      file: example.file, videoID: example.videoID, group: example.group,
      timeRange: example.timeRange, label: example.label, truth: truth, windows: windows)
  }

  init(
    file: String, videoID: String, group: String, timeRange: Range<TimeInterval>, label: String,
    truth: Int, windows: [ActionClassifierEvaluation.Window]
  ) {
    self.file = file
    self.videoID = videoID
    self.group = group
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
