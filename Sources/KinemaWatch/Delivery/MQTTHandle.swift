import CMosquitto
import Foundation

/// A client of libmosquitto, which locks by itself.
package final class MQTTHandle: @unchecked Sendable {
  private static let authorityFolder = "/etc/ssl/certs"
  /// Initialises libmosquitto once.
  private static let library = mosquitto_lib_init()

  let pointer: OpaquePointer

  /// - Parameters:
  ///   - isClean: Whether the broker drops the session of this name.
  ///   - owner: What callbacks are given.
  /// - Throws: ``WatchError`` where the settings cannot be used.
  init(
    _ broker: WatchConfiguration.Broker, name: String, isClean: Bool,
    owner: UnsafeMutableRawPointer
  ) throws(WatchError) {
    _ = Self.library
    guard let pointer = mosquitto_new(name, isClean, owner) else {
      throw WatchError(.unavailable, "The MQTT client cannot begin: memory is short.")
    }
    self.pointer = pointer
    mosquitto_threaded_set(pointer, true)
    try Self.check(mosquitto_username_pw_set(pointer, broker.username, broker.password))
    if broker.usesTLS {
      try Self.check(
        mosquitto_tls_set(
          pointer, broker.authorities, broker.authorities == nil ? Self.authorityFolder : nil,
          nil, nil, nil))
    }
  }

  deinit { mosquitto_destroy(pointer) }

  /// Sets what the broker publishes, retained, when the connection is lost.
  func setWill(_ text: String, at topic: String) throws(WatchError) {
    let bytes = Array(text.utf8)
    try Self.check(mosquitto_will_set(pointer, topic, Int32(bytes.count), bytes, 1, true))
  }

  /// Whether something that was handed over has not reached the broker's computer.
  var isSending: Bool {
    if mosquitto_want_write(pointer) { return true }
    var count: Int32 = 0
    return ioctl(mosquitto_socket(pointer), UInt(TIOCOUTQ), &count) == 0 && count > 0
  }

  private static func check(_ code: Int32) throws(WatchError) {
    guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
    throw WatchError(
      .malformed,
      "The settings of MQTT cannot be used (\(words(for: code))): check “ca”, “username” and "
        + "“prefix”.")
  }

  /// What a code of libmosquitto means.
  package static func words(for code: Int32) -> String {
    switch mosq_err_t(code) {
    case MOSQ_ERR_NOMEM: return "memory is short"
    case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8,
      MOSQ_ERR_DUPLICATE_PROPERTY:
      return "its answers are not MQTT"
    case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST: return "the connection broke"
    case MOSQ_ERR_CONN_REFUSED: return "it refuses the connection"
    case MOSQ_ERR_EAI: return "its name is not known"
    case MOSQ_ERR_KEEPALIVE, MOSQ_ERR_SUCCESS: return "no answer"
    case MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET: return "the message is too large"
    case MOSQ_ERR_ERRNO where errno == 0: return "the connection broke"
    default:
      let text = String(cString: mosquitto_strerror(code))
      guard !text.isEmpty, !text.hasPrefix("Unknown") else {
        return "error \(code) of libmosquitto"
      }
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
  }
}
