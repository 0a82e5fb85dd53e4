import KinemaNetwork

/// Graphs of points for the networks under test, as the parts of each point.
enum TestGraph {
  /// 18 points about the second one; the parts of a point are itself, its neighbours as far from there
  /// or farther, and those nearer, and its factor 1 / (1 + its neighbours).
  static let large: [[PointGraph.Part]] = {
    let edges = [
      (0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7), (2, 8), (8, 9), (9, 10), (5, 11),
      (11, 12), (12, 13), (0, 14), (0, 15), (14, 16), (15, 17),
    ]
    var near = [[Int]](repeating: [], count: 18)
    for (first, second) in edges {
      near[first].append(second)
      near[second].append(first)
    }
    let hops = (0..<18).map { $0 == 1 ? 0 : near[1].contains($0) ? 1 : Int.max }
    return (0..<18).map { point in
      let factor = 1 / Float(near[point].count + 1)
      return [
        .init([point], factor: factor),
        .init(near[point].filter { hops[$0] >= hops[point] }, factor: factor),
        .init(near[point].filter { hops[$0] < hops[point] }, factor: factor),
      ]
    }
  }()

  /// A ring of five points with two parts, of factors of their own; the second part of every other
  /// point is empty.
  static let ring: [[PointGraph.Part]] = (0..<5).map { (point: Int) -> [PointGraph.Part] in
    let others = point % 2 == 0 ? [(point + 2) % 5, (point + 3) % 5] : []
    return [
      PointGraph.Part([point, (point + 1) % 5], factor: 0.25 + 0.125 * Float(point)),
      PointGraph.Part(others, factor: 0.75),
    ]
  }
}

extension TrainableNetworkSpecification {
  /// A network over 18 points, or those of a graph.
  init(
    _ architecture: TrainingArchitecture, windowSize: Int, classCount: Int,
    graph: [[PointGraph.Part]] = TestGraph.large
  ) {
    self.init(
      architecture: architecture, windowSize: windowSize, pointCount: graph.count,
      classCount: classCount, graph: PointGraph(graph))
  }
}
