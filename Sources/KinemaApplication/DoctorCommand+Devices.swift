import Kinema
import KinemaReport

extension DoctorCommand {
  /// The devices that `--device` can name: what each is, which one is used, and what others lack.
  static func devices(of runtime: VisionRuntime, asked: NetworkDevice) -> [Part] {
    let found = runtime.devices
    let used = asked.chosen(from: found.map(\.name))
    return NetworkDevice.allCases.map { device in
      let units = found.filter { device.isNamed($0.name) }
      let names = units.compactMap(\.fullName).joined(separator: ", ")
      return Part(
        name: device.rawValue, purpose: "runs the networks", isFound: !units.isEmpty,
        isOptional: true, fullName: names.isEmpty ? nil : names,
        isUsed: device == used && !units.isEmpty,
        remedy: units.isEmpty ? remedy(for: device, runtime) : nil)
    }
  }

  private static func remedy(for device: NetworkDevice, _ runtime: VisionRuntime) -> String {
    let plugin = VisionRuntime.plugin(of: device)
    guard runtime.hasPlugin(of: device) else {
      return "needs \(plugin) beside OpenVINO's libraries: see docs/install.md, Devices"
    }
    return "\(plugin) finds none: it is not there, or its driver is not installed"
  }

  static func table(ofDevices devices: [Part]) -> String {
    var table = TextTable([("", .left), ("device", .left), ("what it is", .left)])
    for device in devices {
      table.add([
        device.isUsed == true ? "used" : device.isFound ? "found" : "absent", device.name,
        device.fullName ?? device.remedy ?? "OpenVINO's choice of the others",
      ])
    }
    return table.text
  }
}
