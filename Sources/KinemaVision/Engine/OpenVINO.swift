import COpenVINO
import Foundation
import Synchronization

/// OpenVINO's C interface for creating networks, loaded once per process.
final class OpenVINO: @unchecked Sendable {
  // OpenVINO's functions and core are thread-safe, and neither property changes.
  let functions: openvino_functions
  private let core: OpaquePointer
  private let foundDevices = Mutex<[VisionRuntime.Device]?>(nil)

  private static let instances = Mutex<[String: OpenVINO]>([:])

  static func loaded(from url: URL) throws(VisionError) -> OpenVINO {
    try instances.withLock { (instances) throws(VisionError) in
      if let engine = instances[url.path] { return engine }
      let fresh = try OpenVINO(url: url)
      instances[url.path] = fresh
      return fresh
    }
  }

  private init(url: URL) throws(VisionError) {
    var message = [CChar](repeating: 0, count: 1024)
    guard let table = openvino_load(url.path, &message, message.count) else {
      let text = message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let reason = String(decoding: text, as: UTF8.self)
      throw VisionError(
        .unusablePart, "\(url.path) cannot be loaded (\(reason)); run `kinema doctor`.",
        text: MessageText("unusablePart", ["part": url.path]))
    }
    functions = table.pointee
    var core: OpaquePointer?
    guard functions.core_create(&core) == 0, let core else {
      throw VisionError(
        .unusablePart,
        "OpenVINO from \(url.path) does not start (\(Self.lastError(functions)));"
          + " run `kinema doctor`.", text: MessageText("unusablePart", ["part": url.path]))
    }
    self.core = core
  }

  /// The library's version, such as `2026.4.1-21919-…`.
  var version: String? {
    var version = ov_version(build_number: nil, description: nil)
    guard functions.get_openvino_version(&version) == 0 else { return nil }
    defer { functions.version_free(&version) }
    return version.build_number.map { String(cString: $0) }
  }

  /// The devices that OpenVINO finds, by its names, with their makers' names; asked once.
  ///
  /// Those whose plug-in or driver is missing are not among them.
  var devices: [VisionRuntime.Device] {
    foundDevices.withLock { found in
      if let found { return found }
      let fresh = findDevices()
      found = fresh
      return fresh
    }
  }

  private func findDevices() -> [VisionRuntime.Device] {
    var list = ov_available_devices(devices: nil, size: 0)
    guard functions.core_get_available_devices(core, &list) == 0 else { return [] }
    defer { functions.available_devices_free(&list) }
    return (0..<list.size).compactMap { index in
      guard let name = list.devices?[index] else { return nil }
      var text: UnsafeMutablePointer<CChar>?
      let status = functions.core_get_property(core, name, "FULL_DEVICE_NAME", &text)
      defer { if let text { functions.free(text) } }
      let fullName = status == 0 ? text.map { String(cString: $0) } : nil
      return VisionRuntime.Device(name: String(cString: name), fullName: fullName)
    }
  }

  /// Reads a network and compiles it for a device, which is there.
  ///
  /// - Parameter cache: Where networks that are compiled for the processor are kept; those of other devices,
  ///   which were not tried, are not.
  func compile(
    _ url: URL, precision: NetworkPrecision, device: NetworkDevice, cache: NetworkCache?
  ) throws(VisionError) -> OpaquePointer {
    let settings = device.settings(precision)
    guard let cache, device == .cpu, let version,
      let key = NetworkCache.key(of: url, settings: settings, version: version)
    else { return try compile(url, settings: settings, device: device) }
    return try cache.network(key) { (folder) throws(VisionError) in
      let kept = folder.map { [("CACHE_DIR", $0.path)] } ?? []
      return try compile(url, settings: settings + kept, device: device)
    }
  }

  private func compile(
    _ url: URL, settings: [(name: String, value: String)], device: NetworkDevice
  ) throws(VisionError) -> OpaquePointer {
    let texts = settings.map { (strdup($0.name), strdup($0.value)) }
    defer {
      for (key, value) in texts {
        free(key)
        free(value)
      }
    }
    let properties = texts.compactMap { key, value -> ov_property? in
      guard let key, let value else { return nil }
      return ov_property(key: key, value: value)
    }
    var model: OpaquePointer?
    let status = functions.core_compile_model_from_file_props(
      core, url.path, device.rawValue, properties.count, properties, &model)
    guard status == 0, let model else {
      guard device == .cpu else {
        throw VisionError(
          .inferenceFailed,
          MessageText("deviceFailed", ["device": device.rawValue, "reason": lastError]))
      }
      throw VisionError(
        .unusablePart,
        "\(url.path) cannot be used as a network (\(lastError)); run `kinema doctor`.",
        text: MessageText("unusablePart", ["part": url.path]))
    }
    return model
  }

  var lastError: String { Self.lastError(functions) }

  private static func lastError(_ functions: openvino_functions) -> String {
    guard let text = functions.get_last_err_msg() else { return "no reason given" }
    return String(cString: text).split(separator: "\n").joined(separator: " ")
  }
}
