import KinemaPose

/// The colour and size of each joint; a limb's colour is a gradient between those of its joints.
///
/// The person's left is warm and the right is cold, orange against blue, which people with the
/// common kinds of colour blindness can distinguish as well.
enum JointStyle {
  /// The colour of a joint: in full, or paler for people who are not highlighted.
  static func color(of key: JointKey, isHighlighted: Bool = true) -> Color {
    let color = colors[key] ?? .white
    return isHighlighted ? color : color.mixed(with: Color(hex: 0xD5DCE8), share: 0.6)
  }

  /// The size of a joint, and of a limb that ends there, relative to those of the trunk.
  static func size(of key: JointKey) -> Double { small.contains(key) ? smallSize : 1 }

  static let smallSize = 0.5
  /// The joints of the face and of the feet.
  private static let small: Set<JointKey> = [
    .nose, .leftEye, .leftEar, .rightEye, .rightEar, .leftHeel, .leftToes, .rightHeel, .rightToes,
  ]

  private static let colors: [JointKey: Color] = {
    var colors: [JointKey: Color] = [
      .nose: Color(hex: 0xFFFFFF), .neck: Color(hex: 0xF4F1FF),
      .leftEye: Color(hex: 0xFFE9A8), .leftEar: Color(hex: 0xFFC53D),
      .leftShoulder: Color(hex: 0xFFD60A), .leftElbow: Color(hex: 0xFF8A1F),
      .leftWrist: Color(hex: 0xFF2D6B),
      .leftHip: Color(hex: 0xFFA424), .leftKnee: Color(hex: 0xFF6B35),
      .leftAnkle: Color(hex: 0xFF2D9B),
      .rightEye: Color(hex: 0xB8F5E6), .rightEar: Color(hex: 0x45E0C8),
      .rightShoulder: Color(hex: 0x4CF0A8), .rightElbow: Color(hex: 0x22CDEB),
      .rightWrist: Color(hex: 0x2F7BFF),
      .rightHip: Color(hex: 0x2EDCC4), .rightKnee: Color(hex: 0x2BA8FF),
      .rightAnkle: Color(hex: 0x6C5CFF),
      .leftHeel: Color(hex: 0xFF2D9B), .leftToes: Color(hex: 0xFF2D9B),
      .rightHeel: Color(hex: 0x6C5CFF), .rightToes: Color(hex: 0x6C5CFF),
      .wrist: Color(hex: 0xFFFFFF),
    ]
    let fingers: [([JointKey], UInt32)] = [
      ([.thumbCMC, .thumbMP, .thumbIP, .thumbTip], 0xFF2D6B),
      ([.indexMCP, .indexPIP, .indexDIP, .indexTip], 0xFF9F0A),
      ([.middleMCP, .middlePIP, .middleDIP, .middleTip], 0x7BE01F),
      ([.ringMCP, .ringPIP, .ringDIP, .ringTip], 0x22CDEB),
      ([.littleMCP, .littlePIP, .littleDIP, .littleTip], 0x6C5CFF),
    ]
    for (joints, tip) in fingers {
      for (index, joint) in joints.enumerated() {
        colors[joint] = Color.white.mixed(with: Color(hex: tip), share: Double(index + 1) / 4)
      }
    }
    return colors
  }()
}
