import Foundation
import KinemaPose

struct ViewHint: Hashable, Sendable {
  enum Code: String, Encodable, Sendable {
    case moreThanOnePerson, stepBack, moveIntoView
  }

  var code: Code
  /// One sentence for people.
  var text: String
}

/// Detects a bad view of the person that lasts, and gives a hint.
struct ViewAdvisor: Sendable {
  /// The time constant of the shares, in seconds.
  static let memory = 0.8
  /// The share of the last time for which a problem must be present to start, and to end, a hint.
  static let startShare = 0.75
  static let endShare = 0.35
  /// The height of a body, as a share of the frame, that leaves no room to move.
  static let fullHeight: Float = 0.97

  /// A part of the body outside the frame, or another problem.
  private enum Problem: String, CaseIterable {
    case head, leftArm = "left arm", rightArm = "right arm", leftLeg = "left leg"
    case rightLeg = "right leg", tooNear, company

    var joints: [JointKey] {
      switch self {
      case .head: [.nose]
      case .leftArm: [.leftElbow, .leftWrist]
      case .rightArm: [.rightElbow, .rightWrist]
      case .leftLeg: [.leftKnee, .leftAnkle]
      case .rightLeg: [.rightKnee, .rightAnkle]
      case .tooNear, .company: []
      }
    }
  }

  private var shares = [Double](repeating: 0, count: Problem.allCases.count)
  private var isShown = [Bool](repeating: false, count: Problem.allCases.count)
  private var lastTime: TimeInterval?

  /// The hint for a frame, `nil` for a good or empty view; a pinned person may have company.
  mutating func hint(
    for pose: Pose?, personCount: Int, isPinned: Bool, ignoredKeys: Set<JointKey>,
    at time: TimeInterval
  ) -> ViewHint? {
    let step = min(max(0, time - (lastTime ?? time)), 0.5)
    lastTime = time
    guard let pose else {
      shares = shares.map { _ in 0 }
      isShown = isShown.map { _ in false }
      return nil
    }
    let weight = 1 - exp(-step / Self.memory)
    for (index, problem) in Problem.allCases.enumerated() {
      let isThere =
        switch problem {
        case .company: personCount > 1 && !isPinned
        case .tooNear: Self.isTooNear(pose)
        default: Self.isOutside(problem.joints.filter { !ignoredKeys.contains($0) }, of: pose)
        }
      shares[index] += weight * ((isThere ? 1 : 0) - shares[index])
      if shares[index] > Self.startShare { isShown[index] = true }
      if shares[index] < Self.endShare { isShown[index] = false }
    }
    return currentHint
  }

  private var currentHint: ViewHint? {
    let problems = Problem.allCases.enumerated().filter { isShown[$0.offset] }.map(\.element)
    let parts = problems.filter { !$0.joints.isEmpty }
    if problems.contains(.tooNear) || parts.count > 2 {
      return ViewHint(code: .stepBack, text: "Step back until your whole body is in view.")
    }
    switch parts {
    case []: break
    case [.leftArm, .rightArm]:
      return ViewHint(code: .moveIntoView, text: "Move your arms into view.")
    case [.leftLeg, .rightLeg]:
      return ViewHint(code: .moveIntoView, text: "Move your legs into view.")
    default:
      let names = parts.map(\.rawValue).joined(separator: " and your ")
      return ViewHint(code: .moveIntoView, text: "Move your \(names) into view.")
    }
    if problems.contains(.company) {
      return ViewHint(
        code: .moreThanOnePerson,
        text: "More than one person is in view; choose one, or ask the others to step aside.")
    }
    return nil
  }

  private static func isOutside(_ joints: [JointKey], of pose: Pose) -> Bool {
    guard !joints.isEmpty else { return false }
    return joints.allSatisfy { key in
      guard let place = pose.keypoints[key]?.position else { return true }
      return !(0...1).contains(place.x) || !(0...1).contains(place.y)
    }
  }

  private static func isTooNear(_ pose: Pose) -> Bool {
    guard let box = pose.boundingBox() else { return false }
    return box.upperRight.y - box.lowerLeft.y > fullHeight
  }
}
