package import Foundation
import KinemaFiles

/// Scores how much the signs of a fall are those of one: the sum of many small decision trees.
///
/// The trees are learned from real falls (`kinema bench falls --fit`) by boosting with a logistic loss
/// (Friedman, *Greedy function approximation: a gradient boosting machine*, Annals of Statistics 29,
/// 2001).
package struct FallModel: Hashable, Codable, Sendable {
  /// A complete binary tree: node `n` is followed by `2n + 1`, or by `2n + 2` where the sign reaches the
  /// limit; after the nodes come the leaves.
  package struct Tree: Hashable, Codable, Sendable {
    package var signs: [FallSigns.Sign]
    package var limits: [Float]
    package var leaves: [Float]

    package init(signs: [FallSigns.Sign], limits: [Float], leaves: [Float]) {
      (self.signs, self.limits, self.leaves) = (signs, limits, leaves)
    }

    /// Whether it is complete.
    fileprivate var isWhole: Bool {
      signs.count == limits.count && leaves.count == signs.count + 1
        && leaves.count & signs.count == 0 && (limits + leaves).allSatisfy(\.isFinite)
    }

    package func value(of signs: FallSigns) -> Float {
      var node = 0
      while node < limits.count {
        node = 2 * node + (signs[self.signs[node]] >= limits[node] ? 2 : 1)
      }
      return leaves[node - limits.count]
    }
  }

  /// What is added to the values of the trees.
  package var bias: Float
  package var trees: [Tree]

  package init(bias: Float, trees: [Tree]) { (self.bias, self.trees) = (bias, trees) }

  /// The logarithm of the odds of a fall, moved so that it is above 0 where a fall is reported.
  package func score(_ signs: FallSigns) -> Float {
    trees.reduce(bias) { $0 + $1.value(of: signs) }
  }

  package func isFall(_ signs: FallSigns) -> Bool { score(signs) > 0 }

  // MARK: - Files

  /// The file of the model that comes with Kinema.
  package static let fileName = "Falls.json"

  /// The model that comes with Kinema.
  ///
  /// - Throws: ``WatchError`` where its file is missing or damaged.
  package static var builtIn: FallModel {
    get throws(WatchError) {
      guard let url = InstalledResource(fileName).located() else {
        throw WatchError(
          .notFound, "\(fileName), which comes with Kinema, is missing; install Kinema again.")
      }
      return try FallModel(contentsOf: url)
    }
  }

  /// Reads a model; throws ``WatchError`` where the file is none.
  package init(contentsOf url: URL) throws(WatchError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    } catch {
      throw WatchError(
        .malformed, "\(url.path) is not a model of falls; make it with kinema bench falls --fit.")
    }
    guard bias.isFinite, trees.allSatisfy(\.isWhole) else {
      throw WatchError(
        .malformed,
        "\(url.path) has a tree that is not whole; make it with kinema bench falls --fit.")
    }
  }

  /// The bytes of its file.
  package var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }
}
