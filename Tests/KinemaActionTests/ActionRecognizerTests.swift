import Foundation
import KinemaAction
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import Testing

/// All predictions for frames with a wrist at a height; `nil` is a frame without a person.
private func predictions(
  _ heights: [Float?], frameRate: Double, windowSize: Int = 60,
  rules: ActionRecognizer.Rules = .init()
) throws -> [ActionPrediction] {
  var recognizer = ActionRecognizer(
    classifier: try MotionModel.classifier(windowSize: windowSize), rules: rules)
  var predictions: [ActionPrediction] = []
  for (index, height) in heights.enumerated() {
    predictions += try recognizer.add(
      height.map(MotionModel.pose), at: Double(index) / frameRate)
  }
  return try predictions + recognizer.finish()
}

@Suite("The rules of the windows")
struct ActionRecognizerTests {
  @Test("windows start every stride, and the last window is padded with empty frames")
  func windows() throws {
    let starts = try predictions(Array(repeating: 0.9, count: 85), frameRate: 30)
      .map { Int(($0.timeRange.lowerBound * 30).rounded()) }
    #expect(starts == [0, 10, 20, 30])
    #expect(try predictions(Array(repeating: 0.9, count: 60), frameRate: 30).count == 1)
    #expect(try predictions(Array(repeating: 0.9, count: 80), frameRate: 30).count == 3)
    #expect(try predictions([], frameRate: 30).isEmpty)
    let ends = try predictions(Array(repeating: 0.9, count: 85), frameRate: 30)
      .map { Int(($0.timeRange.upperBound * 30).rounded()) }
    #expect(ends == [60, 70, 80, 85])
  }

  @Test("a window with under 60 % real frames is No Person", arguments: [(36, true), (35, false)])
  func minimumPoses(realCount: Int, isClassified: Bool) throws {
    let heights = (0..<60).map { $0 < realCount ? Float(0.9) : nil }
    let prediction = try #require(try predictions(heights, frameRate: 30).first)
    #expect((prediction.status != .noPerson) == isClassified)
    #expect(prediction.probabilities.isEmpty != isClassified)
    if !isClassified { #expect(prediction.label == "No Person") }
  }

  @Test("a stream is classified from two fifths of a window on, with empty frames before its first")
  func opening() throws {
    let classifier = try MotionModel.classifier()
    func opened(_ heights: [Float?]) throws -> [ActionPrediction] {
      var recognizer = ActionRecognizer(classifier: classifier)
      recognizer.opensEarly = true
      return try heights.enumerated().flatMap { index, height in
        try recognizer.add(height.map(MotionModel.pose), at: Double(index) / 30)
      }
    }
    let windows = try opened(Array(repeating: 1.3, count: 70))
    // Every fifth of a stride before the first full window; there is none of 24 frames, after which no
    // action is confident yet.
    #expect(
      windows.map { Int(($0.timeRange.upperBound * 30).rounded()) }
        == Array(stride(from: 26, to: 60, by: 2)) + [60, 70])
    #expect(windows.map(\.isOpening) == (0..<19).map { $0 < 17 })
    #expect(windows.allSatisfy { $0.label == "up" } && windows[0].timeRange.lowerBound == 0)
    let empty = [Float](repeating: 0, count: 34 * 54)
    let rest = Array(repeating: MotionModel.pose(wristHeight: 1.3).multiArray(), count: 26)
    let direct = try classifier.predict(empty + rest.joined())
    #expect(windows[0].probabilities["up"] == direct.probabilities.first.map(Double.init))
    // There is none of too few poses.
    #expect(try opened((0..<60).map { $0 < 42 ? nil : 1.3 }).map(\.isOpening) == [false])
  }

  @Test("the newest half of a window is read as well where the course asks for it")
  func recent() throws {
    let classifier = try MotionModel.classifier()
    func read(
      _ heights: [Float?], share: Double?, leastPoses: Double = 0.6
    ) throws -> [ActionPrediction] {
      var rules = ActionRecognizer.Rules()
      rules.readsCourse = true
      rules.minimumPoseShare = leastPoses
      var course = ActionDecoder.Course()
      course.live.recentShare = share
      rules.course = course
      var recognizer = ActionRecognizer(classifier: classifier, rules: rules)
      return try heights.enumerated().flatMap { index, height in
        try recognizer.add(height.map(MotionModel.pose), at: Double(index) / 30)
      }
    }
    let heights = [Float](repeating: 0.2, count: 60) + [Float](repeating: 1.3, count: 60)
    let windows = try read(heights, share: 0.5)
    #expect(windows.count == 7)
    let empty = [Float](repeating: 0, count: 30 * 54)
    for (index, window) in windows.enumerated() {
      let newest = heights[(index * 10 + 30)..<(index * 10 + 60)]
      let poses = newest.flatMap { MotionModel.pose(wristHeight: $0).multiArray() }
      let direct = try classifier.predict(empty + poses).probabilities
      #expect(window.recentProbabilities == direct.map(Double.init))
    }
    for share in [nil, 0.0] {
      #expect(try read(heights, share: share).allSatisfy { $0.recentProbabilities == nil })
    }
    // A half without a pose says nothing.
    let ended = try read(
      [Float?](repeating: 1.3, count: 40) + [Float?](repeating: nil, count: 30), share: 0.5,
      leastPoses: 0.4)
    #expect(ended.map { $0.recentProbabilities != nil } == [true, false])
    #expect(ended.map(\.status) == [.action, .action])
  }

