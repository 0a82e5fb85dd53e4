public import Foundation
import Glibc
package import KinemaModelFiles
import KinemaNetwork
public import KinemaPose

/// Lifts poses in a picture to bodies in three dimensions, with their errors.
///
/// A network reads where the joints are in the picture around a moment, and gives where they are in space,
/// where gravity points, and the angles of the body, each with its standard error.
///
/// One lifter serves one thread at a time.
public final class BodyLifter {
  private let network: LiftRun

  /// Loads the lifter that comes with Kinema.
  ///
  /// - Throws: ``ModelFileError`` where the model is missing or damaged.
  public convenience init() throws { try self.init(contentsOf: BuiltInModel.depth.url) }

  /// Loads a lifter; throws ``ModelFileError`` where the file is none.
  public convenience init(contentsOf url: URL) throws {
    try self.init(DepthModel(contentsOf: url))
  }

  /// The bodies in all frames, in the order of each frame's poses; `nil` where too little of one is seen.
  ///
  /// - Parameters:
  ///   - sequence: Poses of bodies; a person's poses have one ``Pose/personID``.
  ///   - aspectRatio: Width by height of the pictures, where the frames do not say their size.
  ///   - stature: The people's height in metres, if known.
  public func bodies(
    in sequence: PoseSequence, aspectRatio: Float = 1, stature: Float? = nil
  ) -> [[LiftedBody?]] {
    var stream = BodyLiftingStream(self, stature: stature)
    var result: [[LiftedBody?]] = []
    for frame in sequence.frames {
      stream.add(frame.poses, at: frame.time)
      while result.count < sequence.frames.count,
        stream.isReady(sequence.frames[result.count].time, newest: frame.time)
      { result.append(stream.bodies(of: sequence.frames[result.count], otherwise: aspectRatio)) }
    }
    while result.count < sequence.frames.count {
      result.append(stream.bodies(of: sequence.frames[result.count], otherwise: aspectRatio))
    }
    return result
  }

  package convenience init(_ model: DepthModel) throws {
    self.init(
      try model.network(inputCount: LiftWindow.inputCount, outputCount: LiftOutput.count))
  }

  private init(_ network: Network) { self.network = LiftRun(network) }

  /// A lifter with the model that comes with Kinema, which is read once; `nil` where it is missing or damaged.
  package static var builtIn: BodyLifter? { builtInNetwork.map { BodyLifter($0) } }

  // Form is measured in the picture as well: an incomplete installation is no reason to stop.
  private static let builtInNetwork: Network? = try? DepthModel(
    contentsOf: BuiltInModel.depth.url
  ).network(inputCount: LiftWindow.inputCount, outputCount: LiftOutput.count)

  /// The body in a frame; `nil` where too little of it is seen.
  ///
  /// - Parameters:
  ///   - index: The place of the frame among `frames`.
  ///   - frames: Frames of one person, oldest first: what is within 0.8 s before and 0.5 s after the frame
  ///     is read.
  ///   - aspectRatio: Width by height of the picture.
  ///   - future: How many seconds after the frame are read; 0 on a live camera.
  ///   - stature: The person's height in metres, if known.
  package func body(
    at index: Int, in frames: [LiftWindow.Frame], aspectRatio: Float,
    future: Double = LiftWindow.future, stature: Float? = nil
  ) -> LiftedBody? {
    guard
      let input = LiftWindow.input(
        of: index, in: frames, aspectRatio: aspectRatio, future: future)
    else { return nil }
    return LiftedBody(output: network.output(input), stature: stature)
  }
}

extension LiftedBody {
  /// The body that a network's numbers say; see ``LiftOutput``.
  package init(output: [Float], stature given: Float?) {
    let guess =
      LiftOutput.averageStature + LiftOutput.statureUnit * output[LiftOutput.stature]
    let stature =
      given ?? min(max(guess, LiftOutput.statures.lowerBound), LiftOutput.statures.upperBound)
    let up =
      LiftOutput.vector(output, LiftOutput.up.lowerBound).direction ?? Vector3(0, 1, 0)
    // A camera that points straight down has no direction of its own on the floor.
    let toCamera = Vector3(0, 0, 1) - up * up.z
    let z = toCamera.direction ?? Vector3(1, 0, 0)
    let axes = [up.cross(z), up, z]
    var joints: [JointKey: Joint] = [:]
    for (number, key) in JointKey.body.enumerated() {
      let place = LiftOutput.vector(output, LiftOutput.places.lowerBound + 3 * number) * stature
      let start = LiftOutput.placeErrors.lowerBound + 3 * number
      let deviations = SIMD3((0..<3).map { LiftOutput.error(output[start + $0]) }) * stature
      let variances = deviations * deviations
      joints[key] = Joint(
        position: Vector3(axes[0].dot(place), axes[1].dot(place), axes[2].dot(place)),
        covariance: axes.map { column in
          Vector3(
            (axes[0] * variances).dot(column), (axes[1] * variances).dot(column),
            (axes[2] * variances).dot(column))
        },
        error: variances.sum().squareRoot())
    }
    var angles: [BodyAngle: Angle] = [:]
    for (number, angle) in BodyAngle.allCases.enumerated() {
      angles[angle] = Angle(
        value: angle.inRange(output[LiftOutput.angles.lowerBound + number] * 180 / .pi),
        error: LiftOutput.error(output[LiftOutput.angleErrors.lowerBound + number]) * 180 / .pi)
    }
    self.init(
      joints: joints, angles: angles, stature: stature, up: up,
      floorHeight: joints.values.map(\.position.y).min() ?? 0)
  }
}

extension LiftOutput {
  fileprivate static func vector(_ output: [Float], _ start: Int) -> Vector3 {
    Vector3(output[start], output[start + 1], output[start + 2])
  }

  /// A standard error from its logarithm.
  package static func error(_ logarithm: Float) -> Float {
    expf(min(max(logarithm, logErrors.lowerBound), logErrors.upperBound))
  }
}

extension BodyAngle {
  /// Whether the angle is between two lines, and so from 0 to 180.
  private var isUnsigned: Bool {
    switch self {
    case .leftKnee, .rightKnee, .leftHip, .rightHip, .leftElbow, .rightElbow, .leftShoulder,
      .rightShoulder, .trunkLean:
      true
    default: false
    }
  }

  /// The nearest angle that there is, in degrees.
  fileprivate func inRange(_ degrees: Float) -> Float {
    min(max(degrees, isUnsigned ? 0 : -180), 180)
  }
}
