public import Foundation
public import KinemaPose

/// Classifies what one person does, window after window.
///
/// Poses are brought to the model's frame rate by their times, gathered into windows and classified; a
/// model whose window is a single frame sees each frame as it comes.
/// A window of which too few frames show the person is *No Person*; a result below the confidence
/// threshold is *Low Confidence*. A model may ask for other rules in its metadata:
/// ``Rules/init(of:)``.
///
/// ```swift
/// var recognizer = ActionRecognizer(classifier: classifier)
/// for frame in sequence.frames {
///   for prediction in try recognizer.add(frame.poses.first, at: frame.time) { print(prediction) }
/// }
/// for prediction in try recognizer.finish() { print(prediction) }
/// ```
public struct ActionRecognizer: Sendable {
  /// The frame rate of models that do not have one, such as Apple's samples.
  public static let defaultFrameRate = 30.0

  /// The model.
  public let classifier: ActionClassifier
  /// The rules of the windows; another stride or threshold holds from the next window on.
  public private(set) var rules: Rules
  /// The frames per second that the model takes.
  public let frameRate: Double

  private var resampler: PoseResampler
  private var frames: [PoseResampler.Frame] = []
  /// Whether a frame has come that no window covers yet.
  private var hasUncoveredFrames = false
  /// The network's output for the newest windows in a row that showed a person, oldest first.
  private var recentProbabilities: [[Float]] = []
  /// When an action that consists of others was last recognised, by its label.
  private var lastTimes: [String: TimeInterval] = [:]

  /// Creates a recogniser for one video, by default with the model's rules.
  public init(classifier: ActionClassifier, rules: Rules? = nil) {
    let rules = rules ?? Rules(of: classifier)
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    self.classifier = classifier
    self.rules = rules
    frameRate = classifier.frameRate ?? Self.defaultFrameRate
    resampler = PoseResampler(frameRate: frameRate)
  }

  /// Reads all predictions for a whole video in their course, where the rules ask for that.
  package func decoded(_ predictions: [ActionPrediction]) -> [ActionPrediction] {
    guard rules.readsCourse else { return predictions }
    return ActionDecoder(
      labels: classifier.labels, recognition: rules,
      windowDuration: Double(classifier.windowSize) / frameRate,
      stride: Double(rules.stride) / frameRate
    ).decode(predictions)
  }

  /// Changes the rules; the frames so far remain.
  package mutating func change(to rules: Rules) {
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    self.rules = rules
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they are not visible.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  /// - Returns: A prediction for each window that the frame completes.
  /// - Throws: ``ActionError`` where the model cannot be run.
  public mutating func add(_ pose: Pose?, at time: TimeInterval) throws -> [ActionPrediction] {
    var predictions: [ActionPrediction] = []
    let due =
      classifier.windowSize == 1
      ? [PoseResampler.Frame(time: time, pose: pose)] : resampler.add(pose, at: time)
    for frame in due {
      frames.append(frame)
      hasUncoveredFrames = true
      guard frames.count == classifier.windowSize else { continue }
      predictions.append(try prediction())
      advance()
    }
    return predictions
  }

  /// Ends the stretch: what does not fill a window is filled up with empty frames, as Create ML
  /// does, and evaluated by the same rules.
  public mutating func finish() throws -> [ActionPrediction] {
    guard hasUncoveredFrames, !frames.isEmpty else { return [] }
    defer { frames = [] }
    return [try prediction()]
  }

  private mutating func advance() {
    let dropped = min(rules.stride, frames.count)
    frames.removeFirst(dropped)
    hasUncoveredFrames = false
  }

  private mutating func prediction() throws -> ActionPrediction {
    let end = (frames.last?.time ?? 0) + 1 / frameRate
    var prediction = ActionPrediction(
      timeRange: (frames.first?.time ?? 0)..<end, status: .noPerson, confidence: 0,
      probabilities: [:], personID: Self.mostFrequentPerson(in: frames),
      chirality: frames.reversed().lazy.compactMap(\.pose?.chirality).first)
    guard showsPerson else {
      recentProbabilities = []
      return prediction
    }
    let newest = try networkProbabilities()
    let pairs = zip(classifier.labels, newest.map(Double.init))
    prediction.probabilities = Dictionary(uniqueKeysWithValues: pairs)
    let settled = self.settled(averaged(with: newest), at: end).map(Double.init)
    prediction.distribution = Dictionary(uniqueKeysWithValues: zip(classifier.labels, settled))
    prediction.settle(settled, of: classifier.labels, by: rules)
    return prediction
  }

  /// Whether enough frames of the window show a person, with enough confidence.
  private var showsPerson: Bool {
    let poses = frames.compactMap(\.pose).filter { !$0.keypoints.isEmpty }
    let needed = rules.minimumPoseShare * Double(classifier.windowSize)
    guard !poses.isEmpty, Double(poses.count) >= needed - 1e-9 else { return false }
    let confidence = poses.reduce(0.0) { $0 + Double($1.confidence) } / Double(poses.count)
    return confidence >= rules.minimumPersonConfidence
  }

  /// The network's output for the window, in the order of the model's labels.
  private func networkProbabilities() throws -> [Float] {
    let joints = classifier.joints
    var input: [Float] = []
    input.reserveCapacity(classifier.windowSize * 3 * joints.count)
    for frame in frames { input += (frame.pose ?? .empty).multiArray(of: joints) }
    input += repeatElement(0, count: classifier.windowSize * 3 * joints.count - input.count)
    return try classifier.predict(input).probabilities
  }

  /// The mean of a window's probabilities and those of the windows before it.
  private mutating func averaged(with newest: [Float]) -> [Float] {
    recentProbabilities.append(newest)
    if recentProbabilities.count > rules.averagedWindowCount { recentProbabilities.removeFirst() }
    return newest.indices.map { label in
      recentProbabilities.reduce(0) { $0 + $1[label] } / Float(recentProbabilities.count)
    }
  }

  /// The probabilities with parts counted as the whole that was recognised a moment ago.
  private mutating func settled(_ probabilities: [Float], at time: TimeInterval) -> [Float] {
    var probabilities = probabilities
    for (part, whole) in rules.wholes.sorted(by: { $0.key < $1.key }) {
      guard let partIndex = classifier.labels.firstIndex(of: part),
        let wholeIndex = classifier.labels.firstIndex(of: whole)
      else { continue }
      if let newest = recentProbabilities.last,
        Double(newest[wholeIndex]) >= rules.confidenceThreshold
      {
        lastTimes[whole] = time
      }
      if let lastTime = lastTimes[whole], time - lastTime <= rules.wholeReach {
        probabilities[wholeIndex] += probabilities[partIndex]
        probabilities[partIndex] = 0
      }
    }
    return probabilities
  }

  private static func mostFrequentPerson(in frames: [PoseResampler.Frame]) -> Int? {
    var counts: [Int: Int] = [:]
    for id in frames.compactMap(\.pose?.personID) { counts[id, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
