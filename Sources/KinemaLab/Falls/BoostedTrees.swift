import Foundation
import KinemaRandom
import KinemaWatch

/// Learns a ``FallModel``: one small tree after the other, each where those before are wrong.
///
/// Gradient boosting with a logistic loss and second-order leaves (Friedman, Annals of Statistics 29,
/// 2001; Chen and Guestrin, *XGBoost*, KDD 2016, §2.2); limits are quantiles of the signs.
struct BoostedTrees {
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
  /// The number of steps between which limits are.
  var stepCount = 16
  var seed: UInt64 = 1

  private typealias Sums = (gradient: Float, curvature: Float)

  func fit(_ examples: [FallClip.Example]) -> FallModel {
    var generator = SeededGenerator(seed: seed)
    let signCount = FallSigns.Sign.allCases.count
    let limits = (0..<signCount).map { self.limits(of: examples.map(\.signs.values), $0) }
    let steps: [[Int]] = examples.map { example in
      (0..<signCount).map { sign in
        limits[sign].firstIndex { example.signs.values[sign] < $0 } ?? limits[sign].count
      }
    }
    let weight = examples.reduce(Float(0)) { $0 + $1.weight }
    let share =
      examples.filter(\.isFall).reduce(Float(0)) { $0 + $1.weight } / max(weight, 1)
    let clipped = min(max(share, 1e-3), 1 - 1e-3)
    var model = FallModel(bias: log(clipped / (1 - clipped)), trees: [])
    var scores = [Float](repeating: model.bias, count: examples.count)
    for _ in 0..<treeCount {
      let slopes = zip(examples, scores).map { example, score -> Sums in
        let chance = 1 / (1 + exp(-score))
        return (
          example.weight * ((example.isFall ? 1 : 0) - chance),
          example.weight * chance * (1 - chance)
        )
      }
      let chosen = examples.indices.filter { _ in generator.chance(exampleShare) }
      let signs = (0..<signCount).filter { _ in generator.chance(signShare) }
      let tree = self.tree(of: chosen, signs, slopes, steps, limits)
      model.trees.append(tree)
      for index in examples.indices { scores[index] += tree.value(of: examples[index].signs) }
    }
    return model
  }

  private func limits(of values: [[Float]], _ sign: Int) -> [Float] {
    let sorted = values.map { $0[sign] }.sorted()
    guard !sorted.isEmpty else { return [] }
    let quantiles = (1..<stepCount).map { sorted[$0 * (sorted.count - 1) / stepCount] }
    return Set(quantiles).sorted()
  }

  private func tree(
    of chosen: [Int], _ signs: [Int], _ slopes: [Sums], _ steps: [[Int]], _ limits: [[Float]]
  ) -> FallModel.Tree {
    var tree = FallModel.Tree(signs: [], limits: [], leaves: [])
    var nodes = [chosen]
    for _ in 0..<depth {
      nodes = nodes.flatMap { members -> [[Int]] in
        guard let split = self.split(members, signs, slopes, steps, limits) else {
          // Everybody goes one way.
          tree.signs.append(FallSigns.Sign.allCases[0])
          tree.limits.append(.greatestFiniteMagnitude)
          return [members, []]
        }
        tree.signs.append(FallSigns.Sign.allCases[split.sign])
        tree.limits.append(limits[split.sign][split.step])
        return [
          members.filter { steps[$0][split.sign] <= split.step },
          members.filter { steps[$0][split.sign] > split.step },
        ]
      }
    }
    tree.leaves = nodes.map { members in
      let sums = self.sums(members, slopes)
      return rate * sums.gradient / (sums.curvature + ridge)
    }
    return tree
  }

  /// The sign and the limit that separate best.
  private func split(
    _ members: [Int], _ signs: [Int], _ slopes: [Sums], _ steps: [[Int]], _ limits: [[Float]]
  ) -> (sign: Int, step: Int)? {
    let all = sums(members, slopes)
    func gain(_ part: Sums) -> Float { part.gradient * part.gradient / (part.curvature + ridge) }
    var best: (sign: Int, step: Int)?
    var highest = gain(all) + 1e-5
    for sign in signs where !limits[sign].isEmpty {
      var histogram = [Sums](repeating: (0, 0), count: limits[sign].count + 1)
      for member in members {
        histogram[steps[member][sign]].gradient += slopes[member].gradient
        histogram[steps[member][sign]].curvature += slopes[member].curvature
      }
      var below: Sums = (0, 0)
      for step in limits[sign].indices {
        below.gradient += histogram[step].gradient
        below.curvature += histogram[step].curvature
        let above = (all.gradient - below.gradient, all.curvature - below.curvature)
        guard below.curvature >= leastWeight, above.1 >= leastWeight else { continue }
        let sum = gain(below) + gain(above)
        if sum > highest { (highest, best) = (sum, (sign, step)) }
      }
    }
    return best
  }

  private func sums(_ members: [Int], _ slopes: [Sums]) -> Sums {
    members.reduce((0, 0)) { sums, member in
      (sums.gradient + slopes[member].gradient, sums.curvature + slopes[member].curvature)
    }
  }
}
