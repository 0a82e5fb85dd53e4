import Foundation
import KinemaNetwork
import Testing

@Suite("Merging")
struct MergingTests {
  private static let scores: [Float] = [0, 1, 2, -1]

  /// A network whose scores are its input.
  private static func graph(ending layer: any Layer) throws -> Graph {
    let identity = (0..<16).map { Float($0 % 5 == 0 ? 1 : 0) }
    return Graph(
      inputName: "x", inputShape: [1, 4],
      nodes: [
        Node(
          name: "scores",
          layer: try InnerProduct(inputChannels: 4, outputChannels: 4, weights: identity),
          inputs: ["x"], outputs: ["scores"]),
        Node(name: "y", layer: layer, inputs: ["scores"], outputs: ["y"]),
      ])
  }

  /// The sums over the parts of each class, from powers of the scores.
  private static func shares(_ powers: [Float]) -> [Float] {
    let sum = powers.reduce(0, +)
    return [powers[1], powers[0] + powers[2], powers[3]].map { $0 / sum }
  }

  private static func run(_ graph: Graph) throws -> [Float] {
    let result = try LayerRun.run(graph.nodes, on: scores, shape: [1, 4], output: "y")
    #expect(result.shape == [1, 3])
    return result.values
  }

  @Test("the probability of a class is the sum of those of its parts, under the same name")
  func sums() throws {
    let merged = try Self.graph(ending: Softmax(axis: 1)).merging([1, 0, 1, 2], into: 3)
    let expected = Self.shares(Self.scores.map { exp($0) })
    #expect(LayerRun.difference(try Self.run(merged), expected) < 1e-6)
  }

  @Test("a class that is four times as frequent as in training has four times the odds")
  func odds() throws {
    let merged = try Self.graph(ending: Softmax(axis: 1)).merging(
      [1, 0, 1, 2], into: 3, odds: [1: 4])
    let factors: [Float] = [4, 1, 4, 1]
    let expected = Self.shares(zip(Self.scores, factors).map { exp($0) * $1 })
    #expect(LayerRun.difference(try Self.run(merged), expected) < 1e-6)
  }

  @Test("sharper, many parts that are a little likely count less than one that is likely")
  func sharpness() throws {
    let graph = try Self.graph(ending: Softmax(axis: 1))
    let merged = try graph.merging([1, 0, 1, 2], into: 3, odds: [1: 4], sharpness: 2)
    let factors: [Float] = [4, 1, 4, 1]
    let expected = Self.shares(zip(Self.scores, factors).map { exp(2 * $0) * $1 })
    #expect(LayerRun.difference(try Self.run(merged), expected) < 1e-6)
  }

  @Test("a class that is not there, and a network without a softmax, are refused")
  func refusals() throws {
    let graph = try Self.graph(ending: Softmax(axis: 1))
    #expect(throws: NetworkError.self) { try graph.merging([0, 1, 2, 3], into: 3) }
    #expect(throws: NetworkError.self) { try graph.merging([0, 1, -1, 0], into: 3) }
    #expect(throws: NetworkError.self) { try graph.merging([0, 1, 2], into: 3) }
    let linear = try Self.graph(ending: Activation(.rectified))
    #expect(throws: NetworkError.self) { try linear.merging([0, 1, 2, 2], into: 3) }
  }
}
