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

  /// Whether the last window ends with the last frame and shares frames with the one before, where
  /// there are enough, instead of being filled up with empty frames.
  package var endsWithFullWindow = false

  private var resampler: PoseResampler
  private var frames: [PoseResampler.Frame] = []
  /// The latest frames before those, for a full last window.
  private var earlier: [PoseResampler.Frame] = []
  /// Whether a frame has come that no window covers yet.
  private var hasUncoveredFrames = false
  /// The course of the windows, where the rules ask for it, and what is known of it.
  private var decoder: ActionDecoder?
  private var memory = ActionDecoder.Memory()

  /// Creates a recogniser for one video, by default with the model's rules.
  public init(classifier: ActionClassifier, rules: Rules? = nil) {
    let rules = rules ?? Rules(of: classifier)
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    self.classifier = classifier
    self.rules = rules
    frameRate = classifier.frameRate ?? Self.defaultFrameRate
    resampler = PoseResampler(frameRate: frameRate)
    decoder = courseDecoder(.live)
  }

  /// Reads all predictions for a whole video in their course, where the rules ask for that.
  package func decoded(_ predictions: [ActionPrediction]) -> [ActionPrediction] {
    courseDecoder(ActionDecoder.Rules())?.decode(predictions) ?? predictions
  }

  private func courseDecoder(_ decoding: ActionDecoder.Rules) -> ActionDecoder? {
    guard rules.readsCourse else { return nil }
    return ActionDecoder(
      labels: classifier.labels, recognition: rules,
      windowDuration: Double(classifier.windowSize) / frameRate,
      stride: Double(rules.stride) / frameRate, rules: decoding)
  }

  /// Changes the rules; the frames so far remain.
  package mutating func change(to rules: Rules) {
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    let old = self.rules
    self.rules = rules
    guard
      (old.readsCourse, old.stride, old.wholes) != (rules.readsCourse, rules.stride, rules.wholes)
    else { return }
    decoder = courseDecoder(.live)
    memory = ActionDecoder.Memory()
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
    defer { (frames, earlier) = ([], []) }
    frames = (earlier + frames).suffix(classifier.windowSize)
    return [try prediction()]
  }

  private mutating func advance() {
    let dropped = min(rules.stride, frames.count)
    if endsWithFullWindow {
      earlier = (earlier + frames.prefix(dropped)).suffix(classifier.windowSize)
    }
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
      memory = ActionDecoder.Memory()
      return prediction
    }
    var probabilities = try networkProbabilities().map(Double.init)
    prediction.probabilities = Dictionary(
      uniqueKeysWithValues: zip(classifier.labels, probabilities))
    if let decoder {
      probabilities = decoder.posterior(of: probabilities, after: &memory)
    }
    prediction.distribution = Dictionary(
      uniqueKeysWithValues: zip(classifier.labels, probabilities))
    prediction.settle(probabilities, of: classifier.labels, by: rules)
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

  private static func mostFrequentPerson(in frames: [PoseResampler.Frame]) -> Int? {
    var counts: [Int: Int] = [:]
    for id in frames.compactMap(\.pose?.personID) { counts[id, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
