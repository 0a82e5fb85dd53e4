import Foundation
import KinemaNetwork
import Testing

@Suite("Decision forests")
struct DecisionForestTests {
  /// One tree of two decisions in a row, with two outputs.
  private static func forest(_ scale: Float = 1) -> DecisionForest {
    let tree = DecisionForest.Tree(
      signs: [0, 1, 0], limits: [0.5, 2, 9], leaves: [1, 0, 2, 0, 3, 0, 4, 10].map { $0 * scale })
    return DecisionForest(signs: ["near", "far"], bias: [0, -1], trees: [tree, tree])
  }

  @Test("scores are the sum of the leaves; a number that reaches the limit goes to the right")
  func scores() {
    let forest = Self.forest()
    #expect(forest.scores(of: [0, 0]) == [2, -1])
    #expect(forest.scores(of: [0, 2]) == [4, -1])
    #expect(forest.scores(of: [0.5, 0]) == [6, -1])
    #expect(forest.scores(of: [9, 0]) == [8, 19])
  }

  @Test("the mean of forests scores as they do on average")
  func mean() {
    let mean = DecisionForest.mean(of: [Self.forest(), Self.forest(3)])
    #expect(mean.scores(of: [9, 0]) == [16, 39])
    #expect(mean.isWhole(signs: ["near", "far"], outputCount: 2))
  }

  @Test("a file with other signs, too few leaves or numbers that are none is not whole")
  func wholeness() throws {
    let forest = Self.forest()
    let read = try JSONDecoder().decode(DecisionForest.self, from: forest.stableJSON)
    #expect(read == forest && read.isWhole(signs: ["near", "far"], outputCount: 2))
    #expect(!forest.isWhole(signs: ["far", "near"], outputCount: 2))
    #expect(!forest.isWhole(signs: ["near", "far"], outputCount: 1))
    var damaged = forest
    damaged.trees[1].leaves.removeLast()
    #expect(!damaged.isWhole(signs: ["near", "far"], outputCount: 2))
    damaged = forest
    damaged.trees[0].signs[2] = 2
    #expect(!damaged.isWhole(signs: ["near", "far"], outputCount: 2))
    damaged = forest
    damaged.bias[0] = .nan
    #expect(!damaged.isWhole(signs: ["near", "far"], outputCount: 2))
  }

  @Test(
    "the numbers stand in a file as 16-bit integers and floats, little-endian, in base64; a cut one is refused"
  )
  func file() throws {
    let forest = DecisionForest(
      signs: ["near"], bias: [0.25],
      trees: [.init(signs: [258], limits: [1], leaves: [-2, 0.1])])
    let text = try String(decoding: forest.stableJSON, as: UTF8.self)
    #expect(
      text == """
        {"bias":[0.25],"signs":["near"],"trees":[{"leaves":"AAAAwM3MzD0=","limits":"AACAPw==","signs":"AgE="}]}

        """)
    let cut = text.replacing("AACAPw==", with: "AACA")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DecisionForest.self, from: Data(cut.utf8))
    }
  }
}
