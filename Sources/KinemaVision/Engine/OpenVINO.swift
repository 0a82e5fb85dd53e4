import COpenVINO
import Foundation
import Synchronization

/// OpenVINO's C interface for creating networks, loaded once per process.
final class OpenVINO: @unchecked Sendable {
  // OpenVINO's functions and core are thread-safe, and neither property changes.
  let functions: openvino_functions
  private let core: OpaquePointer

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

  /// Reads a network and compiles it for the processor.
  ///
  /// One thread and one stream each: with more, OpenVINO's barriers take 23–35 ms instead of 4 on a
  /// busy machine. Work is parallel over videos instead.
  func compile(_ url: URL, precision: String) throws(VisionError) -> OpaquePointer {
    let settings = [
      ("INFERENCE_PRECISION_HINT", precision), ("INFERENCE_NUM_THREADS", "1"),
      ("NUM_STREAMS", "1"), ("ENABLE_CPU_PINNING", "NO"),
    ]
    let texts = settings.map { (strdup($0.0), strdup($0.1)) }
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
      core, url.path, "CPU", properties.count, properties, &model)
    guard status == 0, let model else {
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
