/// The arithmetic of the networks.
public enum NetworkPrecision: String, Codable, Sendable, CaseIterable {
  /// 32 bits: the same joints as MediaPipe.
  case full
  /// 16 bits (bfloat16) where the processor has them: a third less time, joints of a body 0.3–4 % of
  /// the torso's length away, joints of a hand about 1 % of the hand's size.
  case fast

  var openVINOName: String {
    switch self {
    case .full: "f32"
    case .fast: "bf16"
    }
  }
}
