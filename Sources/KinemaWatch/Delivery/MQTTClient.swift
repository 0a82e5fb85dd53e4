import CMosquitto
package import Foundation
import KinemaVideo
import Synchronization

/// Sends the messages of an ``Outbox`` to an MQTT broker, each exactly once (QoS 2) where the broker keeps
/// its sessions, and retained states.
///
/// A thread connects again after every failure, also those after which libmosquitto's own thread ends (TLS,
/// a violated protocol). libmosquitto repeats what was under way; a message leaves the outbox when the
/// broker has completed its exchange.
package final class MQTTClient: Sendable {
  private struct State {
    var isConnected = false
    var isStopping = false
    /// Whether the broker has dropped what an earlier process left in the session.
    var isCleared = false
    /// Whether the thread runs.
    var isRunning = false
    /// The messages under way by libmosquitto's number.
    var underWay: [Int32: Outbox.Entry] = [:]
    /// What is retained by topic; sent again after each connection.
    var retained: [String: Data] = [:]
    /// The last failure that was reported.
    var failure: String?
    var pump: Task<Void, Never>?
  }

  /// A client of libmosquitto, which locks by itself.
  private final class Handle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ name: String, isClean: Bool) throws(WatchError) {
      guard let pointer = mosquitto_new(name, isClean, nil) else {
        throw WatchError(.unavailable, "The MQTT client cannot begin: memory is short.")
      }
      self.pointer = pointer
    }

    deinit { mosquitto_destroy(pointer) }
  }

  /// How many messages are under way at most (libmosquitto's default).
  private static let window = 20
  /// How often the broker is asked whether it is still there, in seconds.
  private static let keepAlive: Int32 = 15
  /// The pauses between attempts to connect, in seconds; each is twice the one before.
  ///
  /// An alarm that waits for the network leaves at most the longest one after it is back.
  private static let pauses = (first: 1.0, longest: 5.0)
  /// How long the broker has to accept a connection.
  ///
  /// TCP repeats its first packet after 1, 3 and 7 s (RFC 6298), and gives up after two minutes.
  private static let connectTime = Duration.seconds(10)
  /// After how long without an answer to what was sent a connection is dead, in milliseconds; repetitions
  /// of TCP continue for a quarter of an hour.
  private static let answerTime: Int32 = 10_000
  /// How often the thread sees whether it should end without a connection, in milliseconds.
  private static let turnTime: Int32 = 500
  private static let authorityFolder = "/etc/ssl/certs"
  /// Initialises libmosquitto once.
  private static let library = mosquitto_lib_init()

  private let broker: WatchConfiguration.Broker
  private let outbox: Outbox
  private let topic: @Sendable (Data) -> String?
  private let report: @Sendable (String) -> Void
  private let handle: Handle
  /// Connects first, under the same name, so that the broker drops the session of an earlier process: the
  /// numbers of that one's messages are used again, and would be taken for repetitions.
  private let clearing: Handle
  private let state = Mutex(State())
  /// The first error that libmosquitto has logged in an attempt to connect.
  private let logged = Mutex<String?>(nil)
  /// Ends a pause.
  private let wake = DispatchSemaphore(value: 0)

  package var statusTopic: String { "\(broker.prefix)/status" }

  /// - Parameters:
  ///   - topic: The topic of a message; `nil` for one that cannot be sent.
  ///   - client: The name under which the broker keeps the session.
  /// - Throws: ``WatchError`` where the settings cannot be used.
  package init(
    _ broker: WatchConfiguration.Broker, client: String, outbox: Outbox,
    topic: @escaping @Sendable (Data) -> String?, report: @escaping @Sendable (String) -> Void
  ) throws(WatchError) {
    _ = Self.library
    self.broker = broker
    self.outbox = outbox
    self.topic = topic
    self.report = report
    let name = broker.client ?? client
    handle = try Handle(name, isClean: false)
    clearing = try Handle(name, isClean: true)
    try configure(handle.pointer)
    try configure(clearing.pointer)
    let offline = Array("offline".utf8)
    try check(
      mosquitto_will_set(handle.pointer, statusTopic, Int32(offline.count), offline, 1, true))
    mosquitto_connect_callback_set(handle.pointer) { _, object, code in
      MQTTClient.of(object)?.connected(code)
    }
    mosquitto_publish_callback_set(handle.pointer) { _, object, number in
      MQTTClient.of(object)?.completed(number)
    }
    mosquitto_connect_callback_set(clearing.pointer) { _, object, code in
      MQTTClient.of(object)?.cleared(code)
    }
  }

  private func configure(_ pointer: OpaquePointer) throws(WatchError) {
    mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_threaded_set(pointer, true)
    try check(mosquitto_username_pw_set(pointer, broker.username, broker.password))
    if broker.usesTLS {
      try check(
        mosquitto_tls_set(
          pointer, broker.authorities, broker.authorities == nil ? Self.authorityFolder : nil,
          nil, nil, nil))
    }
    mosquitto_log_callback_set(pointer) { _, object, level, text in
      guard level == MOSQ_LOG_ERR, let text else { return }
      MQTTClient.of(object)?.log(String(cString: text))
    }
  }

  private func check(_ code: Int32) throws(WatchError) {
    guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
    throw WatchError(
      .malformed,
      "The settings of MQTT cannot be used (\(Self.text(code))): check “ca”, “username” and "
        + "“prefix”.")
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> MQTTClient? {
    object.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func text(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }

  // MARK: - Running

  /// Connects, and keeps connected until ``stop(grace:)``.
  package func start() {
    let task = Task { [weak self] in
      guard let arrivals = self?.outbox.arrivals() else { return }
      for await _ in arrivals { self?.pump() }
    }
    state.withLock { $0.pump = task }
    retain("online", at: statusTopic)
    do {
      state.withLock { $0.isRunning = true }
      try BlockingThread.start {
        self.keepConnected(self.clearing) { $0.isStopping || $0.isCleared }
        self.keepConnected(self.handle) { $0.isStopping }
        self.state.withLock { $0.isRunning = false }
      }
    } catch {
      state.withLock { $0.isRunning = false }
      report("No event can be sent over MQTT: \(error.message)")
    }
  }

  /// Waits up to `grace` seconds for what is under way, says that Kinema is offline, and disconnects.
  package func stop(grace: TimeInterval) async {
    let pump = state.withLock { state in
      state.isStopping = true
      return state.pump
    }
    pump?.cancel()
    await wait(upTo: grace) { self.state.withLock { $0.underWay.isEmpty || !$0.isConnected } }
    if state.withLock({ $0.isConnected }) {
      let number = publish(Data("offline".utf8), to: statusTopic, quality: 1, isRetained: true)
      // The message is gone when the broker's answer is; a second is enough on any network.
      if number != nil {
        await wait(upTo: 1) { mosquitto_want_write(self.handle.pointer) == false }
      }
    }
    mosquitto_disconnect(handle.pointer)
    wake.signal()
    // A look-up of the broker's name cannot be interrupted; nothing is sent after it.
    await wait(upTo: grace) { self.state.withLock { !$0.isRunning } }
  }

  private func wait(upTo seconds: TimeInterval, for condition: () -> Bool) async {
    let end = Date() + seconds
    while !condition(), Date() < end { try? await Task.sleep(for: .milliseconds(20)) }
  }

  /// Publishes a retained message, now or when there is a connection; an empty one removes it.
  package func retain(_ text: String, at topic: String) {
    let data = Data(text.utf8)
    let isConnected = state.withLock { state in
      state.retained[topic] = data
      return state.isConnected
    }
    if isConnected { _ = publish(data, to: topic, quality: 1, isRetained: true) }
  }

  // MARK: - The thread

  /// Connects, and again after each failure.
  private func keepConnected(_ handle: Handle, until isDone: (State) -> Bool) {
    var pause = Self.pauses.first
    var isFirst = true
    while !state.withLock({ isDone($0) }) {
      logged.withLock { $0 = nil }
      var code =
        isFirst
        ? mosquitto_connect_async(
          handle.pointer, broker.host, Int32(broker.port), Self.keepAlive)
        : hasSeveralAddresses
          ? mosquitto_reconnect(handle.pointer) : mosquitto_reconnect_async(handle.pointer)
      isFirst = false
      let deadline = ContinuousClock.now + Self.connectTime
      while code == MOSQ_ERR_SUCCESS.rawValue {
        let (isConnected, isStopping) = state.withLock { ($0.isConnected, $0.isStopping) }
        if isConnected {
          pause = Self.pauses.first
        } else if isStopping || ContinuousClock.now > deadline {
          break
        }
        code = mosquitto_loop(handle.pointer, Self.turnTime, 1)
      }
      let reason = reason(for: code)
      state.withLock { $0.isConnected = false }
      guard !state.withLock({ isDone($0) }) else { return }
      reportFailure(reason)
      _ = wake.wait(timeout: .now() + pause)
      pause = min(2 * pause, Self.pauses.longest)
    }
  }

  /// Whether the broker's name has several addresses, which only a blocking attempt tries in turn.
  private var hasSeveralAddresses: Bool {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(broker.host, nil, &hints, &list) == 0 else { return false }
    defer { freeaddrinfo(list) }
    return list?.pointee.ai_next != nil
  }

  private func reason(for code: Int32) -> String {
    switch code {
    case MOSQ_ERR_SUCCESS.rawValue: return "no answer"
    case MOSQ_ERR_TLS.rawValue:
      // Such as “OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed”.
      let text = logged.withLock { $0 }?.split(separator: ":").last.map(String.init)
      return "\(text ?? Self.text(code)); check “ca”, “host” and “port”"
    default: return Self.text(code)
    }
  }

  private func log(_ text: String) { logged.withLock { $0 = $0 ?? text } }

  private func cleared(_ code: Int32) {
    guard code == 0 else {
      return reportFailure(String(cString: mosquitto_connack_string(code)))
    }
    state.withLock { $0.isCleared = true }
    mosquitto_disconnect(clearing.pointer)
  }

  private func connected(_ code: Int32) {
    guard code == 0 else {
      return reportFailure(String(cString: mosquitto_connack_string(code)))
    }
    let (retained, failure, isStopping) = state.withLock { state in
      state.isConnected = !state.isStopping
      defer { state.failure = nil }
      return (state.retained, state.failure, state.isStopping)
    }
    guard !isStopping else { return }
    var limit = Self.answerTime
    setsockopt(
      mosquitto_socket(handle.pointer), Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit,
      socklen_t(MemoryLayout<Int32>.size))
    if failure != nil { report("The MQTT broker receives events again.") }
    for (topic, data) in retained.sorted(by: { $0.key < $1.key }) {
      _ = publish(data, to: topic, quality: 1, isRetained: true)
    }
    pump()
  }

  private func reportFailure(_ reason: String) {
    let isNew = state.withLock { state in
      defer { state.failure = reason }
      return state.failure == nil && !state.isStopping
    }
    guard isNew else { return }
    report(
      "The MQTT broker \(broker.host):\(broker.port) cannot be reached (\(reason)): it is tried "
        + "again.")
  }

  private func completed(_ number: Int32) {
    let entry = state.withLock { $0.underWay.removeValue(forKey: number) }
    guard let entry else { return }
    outbox.acknowledge(entry)
    pump()
  }

  /// Sends as many waiting messages as may be under way.
  private func pump() {
    while true {
      let isFull = state.withLock { state in
        !state.isConnected || state.isStopping || state.underWay.count >= Self.window
      }
      guard !isFull, let entry = outbox.take() else { return }
      guard let topic = topic(entry.body) else {
        report("An event in the outbox is damaged and is dropped.")
        outbox.acknowledge(entry)
        continue
      }
      // Under the lock, so that the answer cannot come before the number is known.
      let isSent = state.withLock { state in
        guard let number = publish(entry.body, to: topic, quality: 2, isRetained: false) else {
          return false
        }
        state.underWay[number] = entry
        return true
      }
      guard isSent else { return outbox.giveBack(entry) }
    }
  }

  /// Hands a message to libmosquitto, which repeats it after a broken connection.
  ///
  /// - Returns: Its number; `nil` where it was not taken.
  private func publish(
    _ data: Data, to topic: String, quality: Int32, isRetained: Bool
  ) -> Int32? {
    var number: Int32 = 0
    let code = data.withUnsafeBytes { bytes in
      mosquitto_publish(
        handle.pointer, &number, topic, Int32(bytes.count), bytes.baseAddress, quality,
        isRetained)
    }
    // A message that was taken while the connection broke is sent by the next one.
    guard
      code == MOSQ_ERR_SUCCESS.rawValue || code == MOSQ_ERR_NO_CONN.rawValue
        || code == MOSQ_ERR_CONN_LOST.rawValue
    else {
      report("A message to \(topic) cannot be sent (\(Self.text(code))).")
      return nil
    }
    return number
  }
}