  @Test("a file shorter than the window falls under the same rules")
  func shortFiles() throws {
    let long = try predictions(Array(repeating: 0.9, count: 40), frameRate: 30)
    #expect(long.map(\.status) != [.noPerson])
    #expect(long.count == 1)
    let short = try predictions(Array(repeating: 0.9, count: 20), frameRate: 30)
    #expect(short.map(\.status) == [.noPerson])
  }

  @Test("labels are shown in words")
  func displayNames() {
    #expect(ActionPrediction.displayName(of: "jumping_jacks") == "Jumping Jacks")
    #expect(ActionPrediction.displayName(of: "__side  lunge_left") == "Side Lunge Left")
    #expect(ActionPrediction.displayName(of: "élan_vital") == "Élan Vital")
    #expect(ActionPrediction.displayName(of: "push_ups") == "Push-ups")
    #expect(ActionPrediction.displayName(of: "ups_and_downs") == "Ups And Downs")
  }

  @Test("a result below the threshold is Low Confidence, with its probabilities")
  func lowConfidence() throws {
    let prediction = try #require(
      try predictions(Array(repeating: 0.501, count: 60), frameRate: 30).first)
    #expect(prediction.status == .lowConfidence)
    #expect(prediction.label == "Low Confidence")
    #expect(prediction.topLabel == "up")
    #expect(Set(prediction.probabilities.keys) == ["up", "down"])
    #expect(abs(prediction.confidence - 0.505) < 1e-3)
    var rules = ActionRecognizer.Rules()
    rules.confidenceThreshold = 0.5
    let bold = try predictions(Array(repeating: 0.501, count: 60), frameRate: 30, rules: rules)
    #expect(bold.first?.label == "up")
  }

  @Test(
    "footage at any rate gives one answer", arguments: [15.0, 24, 25, 29.97, 30, 48, 60, 120])
  func frameRates(frameRate: Double) throws {
    // The wrist is up for three seconds and then down.
    let heights = (0..<Int(6 * frameRate)).map { Float(Double($0) / frameRate < 3 ? 0.9 : 0.1) }
    let predictions = try predictions(heights, frameRate: frameRate)
    #expect((12...14).contains(predictions.count))
    for prediction in predictions {
      let middle = (prediction.timeRange.lowerBound + prediction.timeRange.upperBound) / 2
      if abs(middle - 3) > 0.3 { #expect(prediction.label == (middle < 3 ? "up" : "down")) }
    }
  }

  @Test("a full last window ends with the last frame, and shares frames with the one before")
  func fullLastWindow() throws {
    var rules = ActionRecognizer.Rules()
    rules.stride = 60
    var recognizer = ActionRecognizer(classifier: try MotionModel.classifier(), rules: rules)
    recognizer.endsWithFullWindow = true
    var predictions: [ActionPrediction] = []
    for index in 0..<130 {
      predictions += try recognizer.add(
        MotionModel.pose(wristHeight: 0.9), at: Double(index) / 30)
    }
    predictions += try recognizer.finish()
    #expect(
      predictions.map { Int(($0.timeRange.lowerBound * 30).rounded()) } == [0, 60, 70])
    #expect(predictions.allSatisfy { $0.label == "up" })
    // A video that is shorter than a window is filled up.
    var short = ActionRecognizer(classifier: try MotionModel.classifier(), rules: rules)
    short.endsWithFullWindow = true
    for index in 0..<10 {
      _ = try short.add(MotionModel.pose(wristHeight: 0.9), at: Double(index) / 30)
    }
    let last = try short.finish()
    #expect(last.map(\.status) == [.noPerson])
  }

  @Test("a gap in time holds empty frames, however long it claims to be")
  func gaps() throws {
    var recognizer = ActionRecognizer(classifier: try MotionModel.classifier())
    var predictions: [ActionPrediction] = []
    for time in [0.0, 0.1, 0.2, 10, 1e12, 1e12 + 0.1] {
      predictions += try recognizer.add(MotionModel.pose(wristHeight: 0.9), at: time)
    }
    predictions += try recognizer.finish()
    #expect(predictions.allSatisfy { $0.status == .noPerson })
    #expect(predictions.count < 1000)
  }

  @Test(
    "poses at the model's rate reach the network unchanged",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func unchanged() throws {
    let classifier = try ActionClassifier(
      contentsOf: SharedData.url("models/apple_exercise_T64.mlmodel"))
    let sequence = try PoseSequence(
      contentsOf: SharedData.files(in: "counting/poses", withExtension: "npz")[3])
    var recognizer = ActionRecognizer(classifier: classifier)
    var predictions: [ActionPrediction] = []
    for frame in sequence.frames {
      predictions += try recognizer.add(frame.poses.first, at: frame.time)
    }
    #expect(predictions.count > 3)
    for (index, prediction) in predictions.enumerated() where prediction.status != .noPerson {
      let window = sequence.frames[(index * 10)..<(index * 10 + 64)]
      let direct = try classifier.predict(
        window.flatMap { ($0.poses.first ?? .empty).multiArray() })
      for (label, probability) in zip(direct.labels, direct.probabilities) {
        #expect(prediction.probabilities[label] == Double(probability))
      }
    }
  }

  @Test("the times of a summary add up to the length of the video")
  func summary() throws {
    let heights = (0..<300).map { Float($0 < 200 ? 0.9 : 0.1) }
    let summary = ActionSummary(of: try predictions(heights, frameRate: 30))
    #expect(summary.topLabel == "up")
    #expect(abs(summary.entries.reduce(0) { $0 + $1.duration } - 10) < 0.02)
    let up = try #require(summary.entries.first { $0.label == "up" })
    #expect(abs(up.duration - 6.67) < 0.7)
    #expect(ActionSummary(of: []).topLabel == nil)
  }

  @Test(
    "a hole in the times ends a stretch, and a window covers frames of one side only",
    arguments: [1.0, 10, 61, 120, 100_000])
  func holes(seconds: Double) throws {
    var recognizer = ActionRecognizer(classifier: try MotionModel.classifier())
    var all: [ActionPrediction] = []
    for start in [0, 5 + seconds] {
      for index in 0..<150 {
        all += try recognizer.add(
          MotionModel.pose(wristHeight: 1.3), at: start + Double(index) / 30)
      }
    }
    all += try recognizer.finish()
    #expect(all.allSatisfy { $0.timeRange.upperBound - $0.timeRange.lowerBound < 2.01 })
    let up = zip(all, ActionSummary.stretches(of: all)).filter { $0.0.label == "up" }
    let within = up.allSatisfy {
      $1.lowerBound >= 5 + seconds - 1 || $1.upperBound <= 6
    }
    #expect(within)
    let summary = ActionSummary(of: all).entries.first { $0.label == "up" }
    #expect(abs((summary?.duration ?? 0) - 10) < 2)
  }

  @Test("windows with time between them are two stretches")
  func separateWindows() {
    func window(_ start: Double) -> ActionPrediction {
      ActionPrediction(
        timeRange: start..<start + 2, status: .action, topLabel: "up", confidence: 1,
        probabilities: [:])
    }
    let windows = [0, 1, 2, 40, 41].map(window)
    #expect(
      ActionSummary.stretches(of: windows) == [0..<1.5, 1.5..<2.5, 2.5..<4, 40..<41.5, 41.5..<43])
    #expect(ActionSummary(of: windows).entries.map(\.duration) == [7])
  }

  @Test("a chain of stages ends in predictions")
  func chain() async throws {
    let pipeline = PoseSelector(strategy: .maximumBoundingBoxArea)
      .appending(ActionPredictor(classifier: try MotionModel.classifier()))
    let stream = AsyncStream { continuation in
      for index in 0..<90 {
        let id = TemporalSegmentIdentifier(
          source: "camera", range: (index * 33_333)..<((index + 1) * 33_333), timescale: 1_000_000)
        continuation.yield(
          TemporalFeature(id: id, feature: [MotionModel.pose(wristHeight: 0.9)]))
      }
      continuation.finish()
    }
    var labels: [String] = []
    for try await prediction in try await pipeline(AnyTemporalSequence(stream, count: nil)) {
      #expect(prediction.id.source == "camera")
      labels.append(prediction.feature.label)
    }
    #expect(labels == ["up", "up", "up", "up"])
  }
}
