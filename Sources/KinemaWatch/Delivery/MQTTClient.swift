import CMosquitto
package import Foundation
import KinemaVideo
import Synchronization

/// Sends the messages of an ``Outbox`` to an MQTT broker, each exactly once (QoS 2) where the broker keeps
/// its sessions, and retained states.
///
/// A thread connects again after every failure, also those after which libmosquitto's own thread ends (TLS,
/// a violated protocol). libmosquitto repeats what was under way; a message leaves the outbox when the
/// broker has completed its exchange. Nothing is subscribed: a broker that sends messages nevertheless is
/// left, and with it what libmosquitto keeps of them.
package final class MQTTClient: Sendable {
  private struct State {
    var handles: Handles?
    var isConnected = false
    var isStopping = false
    /// Whether the broker has dropped what an earlier process left in the session.
    var isCleared = false
    /// Whether the broker has sent a message.
    var isFlooded = false
    /// Whether the thread runs.
    var isRunning = false
    /// The messages under way by libmosquitto's number.
    var underWay: [Int32: Outbox.Entry] = [:]
    /// What is retained by topic; sent again after each connection.
    var retained: [String: Data] = [:]
    /// The topics whose newest message is not under way, and those of messages that are.
    var stale: Set<String> = []
    var retaining: [Int32: String] = [:]
    /// Whether the broker has acknowledged something since it was connected.
    var hasAnswered = false
    /// The last moment at which no answer was due.
    var lastAnswer = ContinuousClock.now
    var outage = OutageReport()
    var pump: Task<Void, Never>?

    /// Whether nothing waits for an answer.
    var isIdle: Bool { underWay.isEmpty && retaining.isEmpty }
  }

  private struct Handles {
    /// Connects first, under the same name, so that the broker drops the session of an earlier process: the
    /// numbers of that one's messages are used again, and would be taken for repetitions.
    let clearing: MQTTHandle
    let sending: MQTTHandle
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
  /// After how long without an answer to what was sent a connection is dead, in seconds; repetitions of TCP
  /// continue for a quarter of an hour.
  private static let answerTime: Int32 = 10
  /// How many bytes of answers, which have a few each, the system keeps at most.
  private static let receiveBuffer: Int32 = 16 << 10
  /// How often the thread sees whether it should end without a connection, in milliseconds.
  private static let turnTime: Int32 = 500

  private let broker: WatchConfiguration.Broker
  private let outbox: Outbox
  private let topic: @Sendable (Data) -> String?
  private let report: @Sendable (String) -> Void
  private let name: String
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
    self.broker = broker
    self.outbox = outbox
    self.topic = topic
    self.report = report
    name = broker.client ?? client
    try begin()
  }

  /// Makes new clients of libmosquitto, which know of no messages.
  private func begin() throws(WatchError) {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    let handles = Handles(
      clearing: try MQTTHandle(broker, name: name, isClean: true, owner: owner),
      sending: try MQTTHandle(broker, name: name, isClean: false, owner: owner))
    for handle in [handles.clearing, handles.sending] {
      mosquitto_log_callback_set(handle.pointer) { pointer, object, level, text in
        guard let text else { return }
        MQTTClient.of(object)?.log(String(cString: text), level, of: pointer)
      }
    }
    mosquitto_connect_callback_set(handles.clearing.pointer) { pointer, object, code in
      MQTTClient.of(object)?.cleared(code, by: pointer)
    }
    let handle = handles.sending
    try handle.setWill("offline", at: statusTopic)
    mosquitto_connect_callback_set(handle.pointer) { pointer, object, code in
      MQTTClient.of(object)?.connected(code, by: pointer)
    }
    mosquitto_publish_callback_set(handle.pointer) { _, object, number in
      MQTTClient.of(object)?.completed(number)
    }
    state.withLock { $0.handles = handles }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> MQTTClient? {
    object.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
  }

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
        while let handles = self.state.withLock({ $0.isStopping ? nil : $0.handles }) {
          self.keepConnected(handles.clearing) { $0.isStopping || $0.isFlooded || $0.isCleared }
          self.keepConnected(handles.sending) { $0.isStopping || $0.isFlooded }
          if self.state.withLock({ $0.isFlooded }) { self.beginAgain() }
        }
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
    let handle = state.withLock { state in
      let handle = state.handles?.sending
      if state.isConnected, let handle {
        _ = publish(Data("offline".utf8), to: statusTopic, quality: 1, isRetained: true, by: handle)
      }
      return handle
    }
    if let handle {
      // A second is enough on any network.
      await wait(upTo: 1) { !mosquitto_want_write(handle.pointer) }
      mosquitto_disconnect(handle.pointer)
    }
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
    state.withLock { state in
      state.retained[topic] = Data(text.utf8)
      state.stale.insert(topic)
    }
    publishRetained()
  }

  /// Publishes what has changed; of each topic one message at a time, so that a broker that never answers
  /// does not make them many.
  private func publishRetained() {
    state.withLock { state in
      guard state.isConnected, let handle = state.handles?.sending else { return }
      for topic in state.stale.subtracting(state.retaining.values).sorted() {
        state.stale.remove(topic)
        let data = state.retained[topic] ?? Data()
        let number = publish(data, to: topic, quality: 1, isRetained: true, by: handle)
        if let number { state.retaining[number] = topic }
      }
    }
  }

  // MARK: - The thread

  /// Connects, and again after each failure.
  private func keepConnected(_ handle: MQTTHandle, until isDone: (State) -> Bool) {
    var pause = Self.pauses.first
    var isFirst = true
    while !state.withLock({ isDone($0) }) {
      logged.withLock { $0 = nil }
      defer { isFirst = false }
      var code =
        isFirst
        ? mosquitto_connect_async(
          handle.pointer, broker.host, Int32(broker.port), Self.keepAlive)
        : hasSeveralAddresses
          ? mosquitto_reconnect(handle.pointer) : mosquitto_reconnect_async(handle.pointer)
      let deadline = ContinuousClock.now + Self.connectTime
      while code == MOSQ_ERR_SUCCESS.rawValue {
        let (isConnected, isOver) = state.withLock { state in
          (state.isConnected, state.isStopping || state.isFlooded)
        }
        guard isConnected ? !isLate(handle) : !isOver && ContinuousClock.now < deadline else {
          break
        }
        code = mosquitto_loop(handle.pointer, Self.turnTime, 1)
        if state.withLock({ $0.hasAnswered }) { pause = Self.pauses.first }
      }
      let reason = reason(for: code)
      let wasConnected = state.withLock { state in
        defer { (state.isConnected, state.hasAnswered) = (false, false) }
        return state.isConnected
      }
      guard !state.withLock({ isDone($0) }) else { return }
      // The first address refuses: the broker may have another one.
      if isFirst, !wasConnected, code != MOSQ_ERR_SUCCESS.rawValue, hasSeveralAddresses {
        continue
      }
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

  /// Whether the broker has not acknowledged what has arrived there for too long.
  private func isLate(_ handle: MQTTHandle) -> Bool {
    let isSending = handle.isSending
    return state.withLock { state in
      if state.isIdle || isSending { state.lastAnswer = .now }
      return ContinuousClock.now - state.lastAnswer > .seconds(Self.answerTime)
    }
  }

  private func reason(for code: Int32) -> String {
    // Such as “OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed”; newer versions then
    // give the code of any error of the system.
    let line = logged.withLock { $0 }
    guard code == MOSQ_ERR_TLS.rawValue || line?.hasPrefix("OpenSSL Error") == true else {
      return MQTTHandle.words(for: code)
    }
    let text = line?.split(separator: ":").last.map(String.init)
    return "\(text ?? MQTTHandle.words(for: code)); check “ca”, “host” and “port”"
  }

  /// Takes a line of libmosquitto's log, which alone names each message that has arrived.
  private func log(_ text: String, _ level: Int32, of pointer: OpaquePointer?) {
    if level == MOSQ_LOG_ERR { logged.withLock { $0 = $0 ?? text } }
    guard level == MOSQ_LOG_DEBUG, text.contains(" received PUBLISH (") else { return }
    state.withLock { $0.isFlooded = true }
    shutdown(mosquitto_socket(pointer), Int32(SHUT_RDWR))
  }

  /// Leaves a broker that sends messages: what is under way is sent again, in another session.
  private func beginAgain() {
    reportFailure("it sends messages that nobody has asked for")
    let entries = state.withLock { state in
      let entries = state.underWay.values
      (state.underWay, state.retaining) = ([:], [:])
      (state.isCleared, state.isFlooded) = (false, false)
      return entries
    }
    for entry in entries { outbox.giveBack(entry) }
    _ = wake.wait(timeout: .now() + Self.pauses.longest)
    do { try begin() } catch { report(error.message) }
  }

  private func cleared(_ code: Int32, by pointer: OpaquePointer?) {
    guard code == 0 else {
      return reportFailure(String(cString: mosquitto_connack_string(code)))
    }
    state.withLock { $0.isCleared = true }
    mosquitto_disconnect(pointer)
  }

  private func connected(_ code: Int32, by pointer: OpaquePointer?) {
    guard code == 0 else {
      return reportFailure(String(cString: mosquitto_connack_string(code)))
    }
    let isStopping = state.withLock { state in
      state.isConnected = !state.isStopping
      state.lastAnswer = .now
      state.stale = Set(state.retained.keys)
      return state.isStopping
    }
    guard !isStopping else { return }
    let descriptor = mosquitto_socket(pointer)
    let size = socklen_t(MemoryLayout<Int32>.size)
    var (limit, buffer) = (Self.answerTime * 1000, Self.receiveBuffer)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, size)
    publishRetained()
    pump()
  }

  private func reportFailure(_ reason: String) {
    guard state.withLock({ $0.outage.failed() && !$0.isStopping }) else { return }
    report(
      "The MQTT broker \(broker.host):\(broker.port) cannot be reached (\(reason)): it is tried "
        + "again.")
  }

  private func completed(_ number: Int32) {
    let (entry, topic, hasReturned) = state.withLock { state in
      let entry = state.underWay.removeValue(forKey: number)
      let topic = state.retaining.removeValue(forKey: number)
      state.lastAnswer = .now
      // A broker that takes states, and no events, has not returned.
      guard entry != nil || state.underWay.isEmpty else { return (entry, topic, false) }
      state.hasAnswered = true
      return (entry, topic, state.outage.received())
    }
    if hasReturned { report("The MQTT broker receives events again.") }
    if topic != nil { publishRetained() }
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
        guard let handle = state.handles?.sending,
          let number = publish(entry.body, to: topic, quality: 2, isRetained: false, by: handle)
        else { return false }
        state.underWay[number] = entry
        return true
      }
      // The next start sends it again.
      if !isSent { outbox.giveBack(entry, to: .refused) }
    }
  }

  /// Hands a message to libmosquitto, which repeats it after a broken connection.
  ///
  /// - Returns: Its number; `nil` where it was not taken.
  private func publish(
    _ data: Data, to topic: String, quality: Int32, isRetained: Bool, by handle: MQTTHandle
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
      report("A message to \(topic) cannot be sent (\(MQTTHandle.words(for: code))).")
      return nil
    }
    return number
  }
}
