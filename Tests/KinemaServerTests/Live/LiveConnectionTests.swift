import Foundation
import KinemaHTTP
import KinemaServer
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

@Suite("Connections of live sessions", .enabled(if: SharedData.isPresent, SharedData.reason))
struct LiveConnectionTests {
  @Test("a session of a broken connection resumes with its results, and only with its key")
  func resume() async throws {
    let clip = try await ClipPictures.jacks.value
    let history = MemoryHistory()
    let service = LiveFixture.makeService(history: history)
    let (client, ready) = try await LiveClient.started(
      on: service, settings: #"{"stride":5,"confidenceThreshold":0.5}"#)
    let key = try #require(ready["session"] as? String)
    #expect(key.count >= 32)
    let count = try #require(try await client.show(clip).last?.repetitions)
    #expect(count > 0)
    await client.hangUp()
    #expect(service.sessionCount == 0)
    #expect(history.records[1]?.entries.contains { $0.repetitions == count } == true)

    let (second, again) = try await LiveClient.started(on: service, resume: key)
    #expect(again["session"] as? String == key)
    #expect(again["historyID"] as? Int == ready["historyID"] as? Int)
    #expect((again["settings"] as? [String: Any])?["stride"] as? Int == 5)
    let summary = try await second.next("summary")
    let entries = try #require(summary["entries"] as? [[String: Any]])
    #expect(entries.contains { $0["repetitions"] as? Int == count })
    // The same person continues, though the page restarts its clock.
    let frame = try await second.show(try #require(clip.pictures.last).jpeg, at: 0.5)
    // Of the clip's six jumps the last one may end with the break.
    #expect([count, 6].contains(frame.repetitions), "\(count), then \(frame.repetitions ?? 0)")

    // Taken up from elsewhere, the present connection is closed.
    let (third, _) = try await LiveClient.started(on: service, resume: key)
    #expect(try await second.next("error")["code"] as? String == "resumedElsewhere")
    #expect(await second.closed() == 1008)
    let (stranger, fresh) = try await LiveClient.started(
      on: service, resume: String(key.reversed()))
    #expect(fresh["session"] as? String != key)
    // A closed session has ended; a disconnected one has not.
    await third.hangUp(code: 1000)
    #expect(history.records[1]?.isOpen == false)
    await stranger.hangUp()
    #expect(history.records[2]?.isOpen == true)
    let (fourth, other) = try await LiveClient.started(on: service, resume: key)
    #expect(other["session"] as? String != key)
    await fourth.hangUp()
    await service.shutDown()
    #expect(history.records.count == 3)
    #expect(history.records.values.allSatisfy { !$0.isOpen })
  }

  @Test("a new record starts when the client requests it")
  func newRecord() async throws {
    let clip = try await ClipPictures.pair.value
    let history = MemoryHistory()
    let service = LiveFixture.makeService(history: history)
    let (client, first) = try await LiveClient.started(on: service)
    _ = try await client.show(clip.pictures[0].jpeg, at: 0)
    client.say(#"{"type":"new"}"#)
    let second = try await client.next("ready")
    #expect(first["historyID"] as? Int == 1 && second["historyID"] as? Int == 2)
    #expect(history.records[1]?.isOpen == false)
    _ = try await client.show(clip.pictures[1].jpeg, at: 0.1)
    await service.shutDown()
    #expect(await client.closed() == 1001)
    #expect(history.records[2]?.isOpen == false)
  }

  @Test("another profile gets a record of its own; the same one, or a resumption, does not")
  func profiles() async throws {
    let history = MemoryHistory()
    let service = LiveFixture.makeService(history: history)
    let (client, first) = try await LiveClient.started(on: service, settings: #"{"profile":1}"#)
    #expect((first["settings"] as? [String: Any])?["profile"] as? Int == 1)
    client.say(#"{"type":"configure","settings":{"profile":1}}"#)
    #expect(try await client.next("ready")["historyID"] as? Int == 1)
    client.say(#"{"type":"configure","settings":{"profile":2}}"#)
    #expect(try await client.next("ready")["historyID"] as? Int == 2)
    await client.hangUp()
    let key = try #require(first["session"] as? String)
    let (again, resumed) = try await LiveClient.started(
      on: service, settings: #"{"profile":2}"#, resume: key)
    #expect(resumed["historyID"] as? Int == 2)
    await again.hangUp()
    let (other, changed) = try await LiveClient.started(
      on: service, settings: #"{"profile":null}"#, resume: key)
    #expect(changed["historyID"] as? Int == 3)
    await other.hangUp()
    await service.shutDown()
    #expect((1...3).map { history.records[$0]?.profile } == [1, 2, nil])
  }

  @Test(
    "invalid messages are reported as errors and change nothing",
    arguments: [
      (#"{"type":"dance"}"#, "badRequest"), ("{", "badRequest"), ("[]", "badRequest"),
      (#"{"type":"configure"}"#, "badRequest"),
      (#"{"type":"configure","settings":{"stride":"ten"}}"#, "badRequest"),
      (#"{"type":"configure","settings":{"stride":0}}"#, "badRequest"),
      (#"{"type":"configure","settings":{"confidenceThreshold":2}}"#, "badRequest"),
      (#"{"type":"configure","settings":{"maximumPersonCount":0}}"#, "badRequest"),
      (#"{"type":"configure","settings":{"ignoredJoints":["tail"]}}"#, "badRequest"),
      (#"{"type":"configure","settings":{"isRecording":true}}"#, "badRequest"),
      (#"{"type":"configure","settings":{"model":"Nothing"}}"#, "notFound"),
      (#"{"type":"configure","settings":{"profile":7}}"#, "notFound"),
      (#"{"type":"configure","settings":{"profile":"Ada"}}"#, "badRequest"),
      (#"{"type":"source","source":{"kind":"server","id":"attic"}}"#, "notFound"),
      (#"{"type":"challenge","command":"start","items":[]}"#, "badRequest"),
      (#"{"type":"start","source":{"kind":"browser"}}"#, "badRequest"),
    ])
  func nonsense(message: String, code: String) async throws {
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    client.say(message)
    let error = try await client.next("error")
    #expect(error["code"] as? String == code)
    #expect(error["isFatal"] as? Bool == false)
    #expect((error["message"] as? String)?.count ?? 0 > 20)
    client.say(#"{"type":"ping","time":1.5}"#)
    #expect(try await client.next("pong")["time"] as? Double == 1.5)
    await client.hangUp()
  }

  @Test("an error says by name what its message says, with the values")
  func names() async throws {
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    client.say(#"{"type":"configure","settings":{"model":"Nothing"}}"#)
    let text = try await client.next("error")["text"] as? [String: [String: String]]
    #expect(text == ["noLiveModel": ["id": "Nothing"]])
    client.say(#"{"type":"dance"}"#)
    let unknown = try await client.next("error")["text"] as? [String: [String: String]]
    #expect(
      unknown == [
        "badMember": [
          "place": "“type”", "reason": "“dance” is not among those that the server knows.",
        ]
      ])
    await client.hangUp()
  }

  @Test("invalid frames are reported as errors; too many in a row end the connection")
  func badPictures() async throws {
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    client.socket.receive(.binary(Data("KFR".utf8)))
    #expect(try await client.next("error")["code"] as? String == "badPicture")
    client.socket.receive(.binary(PictureMessage(sequence: 1, time: .nan, jpeg: Data([1])).data))
    #expect(try await client.next("error")["code"] as? String == "badPicture")
    client.send(Data([0xff, 0xd8, 0xff, 0xe0]), at: 0)
    #expect(try await client.next("error")["code"] as? String == "badPicture")
    let good = try Frame(width: 64, height: 64).jpegData(quality: 80)
    _ = try await client.show(good, at: 1)
    for _ in 0..<9 {
      client.say("?")
      #expect(try await client.next("error")["isFatal"] as? Bool == false)
    }
    client.say("?")
    #expect(try await client.next("error")["isFatal"] as? Bool == true)
    #expect(await client.closed() == 1008)
  }

  @Test("a picture of more than 32 scans, small as it may be, is refused")
  func expensivePictures() throws {
    let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 0x12, 0xff, 0, 0xff, 0xd0, 0x34]
    // The scans of a thumbnail within an application's segment do not count.
    let thumbnail: [UInt8] = [0xff, 0xe1, 0, 42] + [scan, scan, Array(scan.prefix(8))].joined()
    func message(scans: Int) -> Data {
      let jpeg: [UInt8] =
        [0xff, 0xd8] + thumbnail + [[UInt8]](repeating: scan, count: scans).joined()
      return PictureMessage(sequence: 1, time: 0, jpeg: Data(jpeg + [0xff, 0xd9])).data
    }
    _ = try PictureMessage(message(scans: 32))
    #expect(throws: ServerError.self) { try PictureMessage(message(scans: 33)) }
  }

  @Test("the first message must be a start")
  func noStart() async throws {
    for message in [WebSocketMessage.text(#"{"type":"new"}"#), .binary(Data([1, 2, 3]))] {
      let client = LiveClient(LiveFixture.service)
      client.socket.receive(message)
      #expect(try await client.next("error")["isFatal"] as? Bool == true)
      #expect(await client.closed() == 1008)
    }
  }

  @Test("a picture with too many bytes ends the connection")
  func tooBig() async throws {
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    client.send(Data(count: 5 << 20), at: 0)
    #expect(try await client.next("error")["code"] as? String == "tooBig")
    #expect(await client.closed() == 1009)
  }

  /// A client that waits at a place in the line.
  private func waiting(
    on service: LiveService, at place: Int, resume key: String? = nil
  ) async throws -> LiveClient {
    let client = LiveClient(service)
    let ending = key.map { #","resume":"\#($0)""# } ?? ""
    client.say(#"{"type":"start"\#(ending)}"#)
    #expect(try await client.next("queued")["place"] as? Int == place)
    return client
  }

  @Test("clients wait in line when all sessions are taken, and are served in their order")
  func queue() async throws {
    let service = LiveFixture.makeService {
      ($0.maximumSessionCount, $0.queueInterval) = (1, 0.01)
    }
    let (first, _) = try await LiveClient.started(on: service)
    let second = try await waiting(on: service, at: 1)
    let third = try await waiting(on: service, at: 2)
    // Who waits is answered, and its settings are kept for its session.
    second.say(#"{"type":"ping","time":7}"#)
    #expect(try await second.next("pong")["time"] as? Double == 7)
    second.say(#"{"type":"configure","settings":{"isCounting":false}}"#)
    await first.hangUp()
    let ready = try await second.next("ready")
    #expect((ready["settings"] as? [String: Any])?["isCounting"] as? Bool == true)
    let changed = try await second.next("ready")
    #expect((changed["settings"] as? [String: Any])?["isCounting"] as? Bool == false)
    #expect(try await third.next("queued")["place"] as? Int == 1)
    // Who leaves the line makes room in it.
    let fourth = try await waiting(on: service, at: 2)
    await third.hangUp()
    #expect(try await fourth.next("queued")["place"] as? Int == 1)
    await second.hangUp()
    _ = try await fourth.next("ready")
    await fourth.hangUp()
    await service.shutDown()
  }

  @Test("a client whose connection broke waits before those who are new")
  func queueOfReturning() async throws {
    let service = LiveFixture.makeService {
      ($0.maximumSessionCount, $0.queueInterval) = (1, 0.01)
    }
    let (first, ready) = try await LiveClient.started(on: service)
    let key = try #require(ready["session"] as? String)
    await first.hangUp()
    let (second, _) = try await LiveClient.started(on: service)
    let third = try await waiting(on: service, at: 1)
    let returning = try await waiting(on: service, at: 1, resume: key)
    #expect(try await third.next("queued")["place"] as? Int == 2)
    await second.hangUp()
    #expect(try await returning.next("ready")["session"] as? String == key)
    await returning.hangUp()
    _ = try await third.next("ready")
    await third.hangUp()
    await service.shutDown()
  }

  @Test("a client is refused when too many wait already")
  func busy() async throws {
    let service = LiveFixture.makeService {
      ($0.maximumSessionCount, $0.maximumWaitingCount) = (1, 0)
    }
    let (first, ready) = try await LiveClient.started(on: service)
    let late = LiveClient(service)
    late.say(#"{"type":"start","source":{"kind":"browser"}}"#)
    let error = try await late.next("error")
    #expect(error["code"] as? String == "busy" && error["isFatal"] as? Bool == true)
    #expect(await late.closed() == 1013)
    #expect(service.metrics.contains("kinema_live_busy_refusals_total 1\n"))
    await first.hangUp()
    let (second, _) = try await LiveClient.started(
      on: service, resume: ready["session"] as? String)
    await second.hangUp()
    await service.shutDown()
  }

  @Test("a client that would slow down the others too much waits until they have gone")
  func overload() async throws {
    let service = LiveFixture.makeService {
      $0.leastFrameRate = 100_000
      $0.queueInterval = 0.01
    }
    let (first, _) = try await LiveClient.started(on: service)
    let picture = try Frame(width: 64, height: 64).jpegData(quality: 80)
    for step in 0..<2 { _ = try await first.show(picture, at: Double(step)) }
    let late = try await waiting(on: service, at: 1)
    await first.hangUp()
    _ = try await late.next("ready")
    await service.shutDown()
  }

  @Test("the server's own source sends each picture before what was found in it")
  func serverSource() async throws {
    let picture = try Frame(
      jpeg: try #require(try await ClipPictures.jacks.value.pictures.first).jpeg)
    let (events, continuation) = AsyncStream.makeStream(of: LiveVideoEvent.self)
    let source = SessionSource(.init(id: "porch", kind: .camera, name: "Porch")) { events }
    let service = LiveFixture.makeService(sources: [source])
    let (client, ready) = try await LiveClient.started(
      on: service, source: #"{"kind":"server","id":"porch"}"#)
    #expect((ready["source"] as? [String: Any])?["id"] as? String == "porch")
    continuation.yield(.status(LiveSourceStatus(state: .live, message: "The camera is on.")))
    #expect(try await client.next("source")["state"] as? String == "live")
    continuation.yield(.frame(picture, time: 12.5, droppedCount: 3))
    var sent: PictureMessage?
    for await message in client.socket.sent {
      guard case .binary(let data) = message else { continue }
      sent = try PictureMessage(data)
      break
    }
    #expect(sent?.time == 12_500)
    let frame = try await client.next("frame")
    #expect(frame["sequence"] as? UInt32 == sent?.sequence)
    #expect(frame["dropped"] as? Int == 0)
    #expect(frame.persons.count == 1)
    continuation.yield(.frame(picture, time: 12.6, droppedCount: 7))
    #expect(try await client.next("frame")["dropped"] as? Int == 4)
    await service.shutDown()
  }

  @Test("a session is recorded where that is allowed and wished for")
  func recording() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "kinema-recordings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let history = MemoryHistory()
    let service = LiveFixture.makeService(history: history) { $0.recordingFolder = folder }
    let (client, _) = try await LiveClient.started(on: service, settings: #"{"isRecording":true}"#)
    let clip = try ClipPictures(blackFor: 1)
    _ = try await client.show(clip)
    client.say(#"{"type":"configure","settings":{"isRecording":false}}"#)
    _ = try await client.next("ready")
    let name = try #require(history.records[1]?.recording)
    var count = 0
    for try await frame in try await VideoReader.read(contentsOf: folder.appending(path: name)) {
      #expect(frame.feature.width == 160)
      count += 1
    }
    #expect(count > 0)
    await service.shutDown()
  }
}
