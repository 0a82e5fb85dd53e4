/// The one-to-one assignment of rows to columns with the largest sum of weights.
///
/// The Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987), in cubic time.
///
/// - Parameter weights: As many columns in each row.
/// - Returns: The column of each row; `nil` for rows beyond the number of columns.
func largestAssignment(_ weights: [[Double]]) -> [Int?] {
  guard let columnCount = weights.first?.count, columnCount > 0 else {
    return weights.map { _ in nil }
  }
  guard weights.count <= columnCount else {
    let transposed = (0..<columnCount).map { column in weights.map { $0[column] } }
    var columns = [Int?](repeating: nil, count: weights.count)
    for (column, row) in largestAssignment(transposed).enumerated() {
      if let row { columns[row] = column }
    }
    return columns
  }
  // Row and column 0 stand for "none"; costs are the negated weights.
  var rowPotentials = [Double](repeating: 0, count: weights.count + 1)
  var columnPotentials = [Double](repeating: 0, count: columnCount + 1)
  var rowOfColumn = [Int](repeating: 0, count: columnCount + 1)
  for row in 1...weights.count {
    rowOfColumn[0] = row
    var column = 0
    var slack = [Double](repeating: .infinity, count: columnCount + 1)
    var previous = [Int](repeating: 0, count: columnCount + 1)
    var isUsed = [Bool](repeating: false, count: columnCount + 1)
    repeat {
      isUsed[column] = true
      let current = rowOfColumn[column]
      var (step, next) = (Double.infinity, 0)
      for other in 1...columnCount where !isUsed[other] {
        let reduced =
          -weights[current - 1][other - 1] - rowPotentials[current] - columnPotentials[other]
        if reduced < slack[other] { (slack[other], previous[other]) = (reduced, column) }
        if slack[other] < step { (step, next) = (slack[other], other) }
      }
      for other in 0...columnCount {
        if isUsed[other] {
          rowPotentials[rowOfColumn[other]] += step
          columnPotentials[other] -= step
        } else {
          slack[other] -= step
        }
      }
      column = next
    } while rowOfColumn[column] != 0
    while column != 0 {
      rowOfColumn[column] = rowOfColumn[previous[column]]
      column = previous[column]
    }
  }
  var columns = [Int?](repeating: nil, count: weights.count)
  for column in 1...columnCount where rowOfColumn[column] > 0 {
    columns[rowOfColumn[column] - 1] = column - 1
  }
  return columns
}
