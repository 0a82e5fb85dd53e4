import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaServer
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite("Results of live sessions", .enabled(if: SharedData.isPresent, SharedData.reason))
struct LiveResultsTests {
  @Test("label and count of a clip come out as from classifying and counting the file")
  func jumpingJacks() async throws {
    let clip = try await ClipPictures.jacks.value
    let expected = try await reference(clip)
    #expect(expected.label == "jumping_jacks")
    #expect((5...6).contains(expected.count))

    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    let frames = try await client.show(clip)
    let last = try #require(frames.last)
    #expect(last.label == expected.label)
    #expect(last.action?["text"] as? String == "Jumping Jacks")
    #expect(last.repetitions == expected.count)
    #expect(last["counts"] as? [String: Int] == expected.counts)
    #expect(frames.map(\.label) == expected.labels)
    #expect(last["prominent"] as? Int == last.persons.first?["id"] as? Int)
    #expect(last.persons.first?.label == expected.label)
    #expect((last.persons.first?["joints"] as? [[Double]])?.count == 18)
    #expect(last["width"] as? Int == 1280 && last["height"] as? Int == 720)
    let top = try #require(last.action?["top"] as? [[Any]])
    #expect(top.count == 3 && top.first?.first as? String == "jumping_jacks")

    let summary = try await client.next("summary")
    let entries = try #require(summary["entries"] as? [[String: Any]])
    let jacks = try #require(entries.first { $0["label"] as? String == "jumping_jacks" })
    #expect(jacks["repetitions"] as? Int == expected.count)
    let statistics = try await client.next("statistics")
    #expect(statistics["dropped"] as? Int == 0)
    let forms = client.passed.filter { $0["type"] as? String == "form" }
    #expect(!forms.isEmpty && forms.count <= expected.count)
    #expect(forms.map { $0["number"] as? Int } == Array(1...max(1, forms.count)))
    #expect(forms.allSatisfy { $0["label"] as? String == "jumping_jacks" })
    #expect(forms.contains { ($0["range"] as? Double ?? 0) > 40 })
    await client.hangUp()
  }

  private struct Reference {
    var labels: [String?] = []
    var label: String? { labels.last ?? nil }
    var counts: [String: Int] = [:]
    var count: Int { label.flatMap { counts[$0] } ?? 0 }
  }

  /// What the stages of `kinema classify` and `kinema count` make of the same pictures.
  private func reference(_ clip: ClipPictures) async throws -> Reference {
    let extractor = HumanBodyPoseExtractor(configuration: .init(maximumPersonCount: 2))
    let model = try #require(try await BuiltInModels().model(id: "Exercise"))
    var recognizer = ActionRecognizer(classifier: model.classifier)
    recognizer.opensEarly = true
    var rules = RepetitionCounter.Rules()
    rules.aspectRatio = 1280.0 / 720
    rules.actionDelay = Double(model.classifier.windowSize) / recognizer.frameRate / 2
    var counter = try RepetitionCounter(rules: rules)
    var selector = ProminentPersonSelector()
    var prediction: ActionPrediction?
    var reference = Reference()
    for picture in clip.pictures {
      let id = TemporalSegmentIdentifier(
        source: "clip", range: Int(picture.time * 1e6)..<Int(picture.time * 1e6) + 1,
        timescale: 1_000_000)
      let frame = try Frame(jpeg: picture.jpeg)
      let poses = try await extractor.applied(to: TemporalFeature(id: id, feature: frame)).feature
      let person = selector.select(from: poses)
      prediction = try recognizer.add(person, at: picture.time).last ?? prediction
      let label = prediction.flatMap { $0.status == .action ? $0.topLabel : nil }
      try counter.add(person, at: picture.time, action: label, confidence: prediction?.confidence)
      reference.labels.append(label)
      reference.counts = counter.counts
    }
    return reference
  }

  @Test("an empty picture is Starting Up at first, then No Person")
  func noPerson() async throws {
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    let frames = try await client.show(try ClipPictures(blackFor: 3.5))
    #expect(frames.first?.status == "startingUp")
    #expect(frames.first?.action?["text"] as? String == "Starting Up")
    #expect(frames.last?.status == "noPerson")
    #expect(frames.last?.action?["text"] as? String == "No Person")
    #expect(frames.last?["prominent"] is NSNull)
    await client.hangUp()
  }

  @Test("a person in too few frames to classify is Starting Up for a window, then Low Confidence")
  func fewPictures() async throws {
    let clip = try await ClipPictures.jacks.value
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    for (index, picture) in clip.pictures.prefix(8).enumerated() {
      let frame = try await client.show(picture.jpeg, at: Double(index))
      #expect(frame["prominent"] is Int)
      // A window of the model is two seconds.
      #expect(frame.status == (index < 2 ? "startingUp" : "lowConfidence"))
    }
    await client.hangUp()
  }

