package import KinemaPose
package import KinemaTracking

package enum PoseSubject: Codable, Hashable, Sendable {
  case bodies(HumanBodyPoseExtractor.Configuration)
  case hands(HumanHandPoseExtractor.Configuration)

  package var joints: [JointKey] { isOfHands ? JointKey.hand : JointKey.body }

  /// Whether hands are found rather than bodies.
  package var isOfHands: Bool { if case .hands = self { true } else { false } }

  /// Keeps the 33 landmarks of bodies.
  package mutating func keepLandmarks() {
    guard case .bodies(var configuration) = self else { return }
    configuration.keepsLandmarks = true
    self = .bodies(configuration)
  }

  package var name: String { isOfHands ? "hands" : "bodies" }

  /// The names of the networks that find them, and of their weights.
  ///
  /// With another OpenVINO than the preferred one, whose rounding may differ, also its version; on another
  /// device than the CPU also that and the arithmetic there: devices round differently, so poses of one are
  /// never read in place of those of another. What `AUTO` chooses is OpenVINO's, and may change from run to
  /// run: its poses are those of `AUTO`.
  package func networkIDs(in runtime: VisionRuntime) -> [String] {
    let version = runtime.openVINO
    let device = runtime.usedDevice(settings.device)
    return (isOfHands ? HandNetworks.ids(in: runtime) : PoseNetworks.ids(in: runtime))
      + (version == VisionRuntime.preferredOpenVINO ? [] : ["openvino \(version)"])
      + (device == .cpu ? [] : ["device \(device.rawValue) \(settings.precision.rawValue)"])
  }

  /// The largest number of people or hands.
  package var maximumCount: Int {
    switch self {
    case .bodies(let configuration): configuration.maximumPersonCount
    case .hands(let configuration): configuration.maximumHandCount
    }
  }

  /// The rules of their tracks.
  package var trackingRules: TrackingRules { isOfHands ? .hands : .bodies }

  package var settings: NetworkSettings {
    switch self {
    case .bodies(let configuration): configuration.settings
    case .hands(let configuration): configuration.settings
    }
  }
}

extension HumanBodyPoseExtractor.Configuration {
  package var settings: NetworkSettings { .init(precision: precision, device: device) }
}

extension HumanHandPoseExtractor.Configuration {
  package var settings: NetworkSettings { .init(precision: precision, device: device) }
}
