/// Random variation of training windows.
///
/// Probabilities are shares of windows, durations are in seconds, locations and lengths shares of
/// the frame. The defaults were chosen by cross-validation over video sources. Missing joints and
/// empty frames stay as they are.
public struct PoseAugmentation: Codable, Hashable, Sendable {
  // MARK: The view

  /// Probability of mirroring left and right.
  public var mirrorProbability: Float = 0.5
  /// Standard deviation of the rotation in the image plane, in degrees.
  public var rotationDeviationDegrees: Float = 7
  /// Standard deviation of the shear, in x per y.
  public var shearDeviation: Float = 0.08
  /// Bounds of the natural logarithm of the scale.
  public var logScale: ClosedRange<Float> = -0.6...0.35
  /// Bounds of the natural logarithm of width over height.
  public var logAspect: ClosedRange<Float> = -0.45...0.45
  /// Largest change of scale at one body size from the centre, as by a tilted or near camera.
  public var perspective: Float = 0.25
  /// Largest horizontal shift.
  public var horizontalShift: Float = 0.25
  /// Largest vertical shift.
  public var verticalShift: Float = 0.2
  /// Bounds of the shifted person's centre, in both directions.
  public var centerBounds: ClosedRange<Float> = 0.1...0.9
  /// Standard deviation of the drift during a window, in each direction.
  public var driftDeviation: Float = 0.03

  // MARK: Time

  /// Bounds of the tempo, above 1 for faster; limited by the clip's length.
  public var tempo: ClosedRange<Float> = 0.7...1.4
  /// Whether windows start up to half a stride earlier or later.
  public var variesStart = true
  /// Probability of a pause.
  public var pauseProbability: Float = 0.15
  /// Duration of a pause, in seconds.
  public var pauseDuration: ClosedRange<Float> = 0.1...0.7
  /// Probability of repeated frames, as from a slower camera.
  public var slowCameraProbability: Float = 0.12
  /// Frame rates of slow cameras.
  public var slowCameraFrameRate: ClosedRange<Float> = 5...15
  /// Probability that a window of ``splicedLabels`` ends with the end of another such window.
  public var spliceProbability: Float = 0.1
  /// Labels for anything, so that a window may hold two of them.
  public var splicedLabels = ["other", "other_action"]

  // MARK: Errors of the pose network

  /// Standard deviation of each joint's constant offset, as a share of the body's spread.
  public var biasDeviation: Float = 0.05
  /// Largest standard deviation of noise, as a share of the body's spread.
  public var maximumJitter: Float = 0.025
  /// Factor of confidences.
  public var confidenceScale: ClosedRange<Float> = 0.6...1
  /// Probability that joints are missing for the whole window.
  public var missingJointsProbability: Float = 0.35
  /// Share of joints missing for the whole window.
  public var missingJointsShare: Float = 0.04
  /// Probability that joints are missing for a while.
  public var lostJointsProbability: Float = 0.4
  /// Share of joints missing for a while.
  public var lostJointsShare: Float = 0.08
  /// How long they are missing, in seconds.
  public var lostJointsDuration: ClosedRange<Float> = 0.1...0.85
  /// Probability that the person is missing for a while.
  public var lostFramesProbability: Float = 0.15
  /// How long the person is missing, in seconds.
  public var lostFramesDuration: ClosedRange<Float> = 0.03...0.25
  /// Probability that left and right are exchanged for a while.
  public var swapProbability: Float = 0.1
  /// How long they are exchanged, in seconds.
  public var swapDuration: ClosedRange<Float> = 0.03...0.2
  /// Probability that the window starts late or ends early; the rest is empty.
  public var cutProbability: Float = 0.06
  /// Share of frames that remain.
  public var cutShare: ClosedRange<Float> = 0.6...0.98

  /// The defaults.
  public init() {}

  /// The first value out of range, if any.
  var problem: (name: String, rule: String, value: Any)? {
    let probabilities = [
      ("mirrorProbability", mirrorProbability), ("pauseProbability", pauseProbability),
      ("slowCameraProbability", slowCameraProbability), ("spliceProbability", spliceProbability),
      ("missingJointsProbability", missingJointsProbability),
      ("missingJointsShare", missingJointsShare), ("lostJointsShare", lostJointsShare),
      ("lostJointsProbability", lostJointsProbability), ("swapProbability", swapProbability),
      ("lostFramesProbability", lostFramesProbability), ("cutProbability", cutProbability),
    ]
    for (name, value) in probabilities where !(value >= 0 && value <= 1) {
      return (name, "from 0 to 1", value)
    }
    let amounts = [
      ("rotationDeviationDegrees", rotationDeviationDegrees), ("shearDeviation", shearDeviation),
      ("perspective", perspective), ("horizontalShift", horizontalShift),
      ("verticalShift", verticalShift), ("driftDeviation", driftDeviation),
      ("biasDeviation", biasDeviation), ("maximumJitter", maximumJitter),
    ]
    for (name, value) in amounts where !(value >= 0 && value <= 1000) {
      return (name, "from 0 to 1000", value)
    }
    let ranges: [(String, ClosedRange<Float>, within: ClosedRange<Float>)] = [
      ("logScale", logScale, -5...5), ("logAspect", logAspect, -5...5),
      ("tempo", tempo, 0.05...20), ("slowCameraFrameRate", slowCameraFrameRate, 0.1...1000),
      ("pauseDuration", pauseDuration, 0...1000), ("swapDuration", swapDuration, 0...1000),
      ("lostJointsDuration", lostJointsDuration, 0...1000),
      ("lostFramesDuration", lostFramesDuration, 0...1000), ("cutShare", cutShare, 0...1),
      ("confidenceScale", confidenceScale, 0.001...1),
    ]
    for (name, range, limits) in ranges
    where !(limits.contains(range.lowerBound) && limits.contains(range.upperBound)) {
      return (name, "within \(limits.lowerBound) and \(limits.upperBound)", range)
    }
    return nil
  }

  /// No variation.
  public static let none: PoseAugmentation = {
    var augmentation = PoseAugmentation()
    augmentation.mirrorProbability = 0
    augmentation.rotationDeviationDegrees = 0
    augmentation.shearDeviation = 0
    augmentation.logScale = 0...0
    augmentation.logAspect = 0...0
    augmentation.perspective = 0
    augmentation.horizontalShift = 0
    augmentation.verticalShift = 0
    augmentation.centerBounds = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
    augmentation.driftDeviation = 0
    augmentation.tempo = 1...1
    augmentation.variesStart = false
    augmentation.pauseProbability = 0
    augmentation.slowCameraProbability = 0
    augmentation.spliceProbability = 0
    augmentation.biasDeviation = 0
    augmentation.maximumJitter = 0
    augmentation.confidenceScale = 1...1
    augmentation.missingJointsProbability = 0
    augmentation.lostJointsProbability = 0
    augmentation.lostFramesProbability = 0
    augmentation.swapProbability = 0
    augmentation.cutProbability = 0
    return augmentation
  }()
}
