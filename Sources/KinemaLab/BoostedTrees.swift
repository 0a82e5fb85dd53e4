import Foundation
import KinemaNetwork
import KinemaRandom

/// Learns a ``DecisionForest``: one small tree after the other, each where those before are wrong.
///
/// Gradient boosting with a logistic loss, of several outputs with that of a softmax, and second-order
/// leaves (Friedman, Annals of Statistics 29, 2001; Chen and Guestrin, *XGBoost*, KDD 2016, §2.2); limits
/// are quantiles of the signs. A tree of several outputs decides for all of them.
struct BoostedTrees {
  struct Example {
    /// A number for each sign.
    let values: [Float]
    /// Of a single output, whether it is one (1) or not (0); else which output is right.
    let target: Int
    var weight: Float
  }

  var treeCount = 80
  /// The number of decisions in a row.
  var depth = 3
  var rate: Float = 0.1
  /// What is added to the weight of a leaf, and the least weight on each side of a limit.
  var ridge: Float = 5
  var leastWeight: Float = 0.2
  /// The shares of the examples and of the signs that a tree is made from.
  var exampleShare: Float = 0.7
  var signShare: Float = 0.6
  /// The number of steps between which limits are, at most 256.
  var stepCount = 16
  var seed: UInt64 = 1

  /// A value for each output.
  private typealias Row = SIMD16<Float>
  private typealias Sums = (gradient: Row, curvature: Row)

  /// - Parameters:
  ///   - signs: The names of the numbers of an example.
  ///   - outputCount: At most 16.
  func fit(_ examples: [Example], signs names: [String], outputCount: Int = 1) -> DecisionForest {
    precondition((1...Row.scalarCount).contains(outputCount), "There are 1 to 16 outputs.")
    var generator = SeededGenerator(seed: seed)
    let limits = names.indices.map { self.limits(of: examples, $0) }
    let steps: [[UInt8]] = names.indices.map { sign in
      examples.map { example in
        let step = limits[sign].firstIndex { example.values[sign] < $0 } ?? limits[sign].count
        return UInt8(clamping: step)
      }
    }
    var forest = DecisionForest(
      signs: names, bias: Self.bias(of: examples, outputCount), trees: [])
    var scores = [Row](repeating: Self.row(forest.bias), count: examples.count)
    for _ in 0..<treeCount {
      let slopes = zip(examples, scores).map { Self.slopes(of: $0, $1, outputCount) }
      let chosen = examples.indices.filter { _ in generator.chance(exampleShare) }
      let signs = names.indices.filter { _ in generator.chance(signShare) }
      let tree = self.tree(of: chosen, signs, slopes, steps, limits, outputCount)
      forest.trees.append(tree)
      for index in examples.indices {
        let start = tree.leaf(of: examples[index].values) * outputCount
        scores[index] += Self.row(tree.leaves[start..<(start + outputCount)])
      }
    }
    return forest
  }

  private static func row(_ values: some Sequence<Float>) -> Row {
    var row = Row()
    for (place, value) in values.enumerated() { row[place] = value }
    return row
  }

  /// The scores of everybody: the logarithms of the odds, or of the shares.
  private static func bias(of examples: [Example], _ outputCount: Int) -> [Float] {
    let weight = max(examples.reduce(0) { $0 + $1.weight }, 1)
    func share(_ target: Int) -> Float {
      let part = examples.reduce(0) { $0 + ($1.target == target ? $1.weight : 0) }
      return min(max(part / weight, 1e-3), 1 - 1e-3)
    }
    guard outputCount == 1 else { return (0..<outputCount).map { log(share($0)) } }
    return [log(share(1) / (1 - share(1)))]
  }

  private static func slopes(of example: Example, _ score: Row, _ outputCount: Int) -> Sums {
    var (chances, truth) = (Row(), Row())
    if outputCount == 1 {
      chances[0] = 1 / (1 + exp(-score[0]))
      truth[0] = Float(example.target)
    } else {
      let highest = (0..<outputCount).reduce(-Float.infinity) { max($0, score[$1]) }
      for output in 0..<outputCount { chances[output] = exp(score[output] - highest) }
      chances /= chances.sum()
      truth[example.target] = 1
    }
    return (example.weight * (truth - chances), example.weight * chances * (1 - chances))
  }

  private func limits(of examples: [Example], _ sign: Int) -> [Float] {
    let sorted = examples.map { $0.values[sign] }.sorted()
    guard !sorted.isEmpty else { return [] }
    let quantiles = (1..<stepCount).map { sorted[$0 * (sorted.count - 1) / stepCount] }
    return Set(quantiles).sorted()
  }

  private func tree(
    of chosen: [Int], _ signs: [Int], _ slopes: [Sums], _ steps: [[UInt8]], _ limits: [[Float]],
    _ outputCount: Int
  ) -> DecisionForest.Tree {
    var tree = DecisionForest.Tree(signs: [], limits: [], leaves: [])
    var nodes = [chosen]
    for _ in 0..<depth {
      nodes = nodes.flatMap { members -> [[Int]] in
        guard let split = self.split(members, signs, slopes, steps, limits) else {
          // Everybody goes one way.
          tree.signs.append(0)
          tree.limits.append(.greatestFiniteMagnitude)
          return [members, []]
        }
        tree.signs.append(split.sign)
        tree.limits.append(limits[split.sign][split.step])
        return [
          members.filter { steps[split.sign][$0] <= split.step },
          members.filter { steps[split.sign][$0] > split.step },
        ]
      }
    }
    tree.leaves = nodes.flatMap { members in
      let sums = self.sums(members, slopes)
      let leaf = rate * sums.gradient / (sums.curvature + ridge)
      return (0..<outputCount).map { leaf[$0] }
    }
    return tree
  }

  /// The sign and the limit that separate best.
  private func split(
    _ members: [Int], _ signs: [Int], _ slopes: [Sums], _ steps: [[UInt8]], _ limits: [[Float]]
  ) -> (sign: Int, step: Int)? {
    let all = sums(members, slopes)
    func gain(_ part: Sums) -> Float {
      (part.gradient * part.gradient / (part.curvature + ridge)).sum()
    }
    var best: (sign: Int, step: Int)?
    var highest = gain(all) + 1e-5
    for sign in signs where !limits[sign].isEmpty {
      var histogram = [Sums](repeating: (Row(), Row()), count: limits[sign].count + 1)
      let own = steps[sign]
      for member in members {
        let step = Int(own[member])
        histogram[step].gradient += slopes[member].gradient
        histogram[step].curvature += slopes[member].curvature
      }
      var below: Sums = (Row(), Row())
      for step in limits[sign].indices {
        below.gradient += histogram[step].gradient
        below.curvature += histogram[step].curvature
        let above = (all.gradient - below.gradient, all.curvature - below.curvature)
        guard below.curvature.sum() >= leastWeight, above.1.sum() >= leastWeight else { continue }
        let sum = gain(below) + gain(above)
        if sum > highest { (highest, best) = (sum, (sign, step)) }
      }
    }
    return best
  }

  private func sums(_ members: [Int], _ slopes: [Sums]) -> Sums {
    members.reduce((Row(), Row())) { sums, member in
      (sums.gradient + slopes[member].gradient, sums.curvature + slopes[member].curvature)
    }
  }
}

extension DecisionForest {
  /// The same with leaves in thousandths, for a small file.
  var shortened: DecisionForest {
    var forest = self
    for tree in forest.trees.indices {
      forest.trees[tree].leaves = forest.trees[tree].leaves.map { ($0 * 1000).rounded() / 1000 }
    }
    return forest
  }
}
