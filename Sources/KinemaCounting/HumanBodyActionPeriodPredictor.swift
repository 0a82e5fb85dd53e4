public import KinemaPose
public import KinemaStreams

/// Predicts, for every frame of a window, the number of frames of one repetition and the confidence that
/// there is one.
///
/// - Input: a window of one person's poses, oldest first, evenly spaced in time; a pose without joints
///   where the person is not visible.
/// - Output: a prediction for each of them.
public struct HumanBodyActionPeriodPredictor: Transformer, Sendable {
  /// The prediction of a frame.
  public struct Prediction: Hashable, Sendable {
    /// How many frames one repetition takes.
    public var period: Float
    /// The confidence that the frame is part of a periodic movement, from 0 to 1.
    public var periodicity: Float

    /// Creates a prediction.
    public init(period: Float, periodicity: Float) {
      self.period = period
      self.periodicity = periodicity
    }
  }

  /// How many poses there are in a second.
  public let frameRate: Double
  private let estimator: any PeriodEstimator

  /// Creates a stage.
  ///
  /// - Parameter frameRate: How many poses there are in a second, above 0; repetitions of 0.3 to 8
  ///   seconds are found.
  public init(frameRate: Double = 30) {
    precondition(frameRate > 0, "A frame rate must be above zero.")
    self.frameRate = frameRate
    estimator = CountingMethod.bestEstimator()
  }

  /// A prediction for each pose.
  ///
  /// - Throws: ``ModelFileError`` where the network cannot be run.
  public func applied(
    to input: [Pose], eventHandler: EventHandler? = nil
  ) async throws -> [Prediction] {
    let samples = input.enumerated().map { MotionSample($1, at: Double($0) / frameRate) }
    let steps = try StepFinder(estimator).steps(of: MotionTrack(samples))
    return samples.map { sample in
      let index = Int((sample.time / CountingStep.duration).rounded())
      guard let step = steps.isEmpty ? nil : steps[min(index, steps.count - 1)] else {
        return Prediction(period: 0, periodicity: 0)
      }
      return Prediction(
        period: Float(step.period * frameRate),
        periodicity: step.isActive ? Float(max(step.periodicity, 0.5)) : 0)
    }
  }
}
