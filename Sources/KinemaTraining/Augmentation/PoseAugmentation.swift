/// Random variation of training windows.
///
/// Probabilities are shares of windows, durations are in seconds, locations and lengths shares of
/// the frame. The defaults were chosen by cross-validation over video sources. Missing joints and
/// empty frames stay as they are.
package struct PoseAugmentation: Codable, Hashable, Sendable {
  // MARK: The view

  package var mirrorProbability: Float = 0.5
  /// Standard deviation of the rotation in the image plane, in degrees.
  package var rotationDeviationDegrees: Float = 7
  /// Standard deviation of the shear, in x per y.
  package var shearDeviation: Float = 0.08
  /// Bounds of the natural logarithm of the scale.
  package var logScale: ClosedRange<Float> = -0.6...0.35
  /// Bounds of the natural logarithm of width over height.
  package var logAspect: ClosedRange<Float> = -0.45...0.45
  /// Largest change of scale at one body size from the centre, as by a tilted or near camera.
  package var perspective: Float = 0.25
  package var horizontalShift: Float = 0.25
  package var verticalShift: Float = 0.2
  /// Bounds of the shifted person's centre, in both directions.
  package var centerBounds: ClosedRange<Float> = 0.1...0.9
  /// Probability that every frame is stretched until the person fills it, as in some collections;
  /// `nil` for never.
  package var stretchProbability: Float?
  /// Standard deviation of the drift during a window, in each direction.
  package var driftDeviation: Float = 0.03

  // MARK: Time

  /// Bounds of the tempo, above 1 for faster; limited by the clip's length.
  package var tempo: ClosedRange<Float> = 0.7...1.4
  /// Whether windows start up to half a stride earlier or later.
  package var variesStart = true
  package var pauseProbability: Float = 0.15
  /// Duration of a pause, in seconds.
  package var pauseDuration: ClosedRange<Float> = 0.1...0.7
  /// Probability of repeated frames, as from a slower camera.
  package var slowCameraProbability: Float = 0.12
  package var slowCameraFrameRate: ClosedRange<Float> = 5...15
  /// Probability that a window of everything else ends with the end of another window of its label.
  package var spliceProbability: Float = 0.1
  /// Whether windows of labels that stand for everything else may hold two movements.
  package var splicesEverythingElse = true

  // MARK: Errors of the pose network

  /// Standard deviation of each joint's constant offset, as a share of the body's spread.
  package var biasDeviation: Float = 0.05
  /// Largest standard deviation of noise, as a share of the body's spread.
  package var maximumJitter: Float = 0.025
  /// Factor of confidences.
  package var confidenceScale: ClosedRange<Float> = 0.6...1
  /// Probability that joints are missing for the whole window.
  package var missingJointsProbability: Float = 0.35
  /// Share of joints missing for the whole window.
  package var missingJointsShare: Float = 0.04
  /// Probability that joints are missing for a while.
  package var lostJointsProbability: Float = 0.4
  /// Share of joints missing for a while.
  package var lostJointsShare: Float = 0.08
  /// How long they are missing, in seconds.
  package var lostJointsDuration: ClosedRange<Float> = 0.1...0.85
  /// Probability that the person is missing for a while.
  package var lostFramesProbability: Float = 0.15
  /// How long the person is missing, in seconds.
  package var lostFramesDuration: ClosedRange<Float> = 0.03...0.25
  /// Probability that left and right are exchanged for a while.
  package var swapProbability: Float = 0.1
  /// How long they are exchanged, in seconds.
  package var swapDuration: ClosedRange<Float> = 0.03...0.2
  /// Probability that the window starts late or ends early; the rest is empty.
  package var cutProbability: Float = 0.06
  /// Share of frames that remain.
  package var cutShare: ClosedRange<Float> = 0.6...0.98
  /// Probability of one of ``PoseFailure``, now and then two, in any dose; `nil` for never.
  package var failureProbability: Float?

  package init() {}

  package static let none: PoseAugmentation = {
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
    augmentation.stretchProbability = nil
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
    augmentation.failureProbability = nil
    return augmentation
  }()
}
