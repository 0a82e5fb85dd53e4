package import KinemaNetwork
import KinemaPose

/// Runs the lifter's network; one run serves one thread at a time.
package final class LiftRun {
  private let workspace: Workspace

  /// - Parameter network: From ``LiftWindow/inputCount`` numbers to ``LiftOutput/count``.
  package init(_ network: Network) { workspace = Workspace(network) }

  /// The mean of what the network says of a person, and of their image in a mirror, turned back.
  ///
  /// Left and right are learned alike but not exactly: the mean is nearer to the truth than either.
  package func output(_ input: [Float]) -> [Float] {
    workspace.run(input)
    let plain = workspace.output(0)
    workspace.run(LiftWindow.mirrored(input))
    return zip(plain, LiftOutput.mirrored(workspace.output(0))).map { ($0 + $1) / 2 }
  }
}

extension LiftWindow {
  /// The input of the mirror image: left is right, in the picture and of the person.
  package static func mirrored(_ input: [Float]) -> [Float] {
    var result = input
    let count = BodyJoint.count
    for start in stride(from: 0, to: offsets.count * 3 * count, by: 3 * count) {
      for joint in BodyJoint.allCases {
        let (place, other) = (start + joint.rawValue, start + joint.otherSide.rawValue)
        result[place] = -input[other]
        for row in [count, 2 * count] { result[place + row] = input[other + row] }
      }
    }
    // The first of the numbers that say where the body is in the picture.
    let across = offsets.count * 3 * count
    result[across] = -input[across]
    return result
  }
}

extension LiftOutput {
  /// What is said of a person, of what is said of the mirror image.
  package static func mirrored(_ output: [Float]) -> [Float] {
    var result = output
    for joint in BodyJoint.allCases {
      let (place, other) = (3 * joint.rawValue, 3 * joint.otherSide.rawValue)
      for axis in 0..<3 {
        let value = output[places.lowerBound + other + axis]
        result[places.lowerBound + place + axis] = axis == 0 ? -value : value
        result[placeErrors.lowerBound + place + axis] =
          output[placeErrors.lowerBound + other + axis]
      }
    }
    result[up.lowerBound] = -output[up.lowerBound]
    for (place, angle) in BodyAngle.allCases.enumerated() {
      let other = angle.otherSide.place
      let value = output[angles.lowerBound + other]
      result[angles.lowerBound + place] = angle.turnsInMirrors ? -value : value
      result[angleErrors.lowerBound + place] = output[angleErrors.lowerBound + other]
    }
    return result
  }
}

extension BodyAngle {
  /// The place in `allCases`.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The same angle of the other side; those of the whole body are their own.
  fileprivate var otherSide: BodyAngle {
    switch self {
    case .leftKnee: .rightKnee
    case .rightKnee: .leftKnee
    case .leftHip: .rightHip
    case .rightHip: .leftHip
    case .leftElbow: .rightElbow
    case .rightElbow: .leftElbow
    case .leftShoulder: .rightShoulder
    case .rightShoulder: .leftShoulder
    case .leftHipAbduction: .rightHipAbduction
    case .rightHipAbduction: .leftHipAbduction
    case .leftShoulderAbduction: .rightShoulderAbduction
    case .rightShoulderAbduction: .leftShoulderAbduction
    case .trunkLean, .trunkForwardLean, .trunkSideLean, .trunkRotation, .pelvisObliquity,
      .shoulderObliquity:
      self
    }
  }

  /// Whether it is above 0 to one side, and below to the other.
  fileprivate var turnsInMirrors: Bool {
    switch self {
    case .trunkSideLean, .trunkRotation, .pelvisObliquity, .shoulderObliquity: true
    default: false
    }
  }
}
