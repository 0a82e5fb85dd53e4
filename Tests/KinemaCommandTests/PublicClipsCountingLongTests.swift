import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// What happened while a clip was counted live.
private struct Live {
  /// The time, the count, and what the classifier said, frame by frame.
  var moments: [(time: Double, count: Int, action: String?)] = []
  var summary = RepetitionSummary(repetitions: [])

  func count(at time: Double) -> Int { moments.last { $0.time <= time }?.count ?? 0 }
}

/// Counting on real clips, frame after frame as it is done live.
@Suite("Counting in public clips", .enabled(if: SharedData.isPresent, SharedData.reason))
struct PublicClipsCountingLongTests {
  private func count(
    _ segment: PublicSegment, within range: ClosedRange<Double>? = nil,
    classifier: ActionClassifier? = nil
  ) async throws -> Live {
    var recognizer = classifier.map { ActionRecognizer(classifier: $0) }
    var rules = recognizer.map { RepetitionCounter.Rules(for: $0) } ?? RepetitionCounter.Rules()
    rules.aspectRatio = segment.aspectRatio
    var counter = try RepetitionCounter(rules: rules)
    var selector = ProminentPersonSelector()
    var (live, action) = (Live(), String?.none)
    for frame in try await PublicClips.poses(of: segment.file).frames
    where range?.contains(frame.time) ?? true {
      let pose = selector.select(from: frame.poses)
      if let predictions = try recognizer?.add(pose, at: frame.time) {
        try counter.add(pose, at: frame.time, predictions: predictions)
        if let last = predictions.last { action = last.status == .action ? last.topLabel : nil }
      } else {
        try counter.add(pose, at: frame.time)
      }
      live.moments.append((frame.time, counter.count, action))
    }
    live.summary = try counter.finish(predictions: recognizer?.finish() ?? [])
    return live
  }

  @Test("live, the count never falls and is within one a second after each repetition")
  func live() async throws {
    var (near, total) = (0, 0)
    for segment in PublicSegment.all where segment.repetitionCount != nil {
      let live = try await count(segment, within: segment.range)
      let counts = live.moments.map(\.count)
      #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }, "\(segment.file)")
      for (index, end) in segment.ends.enumerated() {
        total += 1
        near += abs(live.count(at: end + 1) - index - 1) <= 1 ? 1 : 0
      }
    }
    #expect(total >= 90)
    #expect(Double(near) >= 0.9 * Double(total), "\(near) of \(total)")
  }

  @Test("with the built-in model a first repetition counts when it ends, not with the second")
  func firstRepetitions() async throws {
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    var (prompt, total, report) = (0, 0, [String]())
    for segment in PublicSegment.all
    where PublicClipsLongTests.exercises.contains(segment.label) && segment.repetitionCount != nil {
      let live = try await count(segment, classifier: classifier)
      // Nothing counts before the classifier's first label.
      guard
        let labelled = live.moments.first(where: {
          $0.time >= segment.range.lowerBound && $0.action == segment.label
        })?.time, let end = segment.ends.first
      else { continue }
      let before = live.count(at: segment.range.lowerBound)
      total += 1
      if live.count(at: max(end, labelled) + 1) > before {
        prompt += 1
      } else {
        report.append("\(segment.file) \(segment.range)")
      }
    }
    #expect(total >= 20)
    #expect(Double(prompt) >= 0.9 * Double(total), "\(report)")
  }

  @Test(
    "a single repetition counts once with the built-in model",
    arguments: [("fitsync_burpees.mp4", "burpees"), ("techbusa_burpee.mp4", "burpees")])
  func single(file: String, label: String) async throws {
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    let segment = try #require(
      PublicSegment.all.last { $0.file == file && $0.repetitionCount == 1 })
    let live = try await count(segment, classifier: classifier)
    let before = live.count(at: segment.range.lowerBound)
    #expect((live.moments.last?.count ?? 0) - before == 1)
    let own = live.summary.repetitions.filter { $0.end > segment.range.lowerBound + 1 }
    #expect(own.map(\.action) == [label])
  }

  @Test("nothing counts during other actions or low confidence of the built-in model")
  func otherActions() async throws {
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    for (file, segments) in Dictionary(grouping: PublicSegment.all, by: \.file) {
      let live = try await count(segments[0], classifier: classifier)
      for (before, now) in zip(live.moments, live.moments.dropFirst())
      where now.count > before.count {
        // A repetition counts by the windows that it is in, of which the newest may say something else:
        // of the longest ones these begin five seconds before.
        let windows = live.moments.filter { (now.time - 5...now.time).contains($0.time) }
        let names = Set(windows.compactMap(\.action))
        #expect(!names.isDisjoint(with: PublicClipsLongTests.exercises), "\(file) \(now)")
      }
      let reported = Set(live.moments.compactMap(\.action))
      #expect(live.summary.counts.keys.allSatisfy { reported.contains($0) }, "\(file)")
      // The model takes jump lunges for lunges, and some of the aerobics for jumping jacks.
      let isOther = segments.allSatisfy {
        !PublicClipsLongTests.exercises.contains($0.label)
          && !["jump_lunges", "aerobics"].contains($0.label)
      }
      if isOther { #expect(live.summary.count == 0, "\(file)") }
    }
  }
}
