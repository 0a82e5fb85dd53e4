import Foundation
import KinemaAction
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Several hands, or people, at a time")
struct ActionRecognizerGroupTests {
  private func group(windowSize: Int) throws -> ActionRecognizerGroup {
    ActionRecognizerGroup(
      ActionRecognizer(classifier: try MotionModel.classifier(windowSize: windowSize)))
  }

  private func pose(_ height: Float, id: Int?) -> Pose {
    var pose = MotionModel.pose(wristHeight: height)
    pose.personID = id
    pose.chirality = id == 1 ? .left : .right
    return pose
  }

  @Test("each has windows of its own, with its id and its side")
  func separate() throws {
    var group = try group(windowSize: 30)
    var alone = ActionRecognizer(classifier: try MotionModel.classifier(windowSize: 30))
    var predictions: [ActionPrediction] = []
    var expected: [ActionPrediction] = []
    for index in 0..<60 {
      let poses = [pose(0.9, id: 1)] + (index >= 20 ? [pose(0.1, id: 7)] : [])
      predictions += try group.add(poses, at: Double(index) / 30)
      expected += try alone.add(poses[0], at: Double(index) / 30)
    }
    predictions += try group.finish()
    expected += try alone.finish()
    #expect(predictions.filter { $0.personID == 1 } == expected)
    let other = predictions.filter { $0.personID == 7 }
    #expect(other.map { Int(($0.timeRange.lowerBound * 30).rounded()) } == [20, 30])
    #expect(other.allSatisfy { $0.chirality == .right })
    #expect(other.first?.topLabel != expected.first?.topLabel)
  }

  @Test("who is gone for long is let go, and windows that hardly show anybody are left out")
  func absence() throws {
    var group = try group(windowSize: 30)
    var predictions: [ActionPrediction] = []
    for index in 0..<300 {
      let isThere = index < 45 || (120..<125).contains(index)
      predictions += try group.add(
        isThere ? [pose(0.9, id: 1)] : [], at: Double(index) / 30)
    }
    predictions += try group.finish()
    #expect(predictions.allSatisfy { $0.status != .noPerson })
    #expect(
      predictions.map { Int(($0.timeRange.lowerBound * 30).rounded()) } == [0, 10, 20])
  }

  @Test("those without an id count by their place, as in a picture")
  func withoutIdentifiers() throws {
    var group = try group(windowSize: 1)
    let predictions = try group.add([pose(0.9, id: nil), pose(0.1, id: nil)], at: 0)
    #expect(predictions.map(\.personID) == [1, 2])
  }

  @Test("a model of single frames sees each frame as it comes, whatever the rate")
  func singleFrames() throws {
    var group = try group(windowSize: 1)
    let times = [0, 0.01, 0.02, 0.9, 0.91]
    let predictions = try times.flatMap { try group.add([pose(0.9, id: 1)], at: $0) }
    #expect(predictions.map(\.timeRange.lowerBound) == times)
    #expect(try group.finish().isEmpty)
  }
}