  @Test("Low Confidence follows the threshold from the change of the setting on")
  func lowConfidence() async throws {
    let clip = try await ClipPictures.jacks.value
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    for picture in clip.pictures.prefix(100) {
      _ = try await client.show(picture.jpeg, at: picture.time)
    }
    let before = try await client.show(clip.pictures[100].jpeg, at: clip.pictures[100].time)
    #expect(before.status == "action")
    client.say(#"{"type":"configure","settings":{"confidenceThreshold":1}}"#)
    let ready = try await client.next("ready")
    #expect((ready["settings"] as? [String: Any])?["confidenceThreshold"] as? Int == 1)
    #expect((ready["settings"] as? [String: Any])?["stride"] is NSNull)
    let after = try await client.show(clip.pictures[101].jpeg, at: clip.pictures[101].time)
    #expect(after.status == "lowConfidence")
    #expect(after.label == nil)
    #expect(after.action?["text"] as? String == "Low Confidence")
    client.say(
      #"{"type":"configure","settings":{"isClassifying":false,"confidenceThreshold":null}}"#)
    _ = try await client.next("ready")
    let unclassified = try await client.show(clip.pictures[102].jpeg, at: clip.pictures[102].time)
    #expect(unclassified["action"] is NSNull)
    await client.hangUp()
  }

  @Test("without a model everything is counted; where counting is off, nothing is")
  func countingAlone() async throws {
    let clip = try await ClipPictures.jacks.value
    let (client, ready) = try await LiveClient.started(
      on: LiveFixture.service, settings: #"{"model":null}"#)
    #expect(ready["model"] is NSNull)
    let (other, _) = try await LiveClient.started(
      on: LiveFixture.service, settings: #"{"isCounting":false}"#)
    let counted = try await client.show(clip)
    let uncounted = try await other.show(clip)
    #expect((5...6).contains(counted.last?.repetitions ?? 0))
    #expect(uncounted.allSatisfy { $0.repetitions == 0 })
    #expect(uncounted.last?.label == "jumping_jacks")
    await client.hangUp()
    await other.hangUp()
  }

  @Test("joints that are ignored are not there for the model, but are still shown")
  func ignoredJoints() async throws {
    let clip = try await ClipPictures.jacks.value
    let names = JointKey.body.filter { $0 != .nose }.map { "\"\($0.rawValue)\"" }
    let (client, _) = try await LiveClient.started(
      on: LiveFixture.service, settings: #"{"ignoredJoints":[\#(names.joined(separator: ","))]}"#)
    let frames = try await client.show(clip)
    #expect(frames.allSatisfy { $0.label != "jumping_jacks" })
    #expect(frames.last?.repetitions == 0)
    let joints = try #require(frames.last?.persons.first?["joints"] as? [[Double]])
    #expect(joints.filter { $0[2] > 0.5 }.count > 10)
    await client.hangUp()
  }

  @Test("a pinned person is the prominent one until released")
  func pin() async throws {
    let clip = try await ClipPictures.pair.value
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    let frames = try await client.show(clip)
    let last = try #require(frames.last)
    let ids = last.persons.compactMap { $0["id"] as? Int }
    #expect(ids.count == 2)
    let prominent = try #require(last["prominent"] as? Int)
    let other = try #require(ids.first { $0 != prominent })
    client.say(#"{"type":"pin","person":\#(other)}"#)
    let pinned = try await client.show(clip.pictures[39].jpeg, at: 2)
    #expect(pinned["prominent"] as? Int == other)
    #expect(pinned["isPinned"] as? Bool == true)
    client.say(#"{"type":"pin","person":null}"#)
    let free = try await client.show(clip.pictures[39].jpeg, at: 2.03)
    #expect(free["isPinned"] as? Bool == false)
    client.say(#"{"type":"pin","person":77}"#)
    #expect(try await client.next("error")["code"] as? String == "notFound")
    // Fewer people from the next picture on.
    client.say(#"{"type":"configure","settings":{"maximumPersonCount":1}}"#)
    _ = try await client.next("ready")
    #expect(try await client.show(clip.pictures[39].jpeg, at: 2.07).persons.count == 1)
    await client.hangUp()
  }

  @Test("more than one person is hinted at, and no more once one is pinned")
  func companyHint() async throws {
    let clip = try await ClipPictures.pair.value
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    var frame: [String: Any] = [:]
    for step in 0..<70 {
      frame = try await client.show(
        clip.pictures[min(step, clip.pictures.count - 1)].jpeg, at: Double(step) / 15)
    }
    #expect(frame["hint"] as? String == "moreThanOnePerson")
    #expect(frame["hintText"] is String)
    #expect((frame["hintParts"] as? [String])?.isEmpty == true)
    await client.hangUp()
  }

  @Test("a challenge advances as repetitions are counted")
  func challenge() async throws {
    let clip = try await ClipPictures.jacks.value
    let (client, _) = try await LiveClient.started(on: LiveFixture.service)
    #expect(try await client.next("challenge")["state"] as? String == "idle")
    client.say(
      #"{"type":"challenge","command":"start","items":[{"label":"jumping_jacks","repetitions":2}]}"#
    )
    #expect(try await client.next("challenge")["state"] as? String == "waiting")
    _ = try await client.show(clip)
    let states = client.passed.filter { $0["type"] as? String == "challenge" }
    #expect(states.contains { $0["state"] as? String == "running" })
    #expect(states.last?["state"] as? String == "finished")
    client.say(
      #"{"type":"challenge","command":"start","items":[{"label":"yodelling","seconds":2}]}"#)
    #expect(try await client.next("error")["code"] as? String == "badRequest")
    await client.hangUp()
  }
}
