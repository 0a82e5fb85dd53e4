/// The processor that the networks run on, by OpenVINO's name.
public enum NetworkDevice: String, Codable, Sendable, CaseIterable {
  /// The central processor: the figures of the documents, and the default.
  case cpu = "CPU"
  /// Intel's graphics; of several, the first.
  case gpu = "GPU"
  /// Intel's neural unit, which calculates with 16 bits.
  case npu = "NPU"
  /// What OpenVINO chooses.
  case auto = "AUTO"

  /// The device that is used where this one is asked for: itself if it is there, else the CPU.
  ///
  /// - Parameter names: The names of the devices that are there; several of a kind are `GPU.0`, `GPU.1`.
  package func chosen(from names: [String]) -> NetworkDevice {
    names.contains(where: isNamed) ? self : .cpu
  }

  /// Whether a name is that of a device of this kind.
  package func isNamed(_ name: String) -> Bool {
    name == rawValue || name.hasPrefix(rawValue + ".")
  }

  /// The properties with which OpenVINO compiles a network for the device.
  ///
  /// On the CPU one thread and one stream each: with more, OpenVINO's barriers take 23–35 ms instead of 4 on
  /// a busy machine. Work is parallel over videos instead. Others have their own parallelism; a frame waits for
  /// its result there, so they are asked for little latency.
  func settings(_ precision: NetworkPrecision) -> [(name: String, value: String)] {
    let onCPU = [
      ("INFERENCE_PRECISION_HINT", precision.openVINOName), ("INFERENCE_NUM_THREADS", "1"),
      ("NUM_STREAMS", "1"), ("ENABLE_CPU_PINNING", "NO"),
    ]
    let onGPU = [("INFERENCE_PRECISION_HINT", precision == .fast ? "f16" : "f32")]
    func nested(_ settings: [(String, String)]) -> String {
      settings.map { "\($0):\($1)" }.joined(separator: ",")
    }
    let latency = ("PERFORMANCE_HINT", "LATENCY")
    return switch self {
    case .cpu: onCPU
    case .gpu: onGPU + [latency]
    case .npu: [latency]
    case .auto:
      [latency, ("DEVICE_PROPERTIES", "{CPU:{\(nested(onCPU))},GPU:{\(nested(onGPU))}}")]
    }
  }
}

/// How networks calculate, and where: what decides which of them a thread has loaded.
package struct NetworkSettings: Hashable, Sendable {
  package var precision: NetworkPrecision
  package var device: NetworkDevice

  package init(precision: NetworkPrecision = .full, device: NetworkDevice = .cpu) {
    (self.precision, self.device) = (precision, device)
  }
}
