/// The precision of the networks.
public enum NetworkPrecision: String, Codable, Sendable, CaseIterable {
  /// Float32: the same joints as MediaPipe; 16 bits on a neural unit, which has no others.
  case full
  /// bfloat16 where the processor supports it: a third less time; joints of a body differ by 0.3–4
  /// % of the torso's length, of a hand by about 1 % of its size. On Intel's graphics float16.
  case fast

  /// Whether this processor supports the precision; otherwise ``full`` is used.
  package var isAvailable: Bool { isAvailable(onProcessorWith: Self.processorFlags) }

  package func isAvailable(onProcessorWith flags: Set<String>) -> Bool {
    self == .full || !flags.isDisjoint(with: Self.fastFlags)
  }

  /// bfloat16 instructions; without them OpenVINO emulates bfloat16 with Float32, without any gain.
  private static let fastFlags: Set<String> = [
    "avx512_bf16", "amx_bf16", "avx_ne_convert", "bf16",
  ]

  private static let processorFlags = Set(
    Processor.lines(named: ["flags", "Features"]).first?.split(separator: " ").map(String.init)
      ?? [])

  /// OpenVINO's name of the arithmetic on the CPU.
  var openVINOName: String {
    switch self {
    case .full: "f32"
    case .fast: isAvailable ? "bf16" : "f32"
    }
  }
}
