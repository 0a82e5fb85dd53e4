package import KinemaNetwork
import KinemaPose

extension PointGraph {
  /// The graph of the body that Create ML's action network mixes joints by: three sums a joint, of
  /// itself, of its neighbours no nearer to the neck, and of those nearer, each divided by
  /// 1 + the number of neighbours.
  package static let createML: PointGraph = {
    let edges: [(BodyJoint, BodyJoint)] = [
      (.nose, .neck), (.neck, .rightShoulder), (.rightShoulder, .rightElbow),
      (.rightElbow, .rightWrist), (.neck, .leftShoulder), (.leftShoulder, .leftElbow),
      (.leftElbow, .leftWrist), (.rightShoulder, .rightHip), (.rightHip, .rightKnee),
      (.rightKnee, .rightAnkle), (.leftShoulder, .leftHip), (.leftHip, .leftKnee),
      (.leftKnee, .leftAnkle), (.nose, .rightEye), (.nose, .leftEye), (.rightEye, .rightEar),
      (.leftEye, .leftEar),
    ]
    func neighbours(_ joint: BodyJoint) -> [BodyJoint] {
      BodyJoint.allCases.filter { other in
        edges.contains { $0 == (joint, other) || $0 == (other, joint) }
      }
    }
    /// The steps to the neck, where all beyond one count as equally far.
    func distance(_ joint: BodyJoint) -> Int {
      joint == .neck ? 0 : neighbours(joint).contains(.neck) ? 1 : 2
    }
    return PointGraph(
      BodyJoint.allCases.map { joint in
        let others = neighbours(joint)
        // Create ML stores the factor with four decimals.
        let factor = (10_000 / Float(1 + others.count)).rounded() / 10_000
        let far = others.filter { distance($0) >= distance(joint) }
        let near = others.filter { distance($0) < distance(joint) }
        return [[joint], far, near].map { Part($0.map(\.rawValue), factor: factor) }
      })
  }()
}
