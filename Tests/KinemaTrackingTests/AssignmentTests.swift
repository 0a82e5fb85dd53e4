import KinemaTracking
import Testing

@Suite struct AssignmentTests {
  @Test("the sum of costs is least, not each cost")
  func optimal() {
    // The first row would rather have the first column, the second one can have no other.
    #expect(Assignment.solve([[1, 2], [1.5, 9]], missing: 20) == [1, 0])
  }

  @Test("a row without a likely column is missing, and a column may stay without a row")
  func missing() {
    #expect(
      Assignment.solve([[8, .infinity], [.infinity, .infinity]], missing: 7) == [nil, nil])
    #expect(Assignment.solve([[6, 3, 5]], missing: 7) == [1])
    #expect(Assignment.solve([[Float]](), missing: 7) == [])
    #expect(Assignment.solve([[], []], missing: 7) == [nil, nil])
  }

  @Test("a row stays missing rather than take a column that another one needs")
  func contested() {
    #expect(Assignment.solve([[1], [2], [3]], missing: 10) == [0, nil, nil])
  }

  @Test("random tables have the least sum of all permutations")
  func exhaustive() {
    var state: UInt64 = 42
    func random() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24)
    }
    func least(_ costs: [[Float]], _ row: Int, _ taken: Set<Int>) -> Float {
      guard row < costs.count else { return 0 }
      var best = 0.6 + least(costs, row + 1, taken)
      for column in costs[row].indices where !taken.contains(column) {
        best = min(best, costs[row][column] + least(costs, row + 1, taken.union([column])))
      }
      return best
    }
    for round in 0..<60 {
      let (rows, columns) = (1 + round % 4, 1 + round / 4 % 5)
      let costs = (0..<rows).map { _ in (0..<columns).map { _ in random() } }
      let solution = Assignment.solve(costs, missing: 0.6)
      #expect(Set(solution.compactMap { $0 }).count == solution.compactMap { $0 }.count)
      let sum = zip(costs, solution).reduce(Float(0)) { sum, row in
        sum + (row.1.map { row.0[$0] } ?? 0.6)
      }
      #expect(abs(sum - least(costs, 0, [])) < 1e-5)
    }
  }
}
