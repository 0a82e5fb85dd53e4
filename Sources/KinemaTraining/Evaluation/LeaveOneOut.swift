import Foundation

/// How models that were trained without some of the takes classify those: what can be said about
/// a model from few takes.
///
/// Takes of one person are left out together where the data name several people.
public struct LeaveOneOut: Codable, Hashable, Sendable {
  /// The takes that were left out, by their label and the one predicted.
  public internal(set) var takes: ConfusionMatrix
  /// The temperature, at least 1, with the smallest log loss on their windows.
  public internal(set) var temperature = 1.0

  package init(takes: ConfusionMatrix) {
    self.takes = takes
  }

  /// The 95 % interval of the share of right takes (Wilson, 1927); `nil` without takes.
  public var interval: ClosedRange<Double>? {
    let count = Double(takes.total)
    guard count > 0 else { return nil }
    let squared = 1.96 * 1.96
    let share = takes.accuracy
    let middle = (share + squared / (2 * count)) / (1 + squared / count)
    let reach =
      (share * (1 - share) * squared / count + squared * squared / (4 * count * count)).squareRoot()
      / (1 + squared / count)
    return max(0, middle - reach)...min(1, middle + reach)
  }

  /// The two labels that are confused most often, in either direction; `nil` without a mistake.
  public var confused: (first: String, second: String, count: Int)? {
    var worst: (first: Int, second: Int, count: Int)?
    for first in takes.labels.indices {
      for second in takes.labels.indices where second > first {
        let count = takes.counts[first][second] + takes.counts[second][first]
        if count > worst?.count ?? 0 { worst = (first, second, count) }
      }
    }
    return worst.map { (takes.labels[$0.first], takes.labels[$0.second], $0.count) }
  }

  /// Parts of takes to leave out in turn: of each class about one in as many as there are.
  ///
  /// - Parameter groups: Of each take its label, and the number of its person or itself.
  /// - Returns: Indices of takes; a group is in one part, and no part has all groups of a class.
  package static func parts(_ groups: [(label: Int, group: Int)]) -> [[Int]] {
    let byLabel = Dictionary(grouping: groups.indices) { groups[$0].label }
    func order(_ label: Int) -> [Int] {
      Set((byLabel[label] ?? []).map { groups[$0].group }).sorted()
    }
    let most = byLabel.keys.map { order($0).count }.max() ?? 0
    let partCount = min(most, Self.largestPartCount)
    guard partCount >= 2 else { return [] }
    return (0..<partCount).map { part in
      groups.indices.filter { index in
        let order = order(groups[index].label)
        guard order.count >= 2, let place = order.firstIndex(of: groups[index].group) else {
          return false
        }
        return place % partCount == part
      }
    }.filter { !$0.isEmpty }
  }

  /// More trainings would take too long.
  private static let largestPartCount = 3
}
