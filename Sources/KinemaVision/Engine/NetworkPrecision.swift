import Foundation

/// The arithmetic of the networks.
public enum NetworkPrecision: String, Codable, Sendable, CaseIterable {
  /// 32 bits: the same joints as MediaPipe.
  case full
  /// 16 bits (bfloat16) where the processor has them: a third less time, joints of a body 0.3–4 % of
  /// the torso's length away, joints of a hand about 1 % of the hand's size.
  case fast

  /// Whether this processor has the arithmetic; where it has not, ``full`` is used.
  package var isAvailable: Bool { isAvailable(onProcessorWith: Self.processorFlags) }

  /// Whether a processor has the arithmetic, judged by the flags that the system tells of it.
  package func isAvailable(onProcessorWith flags: Set<String>) -> Bool {
    self == .full || !flags.isDisjoint(with: Self.fastFlags)
  }

  /// Instructions that multiply bfloat16 numbers.
  ///
  /// Without them OpenVINO imitates bfloat16 with 32 bits, which loses exactness and gains no time.
  private static let fastFlags: Set<String> = [
    "avx512_bf16", "amx_bf16", "avx_ne_convert", "bf16",
  ]

  private static let processorFlags: Set<String> = {
    // The file has no length beforehand; its first processor stands for all.
    guard let file = FileHandle(forReadingAtPath: "/proc/cpuinfo"),
      let data = try? file.read(upToCount: 1 << 16)
    else { return [] }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("flags") || $0.hasPrefix("Features")
    }
    return Set(line?.split(separator: " ").map(String.init) ?? [])
  }()

  var openVINOName: String {
    switch self {
    case .full: "f32"
    case .fast: isAvailable ? "bf16" : "f32"
    }
  }
}
