import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("Calibration")
struct CalibrationTests {
  @Test("the expected calibration error is that worked out by hand")
  func expectedError() {
    // With two bins: ]0, 0.5] holds 0.4 and 0.5 (one right), ]0.5, 1] holds 0.9, 0.9, 0.6 (two).
    let calibration = Calibration(
      confidences: [0.4, 0.5, 0.9, 0.9, 0.6], isCorrect: [true, false, true, false, true],
      binCount: 2)
    #expect(calibration.bins.map(\.count) == [2, 3])
    #expect(calibration.bins[0].accuracy == 0.5)
    #expect(abs((calibration.bins[0].confidence ?? 0) - 0.45) < 1e-12)
    let (lower, upper) = (abs(0.5 - 0.45), abs(2.0 / 3 - 0.8))
    let expected = 0.4 * lower + 0.6 * upper
    #expect(abs(calibration.expectedError - expected) < 1e-12)
  }

  @Test("a calibrated classifier has no error, and no predictions have none")
  func perfect() {
    let calibration = Calibration(
      confidences: [0.5, 0.5, 1, 1], isCorrect: [true, false, true, true])
    #expect(calibration.bins.count == 15)
    #expect(calibration.expectedError == 0)
    #expect(Calibration(confidences: [], isCorrect: []).expectedError == 0)
  }

  /// Scores whose probabilities are right as often as they say, times a factor.
  private func samples(factor: Float) -> (logits: [[Float]], labels: [Int]) {
    var logits: [[Float]] = []
    var labels: [Int] = []
    // p = k/10 for the first class, right k times of ten.
    for tenth in 1...9 {
      let score = log(Float(tenth) / Float(10 - tenth)) * factor
      for place in 0..<200 {
        logits.append([score, 0])
        labels.append(place % 10 < tenth ? 0 : 1)
      }
    }
    return (logits, labels)
  }

  @Test(
    "the temperature corrects an overconfident or underconfident classifier", arguments: [3, 0.5])
  func temperature(factor: Float) throws {
    let (logits, labels) = samples(factor: factor)
    // Groups deal every answer to both halves alike.
    let groups = labels.indices.map { $0 / 10 % 20 }
    let found = try #require(Temperature.fitted(to: logits, labels: labels, groups: groups))
    #expect(abs(found.value - Double(factor)) < 1e-3)
    #expect(found.logLossAfter < found.logLossBefore)
    let probabilities = logits.map { scores in
      let first = 1 / (1 + exp(-scores[0]))
      return [first, 1 - first]
    }
    let same = try #require(
      Temperature.fitted(toProbabilities: probabilities, labels: labels, groups: groups))
    #expect(abs(same.value - found.value) < 1e-3)
  }

  @Test("there is no temperature where the scores are right already, nor for one video")
  func noTemperature() {
    let (logits, labels) = samples(factor: 1)
    let groups = labels.indices.map { $0 / 10 % 20 }
    #expect(Temperature.fitted(to: logits, labels: labels, groups: groups) == nil)
    let one = [Int](repeating: 0, count: labels.count)
    #expect(Temperature.fitted(to: samples(factor: 3).logits, labels: labels, groups: one) == nil)
  }

  @Test("four videos of a class are too few for a temperature, and ten too few to sharpen")
  func fewVideos() {
    func fitted(_ factor: Float, groupCount: Int) -> Temperature? {
      let (logits, labels) = samples(factor: factor)
      return Temperature.fitted(
        to: logits, labels: labels, groups: labels.indices.map { $0 / 10 % groupCount })
    }
    #expect(fitted(3, groupCount: 4) == nil)
    #expect(fitted(3, groupCount: 10) != nil)
    #expect(fitted(0.5, groupCount: 10) == nil)
  }

  @Test("a class without a video has no temperature")
  func missingClass() {
    let logits: [[Float]] = Array(repeating: [2, 0], count: 60)
    #expect(Temperature.fitted(to: logits, labels: Array(repeating: 0, count: 60)) == nil)
  }

  @Test("data without mistakes gives a bounded temperature")
  func bounded() throws {
    let logits: [[Float]] = (0..<40).map { $0 % 2 == 0 ? [2, 0] : [0, 2] }
    let found = try #require(
      Temperature.fitted(to: logits, labels: (0..<40).map { $0 % 2 }))
    #expect(found.value == Temperature.range.lowerBound)
  }

  @Test("a model scaled by a temperature gives the softmax of the scores divided by it")
  func scaled() throws {
    let model = try WristModel.classifier()
    let scaled = try model.scaled(byTemperature: 2.5)
    let window = (0..<(4 * 54)).map { Float($0 % 7) / 9 }
    let before = try #require(try model.predict(window).logits)
    let after = try scaled.predict(window)
    for (old, new) in zip(before, try #require(after.logits)) {
      #expect(abs(old / 2.5 - new) < 1e-5)
    }
    let likeliest = try model.predict(window).mostLikely?.label
    #expect(after.mostLikely?.label == likeliest)
    #expect(scaled.information.layerCounts == model.information.layerCounts)
    #expect(scaled.labels == model.labels)
    #expect(scaled.frameRate == model.frameRate)
    #expect(throws: ActionError.self) { try model.scaled(byTemperature: 0) }
  }
}
