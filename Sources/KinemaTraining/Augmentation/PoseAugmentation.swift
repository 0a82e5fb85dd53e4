/// How windows of poses are varied, so that a network learns the movement and not the footage.
///
/// A probability is a share of windows, from 0 to 1; durations are in seconds; places and lengths
/// are shares of the frame, in which x and y count alike. The defaults were found by cross-validation
/// over sources of videos, with networks trained on synthetic people and on real ones.
///
/// Joints that were not found stay what they are, and so do frames without a person.
public struct PoseAugmentation: Codable, Hashable, Sendable {
  // MARK: The view

  /// How often left and right are exchanged, places and joints.
  public var mirrorProbability: Float = 0.5
  /// The standard deviation of a turn in the plane of the picture, in degrees.
  public var rotationDeviationDegrees: Float = 7
  /// The standard deviation of a shear: how far x moves for each unit of y.
  public var shearDeviation: Float = 0.08
  /// The bounds of the size's natural logarithm.
  public var logScale: ClosedRange<Float> = -0.6...0.35
  /// The bounds of the natural logarithm of width over height.
  public var logAspect: ClosedRange<Float> = -0.45...0.45
  /// How much larger or smaller things are at most, one body's size from the middle: a tilted or
  /// near camera.
  public var perspective: Float = 0.25
  /// How far the person is moved sideways at most.
  public var horizontalShift: Float = 0.25
  /// How far the person is moved up or down at most.
  public var verticalShift: Float = 0.2
  /// Where the person's centre stays when moved, in both directions.
  public var centerBounds: ClosedRange<Float> = 0.1...0.9
  /// The standard deviation of how far the person drifts during a window, in each direction.
  public var driftDeviation: Float = 0.03

  // MARK: Time

  /// The bounds of the tempo; above 1 the movement is faster.
  ///
  /// Where a clip is too short for a faster one, it is shown as fast as it suffices for.
  public var tempo: ClosedRange<Float> = 0.7...1.4
  /// Whether windows begin up to half a stride earlier or later.
  public var variesStart = true
  /// How often the movement pauses.
  public var pauseProbability: Float = 0.15
  /// How long it pauses, in seconds.
  public var pauseDuration: ClosedRange<Float> = 0.1...0.7
  /// How often frames are repeated as a slower camera would.
  public var slowCameraProbability: Float = 0.12
  /// The frame rates of slow cameras.
  public var slowCameraFrameRate: ClosedRange<Float> = 5...15
  /// How often a window of one of ``splicedLabels`` ends with the end of another such window.
  public var spliceProbability: Float = 0.1
  /// Labels that stand for anything, so that a window may hold two of them.
  public var splicedLabels = ["other", "other_action"]

  // MARK: What the pose network gets wrong

  /// The standard deviation of how far each joint is off in the whole window, as a share of the
  /// body's spread.
  public var biasDeviation: Float = 0.05
  /// How much joints tremble at most: a standard deviation, as a share of the body's spread.
  public var maximumJitter: Float = 0.025
  /// What confidences are multiplied with.
  public var confidenceScale: ClosedRange<Float> = 0.6...1
  /// How often joints are missing for the whole window.
  public var missingJointsProbability: Float = 0.35
  /// The share of joints that are missing then.
  public var missingJointsShare: Float = 0.04
  /// How often joints are missing for a while.
  public var lostJointsProbability: Float = 0.4
  /// The share of joints that are missing for a while then.
  public var lostJointsShare: Float = 0.08
  /// For how long they are missing, in seconds.
  public var lostJointsDuration: ClosedRange<Float> = 0.1...0.85
  /// How often the person is not seen for a moment.
  public var lostFramesProbability: Float = 0.15
  /// For how long the person is not seen, in seconds.
  public var lostFramesDuration: ClosedRange<Float> = 0.03...0.25
  /// How often left and right are exchanged for a moment.
  public var swapProbability: Float = 0.1
  /// For how long left and right are exchanged, in seconds.
  public var swapDuration: ClosedRange<Float> = 0.03...0.2
  /// How often the window begins too late or ends too early, the rest being empty.
  public var cutProbability: Float = 0.06
  /// The share of frames that such a window keeps.
  public var cutShare: ClosedRange<Float> = 0.6...0.98

  /// The defaults.
  public init() {}

  /// The first value that cannot be, if there is one.
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

  /// Nothing is varied.
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
