import Foundation
import KinemaAction
import KinemaPose
import Testing

/// Predictions for a wrist that is at each height for one second of 30 frames; windows of one second.
private func predictions(
  _ heights: [Float], rules: ActionRecognizer.Rules, personConfidence: Float = 1
) throws -> [ActionPrediction] {
  var recognizer = ActionRecognizer(
    classifier: try MotionModel.classifier(windowSize: 30), rules: rules)
  var predictions: [ActionPrediction] = []
  for index in 0..<(heights.count * 30) {
    var pose = MotionModel.pose(wristHeight: heights[index / 30])
    pose.confidence = personConfidence
    predictions += try recognizer.add(pose, at: Double(index) / 30)
  }
  return predictions
}

@Suite("The rules that a model may ask for")
struct ActionRecognizerRulesTests {
  @Test("probabilities are averaged over the newest windows")
  func averaging() throws {
    var rules = ActionRecognizer.Rules()
    let single = try predictions([0.6, 0.6, 0.45, 0.45], rules: rules)
    rules.averagedWindowCount = 3
    let averaged = try predictions([0.6, 0.6, 0.45, 0.45], rules: rules)
    #expect(single.count == averaged.count)
    for index in single.indices {
      let recent = single[max(0, index - 2)...index].compactMap { $0.probabilities["up"] }
      let mean = recent.reduce(0, +) / Double(recent.count)
      #expect(averaged[index].topLabel == (mean > 0.5 ? "up" : "down"))
      #expect(abs(averaged[index].confidence - max(mean, 1 - mean)) < 1e-6)
      // The network's output for the window alone is still reported.
      #expect(averaged[index].probabilities == single[index].probabilities)
    }
  }

  @Test("averaging restarts after a window without a person")
  func averagingAfterNobody() throws {
    var rules = ActionRecognizer.Rules()
    rules.averagedWindowCount = 50
    var recognizer = ActionRecognizer(
      classifier: try MotionModel.classifier(windowSize: 30), rules: rules)
    var last: ActionPrediction?
    for index in 0..<210 {
      let isThere = index < 60 || index >= 120
      let pose = MotionModel.pose(wristHeight: index < 60 ? 1 : 0)
      last = try recognizer.add(isThere ? pose : nil, at: Double(index) / 30).last ?? last
    }
    #expect(last?.topLabel == "down")
    #expect((last?.confidence ?? 0) > 0.99)
  }

  @Test("a part counts as the whole for as long as the rule says, and no longer")
  func wholes() throws {
    var rules = ActionRecognizer.Rules()
    #expect(try predictions([1, 0, 0, 0, 0], rules: rules).last?.label == "down")
    rules.wholes = ["down": "up"]
    rules.wholeReach = 2
    let found = try predictions([1, 0, 0, 0, 0, 0], rules: rules)
    #expect(found.allSatisfy { $0.distribution.values.max() == $0.confidence })
    let labels = found.map(\.label)
    #expect(labels.prefix(6).allSatisfy { $0 == "up" })
    #expect(labels.last == "down")
    // Without the whole, the part is what it is.
    #expect(try predictions([0, 0], rules: rules).allSatisfy { $0.label == "down" })
  }

  @Test("without a confident label the smallest confident group of labels is reported")
  func groups() throws {
    var rules = ActionRecognizer.Rules()
    rules.confidenceThreshold = 1.1
    rules.groups = ["any": ["up", "down"]]
    let unsure = try predictions([0.5, 0.5], rules: rules)
    #expect(unsure.allSatisfy { $0.status == .lowConfidence && $0.topLabel != "any" })
    rules.confidenceThreshold = 0.9
    let found = try predictions([0.5, 0.5], rules: rules)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.label == "any" && $0.confidence > 0.99 && $0.isModelLabel })
    #expect(found.allSatisfy { $0.probabilities.keys.sorted() == ["down", "up"] })
    rules.confidenceThreshold = 0.4
    #expect(try predictions([1, 1], rules: rules).allSatisfy { $0.label == "up" })
  }

  @Test(
    "a window whose poses are doubtful is No Person",
    arguments: [(Float(0.95), false), (0.7, true)])
  func doubtfulPoses(confidence: Float, isNobody: Bool) throws {
    var rules = ActionRecognizer.Rules()
    rules.minimumPersonConfidence = 0.9
    let found = try predictions([1, 1], rules: rules, personConfidence: confidence)
    #expect(found.allSatisfy { ($0.status == .noPerson) == isNobody })
  }

  @Test("a model carries its rules, and damaged ones are left aside")
  func carriedRules() throws {
    var rules = ActionRecognizer.Rules()
    rules.averagedWindowCount = 3
    rules.wholes = ["push_ups": "burpees"]
    rules.groups = ["raises": ["front_raises", "lateral_raises"]]
    var metadata = ModelMetadata()
    try metadata.ask(for: rules)
    let classifier = try MotionModel.classifier(metadata: metadata)
    #expect(ActionRecognizer(classifier: classifier).rules == rules)
    for text in [#"{"stride":0}"#, "nonsense", #"{"averagedWindowCount":-1}"#] {
      metadata.userDefined["org.kinema.rules"] = text
      #expect(
        ActionRecognizer(classifier: try MotionModel.classifier(metadata: metadata)).rules
          == ActionRecognizer.Rules())
    }
    metadata.userDefined["org.kinema.rules"] = #"{"averagedWindowCount":2}"#
    let partial = ActionRecognizer(classifier: try MotionModel.classifier(metadata: metadata)).rules
    #expect(partial.averagedWindowCount == 2 && partial.stride == 10)
  }
}
