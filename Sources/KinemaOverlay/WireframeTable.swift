package import KinemaPose

/// What the overlay draws of a wireframe, as data: the live app's page draws the same from it.
package struct WireframeTable: Codable, Hashable, Sendable {
  package struct Joint: Codable, Hashable, Sendable {
    package var name: JointKey
    /// The colour on a highlighted person, `#rrggbb`.
    package var color: String
    /// The colour on other people, `#rrggbb`.
    var subdued: String
    /// The size of the joint, and of a limb that ends there, relative to those of the trunk.
    package var size: Double
  }

  /// The joints, in the order in which a pose in a message has them.
  package var joints: [Joint]
  /// The limbs in the order in which they are drawn: the positions of their two ends in ``joints``.
  package var limbs: [[Int]]
  /// The least width of a limb of the trunk, as a share of the picture's shorter side.
  package var leastWidth = WireframePainter.leastWidth
  /// Joints below this confidence, from 0 to 1, are not drawn.
  package var leastConfidence = JointPoint.leastConfidence

  /// The tables of a body and of a hand, by those names.
  package static let all = [
    "body": WireframeTable(.body), "hand": WireframeTable(.hand),
  ]

  private init(_ wireframe: Wireframe) {
    joints = wireframe.joints.map { key in
      Joint(
        name: key, color: JointStyle.color(of: key).css,
        subdued: JointStyle.color(of: key, isHighlighted: false).css,
        size: JointStyle.size(of: key))
    }
    limbs = wireframe.limbs.map { limb in
      [limb.start, limb.end].compactMap(wireframe.joints.firstIndex(of:))
    }
  }
}
