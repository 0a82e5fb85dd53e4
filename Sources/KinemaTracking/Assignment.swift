/// The optimal assignment of tracks to detections.
package enum Assignment {
  /// The cost above all others: such a pair is never chosen.
  private static let never = 1e9

  /// Assigns each row at most one column so that the sum of costs is least.
  ///
  /// Solved by shortest augmenting paths (Kuhn, *The Hungarian method*, 1955; Jonker and Volgenant,
  /// 1987) in O(rows² · columns).
  ///
  /// - Parameters:
  ///   - costs: The cost of each pair, by row and column; infinite for impossible ones.
  ///   - missing: The cost of a row without a column.
  ///   - new: The cost of a column without a row.
  /// - Returns: The column of each row; `nil` for none.
  package static func solve<Cost: BinaryFloatingPoint>(
    _ costs: [[Cost]], missing: Cost, new: Cost = 0
  ) -> [Int?] {
    let (rows, columns) = (costs.count, costs.first?.count ?? 0)
    guard rows > 0, columns > 0 else { return Array(repeating: nil, count: rows) }
    // Each row has a column of its own for "missing", which keeps the problem feasible.
    let table = costs.enumerated().map { row, line in
      line.map { $0.isFinite ? Double($0 - new) : never }
        + (0..<rows).map { $0 == row ? Double(missing) : never }
    }
    return columnsOfRows(table).enumerated().map { row, column in
      column < columns && costs[row][column].isFinite ? column : nil
    }
  }

  /// Assigns as many rows as possible so that the sum of weights, from 0, is largest.
  ///
  /// - Returns: The column of each row; `nil` for none.
  package static func largest(_ weights: [[Double]]) -> [Int?] {
    solve(weights.map { $0.map { -$0 } }, missing: 1)
  }

  /// The column of each row of a table with at least as many columns as rows.
  private static func columnsOfRows(_ costs: [[Double]]) -> [Int] {
    let (rows, columns) = (costs.count, costs[0].count)
    var rowPrices = [Double](repeating: 0, count: rows)
    // The last column is where each augmenting path starts.
    var columnPrices = [Double](repeating: 0, count: columns + 1)
    var owners = [Int?](repeating: nil, count: columns + 1)
    for row in 0..<rows {
      owners[columns] = row
      var current = columns
      var distances = [Double](repeating: .infinity, count: columns)
      var previous = [Int](repeating: columns, count: columns)
      var isVisited = [Bool](repeating: false, count: columns + 1)
      while let owner = owners[current] {
        isVisited[current] = true
        var (step, next) = (Double.infinity, current)
        for column in 0..<columns where !isVisited[column] {
          let distance = costs[owner][column] - rowPrices[owner] - columnPrices[column]
          if distance < distances[column] {
            (distances[column], previous[column]) = (distance, current)
          }
          if distances[column] < step { (step, next) = (distances[column], column) }
        }
        for column in 0...columns {
          if isVisited[column], let owner = owners[column] {
            rowPrices[owner] += step
            columnPrices[column] -= step
          } else if column < columns {
            distances[column] -= step
          }
        }
        current = next
      }
      while current != columns {
        owners[current] = owners[previous[current]]
        current = previous[current]
      }
    }
    var result = [Int](repeating: columns, count: rows)
    for column in 0..<columns { if let owner = owners[column] { result[owner] = column } }
    return result
  }
}
