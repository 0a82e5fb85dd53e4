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
  /// Whether a stream is classified before its first window is full, with empty frames before its
  /// first, as windows are in training that begin before the person is in view.
  package var opensEarly = false
  /// Whether the first window was full, and whether an action was recognised before that.
  private var (isOpened, hasOpening) = (false, false)
  /// The course of the windows, where the rules ask for it, and what is known of it.
  private var decoder: ActionDecoder?
  private var memory = ActionDecoder.Memory()
  /// The postures of a body.
  private var postures: PostureTimeline?

  /// The share of a window from which a stream is classified.
  ///
  /// With 21 to 25 of 60 frames the median delay of the right name is at most 1.0 s on the train clips of
  /// `Exercise`, with 30 frames 1.1 s.
  private static let openingShare = 0.4

  /// How many frames lie between the windows of a stream before its first full one: a fifth of a stride.
  ///
  /// The prior of a start (``ActionDecoder/Rules/sharesStart``) asks for more evidence than one window.
  /// Windows that come often, each worth little (``ActionDecoder/Rules/openingWeight``), give it as soon
  /// as it is clear.
  private static func openingStride(_ rules: Rules) -> Int { max(1, rules.stride / 5) }

  /// The longest time between two frames that the resampler gives, in their intervals; it leaves out
  /// what goes beyond ``PoseResampler/longestGap``.
  private static let longestStep = 2.0

  /// Creates a recogniser for one video, by default with the model's rules.
  public init(classifier: ActionClassifier, rules: Rules? = nil) {
    let rules = rules ?? Rules(of: classifier)
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    self.classifier = classifier
    self.rules = rules
    frameRate = classifier.frameRate ?? Self.defaultFrameRate
    resampler = PoseResampler(frameRate: frameRate)
    if classifier.joints == JointKey.body, classifier.windowSize > 1 {
      postures = .builtIn(windowDuration: Double(classifier.windowSize) / frameRate)
    }
    decoder = liveDecoder
  }

  /// The posture at the newest frame; `nil` for hands, and while the person is not visible.
  public var posture: HumanBodyPosture? { postures?.latest }

  /// Reads all predictions for a whole video in their course, where the rules ask for that.
  package func decoded(_ predictions: [ActionPrediction]) -> [ActionPrediction] {
    guard rules.readsCourse else { return predictions }
    let course = rules.course ?? ActionDecoder.Course()
    return ActionDecoder(of: classifier, recognition: rules, rules: course.file).decode(predictions)
  }

  private var liveDecoder: ActionDecoder? {
    guard rules.readsCourse else { return nil }
    let course = rules.course ?? ActionDecoder.Course()
    return ActionDecoder(of: classifier, recognition: rules, rules: course.live)
  }

  /// Changes the rules; the frames so far remain.
  package mutating func change(to rules: Rules) {
    precondition(rules.stride > 0, "The stride of an ActionRecognizer must be at least 1.")
    let old = self.rules
    self.rules = rules
    guard
      (old.readsCourse, old.stride, old.wholes) != (rules.readsCourse, rules.stride, rules.wholes)
        || (old.course, old.postures) != (rules.course, rules.postures)
    else { return }
    decoder = liveDecoder
    memory = ActionDecoder.Memory()
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they are not visible.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  ///   - aspectRatio: The width of the frame divided by its height; without, there are no postures.
  /// - Returns: A prediction for each window that the frame completes.
  /// - Throws: ``ActionError`` where the model cannot be run.
  public mutating func add(
    _ pose: Pose?, at time: TimeInterval, aspectRatio: Float? = nil
  ) throws -> [ActionPrediction] {
    if let aspectRatio { postures?.add(pose, at: time, aspectRatio: aspectRatio) }
    var predictions: [ActionPrediction] = []
    let due =
      classifier.windowSize == 1
      ? [PoseResampler.Frame(time: time, pose: pose)] : resampler.add(pose, at: time)
    for frame in due {
      // Frames on both sides of a hole in the times make no window together.
      if let last = frames.last, frame.time - last.time > Self.longestStep / frameRate {
        predictions += try finish()
        (frames, earlier, memory) = ([], [], ActionDecoder.Memory())
      }
      frames.append(frame)
      hasUncoveredFrames = true
      guard frames.count == classifier.windowSize else {
        if isOpening, let opening = try opening() { predictions.append(opening) }
        continue
      }
      predictions.append(try prediction())
      (isOpened, hasOpening) = (true, false)
      advance()
    }
    return predictions
  }

  /// Whether the frames so far are classified before they fill the first window.
  private var isOpening: Bool {
    let least = Int((Self.openingShare * Double(classifier.windowSize)).rounded(.up))
    return opensEarly && !isOpened && frames.count >= least
      && (frames.count - least).isMultiple(of: Self.openingStride(rules))
  }

  /// The prediction for the first frames of a stream; `nil` until an action is recognised.
  private mutating func opening() throws -> ActionPrediction? {
    let prediction = try prediction(isOpening: true)
    hasOpening = hasOpening || prediction.status == .action
    return hasOpening ? prediction : nil
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

  /// The prediction for the frames; empty ones fill up the window, before them where it is opening.
  private mutating func prediction(isOpening: Bool = false) throws -> ActionPrediction {
    let end = (frames.last?.time ?? 0) + 1 / frameRate
    var prediction = ActionPrediction(
      timeRange: (frames.first?.time ?? 0)..<end, status: .noPerson, confidence: 0,
      probabilities: [:], personID: Self.mostFrequentPerson(in: frames),
      chirality: frames.reversed().lazy.compactMap(\.pose?.chirality).first)
    prediction.isOpening = isOpening
    guard showsPerson(among: isOpening ? frames.count : classifier.windowSize) else {
      memory = ActionDecoder.Memory()
      return prediction
    }
    let seen = frames.filter { $0.pose != nil }
    prediction.visibleRange = (seen.first?.time ?? 0)..<((seen.last?.time ?? 0) + 1 / frameRate)
    prediction.posture = postures?.posture(in: prediction.timeRange)
    let window = try networkProbabilities(of: frames, isOpening: isOpening).map(Double.init)
    prediction.probabilities = Dictionary(uniqueKeysWithValues: zip(classifier.labels, window))
    if let decoder {
      if decoder.readsRecent, !isOpening {
        prediction.recentProbabilities = try recentProbabilities()
      }
      decoder.read(&prediction, window, by: rules, after: &memory)
    } else {
      prediction.distribution = prediction.probabilities
      prediction.settle(window, of: classifier.labels, by: rules)
    }
    return prediction
  }

  /// Whether enough of so many frames show a person, with enough confidence.
  private func showsPerson(among count: Int) -> Bool {
    let poses = frames.compactMap(\.pose).filter { !$0.keypoints.isEmpty }
    let needed = rules.minimumPoseShare * Double(count)
    guard !poses.isEmpty, Double(poses.count) >= needed - 1e-9 else { return false }
    let confidence = poses.reduce(0.0) { $0 + Double($1.confidence) } / Double(poses.count)
    return confidence >= rules.minimumPersonConfidence
  }

  /// The network's output for the newest half of the window, as if the stream began with it.
  private func recentProbabilities() throws -> [Double]? {
    let newest = frames.suffix(classifier.windowSize / 2)
    guard newest.contains(where: { $0.pose != nil }) else { return nil }
    return try networkProbabilities(of: newest, isOpening: true).map(Double.init)
  }

  /// The network's output for frames, in the order of the model's labels.
  ///
  /// - Parameter isOpening: Whether empty frames fill up the window before the frames, not after them.
  private func networkProbabilities(
    of frames: some Collection<PoseResampler.Frame>, isOpening: Bool
  ) throws -> [Float] {
    let joints = classifier.joints
    let emptyCount = (classifier.windowSize - frames.count) * 3 * joints.count
    var input: [Float] = []
    input.reserveCapacity(classifier.windowSize * 3 * joints.count)
    if isOpening { input += repeatElement(0, count: emptyCount) }
    for frame in frames { input += (frame.pose ?? .empty).multiArray(of: joints) }
    if !isOpening { input += repeatElement(0, count: emptyCount) }
    return try classifier.predict(input).probabilities
  }

  private static func mostFrequentPerson(in frames: [PoseResampler.Frame]) -> Int? {
    var counts: [Int: Int] = [:]
    for id in frames.compactMap(\.pose?.personID) { counts[id, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
