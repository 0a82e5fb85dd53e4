import Foundation
import KinemaPose

struct ViewHint: Hashable, Sendable {
  enum Code: String, Encodable, Sendable {
    case moreThanOnePerson, stepBack, moveIntoView
  }

  enum Part: String, Encodable, Sendable {
    case head, leftArm, rightArm, leftLeg, rightLeg

    fileprivate var name: String {
      switch self {
      case .head: "head"
      case .leftArm: "left arm"
      case .rightArm: "right arm"
      case .leftLeg: "left leg"
      case .rightLeg: "right leg"
      }
    }
  }

  var code: Code
  /// What has to move into view.
  var parts: [Part] = []

  /// One sentence for people.
  var text: String {
    switch code {
    case .stepBack: "Step back until your whole body is in view."
    case .moreThanOnePerson:
      "More than one person is in view; choose one, or ask the others to step aside."
    case .moveIntoView:
      switch parts {
      case [.leftArm, .rightArm]: "Move your arms into view."
      case [.leftLeg, .rightLeg]: "Move your legs into view."
      default: "Move your \(parts.map(\.name).joined(separator: " and your ")) into view."
      }
    }
  }
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
  private enum Problem: Equatable {
    case outside(ViewHint.Part)
    case tooNear, company

    static let all: [Problem] =
      [.head, .leftArm, .rightArm, .leftLeg, .rightLeg].map(Problem.outside) + [.tooNear, .company]
  }

  private var shares = [Double](repeating: 0, count: Problem.all.count)
  private var isShown = [Bool](repeating: false, count: Problem.all.count)
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
    for (index, problem) in Problem.all.enumerated() {
      let isThere =
        switch problem {
        case .company: personCount > 1 && !isPinned
        case .tooNear: Self.isTooNear(pose)
        case .outside(let part):
          Self.isOutside(part.joints.filter { !ignoredKeys.contains($0) }, of: pose)
        }
      shares[index] += weight * ((isThere ? 1 : 0) - shares[index])
      if shares[index] > Self.startShare { isShown[index] = true }
      if shares[index] < Self.endShare { isShown[index] = false }
    }
    return currentHint
  }

  private var currentHint: ViewHint? {
    let problems = Problem.all.enumerated().filter { isShown[$0.offset] }.map(\.element)
    let parts = problems.compactMap { problem in
      if case .outside(let part) = problem { part } else { nil }
    }
    if problems.contains(.tooNear) || parts.count > 2 { return ViewHint(code: .stepBack) }
    if !parts.isEmpty { return ViewHint(code: .moveIntoView, parts: parts) }
    return problems.contains(.company) ? ViewHint(code: .moreThanOnePerson) : nil
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

extension ViewHint.Part {
  fileprivate var joints: [JointKey] {
    switch self {
    case .head: [.nose]
    case .leftArm: [.leftElbow, .leftWrist]
    case .rightArm: [.rightElbow, .rightWrist]
    case .leftLeg: [.leftKnee, .leftAnkle]
    case .rightLeg: [.rightKnee, .rightAnkle]
    }
  }
}
