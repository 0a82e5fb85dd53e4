import Foundation
import KinemaAction
import KinemaErrors
import KinemaRandom
import KinemaTestSupport
import Testing

@Suite("Damaged models")
struct DamagedModelTests {
  @Test("2,700 small models with seeded damage load and predict, or fail with one error")
  func small() throws {
    let bases = try TinyGraph.files()
    var outcome = Outcome()
    for seed in 0..<2700 {
      var generator = SeededGenerator(seed: UInt64(seed))
      outcome.add(try attempt(damage(bases[seed % bases.count], using: &generator)))
    }
    // Both ways are well trodden.
    #expect(outcome.refused > 500)
    #expect(outcome.predicted > 500)
  }

  @Test(
    "300 real models with seeded damage load and predict, or fail with one error",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func real() throws {
    let names = ["drv_handpose_oksign_lin1", "drv_apple_playerthrow_lut4", "juggling_T15"]
    let bases = try names.map {
      Array(try Data(contentsOf: SharedData.url("models/\($0).mlmodel")))
    }
    var outcome = Outcome()
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(10_000 + seed))
      // Most of a real model is weights: the large ones are hit where their structure is.
      let base = seed % 10 == 0 ? bases[1 + seed / 10 % 2] : bases[0]
      outcome.add(
        try attempt(
          damage(base, within: seed % 2 == 0 ? base.count : 6000, using: &generator)))
    }
    #expect(outcome.refused > 50)
    #expect(outcome.predicted > 20)
  }

  private struct Outcome {
    var refused = 0
    var predicted = 0

    mutating func add(_ didPredict: Bool) {
      if didPredict { predicted += 1 } else { refused += 1 }
    }
  }

  /// Loads and predicts; every failure must be an ``ActionError`` with a sentence.
  private func attempt(_ bytes: [UInt8]) throws -> Bool {
    do {
      let classifier = try ActionClassifier(bytes, name: "damaged.mlmodel")
      let count = classifier.windowSize * 3 * classifier.joints.count
      let prediction = try classifier.predict([Float](repeating: 0.25, count: count))
      #expect(prediction.probabilities.count == classifier.labels.count)
      return true
    } catch let error as ActionError {
      #expect(!error.message.isEmpty)
      return false
    }
  }

  /// Flips bits, cuts pieces out, doubles pieces or inserts noise, one to three times.
  private func damage(
    _ base: [UInt8], within limit: Int? = nil, using generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = base
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let end = min(limit ?? bytes.count, bytes.count)
      guard end > 0 else { break }
      let position = Int.random(in: 0..<end, using: &generator)
      let length = Int.random(in: 1...16, using: &generator)
      let piece = position..<min(position + length, bytes.count)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 5: bytes[position] = UInt8.random(in: 0...255, using: &generator)
      case 6: bytes.removeSubrange(piece)
      case 7: bytes.insert(contentsOf: bytes[piece], at: position)
      case 8:
        bytes.insert(
          contentsOf: (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) },
          at: position)
      default: bytes.removeSubrange(position...)
      }
    }
    return bytes
  }
}
