import Foundation
import KinemaAction
import KinemaModelFiles
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
  @Test("a window is read in the course of those before it")
  func course() throws {
    var rules = ActionRecognizer.Rules()
    let heights: [Float] = [1, 1, 0.4, 1, 1]
    let single = try predictions(heights, rules: rules)
    #expect(single.contains { $0.topLabel == "down" })
    rules.readsCourse = true
    let course = try predictions(heights, rules: rules)
    #expect(course.allSatisfy { $0.label == "up" })
    #expect(course.allSatisfy { abs($0.confidence - ($0.distribution["up"] ?? 0)) < 1e-9 })
    // The network's output for the window alone is still reported.
    #expect(course.map(\.probabilities) == single.map(\.probabilities))
  }

  @Test("a model may say how its windows are read in their course, within bounds")
  func ownCourse() throws {
    var rules = ActionRecognizer.Rules()
    rules.readsCourse = true
    let heights: [Float] = [1, 1, 0.4, 1, 1]
    #expect(try predictions(heights, rules: rules).allSatisfy { $0.label == "up" })
    // Windows that count for more change the label sooner.
    var course = ActionDecoder.Course()
    (course.live.independence, course.live.costs.edge, course.live.costs.change) = (60, 0.1, 0.1)
    course.live.leastDuration = 0.3
    rules.course = course
    #expect(try predictions(heights, rules: rules).contains { $0.label == "down" })

    func rulesInModel(_ rules: ActionRecognizer.Rules) throws -> ActionRecognizer.Rules {
      var metadata = ModelMetadata()
      try metadata.ask(for: rules)
      return ActionRecognizer.Rules(
        of: try MotionModel.classifier(windowSize: 30, metadata: metadata))
    }
    #expect(try rulesInModel(rules).course == course)
    rules.course?.file.longestPart = 1e9
    #expect(try rulesInModel(rules) == ActionRecognizer.Rules())
    rules.course = course
    rules.course?.live.confusion = -1
    #expect(try rulesInModel(rules) == ActionRecognizer.Rules())
    rules.course = course
    rules.course?.live.windowShare = 0.5
    #expect(try rulesInModel(rules) == rules)
    rules.course?.live.windowShare = 1.5
    #expect(try rulesInModel(rules) == ActionRecognizer.Rules())
    rules.course = course
    rules.course?.live.recentShare = 0.5
    #expect(try rulesInModel(rules) == rules)
    rules.course?.live.recentShare = -0.1
    #expect(try rulesInModel(rules) == ActionRecognizer.Rules())
  }

  @Test("the course begins again after a window without a person")
  func courseAfterNobody() throws {
    var rules = ActionRecognizer.Rules()
    rules.readsCourse = true
    var recognizer = ActionRecognizer(
      classifier: try MotionModel.classifier(windowSize: 30), rules: rules)
    var found: [ActionPrediction] = []
    for index in 0..<150 {
      let isThere = index < 60 || index >= 120
      let pose = MotionModel.pose(wristHeight: index < 60 ? 1 : 0)
      found += try recognizer.add(isThere ? pose : nil, at: Double(index) / 30)
    }
    // The first window that shows the person again.
    let first = found.drop { $0.status != .noPerson }.first { $0.status != .noPerson }
    #expect(first?.topLabel == "down")
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
    rules.readsCourse = true
    rules.wholes = ["push_ups": "burpees"]
    rules.groups = ["raises": ["front_raises", "lateral_raises"]]
    rules.broadGroups = ["on_feet": ["front_raises", "lateral_raises", "squats"]]
    var metadata = ModelMetadata()
    try metadata.ask(for: rules)
    let classifier = try MotionModel.classifier(metadata: metadata)
    #expect(ActionRecognizer(classifier: classifier).rules == rules)
    for text in [#"{"stride":0}"#, "nonsense", #"{"confidenceThreshold":-1}"#] {
      metadata.userDefined["org.kinema.rules"] = text
      #expect(
        ActionRecognizer(classifier: try MotionModel.classifier(metadata: metadata)).rules
          == ActionRecognizer.Rules())
    }
    // A model of an earlier version asks for the mean of several windows.
    metadata.userDefined["org.kinema.rules"] = #"{"averagedWindowCount":3}"#
    let partial = ActionRecognizer(classifier: try MotionModel.classifier(metadata: metadata)).rules
    #expect(partial.readsCourse && partial.stride == 10)
  }
}
