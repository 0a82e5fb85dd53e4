package import Foundation

/// The sum of many small decision trees: scores from named numbers.
///
/// A tree is complete: node `n` is followed by `2n + 1`, or by `2n + 2` where the number reaches the limit;
/// after the nodes come the leaves, with a value for each output.
package struct DecisionForest: Hashable, Codable, Sendable {
  package struct Tree: Hashable, Codable, Sendable {
    /// For each node, which number it decides by, and the limit.
    package var signs: [Int]
    package var limits: [Float]
    /// A row of outputs for each leaf.
    package var leaves: [Float]

    package init(signs: [Int], limits: [Float], leaves: [Float]) {
      (self.signs, self.limits, self.leaves) = (signs, limits, leaves)
    }

    /// The leaf that the numbers lead to.
    package func leaf(of values: [Float]) -> Int {
      var node = 0
      while node < limits.count {
        node = 2 * node + (values[signs[node]] >= limits[node] ? 2 : 1)
      }
      return node - limits.count
    }

    /// Whether it is complete, and decides by one of `signCount` numbers.
    fileprivate func isWhole(signCount: Int, outputCount: Int) -> Bool {
      let leafCount = limits.count + 1
      return signs.count == limits.count && leafCount & limits.count == 0
        && leaves.count == leafCount * outputCount
        && signs.allSatisfy((0..<signCount).contains) && (limits + leaves).allSatisfy(\.isFinite)
    }
  }

  /// The names of the numbers, in their order.
  package let signs: [String]
  /// What is added to the sum of the trees: a value for each output.
  package var bias: [Float]
  package var trees: [Tree]

  package init(signs: [String], bias: [Float], trees: [Tree]) {
    (self.signs, self.bias, self.trees) = (signs, bias, trees)
  }

  /// A score for each output.
  ///
  /// - Parameter values: A number for each of ``signs``.
  package func scores(of values: [Float]) -> [Float] {
    var scores = bias
    for tree in trees {
      let start = tree.leaf(of: values) * scores.count
      for output in scores.indices { scores[output] += tree.leaves[start + output] }
    }
    return scores
  }

  /// Whether it takes the named numbers, gives so many outputs, and all its trees are complete.
  package func isWhole(signs: [String], outputCount: Int) -> Bool {
    self.signs == signs && bias.count == outputCount && bias.allSatisfy(\.isFinite)
      && trees.allSatisfy { $0.isWhole(signCount: signs.count, outputCount: outputCount) }
  }

  /// The forest whose scores are the mean of those of forests of the same numbers and outputs, of which
  /// there is at least one.
  package static func mean(of forests: [DecisionForest]) -> DecisionForest {
    let count = Float(forests.count)
    var mean = forests[0]
    for forest in forests.dropFirst() {
      mean.bias = zip(mean.bias, forest.bias).map { $0 + $1 }
    }
    mean.bias = mean.bias.map { $0 / count }
    mean.trees = forests.flatMap(\.trees).map { tree in
      Tree(signs: tree.signs, limits: tree.limits, leaves: tree.leaves.map { $0 / count })
    }
    return mean
  }
}

extension DecisionForest.Tree {
  private enum CodingKeys: String, CodingKey { case signs, limits, leaves }

  /// Reads the numbers as they are written: many thousands as texts would take a tenth of a second at each start.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func numbers<Bits: FixedWidthInteger>(_ key: CodingKeys, _: Bits.Type) throws -> [Bits] {
      let data = try container.decode(Data.self, forKey: key)
      let size = MemoryLayout<Bits>.size
      guard data.count.isMultiple(of: size) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "The last number is not whole.")
      }
      return data.withUnsafeBytes { bytes in
        (0..<data.count / size).map {
          Bits(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * size, as: Bits.self))
        }
      }
    }
    self.init(
      signs: try numbers(.signs, UInt16.self).map { Int($0) },
      limits: try numbers(.limits, UInt32.self).map { Float(bitPattern: $0) },
      leaves: try numbers(.leaves, UInt32.self).map { Float(bitPattern: $0) })
  }

  /// Writes the numbers in base64, little-endian: 16-bit integers, and floats of 32 bits.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func data(_ numbers: [some FixedWidthInteger]) -> Data {
      numbers.reduce(into: Data()) { data, number in
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
      }
    }
    try container.encode(data(signs.map { UInt16(clamping: $0) }), forKey: .signs)
    try container.encode(data(limits.map(\.bitPattern)), forKey: .limits)
    try container.encode(data(leaves.map(\.bitPattern)), forKey: .leaves)
  }
}

extension Encodable {
  /// Its JSON, the same for the same value, as it stands in a file.
  package var stableJSON: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }
}
