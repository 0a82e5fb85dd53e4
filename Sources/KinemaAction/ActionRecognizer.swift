public import Foundation
public import KinemaPose

/// Follows one person's poses and says, window after window, what they do.
///
/// Poses are brought to the model's frame rate by their times, gathered into windows and classified.
/// A window of which too few frames show the person is *No Person*; a result that is not sure enough
/// is *Low Confidence*.
///
/// ```swift
/// var recognizer = ActionRecognizer(classifier: classifier)
/// for frame in sequence.frames {
///   for prediction in try recognizer.add(frame.poses.first, at: frame.time) { print(prediction) }
/// }
/// for prediction in try recognizer.finish() { print(prediction) }
/// ```
public struct ActionRecognizer: Sendable {
  /// The rules of the windows, as in Apple's sample for a live video feed.
  public struct Rules: Hashable, Codable, Sendable {
    /// How many frames, at the model's rate, lie between the starts of two windows.
    public var stride = 10
    /// The share of a window's frames, from 0 to 1, that must show the person.
    public var minimumPoseShare = 0.6
    /// The probability, from 0 to 1, that a label needs to be told.
    public var confidenceThreshold = 0.6

    /// The rules of the sample: stride 10, at least 60 % real frames, confidence 0.6.
    public init() {}
  }

  /// The frame rate that is assumed where a model does not say which it was trained at, as Apple's
  /// own samples do not.
  public static let defaultFrameRate = 30.0

  /// The model.
  public let classifier: ActionClassifier
  /// The rules of the windows.
  public let rules: Rules
  /// The frames per second at which the model looks at the person.
  public let frameRate: Double

  private var resampler: PoseResampler
  private var frames: [PoseResampler.Frame] = []
  /// Whether a frame has come that no window covers yet.
  private var hasUncoveredFrames = false

  /// Creates a recognizer for one stretch of video.
  public init(classifier: ActionClassifier, rules: Rules = Rules()) {
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    self.classifier = classifier
    self.rules = rules
    frameRate = classifier.frameRate ?? Self.defaultFrameRate
    resampler = PoseResampler(frameRate: frameRate)
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they were not seen.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  /// - Returns: A prediction for each window that the frame completes.
  /// - Throws: ``ActionError`` where the model cannot be run.
  public mutating func add(_ pose: Pose?, at time: TimeInterval) throws -> [ActionPrediction] {
    var predictions: [ActionPrediction] = []
    for frame in resampler.add(pose, at: time) {
      frames.append(frame)
      hasUncoveredFrames = true
      guard frames.count == classifier.windowSize else { continue }
      predictions.append(try prediction())
      advance()
    }
    return predictions
  }

  /// Ends the stretch: what does not fill a window is filled up with empty frames, as Create ML does,
  /// and judged by the same rules.
  public mutating func finish() throws -> [ActionPrediction] {
    guard hasUncoveredFrames, !frames.isEmpty else { return [] }
    defer { frames = [] }
    return [try prediction()]
  }

  /// Moves on by one stride.
  private mutating func advance() {
    let dropped = min(rules.stride, frames.count)
    frames.removeFirst(dropped)
    hasUncoveredFrames = false
  }

  private func prediction() throws -> ActionPrediction {
    let end = (frames.last?.time ?? 0) + 1 / frameRate
    var prediction = ActionPrediction(
      timeRange: (frames.first?.time ?? 0)..<end, status: .noPerson, confidence: 0,
      probabilities: [:], personID: Self.mostFrequentPerson(in: frames))
    let realCount = frames.count { $0.pose?.keypoints.isEmpty == false }
    let needed = rules.minimumPoseShare * Double(classifier.windowSize)
    guard realCount > 0, Double(realCount) >= needed - 1e-9 else {
      return prediction
    }
    let joints = classifier.joints
    var input: [Float] = []
    input.reserveCapacity(classifier.windowSize * 3 * joints.count)
    for frame in frames { input += (frame.pose ?? .empty).multiArray(of: joints) }
    input += repeatElement(0, count: classifier.windowSize * 3 * joints.count - input.count)
    let result = try classifier.predict(input)
    let pairs = zip(result.labels, result.probabilities.map(Double.init))
    prediction.probabilities = Dictionary(uniqueKeysWithValues: pairs)
    prediction.topLabel = result.mostLikely?.label
    prediction.confidence = Double(result.mostLikely?.probability ?? 0)
    prediction.status =
      prediction.confidence >= rules.confidenceThreshold ? .action : .lowConfidence
    return prediction
  }

  private static func mostFrequentPerson(in frames: [PoseResampler.Frame]) -> Int? {
    var counts: [Int: Int] = [:]
    for id in frames.compactMap(\.pose?.personID) { counts[id, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
